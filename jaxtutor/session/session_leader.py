"""Runs in the process between us and an editor in rows: the leader of the editor's session.

The kernel discards SIGTSTP for an orphaned process group, in which no member has a parent in
another group of the same session (setpgid(2)). So the editor has its own group, below a leader that
stops when the editor stops and ends as it ends. If the process above it is killed, the leader also
restores the terminal, which nobody else could.
"""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
import termios
from contextlib import suppress
from dataclasses import dataclass, field

from jaxtutor.session.tty import restore

HANG_UP, KILL, STOP = signal.SIGHUP, signal.SIGTERM, signal.SIGTSTP
"""The signals to the leader that hang up, kill or stop the editor."""
FORWARDED = (HANG_UP, KILL, STOP)

ORPHANED = 0.5
"""Seconds in which the end of the process above is noticed after its pty has closed: the kernel
closes the descriptors of a killed process one after the other."""


@dataclass
class Guard:
    """A pipe that tells the leader how the process above it ended, and the terminal to restore.

    A process that ends writes a byte first. The end of the pipe without one means it was killed.
    """

    output: int
    modes: list[object]
    pipe: tuple[int, int] = field(default_factory=os.pipe)

    def close(self) -> None:
        """Close our ends, and tell the leader that the terminal is being restored."""
        read, write = self.pipe
        with suppress(OSError):  # the leader has ended
            os.write(write, b"x")
        os.close(write)
        os.close(read)

    @property
    def kept(self) -> tuple[int, ...]:
        """The descriptors that the leader needs, in order."""
        return tuple(sorted((self.pipe[0], self.output)))

    def restore_if_killed(self, seconds: float) -> None:
        """Restore the terminal if the process above was killed."""
        read = self.pipe[0]
        if select.select([read], [], [], seconds)[0] and not os.read(read, 1):
            restore(self.output, self.modes)


def lead(guard: Guard) -> None:
    """Become the leader in a child process; only the editor's process returns from here."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # make the pty our controlling terminal
    # A hang-up before the leader has its handlers would end it, and nobody would wait for the
    # editor.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    editor = os.fork()
    if editor:
        try:
            _wait(editor, guard)
        finally:
            os._exit(1)
    os.setpgid(0, 0)
    # tcsetpgrp(3) from a background group raises SIGTTOU, which would stop the process.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    os.tcsetpgrp(0, os.getpgrp())
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(editor: int, guard: Guard) -> None:
    """Wait for the editor until it ends; stop whenever it is stopped."""
    _release_inherited(guard)
    with suppress(OSError):  # the editor has called it already, or has ended
        os.setpgid(editor, editor)
    sent: list[int] = []

    def forward(number: int, _: object) -> None:
        if number == HANG_UP and sent:
            return  # a second hang-up would interrupt what the first began
        sent.extend([number] if number == HANG_UP else [])
        others = {HANG_UP: signal.SIGHUP, KILL: signal.SIGKILL, STOP: signal.SIGSTOP}
        _send(editor, others[signal.Signals(number)])
        if number == HANG_UP:
            _send(editor, signal.SIGCONT)
            guard.restore_if_killed(ORPHANED)

    for number in FORWARDED:
        signal.signal(number, forward)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    while True:
        _, status = os.waitpid(editor, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            _end_as(os.waitstatus_to_exitcode(status))
        os.kill(os.getpid(), signal.SIGSTOP)
        _send(editor, signal.SIGCONT)


def _release_inherited(guard: Guard) -> None:
    """Reset inherited signal handlers; close inherited descriptors and the editor's terminal."""
    for number in (signal.SIGWINCH, signal.SIGCHLD, signal.SIGCONT, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    following = 3
    for descriptor in guard.kept:
        os.closerange(following, descriptor)
        following = descriptor + 1
    os.closerange(following, os.sysconf("SC_OPEN_MAX"))


def _send(editor: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(editor, number)


def _end_as(status: int) -> None:
    """End with the editor's exit status, or by the signal that killed it."""
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # SIGKILL has no handler to reset
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status if status >= 0 else 128 - status)
