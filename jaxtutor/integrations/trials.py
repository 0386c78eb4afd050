"""Tries a suggested edit in another process, which runs `jaxtutor diagnose`.

The user's own process and files stay as they are. The other process computes on the CPU, because
an accelerator may belong to this process alone.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from jaxtutor.core.data.lines import diff_lines

SECONDS = 180.0
"""Time limit in seconds. `diagnose` itself ends the trials of edits after a third of it."""

Status = Literal["verified", "runs", "rejected", "not tried"]

TITLES = {
    "verified": "Verified fix: {program} with it.",
    "runs": "Suggested edit: {program} with it; check that the result is right.",
    "rejected": "The edit is not shown: it was tried, and did not work within 20 seconds.",
}
NOT_REPEATED = "The edit was not tried: {program} did not fail in the same way in another process."


@dataclass(frozen=True)
class EditTrial:
    """The result of trying an edit.

    `verified` has the same meaning as for `jaxtutor diagnose`; `runs` means that the result could
    not be compared, `rejected` that no edit worked, `not tried` that the program did not fail in
    the same way again. `fix` is the edit that worked, as a unified diff.
    """

    status: Status
    fix: str = ""


def title(trial: EditTrial, program: str) -> str:
    """Return the title of an edit that was tried. `program` is what ran, with its verb."""
    return TITLES[trial.status].format(program=program)


def try_edit(cause: str, program: Sequence[str], folder: Path) -> EditTrial:
    """Run a program again in `folder`, and try the edits for `cause`, which it must raise again.

    `program` is what follows `jaxtutor diagnose`.
    """
    options = ["--json", "--device", "cpu"]
    report = _run([sys.executable, "-m", "jaxtutor", "diagnose", *options, *program], folder)
    found = report.get("diagnosis") or {}
    if found.get("cause") != cause:
        return EditTrial("not tried")
    if not found["fix"]:
        return EditTrial("rejected")
    return EditTrial("verified" if found["fix"]["verified"] else "runs", found["fix"]["diff"])


def _run(command: Sequence[str], folder: Path) -> dict[str, Any]:
    """Return what a command prints as JSON, empty if it does not."""
    # The modules beside the program, and no options of the pytest that is running.
    places = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTEST_ADDOPTS": ""}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        read = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def patched(text: str, name: str, diff: str) -> str:
    """Apply what a unified diff changes in the file `name`. The text has to end in a line feed."""
    lines, result, place = diff_lines(text), [], 0
    for line in _hunk_lines(diff, name):
        if hunk := _HUNK.match(line):
            start = int(hunk[1]) - (hunk[2] != "0")  # an insertion names the line before it
            result += lines[place:start]
            place = start
        elif line[0] == "+":
            result.append(line[1:])
        else:
            result += lines[place : place + 1] if line[0] == " " else []
            place += 1
    return "".join([*result, *lines[place:]])


def _hunk_lines(diff: str, name: str) -> Iterator[str]:
    """Yield the lines of one file's hunks, without its two header lines."""
    lines = diff_lines(diff)
    is_wanted, second = False, -1
    for index, line in enumerate(lines):
        if line.startswith("--- ") and _HUNK.match("".join(lines[index + 2 : index + 3])):
            is_wanted, second = line.rstrip() == f"--- {name}", index + 1
        elif is_wanted and index != second and line[0] in " +-@":
            yield line
