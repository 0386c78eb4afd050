"""Owns an editor in a pane of the terminal multiplexer around us."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from jaxtutor.errors import EditorError

BESIDE = 120
"""Columns from which the editor stands at the side; below, it stands above."""


@dataclass(frozen=True)
class Pane:
    """An editor that runs in a pane of tmux."""

    name: str

    def is_open(self) -> bool:
        """Tell whether the pane is there still."""
        listed = _tmux("list-panes", "-a", "-F", "#{pane_id}")
        return listed.returncode == 0 and self.name in listed.stdout.split()


def find_multiplexer(environ: Mapping[str, str]) -> str:
    """Name the multiplexer around us that can open panes; empty for none."""
    return "tmux" if environ.get("TMUX") else ""


def open_pane(command: list[str], columns: int) -> Pane:
    """Run an editor in a new pane, which gets the keys. Raises EditorError."""
    way = "-h" if columns >= BESIDE else "-v"
    made = _tmux("split-window", way, "-b", "-P", "-F", "#{pane_id}", *command)
    if made.returncode:
        said = made.stderr.strip() or f"tmux ended with status {made.returncode}"
        raise EditorError(f"No pane could be opened: {said}.", "Try: jaxtutor start --layout rows")
    return Pane(made.stdout.strip())


def _tmux(*arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            ["tmux", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=5,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EditorError(f"tmux does not answer: {error}.", "Try --layout rows.") from error
