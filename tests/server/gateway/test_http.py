"""The same port for a browser or for curl."""

from __future__ import annotations

import gzip
import json

import pytest
from websockets.exceptions import InvalidStatus

from tapete_protocol.commands import Hello
from tapete_server.gateway import GatewayLimits, Page
from tests.server.gateway.door import running


async def test_alive_and_ready() -> None:
    faults: list[str] = []
    async with running(faults=lambda: faults) as door:
        assert (await door.get("/healthz")).body == b"alive\n"
        assert (await door.get("/readyz")).status == 200
        faults += ["the event loop is late", "the store is on fire"]
        got = await door.get("/readyz")
        assert (got.status, got.body) == (503, b"not ready: the event loop is late; the store is on fire\n")
        assert (await door.get("/healthz")).status == 200


async def test_tables_and_records_as_json() -> None:
    async with running() as door:
        got = await door.get("/api/tables")
        assert got.headers["Content-Type"] == "application/json"
        assert [row["table"] for row in json.loads(got.body)] == ["felt"]
        got = await door.get("/api/tables/felt/rounds?last=1")
        assert json.loads(got.body) == [{"round": 2, "record": {"round": 2}}]
        rounds = json.loads((await door.get("/api/tables/felt/rounds")).body)
        assert [one["round"] for one in rounds] == [1, 2], "the oldest first, as they are proven"
        assert json.loads((await door.get("/api/rounds/felt/1")).body) == {"round": 1, "secret": "ab"}
        assert (await door.get("/api/rounds/felt/9")).status == 404


async def test_the_odds_of_a_table() -> None:
    async with running() as door:
        got = await door.get("/api/tables/felt/odds")
        assert (got.status, got.headers["Content-Type"]) == (200, "application/json")
        assert set(json.loads(got.body)["edge"]) == {"optimal", "table"}
        assert (await door.get("/api/tables/felt/odds", If_None_Match=got.headers["ETag"])).status == 304
        assert (await door.get("/api/tables/nowhere/odds")).status == 404
        assert "not known yet" in json.loads((await door.get("/api/tables/own-rules/odds")).body)["unknown"]


async def test_a_store_that_is_away() -> None:
    async with running() as door:
        door.floor.away = door.records.away = True
        got = await door.get("/api/rounds/felt/1")
        assert (got.status, got.headers["Retry-After"]) == (503, "1")
        assert (await door.get("/api/tables")).status == 503


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/../../etc/passwd", 404),
        ("/%2e%2e/", 404),
        ("//evil.test/", 404),
        ("http://evil.test/", 404),
        ("*", 404),
        ("/api/tables/FELT/rounds", 404),
        ("/api/rounds/felt/-1", 404),
        ("/api/rounds/felt/1e9", 404),
        ("/api/tables/felt/rounds?last=0", 400),
        ("/api/tables/felt/rounds?last=101", 400),
        ("/api/tables/felt/rounds?last=1&last=2", 400),
        ("/api/tables/felt/rounds?last=%D9%A1", 400),
        ("/" + "a" * 600, 414),
        ("/ws", 426),
    ],
)
async def test_addresses_that_lead_nowhere(path: str, status: int) -> None:
    async with running() as door:
        got = await door.get(path)
        assert got.status == status
        assert b"evil" not in got.body
        assert "Traceback" not in got.body.decode()


@pytest.mark.parametrize("host", ["", "a b", "evil.test/path", "user@evil.test", "a:99999999", "[::1", 'x"><script>'])
async def test_a_bad_host(host: str) -> None:
    async with running() as door:
        got = await door.get("/", host=host)
        assert got.status == 400
        assert b"script" not in got.body


