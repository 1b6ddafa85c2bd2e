"""The page in a real browser on the real service: what a person does, in both languages, on a desk and on a phone."""

import re
from collections.abc import Iterator

import pytest
from page_browser import HANDBOOK, WEB, Visit, drop_file, open_browser, serving, slides_sideways
from playwright.sync_api import Browser, Page, expect

from es_mappings.settings import Settings, read_settings

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(node_url: str, tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[str]:
    """The service with the handbook on its shelf; the tests below only read it."""
    made: Settings = read_settings(es_url=node_url, index_prefix="test-page", home=tmp_path_factory.mktemp("page"))
    with serving(made) as url:
        visit = Visit(browser, url)
        page = visit.go()
        drop_file(page, "handbook.md", HANDBOOK)
        expect(page.locator(".upload[data-state=done]")).to_be_visible()
        visit.close()
        yield url


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    opened = Visit(browser, address)
    yield opened
    opened.close()


def open_handbook(page: Page) -> None:
    page.locator(".card", has_text="Station Handbook").click()
    expect(page.get_by_role("tree")).to_be_visible()


def find(page: Page, query: str, mode: str = "Search") -> None:
    page.get_by_role("radio", name=mode).click()
    page.locator("#find-box").fill(query)
    page.locator("#find-box").press("Enter")


def test_a_dropped_file_is_followed_until_it_is_on_the_shelf(browser: Browser, address: str) -> None:
    visit = Visit(browser, address)
    page = visit.go()
    drop_file(page, "rules.md", "# House Rules\n\n## Quiet\n\nNo noise after ten.\n")
    item = page.locator(".upload", has_text="rules.md")
    expect(item).to_be_visible()
    expect(item).to_have_attribute("data-state", "done")
    card = page.locator(".card", has_text="House Rules")
    expect(card).to_contain_text("2 sections")
    expect(card).to_contain_text("Styles")
    card.click()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".card", has_text="House Rules")).to_have_count(0)
    expect(page.locator(".card", has_text="Station Handbook")).to_be_visible()
    visit.close()


def test_a_file_that_cannot_be_added_says_why_and_what_to_do(visit: Visit) -> None:
    page = visit.go()
    drop_file(page, "empty.md", "  \n")
    item = page.locator(".upload[data-state=failed]")
    expect(item).to_contain_text("Could not be added")
    expect(item).to_contain_text("empty.md is empty")
    item.get_by_role("button", name="Dismiss").click()
    expect(item).to_have_count(0)


def test_a_clicked_section_is_read_and_limits_the_search_until_its_chip_is_taken_away(visit: Visit) -> None:
    page = visit.go()
    open_handbook(page)
    page.get_by_role("treeitem", name="1 Doors").click()
    expect(page.locator(".reader .read-heading").first).to_have_text("1 Doors")
    expect(page.locator(".reader")).to_contain_text("At night every door stays shut.")
    expect(page.locator(".chip")).to_contain_text("1 Doors")
    find(page, "wages door")
    expect(page.locator(".hit").first).to_be_visible()
    assert not [text for text in page.locator(".hit-place").all_inner_texts() if "Doors" not in text and "Handbook" not in text]
    expect(page.locator(".hits")).not_to_contain_text("Wages")
    page.locator(".chip-drop").click()
    expect(page.locator(".hits")).to_contain_text("Wages")
    expect(page.locator(".hit mark").first).to_be_visible()
    expect(page.locator(".overview .tick").first).to_be_visible()


def test_a_section_can_be_left_out(visit: Visit) -> None:
    page = visit.go()
    open_handbook(page)
    item = page.get_by_role("treeitem", name="2 Pay")
    item.hover()
    item.get_by_role("button").click()
    expect(page.locator(".chip[data-kind=without]")).to_contain_text("2 Pay")
    find(page, "wages door")
    expect(page.locator(".hit").first).to_be_visible()
    expect(page.locator(".hits")).not_to_contain_text("Wages")


