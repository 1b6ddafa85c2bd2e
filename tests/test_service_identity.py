"""Who asks: the whole table, and the requests that a foreign page makes a browser send."""

import pytest

from es_mappings.access import Reader
from es_mappings.errors import Forbidden, InvalidRequest, Unauthenticated
from es_mappings.settings import Settings, read_settings
from service.identity import NOBODY, OWNER_CALLER, Ask, Caller, who_asks

KEY = "k" * 40


def settings(**changes: object) -> Settings:
    return read_settings(**{"host": "127.0.0.1", **changes})


def ask(**changes: object) -> Ask:
    return Ask(**{"method": "GET", "host": "localhost:8080", "remote": "127.0.0.1", **changes})  # type: ignore[arg-type]


def member(*groups: str, writes: bool = False) -> Caller:
    return Caller(reader=Reader(groups=frozenset(groups)), may_write=writes, name=f"groups:{','.join(sorted(groups))}")


@pytest.mark.parametrize(
    ("made", "asked", "caller"),
    [
        # on loopback, the owner ...
        ({}, {}, OWNER_CALLER),
        ({"host": "::1"}, {"host": "[::1]:8080", "remote": "::1"}, OWNER_CALLER),
        # ... unless a proxy stands between, the peer is elsewhere, or another way to tell was set
        ({}, {"forwarded": True}, NOBODY),
        ({}, {"remote": "172.17.0.1"}, NOBODY),
        ({"owner_key": KEY}, {}, NOBODY),
        ({"groups_header": "X-Groups"}, {}, NOBODY),
        # the key makes the owner anywhere
        ({"owner_key": KEY}, {"authorization": f"Bearer {KEY}"}, OWNER_CALLER),
        ({"owner_key": KEY, "host": "0.0.0.0"}, {"authorization": f"Bearer {KEY}", "remote": "10.0.0.9"}, OWNER_CALLER),
        # beyond loopback nobody in particular
        ({"host": "0.0.0.0"}, {"remote": "10.0.0.9", "host": "books.example"}, NOBODY),
        ({"host": "0.0.0.0"}, {"remote": "127.0.0.1"}, NOBODY),
        # groups only from the header of a trusted proxy
        ({"groups_header": "X-Groups"}, {"groups": "hr, legal"}, member("hr", "legal")),
        ({"groups_header": "X-Groups", "host": "0.0.0.0"}, {"groups": "hr", "remote": "10.0.0.9"}, NOBODY),
        (
            {"groups_header": "X-Groups", "host": "0.0.0.0", "trusted_proxies": "10.0.0.0/8"},
            {"groups": "hr", "remote": "10.0.0.9"},
            member("hr"),
        ),
        ({"groups_header": "X-Groups", "writer_groups": "editors,hr"}, {"groups": "hr"}, member("hr", writes=True)),
        ({"groups_header": "X-Groups", "writer_groups": "editors"}, {"groups": "Editors"}, member("Editors")),
        ({}, {"groups": "hr"}, OWNER_CALLER),
    ],
)
def test_the_caller_is_who_the_table_says(made: dict[str, object], asked: dict[str, object], caller: Caller) -> None:
    assert who_asks(ask(**asked), settings(**made)) == caller


@pytest.mark.parametrize("authorization", ["Bearer wrong", f"Bearer {KEY}x", f"bearer {KEY}", KEY, f"Basic {KEY}"])
def test_a_wrong_key_is_refused_and_not_taken_for_nobody(authorization: str) -> None:
    with pytest.raises(Unauthenticated):
        who_asks(ask(authorization=authorization), settings(owner_key=KEY))


def test_nobody_reads_nothing_where_nothing_is_public() -> None:
    with pytest.raises(Unauthenticated):
        who_asks(ask(remote="10.0.0.9"), settings(host="0.0.0.0", public_reading=False))


def test_a_short_key_is_refused_at_the_start() -> None:
    with pytest.raises(Exception, match="OWNER_KEY"):
        settings(owner_key="short")


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example:8080", "127.0.0.1.evil.example", "10.0.0.1", "", "[::1", "user@evil"]
)
def test_a_foreign_host_name_is_refused_on_loopback(host: str) -> None:
    with pytest.raises(InvalidRequest):
        who_asks(ask(host=host), settings())


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1:8080", "127.8.9.1", "[::1]:8080", "books.localhost"])
def test_loopback_names_are_served(host: str) -> None:
    assert who_asks(ask(host=host), settings()) == OWNER_CALLER


def test_a_name_that_was_allowed_is_served_and_others_are_not() -> None:
    made = settings(host="0.0.0.0", allowed_hosts="books.example, library.example")
    assert who_asks(ask(host="Books.Example:443", remote="10.0.0.9"), made) == NOBODY
    with pytest.raises(InvalidRequest):
        who_asks(ask(host="evil.example", remote="10.0.0.9"), made)


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
@pytest.mark.parametrize(
    "asked",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://localhost:9999"},
        {"origin": "null"},
        {"fetch_site": "cross-site"},
        {"fetch_site": "same-site"},
    ],
)
def test_a_foreign_page_cannot_write(method: str, asked: dict[str, object]) -> None:
    with pytest.raises(InvalidRequest):
        who_asks(ask(method=method, **asked), settings())


def test_our_own_page_may_write() -> None:
    own = ask(method="POST", origin="http://localhost:8080", fetch_site="same-origin")
    assert who_asks(own, settings()) == OWNER_CALLER


def test_who_may_not_write_is_told_why() -> None:
    with pytest.raises(Unauthenticated):
        NOBODY.check_may_write()
    with pytest.raises(Forbidden):
        member("hr").check_may_write()
    OWNER_CALLER.check_may_write()
