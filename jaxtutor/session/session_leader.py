"""Owns the process between us and an editor in the rows, which leads the editor's session.

A system discards a program's stop where nobody in its session could let it go on. So the editor has
a process group of its own, below a leader that stops when the editor stops and ends as it ends.
"""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import termios
from contextlib import suppress

HANG_UP, KILL, STOP = signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP
"""What the leader is sent to have the editor hung up, killed, or stopped."""


def lead() -> None:
    """Become the leader, in a child that is about to run an editor; the editor alone returns."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    editor = os.fork()
    if editor:
        try:
            _attend(editor)
        finally:
            os._exit(1)
    os.setpgid(0, 0)
    # A group that takes the terminal is not yet the one that may.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    os.tcsetpgrp(0, os.getpgrp())
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _attend(editor: int) -> None:
    """Wait for the editor until it ends; stop while it is stopped."""
    _let_go()
    with suppress(OSError):  # it has been quicker
        os.setpgid(editor, editor)
    sent: list[int] = []

    def pass_on(number: int, _: object) -> None:
        if number == HANG_UP and sent:
            return  # the system's, or ours; a second one would cut short what the first began
        sent.extend([number] if number == HANG_UP else [])
        others = {HANG_UP: signal.SIGHUP, KILL: signal.SIGKILL, STOP: signal.SIGSTOP}
        _send(editor, others[signal.Signals(number)])
        if number == HANG_UP:
            _send(editor, signal.SIGCONT)

    for number in (HANG_UP, KILL, STOP):
        signal.signal(number, pass_on)
    while True:
        _, status = os.waitpid(editor, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            _end_as(os.waitstatus_to_exitcode(status))
        os.kill(os.getpid(), signal.SIGSTOP)
        _send(editor, signal.SIGCONT)


def _let_go() -> None:
    """Have nothing of what was inherited: the handlers, the pipes, the editor's terminal."""
    for number in (signal.SIGWINCH, signal.SIGCHLD, signal.SIGCONT, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))


def _send(editor: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(editor, number)


def _end_as(status: int) -> None:
    """End with the editor's exit status, or by the signal that ended it."""
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # one that cannot be caught needs no default
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status if status >= 0 else 128 - status)
