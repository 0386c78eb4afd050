"""Finds and ends the processes of a run by the tags that they inherit, in whatever group they are.

- A tag in a resource limit. RLIMIT_LOCKS has had no effect since Linux 2.4.25 (setrlimit(2)), every
  process inherits it, even one that replaces its environment, and it can be read from outside in
  `/proc/PID/limits`. So it holds the run's number.
- A tag in the environment, for the processes that start a confined worker and have no such limit.
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable, Iterable

from jaxtutor.core.data.worker_options import RUN_VARIABLE

RLIMIT_LOCKS = 10
"""Linux's limit on file locks, which Python's `resource` does not name."""

MAX_PASSES = 20
"""How often the remaining processes are looked for; normally the first pass finds none."""


def tag_of(run: str) -> int:
    """Return a run's id as a number that a resource limit can hold."""
    return int(run, 16) >> 1


def tag(pid: int, number: int) -> bool:
    """Put a tag into a resource limit of a process; False where the system does not allow it."""
    try:
        import resource

        resource.prlimit(pid, RLIMIT_LOCKS, (number, number))
    except (ImportError, AttributeError, OSError, ValueError):
        return False
    return True


def kill_tagged(run: str, is_tagged: bool, is_wrapped: bool = False) -> None:
    """Kill the processes that carry the tag of a run, in whatever group."""
    for _ in range(MAX_PASSES):
        found = stop_all(lambda: _find_tagged(run, is_tagged, is_wrapped))
        if not found:
            return
        send_signal(found, signal.SIGKILL)


def _find_tagged(run: str, is_tagged: bool, is_wrapped: bool) -> set[int]:
    found = find_by_limit_tag(tag_of(run)) if is_tagged else set()
    if is_wrapped or not is_tagged:
        # What starts a confined worker may have forked before it was tagged, and one of its
        # processes stays while anything of the worker is running.
        found |= find_by_environment_tag(run)
    return found


def stop_all(find: Callable[[], set[int]]) -> set[int]:
    """Stop the processes that `find` returns until it returns no others, and return them all."""
    stopped: set[int] = set()
    for _ in range(MAX_PASSES):
        others = find() - stopped
        if not others:
            break
        send_signal(others, signal.SIGSTOP)
        stopped |= others
    return stopped


def send_signal(pids: Iterable[int], number: int) -> None:
    """Send a signal to those of some processes that exist and may be signalled."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def find_by_limit_tag(tag: int) -> set[int]:
    """Return the running processes whose unused resource limit holds a tag."""
    found, words = set(), str(tag).encode()
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib would delay the start of a worker
        if name.isdecimal():
            with contextlib.suppress(OSError):
                if words in _read(f"/proc/{name}/limits") and not _has_ended(name):
                    found.add(int(name))
    return found


def _has_ended(pid: str) -> bool:
    """Return whether a process is only waiting for its parent to notice that it has ended."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:1] in ([b"Z"], [b"X"])


def _read(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123
        return file.read()


def find_by_environment_tag(run: str) -> set[int]:
    """Return the running processes whose environment holds a run's id."""
    import psutil

    found = set()
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(RUN_VARIABLE) == run:
                found.add(process.pid)
    return found
