"""Files that the node serves over plain HTTP, in memory, each with its ETag."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path

SAME_ORIGIN_ONLY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
WEB_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    f"connect-src 'self'; manifest-src 'self'; {SAME_ORIGIN_ONLY}"
)
"""Of the web client: all that it uses comes from this node, and no script or style stands in the page itself."""
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
_ROUTE = re.compile(r"/(t/[a-z0-9][a-z0-9-]{0,31}(/chart|/[0-9]{1,15}(/check)?)?)?")
"""Addresses of the web client's own: the lobby, a table, its chart, a round of it, and that round's check of the cards."""
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_SCRIPT = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)


@dataclass(frozen=True)
class Page:
    """`gzipped`: the same body, for those who accept it. `immutable`: its name changes whenever its body does."""

    body: bytes
    content_type: str
    policy: str = f"default-src 'none'; {SAME_ORIGIN_ONLY}"
    immutable: bool = False
    gzipped: bytes | None = None

    @cached_property
    def etag(self) -> str:
        return f'"{hashlib.sha256(self.body).hexdigest()[:32]}"'


Pages = Mapping[str, Page]
"""By path, from the slash on."""


def front_page() -> Pages:
    """The page of a node without a web client: what this is, and how to connect."""
    text = files("tapete_server.gateway").joinpath("front.html").read_text("utf-8")
    policy = f"default-src 'none'; style-src {_hashes(_STYLE, text)}; {SAME_ORIGIN_ONLY}"
    return {"/": Page(text.encode(), "text/html; charset=utf-8", policy)}


class WebPages(Mapping[str, Page]):
    """The built web client in a directory: each file under its name, and the one page under each of its routes."""

    def __init__(self, directory: Path) -> None:
        files_there = sorted(file for file in directory.rglob("*") if file.suffix in CONTENT_TYPES)
        self._files = {f"/{file.relative_to(directory).as_posix()}": _file(file, directory) for file in files_there}
        self._index = self._files.pop("/index.html")

    def __getitem__(self, path: str) -> Page:
        return self._index if _ROUTE.fullmatch(path) else self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(["/", *self._files])

    def __len__(self) -> int:
        return 1 + len(self._files)


def _file(file: Path, directory: Path) -> Page:
    """Files in `assets` have the hash of their content in their names."""
    gzipped = file.with_name(file.name + ".gz")
    body = file.read_bytes()
    whole = file.suffix == ".html" and b"<style>" in body
    return Page(
        body, CONTENT_TYPES[file.suffix], whole_policy(body.decode()) if whole else WEB_POLICY,
        immutable=file.parent == directory / "assets", gzipped=gzipped.read_bytes() if gzipped.is_file() else None,
    )  # fmt: skip


def whole_policy(text: str) -> str:
    """Of a page that has its scripts, styles and fonts in itself, to be saved as one file: those very ones, and no others."""
    return (
        f"default-src 'none'; script-src {_hashes(_SCRIPT, text)}; style-src {_hashes(_STYLE, text)}; img-src 'self' data:; "
        f"font-src data:; connect-src 'self'; {SAME_ORIGIN_ONLY}"
    )


def pages() -> Pages:
    """The web client, or in a checkout where it was never built, a page that says how to connect without it."""
    web = Path(str(files("tapete_server"))) / "web"
    return WebPages(web) if (web / "index.html").is_file() else front_page()


def _hashes(what: re.Pattern[str], text: str) -> str:
    return " ".join(f"'sha256-{_digest(found)}'" for found in what.findall(text))


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
