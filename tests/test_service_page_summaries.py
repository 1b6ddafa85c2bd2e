"""Summaries on the page, in a real browser on the real service: read, doubted, made, reworded, in both languages and on a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from page_browser import HANDBOOK, Visit, drop_file, open_browser, serving, slides_sideways
from playwright.sync_api import Browser, Page, expect
from stub_llm import StubModel, StubReply
from summary_books import prose, source_of

from es_mappings.settings import Settings, read_settings

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BOOK = "# Yard Rules\n\n" + "".join(
    f"## {heading}\n\n{fact}\n\n{prose(450, seed)}\n\n"
    for seed, (heading, fact) in enumerate(
        {
            "Doors": "A door of the yard may stay open for ten minutes.",
            "Pay": "Wages are paid on the last working day of the month.",
            "Alarms": "An alarm is acknowledged within five minutes by the guard Maria Okafor.",
        }.items()
    )
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def stub() -> Iterator[StubModel]:
    with StubModel() as server:
        server.default = failing
        yield server


def failing(body: dict[str, Any]) -> StubReply:
    """Refuses to summarise the alarms; says of doors what the book does not say."""
    source = source_of(body["messages"][1]["content"])
    if source.startswith("[Alarms]"):
        return StubReply(status=400)
    return written(body)


def written(body: dict[str, Any]) -> StubReply:
    prompt = str(body["messages"])
    if "new staff" in prompt:
        return StubReply(text="Welcome: close the doors of the yard.", delay=1.5)
    return StubReply(text="A door of the yard may stay open for twenty minutes.\nWages are paid on the last working day.")


@pytest.fixture(scope="module")
def address(node_url: str, tmp_path_factory: pytest.TempPathFactory, browser: Browser, stub: StubModel) -> Iterator[str]:
    """The service with one book of which a chapter could not be summarised, and a short one."""
    folder: Path = tmp_path_factory.mktemp("page")
    made: Settings = read_settings(
        es_url=node_url, index_prefix="test-page-summaries", home=folder, llm_base_url=stub.url, summary_attempts=1
    )
    with serving(made) as url:
        visit = Visit(browser, url)
        page = visit.go()
        for name, text in (("yard.md", BOOK), ("handbook.md", HANDBOOK)):
            drop_file(page, name, text)
        for title in ("Yard Rules", "Station Handbook"):
            expect(page.locator(".card", has_text=title)).to_be_visible()
        visit.close()
        yield url


def opened(visit: Visit, title: str) -> Page:
    page = visit.go()
    page.locator(".card", has_text=title).click()
    expect(page.locator(".glance .summary .state")).to_be_visible()
    return page


def test_a_summary_shows_what_is_missing_and_what_nothing_supports_and_can_be_made_whole(
    browser: Browser, address: str, stub: StubModel
) -> None:
    visit = Visit(browser, address)
    page = opened(visit, "Yard Rules")
    summary = page.locator(".glance .summary")
    expect(summary.locator(".state")).to_have_text("Incomplete")
    expect(summary.locator(".covered")).to_contain_text("1 section is not in it")
    assert summary.locator('.band[data-included="false"]').count() == 1
    expect(summary.locator(".left-out")).to_contain_text("Alarms")
    expect(summary.locator(".unsupported")).to_contain_text("twenty minutes")
    expect(summary.locator('.check[data-kind="fault"]')).to_contain_text("The number is not the one in the text.")
    stub.default = written
    summary.get_by_role("button", name="Make it now").click()
    expect(summary.locator(".state")).to_have_text("Up to date")
    expect(summary.locator(".covered")).to_contain_text("Covers 100 % of the text")
    visit.close()


def test_another_wording_is_shown_when_it_is_written_and_the_stored_one_comes_back(browser: Browser, address: str) -> None:
    visit = Visit(browser, address)
    page = opened(visit, "Yard Rules")
    summary = page.locator(".glance .summary")
    summary.get_by_text("In other words").click()
    summary.get_by_label("For whom, or about what").fill("for new staff")
    summary.get_by_role("button", name="Rewrite").click()
    expect(summary.get_by_role("status")).to_contain_text("The model is writing")
    expect(summary.locator(".summary-text")).to_contain_text("Welcome")
    summary.get_by_role("button", name="The stored one again").click()
    expect(summary.locator(".summary-text")).to_contain_text("twenty minutes")
    visit.close()


def test_a_section_shows_its_summary_or_its_text_by_one_key_and_by_its_address(browser: Browser, address: str) -> None:
    visit = Visit(browser, address)
    page = opened(visit, "Yard Rules")
    page.get_by_role("treeitem", name="Pay").click()
    expect(page.locator(".reader .passage").first).to_be_visible()
    page.keyboard.press("s")
    expect(page.locator(".reader .summary .state")).to_be_visible()
    assert "view=summary" in page.url
    page.reload()
    expect(page.locator(".reader .summary .state")).to_be_visible()
    page.keyboard.press("s")
    expect(page.locator(".reader .passage").first).to_be_visible()
    visit.close()


def test_on_a_phone_and_in_chinese_everything_is_there(browser: Browser, address: str) -> None:
    visit = Visit(browser, address, **PHONE, locale="zh-CN")
    page = visit.go()
    page.locator("#tabs button").first.click()
    page.locator(".card", has_text="Station Handbook").click()
    page.locator("#tabs button").nth(1).click()
    summary = page.locator(".glance .summary")
    expect(summary.locator(".state")).to_have_text("最新")
    expect(summary).to_contain_text("原文较短，全文照录")
    summary.get_by_text("换一种写法").click()
    expect(summary.get_by_role("button", name="重写")).to_be_visible()
    assert not slides_sideways(page)
    visit.close()


def test_the_overview_of_a_collection_is_unfolded_on_the_first_page_and_made_on_demand(browser: Browser, address: str) -> None:
    visit = Visit(browser, address)
    page = visit.go()
    page.get_by_text("Overview of “default”, 2 documents").click()
    summary = page.locator(".collection-overview .summary")
    expect(summary.locator(".state")).to_have_text("Not made yet")
    summary.get_by_role("button", name="Make it now").click()
    expect(summary.locator(".state")).to_have_text("Up to date")
    assert summary.locator(".band").count() == 2
    page.locator("#status").click()
    expect(page.get_by_role("dialog")).to_contain_text("made at once")
    visit.close()
