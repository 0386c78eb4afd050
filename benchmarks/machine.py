"""Describes the machine of the figures, and waits until it is idle."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import psutil

from benchmarks import ROOT
from benchmarks.page import PAGE

IN_USE_SECONDS = 1.0
BUSY = 0.3
"""Processors in use by others from which a machine is busy: times are then not worth keeping."""
LOOK_SECONDS = 0.04
QUIET_LOOKS = 5
PATIENCE = 60.0
NAMED = ("jax", "jaxlib", "numpy", "typer", "rich", "pytest", "ipykernel")


def describe() -> dict[str, Any]:
    """Return a description of the machine and its software."""
    return {
        "commit": find_commit(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": cores(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "load_at_start": round(os.getloadavg()[0], 2),
        "versions": {name: _version(name) for name in NAMED},
    }


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def find_commit() -> str:
    """Return the commit that is measured, marked if files differ from it; empty without git.

    The page does not count, because the part before has written its table into it.
    """
    name = _git("describe", "--always", "--abbrev=8")
    is_changed = _git("status", "--porcelain", "-uno", "--", ".", f":!{PAGE.relative_to(ROOT)}")
    return f"{name}+" if name and is_changed else name


def _git(*words: str) -> str:
    command = ["git", "-C", str(ROOT), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()


def find_load() -> str:
    """Return why the machine is busy while nothing is measured; empty if it is idle."""
    used = psutil.cpu_percent(IN_USE_SECONDS) / 100 * (psutil.cpu_count() or 1)
    return f"the machine is busy: others use {used:.1f} processors" if used > BUSY else ""


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def wait_until_quiet(pids: Iterable[int]) -> None:
    """Wait until these processes and all their descendants have been asleep for a while.

    A process that waits for a processor is not asleep, so load only makes this take longer. Raises
    TimeoutError.
    """
    pids = tuple(pids)
    end = time.monotonic() + PATIENCE
    still, before = 0, -1.0
    while still < QUIET_LOOKS:
        if time.monotonic() > end:
            raise TimeoutError(f"processes {pids} do not come to rest")
        family = [member for pid in pids for member in tree(pid)]
        used = sum(map(_seconds, family))
        sleeping = all(map(_sleeps, family))
        # Polling a file thirty times a second takes less than one clock tick.
        still = still + 1 if sleeping and used - before <= LOOK_SECONDS / 2 else 0
        before = used
        time.sleep(LOOK_SECONDS)


def tree(pid: int) -> list[psutil.Process]:
    """Return a process and its living descendants."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _seconds(process: psutil.Process) -> float:
    try:
        return float(sum(process.cpu_times()[:2]))
    except psutil.Error:
        return 0.0


def _sleeps(process: psutil.Process) -> bool:
    try:
        return process.status() not in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)
    except psutil.Error:
        return True


def memory(pid: int) -> dict[str, float]:
    """Return resident, proportional and private memory of a process in MB, or nothing."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:  # noqa: PTH123 - often
            lines = [line.split() for line in file if line.endswith("kB\n")]
    except OSError:
        return {}
    sizes = {name.rstrip(":"): int(size) * 1024 / 1e6 for name, size, _ in lines}
    private = sizes.get("Private_Clean", 0.0) + sizes.get("Private_Dirty", 0.0)
    return {"RSS": sizes.get("Rss", 0.0), "PSS": sizes.get("Pss", 0.0), "USS": private}
