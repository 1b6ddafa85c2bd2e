"""Who is asking: the only module that reads identity from a request. Groups come from a trusted proxy's header, never from a body.

On loopback the caller is the owner, unless an owner key or a groups header is set or a proxy stands between. Beyond loopback
a caller without an identity is nobody and may at most read what is public. Host and Origin are checked first, because a web
page elsewhere can make a browser on this machine send requests here (DNS rebinding, cross-site requests).
"""

import hmac
import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from flask import Request

from es_mappings.access import OWNER, Reader
from es_mappings.errors import Forbidden, InvalidRequest, Unauthenticated
from es_mappings.settings import Settings

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORWARDING_HEADERS = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")
GROUPS_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What of a request bears on identity; "" stands for a missing header. `remote` is the peer's address."""

    method: str
    host: str
    remote: str
    origin: str = ""
    fetch_site: str = ""
    authorization: str = ""
    groups: str = ""
    forwarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, whether they may write, and under which name their jobs are kept."""

    reader: Reader
    may_write: bool
    name: str

    def check_may_write(self) -> None:
        """Raises Unauthenticated for nobody in particular, Forbidden for a reader."""
        if self.may_write:
            return
        if self.reader.groups:
            raise Forbidden("you may read here, but not upload or delete: ask for membership in one of SECTIONARY_WRITER_GROUPS")
        raise Unauthenticated("uploading and deleting need an identity: send the owner key as `Authorization: Bearer KEY`")


OWNER_CALLER = Caller(reader=OWNER, may_write=True, name="owner")
NOBODY = Caller(reader=Reader(), may_write=False, name="nobody")


def ask_of(request: Request, settings: Settings) -> Ask:
    """The part of a Flask request that bears on identity."""
    headers = request.headers
    return Ask(
        method=request.method,
        host=headers.get("Host", ""),
        remote=request.remote_addr or "",
        origin=headers.get("Origin", ""),
        fetch_site=headers.get("Sec-Fetch-Site", ""),
        authorization=headers.get("Authorization", ""),
        groups=headers.get(settings.groups_header, "") if settings.groups_header else "",
        forwarded=any(name in headers for name in FORWARDING_HEADERS),
    )


def check_address(ask: Ask, settings: Settings) -> None:
    """Refuse requests that a foreign web page made a browser send. Raises InvalidRequest."""
    name = _host_name(ask.host)
    allowed = _listed(settings.allowed_hosts)
    if (settings.on_loopback or allowed) and not (_is_loopback_name(name) or name in allowed or name == settings.host.lower()):
        raise InvalidRequest("this Host is not served here: use http://localhost, or list the name in SECTIONARY_ALLOWED_HOSTS")
    if ask.method in SAFE_METHODS:
        return
    if ask.fetch_site in ("cross-site", "same-site") or (ask.origin and urlsplit(ask.origin).netloc.lower() != ask.host.lower()):
        raise InvalidRequest("requests that write are not taken from another site's page")


def who_asks(ask: Ask, settings: Settings) -> Caller:
    """The caller. Raises InvalidRequest for a foreign Host or Origin, Unauthenticated for a wrong key or where nobody may read."""
    check_address(ask, settings)
    if settings.owner_key and ask.authorization:
        if hmac.compare_digest(ask.authorization.encode(), f"Bearer {settings.owner_key}".encode()):
            return OWNER_CALLER
        raise Unauthenticated("the key in `Authorization: Bearer KEY` is not the owner's")
    if settings.groups_header and ask.groups and _in_networks(ask.remote, settings.trusted_proxies):
        return _member(ask.groups, settings)
    if settings.on_loopback and not (settings.owner_key or settings.groups_header or ask.forwarded) and _is_loopback(ask.remote):
        return OWNER_CALLER
    if settings.public_reading:
        return NOBODY
    raise Unauthenticated("nothing is public here: sign in through the proxy, or send the owner key as `Authorization: Bearer KEY`")


def _member(header: str, settings: Settings) -> Caller:
    groups = _listed(header[:GROUPS_CHARACTERS], lower=False)
    writes = bool(groups & _listed(settings.writer_groups, lower=False))
    return Caller(reader=Reader(groups=groups), may_write=writes, name=f"groups:{','.join(sorted(groups))}")


def _listed(text: str, *, lower: bool = True) -> frozenset[str]:
    return frozenset(name.lower() if lower else name for part in text.split(",") if (name := part.strip()))


def _host_name(host: str) -> str:
    """The name in a Host header, without port and brackets; "" when it is malformed."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_loopback_name(name: str) -> bool:
    return name == "localhost" or name.endswith(".localhost") or _is_loopback(name)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _in_networks(address: str, networks: str) -> bool:
    try:
        peer = ipaddress.ip_address(address)
        return any(peer in ipaddress.ip_network(network, strict=False) for network in _listed(networks))
    except ValueError:
        return False
