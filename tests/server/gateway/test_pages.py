"""The web client's files, as the node serves them: each under its name, the one page under each of its routes."""

from __future__ import annotations

import gzip
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from tapete_server.gateway.pages import WebPages
from tests.server.gateway.door import running

SCRIPT = b"export const table = 1;\n" * 40


@pytest.fixture
def built(tmp_path: Path) -> WebPages:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>tapete</title>")
    (tmp_path / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (tmp_path / "assets" / "index-1a2b.js").write_bytes(SCRIPT)
    (tmp_path / "assets" / "index-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT))
    (tmp_path / ".sources").write_text("a digest")
    return WebPages(tmp_path)


async def test_assets_are_compressed_and_kept_for_ever(built: WebPages) -> None:
    async with running(pages=built) as door:
        got = await door.get("/assets/index-1a2b.js", Accept_Encoding="gzip")
        assert gzip.decompress(got.body) == SCRIPT
        assert got.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert (await door.get("/assets/index-1a2b.js")).body == SCRIPT
        assert (await door.get("/icon.svg")).headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["/", "/t/blackjack", "/t/blackjack/12", "/t/blackjack/12/check"])
async def test_every_route_of_the_page_is_the_page(built: WebPages, path: str) -> None:
    async with running(pages=built) as door:
        got = await door.get(path)
        assert (got.status, got.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
        again = await door.get(path, If_None_Match=got.headers["ETag"])
        assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    "path", ["/t/", "/t/Blackjack", "/t/blackjack/x", "/lobby", "/.sources", "/index.html", "/assets/"]
)
async def test_nothing_else_is(built: WebPages, path: str) -> None:
    async with running(pages=built) as door:
        assert (await door.get(path)).status == 404


async def test_nothing_from_elsewhere_and_nothing_inline(built: WebPages) -> None:
    async with running(pages=built) as door:
        policy = (await door.get("/")).headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


async def test_a_page_in_one_file_may_run_what_it_holds_and_nothing_else(tmp_path: Path) -> None:
    script, style = 'const one = "</p>";\n', "p { color: red; }\n"
    (tmp_path / "index.html").write_text("<!doctype html><title>tapete</title>")
    page = f'<!doctype html><style>{style}</style><p></p><script type="module">{script}</script>'
    (tmp_path / "check.html").write_text(page)
    async with running(pages=WebPages(tmp_path)) as door:
        got = await door.get("/check.html")
        other = await door.get("/")
    policy = got.headers["Content-Security-Policy"]
    for what, text in (("script-src", script), ("style-src", style)):
        assert f"{what} 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}';" in policy
    assert "'self'" not in policy.partition("script-src")[2].partition(";")[0]
    assert "unsafe" not in policy
    assert "script-src 'self';" in other.headers["Content-Security-Policy"]
