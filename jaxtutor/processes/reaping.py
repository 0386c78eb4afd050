"""Ends a worker together with everything that it started.

Where the run has a control group, the kernel knows its processes. Elsewhere they are found in three
ways, since a submission can hide from each one: by the tree of parents (`process_tree`), and by two
tags (`tags`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess

from jaxtutor.processes import guardian
from jaxtutor.processes.process_tree import children_of, descendants
from jaxtutor.processes.resources import shared_segments
from jaxtutor.processes.spawn import Process
from jaxtutor.processes.tags import kill_tagged, send_signal, stop_all

IPC_RMID = 0


def reap(process: Process) -> None:
    """Kill a worker and everything that it started, and release its pipes and its group."""
    pid = process.popen.pid
    exited = process.popen.poll() is not None
    # A program of the learner's own that ended well may leave others running.
    ends_all = not (process.kind.shares_terminal and exited)
    if process.group is not None and ends_all:
        process.group.kill()
    if process.kind.wrap:  # the first process of a namespace takes all others with it
        send_signal(children_of(pid), signal.SIGKILL)
    if not process.kind.shares_terminal:
        _end_group(process, exited)
    elif ends_all:
        process.popen.kill()
        _kill_tagged(process)
    if process.guardian is not None:
        guardian.release(process.guardian)
    _release(process)


def _end_group(process: Process, exited: bool) -> None:
    """Kill a worker's process group, and what has left it, and free its shared memory."""
    pid = process.popen.pid
    # A signal to a group reaches a process that is forking and its child. Stopped, they keep their
    # parents, by which the rest is found, and their places in a limit on tasks.
    _signal_group(pid, signal.SIGSTOP)
    family = stop_all(lambda: descendants(pid))
    _signal_group(pid, signal.SIGKILL)
    send_signal(family, signal.SIGKILL)
    # The list of a process's children can lack one while another ends. So unless the worker is
    # alive and well, or where it costs little, all processes are searched.
    if family or exited or process.is_tagged:
        _kill_tagged(process)
    if not process.kind.wrap:  # a namespace's segments end with it
        _remove_segments({pid, *family}, process.born)


def _release(process: Process) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.popen.wait(5)
    if process.group is not None:
        process.group.remove()
    for stream in (process.popen.stdout, process.popen.stderr):
        if stream is not None:
            stream.close()
    for descriptor in (process.request, process.result):
        with contextlib.suppress(OSError):
            os.close(descriptor)


def _kill_tagged(process: Process) -> None:
    kill_tagged(process.run, process.is_tagged, bool(process.kind.wrap))


def _signal_group(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def _remove_segments(creators: set[int], since: float) -> None:
    """Remove the segments that processes of a run have created: they outlive every process."""
    left = [it for it in shared_segments() if it.creator in creators and it.created >= int(since)]
    if left:
        import ctypes

        for segment in left:
            ctypes.CDLL(None).shmctl(segment.id, IPC_RMID, None)
