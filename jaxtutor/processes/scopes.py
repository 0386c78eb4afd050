"""Limits a confined run by a scope of the user's systemd, where no control group can be created.

A user in a session of `sshd` or of a console may not create control groups: systemd has delegated
the user's manager only, and a process cannot move there by itself. `systemd-run --user --scope`
moves it. Starting a scope takes tens of milliseconds, so only confined runs have one.
See systemd-run(1) and systemd.resource-control(5).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from jaxtutor.core.data.worker_options import JOINED_VARIABLE
from jaxtutor.processes.control_groups import MARGIN, PREFIX, ControlGroup

PROBE_SECONDS = 5.0
"""How long the user's systemd may take to answer; a running one takes tens of milliseconds."""

ROOT = Path("/sys/fs/cgroup")


def create(run: str, tasks: int, memory: int) -> ControlGroup | None:
    """Return the scope of a run with at most `tasks` tasks and `memory` MiB, 0 for any amount.

    The scope exists as soon as a command with its prefix runs. Returns None if there are no scopes.
    """
    if not are_available():
        return None
    unit = f"{PREFIX}{run}.scope"
    return ControlGroup(
        places(unit, os.getuid()), bool(memory), tuple(command(unit, tasks, memory))
    )


def command(unit: str, tasks: int, memory: int) -> list[str]:
    """Return the words before a command that make it run in a scope of this name."""
    limits = [f"TasksMax={tasks}"]
    if memory:
        limits += [f"MemoryMax={(memory << 20) + MARGIN}", "MemorySwapMax=0"]
    settings = [word for limit in limits for word in ("-p", limit)]
    return [
        *("systemd-run", "--user", "--scope", "--quiet", "--collect", f"--unit={unit}"),
        *settings,
        *("--", "env", f"{JOINED_VARIABLE}=yes"),
    ]


def places(unit: str, uid: int) -> tuple[str, ...]:
    """Return the folders in one of which the scope is: versions of systemd differ."""
    manager = ROOT / "user.slice" / f"user-{uid}.slice" / f"user@{uid}.service"
    return str(manager / "app.slice" / unit), str(manager / unit)


@cache
def are_available() -> bool:
    """Return whether this user can have scopes, by starting one."""
    if not may_be_available(os.environ, ROOT):
        return False
    words = command(f"{PREFIX}probe-{os.getpid()}.scope", 16, 64)
    try:
        tried = subprocess.run(
            [*words, "true"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def may_be_available(environ: Mapping[str, str], root: Path) -> bool:
    """Return whether it is worth trying: version 2 of control groups and a manager of the user's.

    Root creates control groups without systemd.
    """
    manager = Path(environ.get("XDG_RUNTIME_DIR", "/nonexistent"), "systemd", "private")
    return (
        sys.platform.startswith("linux")
        and os.geteuid() != 0
        and (root / "cgroup.controllers").exists()
        and manager.exists()
        and shutil.which("systemd-run") is not None
    )