async def test_no_host_and_two_hosts() -> None:
    async with running() as door:
        assert (await door.say(b"GET / HTTP/1.1\r\n\r\n")).status == 400
        assert (await door.say(b"GET /healthz HTTP/1.0\r\n\r\n")).status == 200
        assert (await door.say(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")).status == 400


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: a\r\n", b"\x16\x03\x01"])
async def test_who_never_finishes_asking_is_cut_off(begun: bytes) -> None:
    async with running(limits=GatewayLimits(open_s_max=0.05)) as door:
        assert (await door.say(begun)).status == 0


async def test_other_methods() -> None:
    async with running() as door:
        got = await door.get("/", method="POST")
        assert (got.status, got.headers["Allow"]) == (405, "GET, HEAD")
        got = await door.get("/ws", method="DELETE")
        assert got.status == 405
        whole, head = await door.get("/"), await door.get("/", method="HEAD")
        assert head.body == b""
        assert head.headers["Content-Length"] == whole.headers["Content-Length"] == str(len(whole.body))


async def test_the_front_page_is_sealed_and_cached() -> None:
    async with running() as door:
        got = await door.get("/")
        assert got.status == 200
        assert b"tapete.v1" in got.body
        policy = got.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; style-src 'sha256-")
        assert "unsafe" not in policy
        assert got.headers["X-Content-Type-Options"] == "nosniff"
        assert got.headers["Server"] == "tapete"
        again = await door.get("/", If_None_Match=f'"other", W/{got.headers["ETag"]}')
        assert (again.status, again.body) == (304, b"")
        assert again.headers["ETag"] == got.headers["ETag"]
        assert (await door.get("/", If_None_Match='"other"')).status == 200


async def test_pages_of_the_app() -> None:
    script = b"export {};" * 50
    pages = {"/app.1a2b.js": Page(script, "text/javascript", immutable=True, gzipped=gzip.compress(script))}
    async with running(pages=pages) as door:
        got = await door.get("/app.1a2b.js")
        assert (got.body, got.headers["Cache-Control"]) == (script, "public, max-age=31536000, immutable")
        got = await door.get("/app.1a2b.js", Accept_Encoding="br, gzip")
        assert got.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(got.body) == script
        assert "Content-Encoding" not in (await door.get("/app.1a2b.js", Accept_Encoding="gzip;q=0, br")).headers
        assert (await door.get("/")).status == 404


@pytest.mark.parametrize(
    ("origin", "host", "let_in"),
    [
        (None, "node.test", True),
        ("http://node.test", "node.test", True),
        ("https://NODE.test", "node.test", True),
        ("https://node.test", "node.test:443", True),
        ("http://node.test:8080", "node.test:8080", True),
        ("https://play.example", "node.test", True),
        ("https://play.example.evil.test", "node.test", False),
        ("http://node.test:8081", "node.test:8080", False),
        ("http://evil.test", "node.test", False),
        ("http://node.test@evil.test", "node.test", False),
        ("http://evil.test:x", "node.test", False),
        ("null", "node.test", False),
        ("file://", "node.test", False),
        ("", "node.test", False),
    ],
)
async def test_which_pages_may_connect(origin: str | None, host: str, *, let_in: bool) -> None:
    async with running(origins=["https://play.example/"]) as door:
        upgrade = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec_WebSocket_Version": "13",
        }
        got = await door.get("/ws", host=host, **upgrade, **({} if origin is None else {"Origin": origin}))
        assert got.status == (101 if let_in else 403)


async def test_a_browser_page_of_somebody_else() -> None:
    async with running() as door:
        with pytest.raises(InvalidStatus):
            async with door.raw(origin="https://evil.test"):
                pass


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        ((), "9.9.9.9", "127.0.0.1"),
        (("127.0.0.1",), "9.9.9.9", "9.9.9.9"),
        (("127.0.0.1",), "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        (("127.0.0.1", "10.0.0.1"), "9.9.9.9, 10.0.0.1", "9.9.9.9"),
        (("127.0.0.1",), None, "127.0.0.1"),
    ],
)
async def test_only_a_proxy_of_ours_says_where_a_client_is(
    proxies: tuple[str, ...], forwarded: str | None, address: str
) -> None:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    async with running(proxies=proxies) as door, door.raw(additional_headers=headers) as client:
        assert (await client.ask(Hello, name="Ada"))["node"] == address
