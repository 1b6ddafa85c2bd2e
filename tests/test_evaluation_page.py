"""The page of an evaluation in a real browser: on a phone and a desk, in both languages, light and dark, asking nobody for anything."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from page_browser import open_browser, slides_sideways
from playwright.sync_api import Browser, Page

from service.evaluation.intervals import Part
from service.evaluation.page import page
from service.evaluation.report import reported
from service.models.evaluation import EvaluationReply, Outcome

LONG = "What does it say about " + "averyverylongwordwithoutanyplacetobreak" * 4 + "?"


def outcome(line: int, type_: str, *, found: bool) -> Outcome:
    figures: dict[str, Part] = {f"recall@{k}": (float(found), 1.0) for k in (1, 3, 5, 10)}
    figures |= {f"recall@{b}t": (float(found), 1.0) for b in (250, 500, 1000, 4000)} | {"packed_recall": (float(found), 1.0)}
    return Outcome(
        id=str(line), line=line, type=type_, question=LONG, unanswerable=False, error=None, abstained=False, reason=None,  # type: ignore[arg-type]
        ranks=[1 if found else None], packed=[found], used=400, answer=LONG, cited=[1], unsupported=[LONG], search_ms=4, answer_ms=9,
        degraded=[], parts=figures,
    )  # fmt: skip


def report() -> EvaluationReply:
    outcomes = [outcome(n, ("local", "cross_chapter", "overview")[n % 3], found=n % 4 != 0) for n in range(1, 20)]
    before = reported([outcome(n, "local", found=False) for n in range(1, 20)], file="before.jsonl", questions=19, settings={})
    return reported(outcomes, file=f"{'set' * 40}.jsonl", questions=19, settings={"embedder": LONG}, other=("before.json", before))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    path: Path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(page(report()), "utf-8")
    return path.as_uri()


def opened(browser: Browser, address: str, *, width: int, locale: str, scheme: str, asked: list[str]) -> Page:
    context = browser.new_context(viewport={"width": width, "height": 800}, locale=locale, color_scheme=scheme)  # type: ignore[arg-type]
    tab = context.new_page()
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("pageerror", lambda error: asked.append(str(error)))
    tab.goto(address)
    return tab


@pytest.mark.parametrize(("locale", "scheme", "word"), [("en-GB", "light", "All figures"), ("zh-CN", "dark", "全部指标")])
@pytest.mark.parametrize("width", [360, 1200])
def test_the_page_fits_speaks_the_reader_s_language_and_asks_nobody(
    browser: Browser, address: str, width: int, locale: str, scheme: str, word: str
) -> None:
    asked: list[str] = []
    tab = opened(browser, address, width=width, locale=locale, scheme=scheme, asked=asked)
    assert tab.get_by_role("heading", name=word).is_visible()
    for details in tab.locator("details").all():
        details.evaluate("element => element.open = true")
    assert not slides_sideways(tab)
    assert asked == [address]
    tab.get_by_role("button").click()
    assert not tab.get_by_role("heading", name=word).is_visible()
    tab.context.close()


def test_without_scripts_the_page_is_in_english(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False, locale="zh-CN")
    tab = context.new_page()
    tab.goto(address)
    assert tab.get_by_role("heading", name="All figures").is_visible()
    assert not tab.get_by_role("heading", name="全部指标").is_visible()
    assert not tab.get_by_role("button").is_visible()
    context.close()