def test_a_citation_leads_to_its_passage_and_its_place_in_the_outline(visit: Visit) -> None:
    page = visit.go()
    find(page, "How long may a door stay open?", "Ask")
    answer = page.locator(".answer")
    expect(answer).to_contain_text("ten minutes")
    expect(answer.locator(".answer-how")).to_have_text("Quoted from the documents")
    answer.locator(".cite").first.click()
    passage = page.locator(".passage[data-target=true]")
    expect(passage).to_contain_text("ten minutes")
    expect(passage).to_be_in_viewport()
    expect(page.locator(".row[data-here=true]")).to_contain_text("Doors")
    expect(passage.locator("mark.quote").first).to_be_visible()


def test_what_is_not_in_the_documents_is_said_with_what_came_nearest(visit: Visit) -> None:
    page = visit.go()
    find(page, "Who won the football world cup in 1974?", "Ask")
    expect(page.locator(".abstained h1")).to_have_text("Not in the documents")
    expect(page.locator(".abstained p").first).not_to_be_empty()
    expect(page.locator(".passages .label")).to_contain_text("What came nearest")
    expect(page.locator(".passages .hit").first).to_be_visible()
    assert page.locator(".cite").count() == 0


def test_a_conversation_goes_on_and_its_address_holds_it(visit: Visit) -> None:
    page = visit.go()
    find(page, "What does section 2 of the Station Handbook say about wages?", "Ask")
    expect(page.locator(".answer")).to_contain_text("last working day")
    page.locator(".follow-field").fill("and section 1?")
    page.get_by_role("button", name="Ask on").click()
    expect(page.locator(".thread")).to_contain_text("What does section 2 of the Station Handbook say about wages?")
    expect(page.locator(".understood")).to_contain_text("What does section 1 of the Station Handbook say about wages?")
    page.reload()
    expect(page.locator(".thread li")).to_have_count(1)
    page.locator(".thread .link").click()
    expect(page.locator(".thread")).to_have_count(0)
    expect(page.locator(".answer")).to_contain_text("last working day")


def test_a_follow_up_that_is_being_typed_outlasts_a_drawing_of_the_page(visit: Visit) -> None:
    page = visit.go()
    find(page, "How long may a door stay open?", "Ask")
    field = page.locator(".follow-field")
    field.press_sequentially("and in sec")
    page.evaluate("import('/web/state.js').then(({ get, set }) => set({ documents: [...get().documents] }))")
    expect(field).to_be_focused()
    field.press_sequentially("tion 2?")
    expect(field).to_have_value("and in section 2?")


def test_an_overview_and_a_comparison_say_what_they_stand_on(visit: Visit) -> None:
    page = visit.go()
    find(page, "Summarise the Station Handbook", "Ask")
    expect(page.locator(".answer-how")).to_have_text("From the stored summaries")
    expect(page.locator(".coverage summary")).to_contain_text("sections are in it")
    find(page, "differences between section 1 and section 2", "Ask")
    expect(page.locator(".made-sides li[data-cited=true]")).to_have_count(2)
    expect(page.locator(".made-sides")).to_contain_text("1 Doors")
    page.locator("select.strategy").select_option("traversal")
    expect(page.locator(".made-sides li")).to_have_count(2)
    assert "by=traversal" in page.url


def test_a_section_that_does_not_exist_offers_those_that_do(visit: Visit) -> None:
    page = visit.go()
    find(page, "what does chapter 17 say about doors?")
    expect(page.locator(".nothing")).to_contain_text("There is no such section")
    page.locator(".nearest .link").first.click()
    expect(page.locator(".reader .read-heading").first).to_be_visible()


