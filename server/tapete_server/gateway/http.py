"""Plain HTTP on the same port: GET and HEAD for pages, health and public records. The rest is the WebSocket's."""

from __future__ import annotations

import gzip
import json
import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, Protocol
from urllib.parse import parse_qs

import msgspec
from websockets.datastructures import Headers, MultipleValuesError
from websockets.http11 import Request, Response

from tapete_protocol.base import TableId
from tapete_server.gateway.pages import Page, Pages
from tapete_server.ports import StoreAway
from tapete_server.shell.floor_port import Floor

log = logging.getLogger("tapete.gateway")

WEBSOCKET_PATH = "/ws"
PATH_CHARS_MAX = 512
ROUNDS_DEFAULT, ROUNDS_MAX = 20, 100
"""Of one answer."""

_HOST = re.compile(r"(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
_ROUNDS = re.compile(r"/api/tables/([a-z0-9][a-z0-9-]{0,31})/rounds")
_ROUND = re.compile(r"/api/rounds/([a-z0-9][a-z0-9-]{0,31})/([0-9]{1,15})")
_ODDS = re.compile(r"/api/tables/([a-z0-9][a-z0-9-]{0,31})/odds")
_LAST = re.compile(r"[0-9]{1,4}")
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Records(Protocol):
    """Where the records of settled rounds are: msgpack, as they were written. May raise `StoreAway`."""

    async def record(self, table: TableId, round_number: int, /) -> bytes | None: ...

    async def records(self, table: TableId, last: int, /) -> list[tuple[int, bytes]]: ...


class NoPage(Exception):
    """No page for this."""

    def __init__(self, status: HTTPStatus, text: str, **headers: str) -> None:
        super().__init__(text)
        self.status, self.text, self.headers = status, text, headers


class PlainHttp:
    """Answers requests that are not for the WebSocket."""

    def __init__(self, floor: Floor, records: Records, pages: Pages, faults: Callable[[], Sequence[str]]) -> None:
        self._floor, self._records, self._pages, self._faults = floor, records, pages, faults
        self._odds_pages = OddsPages()

    async def answer(self, request: Request) -> Response:
        try:
            response = await self._get(request)
        except NoPage as refusal:
            response = text(refusal.status, refusal.text, **refusal.headers)
        except StoreAway:
            retry = {"Retry-After": "1"}
            response = text(HTTPStatus.SERVICE_UNAVAILABLE, "The store cannot be reached at this moment.", **retry)
        except Exception:
            log.exception("a request failed", extra={"path": request.path[:PATH_CHARS_MAX]})
            response = text(HTTPStatus.INTERNAL_SERVER_ERROR, "The node made a mistake.")
        if request.method == "HEAD":
            response.body = b""
        return response

    async def _odds(self, table: TableId) -> Page:
        """The same for everybody at a table: what each bet of it and each decision is worth."""
        try:
            odds = await self._floor.odds(table)
        except LookupError:
            odds = {"unknown": "The odds of this table's rules are not known yet; ask again in a minute."}
        if odds is None:
            raise NoPage(HTTPStatus.NOT_FOUND, "There is no such table.")
        return self._odds_pages(odds)

    async def _get(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            raise NoPage(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET and HEAD.", Allow="GET, HEAD")
        host_of(request)
        path, _, query = request.path.partition("?")
        if len(request.path) > PATH_CHARS_MAX:
            raise NoPage(HTTPStatus.REQUEST_URI_TOO_LONG, "That address is too long.")
        if path == "/healthz":
            return text(HTTPStatus.OK, "alive")
        if path == "/readyz":
            return readiness(self._faults())
        if path == "/api/tables":
            return as_json(plain(unpacked(await self._floor.lobby()))["tables"])
        if (response := await self._public(path, query, request)) is not None:
            return response
        if (page := self._pages.get(path)) is not None:
            return as_page(page, request)
        raise NoPage(HTTPStatus.NOT_FOUND, "There is nothing here.")

    async def _public(self, path: str, query: str, request: Request) -> Response | None:
        """Of one table; None: no such address."""
        if found := _ROUNDS.fullmatch(path):
            rounds = await self._records.records(TableId(found[1]), last_of(query))
            return as_json([{"round": number, "record": plain(unpacked(record))} for number, record in rounds])
        if found := _ODDS.fullmatch(path):
            return as_page(await self._odds(TableId(found[1])), request)
        if found := _ROUND.fullmatch(path):
            record = await self._records.record(TableId(found[1]), int(found[2]))
            if record is None:
                raise NoPage(HTTPStatus.NOT_FOUND, "There is no record of that round.")
            return as_json(plain(unpacked(record)))
        return None


ODDS_PAGES_MAX = 16
"""Written documents that are kept: tables of the same rules share one."""


class OddsPages:
    """A document is written once: its hash says what is in it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Page] = OrderedDict()

    def __call__(self, odds: Mapping[str, Any]) -> Page:
        name = str(odds.get("hash"))
        if name not in self._kept:
            self._kept[name] = _odds_page(json.dumps(odds, separators=(",", ":")).encode())
            if len(self._kept) > ODDS_PAGES_MAX:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]


def _odds_page(body: bytes) -> Page:
    policy = "default-src 'none'; frame-ancestors 'none'"
    return Page(body, "application/json", policy, gzipped=gzip.compress(body, mtime=0))


def host_of(request: Request) -> str:
    """The one Host header, in lower case."""
    host = only(request.headers, "Host")
    if host is None and request.protocol == "HTTP/1.0":
        return ""
    if host is None or not _HOST.fullmatch(host):
        raise NoPage(HTTPStatus.BAD_REQUEST, "A request has one Host header.")
    return host.lower()


def only(headers: Headers, name: str) -> str | None:
    try:
        return headers.get(name)
    except MultipleValuesError:
        raise NoPage(HTTPStatus.BAD_REQUEST, f"A request has at most one {name} header.") from None


def last_of(query: str) -> int:
    values = parse_qs(query, keep_blank_values=True, max_num_fields=None).get("last", [str(ROUNDS_DEFAULT)])
    if len(values) != 1 or not _LAST.fullmatch(values[0]) or not 1 <= int(values[0]) <= ROUNDS_MAX:
        raise NoPage(HTTPStatus.BAD_REQUEST, f"`last` is a number from 1 to {ROUNDS_MAX}.")
    return int(values[0])


def respond(status: HTTPStatus, body: bytes, content_type: str, headers: dict[str, str]) -> Response:
    """Connection: close, because `websockets` answers one request for each connection."""
    fields = {"Date": formatdate(usegmt=True), "Connection": "close", **_SAFE, **headers}
    if status is not HTTPStatus.NOT_MODIFIED:
        fields |= {"Content-Type": content_type, "Content-Length": str(len(body))}
    return Response(status.value, status.phrase, Headers(fields), body)


def text(status: HTTPStatus, line: str, **headers: str) -> Response:
    sealed = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-store"}
    return respond(status, f"{line}\n".encode(), "text/plain; charset=utf-8", sealed | headers)


def readiness(faults: Sequence[str]) -> Response:
    """For a load balancer by its status, for a person by its text."""
    if not faults:
        return text(HTTPStatus.OK, "ready")
    return text(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready: {'; '.join(faults)}")


def as_json(value: Any) -> Response:
    sealed = {"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'", "Cache-Control": "no-store"}
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    return respond(HTTPStatus.OK, body, "application/json", sealed)


def as_page(page: Page, request: Request) -> Response:
    headers = {
        "Content-Security-Policy": page.policy,
        "ETag": page.etag,
        "Cache-Control": "public, max-age=31536000, immutable" if page.immutable else "no-cache",
        "Vary": "Accept-Encoding",
    }
    known = {
        tag.strip().removeprefix("W/") for value in request.headers.get_all("If-None-Match") for tag in value.split(",")
    }
    if page.etag in known or "*" in known:
        return respond(HTTPStatus.NOT_MODIFIED, b"", page.content_type, headers)
    accepted = ",".join(request.headers.get_all("Accept-Encoding"))
    if page.gzipped is not None and re.search(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", accepted):
        return respond(HTTPStatus.OK, page.gzipped, page.content_type, headers | {"Content-Encoding": "gzip"})
    return respond(HTTPStatus.OK, page.body, page.content_type, headers)


def unpacked(packed: bytes) -> Any:
    return msgspec.msgpack.decode(packed)


def plain(value: Any) -> Any:
    """As JSON can say it: bytes in hexadecimal."""
    match value:
        case bytes():
            return value.hex()
        case dict():
            return {str(key): plain(one) for key, one in value.items()}
        case list() | tuple():
            return [plain(one) for one in value]
        case _:
            return value
