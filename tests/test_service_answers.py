"""Search and answers over HTTP with nothing staged: the same JSON as the schemas say, streamed or whole, and within the asker's rights."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient
from page_browser import HANDBOOK
from staged_service import owner_client, parse_events

from es_mappings.access import rule_for
from es_mappings.settings import Settings, read_settings
from ingest.opening import open_store
from ingest.pipeline import Order, ingest
from ingest.sources import Source
from service.app import create_app
from service.models.schemas import published_schemas
from service.opening import open_services

GROUPS = "X-Groups"
CLOSED = "# Salaries\n\n## Leads\n\nA shift lead earns 4711 crowns a month.\n"


@pytest.fixture(scope="module")
def made(node_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of an index with an open handbook and salaries that only the group hr may read."""
    home = tmp_path_factory.mktemp("answers")
    settings = read_settings(es_url=node_url, index_prefix="test-answers", home=home)
    with open_store(settings) as store:
        for name, text, groups in (("handbook.md", HANDBOOK, ()), ("salaries.md", CLOSED, ("hr",))):
            path = home / name
            path.write_text(text, "utf-8")
            order = Order(source=Source(path=path, name=name), access=rule_for(groups))
            assert ingest(order, store, lambda stage, done, total: None).error is None
        yield settings
        store.index.drop()


@pytest.fixture(scope="module")
def client(made: Settings) -> Iterator[FlaskClient]:
    services = open_services(made)
    yield owner_client(create_app(made, services))
    services.index.close()


@pytest.fixture(scope="module")
def members(made: Settings) -> Iterator[FlaskClient]:
    settings = made.model_copy(update={"groups_header": GROUPS})
    services = open_services(settings)
    yield owner_client(create_app(settings, services))
    services.index.close()


def check(name: str, reply: Any) -> Any:
    assert reply.status_code == 200, reply.text
    jsonschema.Draft202012Validator(published_schemas()[name]).validate(reply.json)
    return reply.json


def test_search_replies_as_the_schema_says_and_explains_itself(client: FlaskClient) -> None:
    found = check("search", client.post("/api/search", json={"query": "how long may a door stay open?", "explain": True}))
    assert "ten minutes" in found["hits"][0]["content"]
    assert found["hits"][0]["signals"]


def test_a_section_in_the_body_limits_search_and_answer(client: FlaskClient) -> None:
    for section in ("2", "chapter 3", "第三章"):
        found = check("search", client.post("/api/search", json={"query": "door", "section": section}))
        assert not [hit for hit in found["hits"] if "Doors" in hit["section_path"]]
    unknown = check("answer", client.post("/api/answers", json={"query": "door", "section": "chapter 44"}))
    assert (unknown["abstained"], unknown["reason"]) == (True, "no_such_section")
    assert unknown["nearest"]


def test_an_answer_is_the_same_streamed_and_whole(client: FlaskClient) -> None:
    body = {"query": "How long may a door of the hall stay open?"}
    whole = check("answer", client.post("/api/answers", json=body))
    assert "ten minutes" in whole["answer"]
    assert {citation["n"] for citation in whole["citations"]} <= {passage["n"] for passage in whole["passages"]}
    events = parse_events(client.post("/api/answers", json=body, headers={"Accept": "text/event-stream"}).data)
    assert events[0][0] == "passages"
    assert json.loads(events[-1][1]) == whole
    assert "".join(data for name, data in events if name == "delta") == whole["answer"]


def test_what_is_not_there_is_answered_with_an_abstention(client: FlaskClient) -> None:
    none = check("answer", client.post("/api/answers", json={"query": "Who won the football world cup in 1974?"}))
    assert (none["abstained"], none["citations"]) == (True, [])
    assert none["reason"]


def test_a_closed_document_shows_in_nothing_that_others_are_sent(members: FlaskClient) -> None:
    question = {"query": "How much does a shift lead earn? 4711 crowns"}
    mine = members.post("/api/search", json=question, headers={GROUPS: "hr"})
    assert "4711" in mine.text
    for headers in ({GROUPS: "sales"}, {}):
        for address, extra in (("/api/search", {}), ("/api/answers", {}), ("/api/answers", {"Accept": "text/event-stream"})):
            for body in (question, {**question, "section": "Leads"}, {"query": "summarise Salaries"}):
                reply = members.post(address, json=body, headers={**headers, **extra})
                assert reply.status_code == 200
                assert "crowns a month" not in reply.text
                assert "salaries/" not in reply.text


def test_a_conversation_is_sent_along_and_every_kind_of_answer_fits_the_schema(client: FlaskClient) -> None:
    history = [{"role": "user", "content": "What does section 2 say about wages?"}, {"role": "assistant", "content": "They are paid [1]."}]
    reply = check("answer", client.post("/api/answers", json={"query": "and section 1?", "history": history}))
    assert reply["question"] == "and section 1?"
    assert reply["intent"]["rewritten"] == "What does section 1 say about wages?"
    for query in ("Summarise the Station Handbook", "differences between section 1 and section 2", "What refers to section 2?"):
        check("answer", client.post("/api/answers", json={"query": query, "strategy": "traversal"}))
