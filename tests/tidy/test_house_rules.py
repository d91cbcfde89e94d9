"""The rules of the house, executed. What cannot be kept is changed in pyproject, with its reason."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = Path(sys.executable).parent

LINTS = {
    "lint": ["ruff", "check", "--no-cache", "."],
    "format": ["ruff", "format", "--no-cache", "--check", "."],
    "types": ["mypy"],
    "walls between the packages": ["lint-imports", "--no-cache"],
}
TOP_LEVEL = {
    "pyproject.toml", "README.md", "server", "protocol", "clients", "tests", "deploy", ".ci", ".gitignore", "LICENSE",
}  # fmt: skip
EMPTY_NOUNS = re.compile(r"(^|_)(manager|handler|helper|helpers|util|utils|misc|common|data|info)$")


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [name for name in listed.split("\0") if name]


@pytest.mark.parametrize("rule", LINTS)
@pytest.mark.timeout(300)
def test_the_tools_have_nothing_to_say(rule: str) -> None:
    command, *arguments = LINTS[rule]
    found = subprocess.run([str(TOOLS / command), *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout[-5000:] + found.stderr[-2000:]


def test_the_top_level_is_fixed() -> None:
    assert {name.partition("/")[0] for name in tracked()} <= TOP_LEVEL


def test_files_have_the_right_noun() -> None:
    nouns = {name: Path(name).stem for name in tracked() if name.endswith((".py", ".ts"))}
    assert not [name for name, noun in nouns.items() if EMPTY_NOUNS.search(noun)]


def test_no_address_of_a_registry_and_no_file_of_a_wheel() -> None:
    address = re.compile(
        r"https?://\S+\.(whl|tgz|tar\.gz|deb)\b|--(extra-)?index-url\s+\S*http|\"resolved\":\s*\"http|://(pypi\.org|\S*npmjs\.)"
    )
    texts = {name: (ROOT / name).read_text(errors="replace") for name in tracked() if not name.endswith(".png")}
    own = Path(__file__).relative_to(ROOT).as_posix()
    assert not [name for name, text in texts.items() if name != own and address.search(text)]


def test_every_dependency_has_its_line_in_the_readme() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    block = re.search(r"^dependencies = \[(.*?)^\]", project, re.MULTILINE | re.DOTALL)
    extras = re.search(r"^\[project.optional-dependencies\]\n(.*?)^\[", project, re.MULTILINE | re.DOTALL)
    assert block is not None
    assert extras is not None
    names = re.findall(r'^\s+"([a-z0-9-]+)', block[1], re.MULTILINE) + re.findall(r'\["([a-z0-9-]+)', extras[1])
    readme = (ROOT / "README.md").read_text()
    assert len(names) >= 6
    assert not [name for name in names if f"| [{name}](" not in readme]


def test_the_example_of_the_readme_is_the_file_that_runs() -> None:
    example = (ROOT / "clients/python/example_bot.py").read_text()
    assert example.partition('"""\n\n')[2].strip() in (ROOT / "README.md").read_text()
