"""Ends a program of the learner's own, and all that it started, if the tutor is killed.

    python -m jaxtutor.processes.guardian RUN IS_TAGGED FOLDERS

Such a program shares the process group of the tutor, so the kernel cannot end its children with
it. The guardian waits in a session of its own until its standard input ends: after RELEASED the
run is over, and without it the tutor was killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

from jaxtutor.processes.control_groups import ControlGroup

RELEASED = b"."


def start(run: str, is_tagged: bool, group: ControlGroup | None) -> subprocess.Popen[bytes] | None:
    """Start a guardian for a run; None if no further process can be started."""
    folders = ":".join(group.folders) if group else ""
    words = [run, "yes" if is_tagged else "", folders]
    try:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "jaxtutor.processes.guardian", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None


def release(guardian: subprocess.Popen[bytes]) -> None:
    """Let a guardian go: the run is over."""
    with suppress(OSError):
        guardian.communicate(RELEASED)


def main() -> None:
    """Wait for the end of the tutor, or of the run."""
    from jaxtutor.processes.tags import kill_tagged  # before a program can use up all memory

    run, is_tagged, folders = sys.argv[1:]
    if os.read(0, 1) == RELEASED:
        return
    group = ControlGroup(tuple(folders.split(":")), limits_memory=False) if folders else None
    if group is not None:
        group.kill()
    kill_tagged(run, bool(is_tagged))
    if group is not None:
        group.remove()


if __name__ == "__main__":
    main()