def test_the_outline_is_used_from_the_keyboard(visit: Visit) -> None:
    page = visit.go()
    open_handbook(page)
    tree = page.get_by_role("tree")
    first = tree.get_by_role("treeitem").first
    first.focus()
    page.keyboard.press("ArrowLeft")
    expect(tree.get_by_role("treeitem")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(tree.get_by_role("treeitem", name="1 Doors")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".reader .read-heading").first).to_have_text("1 Doors")
    page.keyboard.press("]")
    expect(page.locator(".reader .read-heading").first).to_have_text("2 Pay")
    page.keyboard.press("Escape")
    expect(page.locator(".reader .read-heading")).to_have_count(0)
    page.keyboard.press("/")
    expect(page.locator("#find-box")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_hits_are_walked_with_j_and_opened_with_enter(visit: Visit) -> None:
    page = visit.go("#/?q=door")
    expect(page.locator(".hit").first).to_be_visible()
    page.locator("body").press("j")
    expect(page.locator(".hit").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".passage[data-target=true]")).to_be_visible()


def test_a_link_opens_what_it_names_and_back_goes_back(visit: Visit) -> None:
    page = visit.go()
    open_handbook(page)
    page.get_by_role("treeitem", name="2 Pay").click()
    expect(page.locator(".reader table")).to_contain_text("Guard")
    link = page.url
    page.go_back()
    expect(page.locator(".reader .read-heading")).to_have_count(0)
    other = page.context.new_page()
    other.goto(link)
    expect(other.locator(".reader .read-heading").first).to_have_text("2 Pay")
    expect(other.locator(".chip")).to_contain_text("2 Pay")
    other.close()


def test_text_of_a_document_never_becomes_markup(visit: Visit) -> None:
    page = visit.go()
    open_handbook(page)
    page.get_by_role("treeitem", name="2 Pay").click()
    expect(page.locator(".reader")).to_contain_text("Wages are paid")
    assert page.locator("main img").count() == 0
    assert "broken" not in page.title()
    sources = [path.read_text("utf-8") for path in WEB.glob("*.js")]
    assert not [
        match for source in sources for match in re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", source)
    ]


def test_the_page_follows_a_chinese_browser_and_switches(browser: Browser, address: str) -> None:
    visit = Visit(browser, address, locale="zh-CN")
    page = visit.go()
    expect(page.locator("#shelf h2")).to_have_text("文档")
    find(page, "收到报警之后多久必须确认？", "提问")
    expect(page.locator(".answer")).to_contain_text("五分钟")
    expect(page.locator(".answer-how")).to_have_text("摘自原文")
    page.get_by_role("button", name=re.compile("引文.*报警")).first.click()
    expect(page.locator(".passage[data-target=true]")).to_contain_text("值班组长")
    page.locator("#language").click()
    expect(page.locator(".answer-how")).to_have_text("Quoted from the documents")
    page.reload()
    expect(page.locator(".answer-how")).to_have_text("Quoted from the documents")
    visit.close()


@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
def test_a_phone_never_scrolls_sideways(browser: Browser, address: str, locale: str) -> None:
    visit = Visit(browser, address, locale=locale, **PHONE)
    page = visit.go()
    expect(page.locator(".welcome")).to_be_visible()
    assert not slides_sideways(page)
    page.locator("#tabs button").first.click()
    open_handbook(page)
    assert not slides_sideways(page)
    page.get_by_role("treeitem", name="2 Pay").click()
    expect(page.locator(".reader table")).to_be_visible()
    assert not slides_sideways(page)
    page.locator("#find-box").fill("door")
    page.locator("#find-box").press("Enter")
    expect(page.locator(".hit, .nothing").first).to_be_visible()
    assert not slides_sideways(page)
    visit.close()


def test_the_theme_follows_the_system_and_can_be_chosen(browser: Browser, address: str) -> None:
    visit = Visit(browser, address, color_scheme="dark")
    page = visit.go()
    dark = "getComputedStyle(document.body).backgroundColor"
    followed = page.evaluate(dark)
    page.locator("#theme").click()
    chosen = page.evaluate(dark)
    assert followed != chosen
    page.reload()
    assert page.evaluate(dark) == chosen
    visit.close()


def test_the_description_of_the_api_is_drawn_without_help_from_elsewhere(visit: Visit) -> None:
    page = visit.go("docs")
    expect(page.locator("#search h3")).to_contain_text("/api/search")
    expect(page.locator("#SearchBody")).to_contain_text("exclude_section")
