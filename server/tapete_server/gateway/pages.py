"""Files that the node serves over plain HTTP, in memory, each with its ETag."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

SAME_ORIGIN_ONLY = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


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
    styles = " ".join(f"'sha256-{_digest(style)}'" for style in _STYLE.findall(text))
    policy = f"default-src 'none'; style-src {styles}; {SAME_ORIGIN_ONLY}"
    return {"/": Page(text.encode(), "text/html; charset=utf-8", policy)}


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
