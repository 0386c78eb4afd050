"""Stands for a worker that another process started, where a `Popen` is expected."""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import subprocess
from contextlib import suppress
from typing import IO

STATUS = struct.Struct("i")
"""How the process that started the worker sends its exit status."""


class AdoptedWorker:
    """A worker that a keeper started; the keeper reports how it ended."""

    def __init__(self, pid: int, connection: socket.socket, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.stdout: IO[bytes] | None = os.fdopen(stdout, "rb", buffering=0)
        self.stderr: IO[bytes] | None = os.fdopen(stderr, "rb", buffering=0)
        self.returncode: int | None = None
        self._connection = connection

    def poll(self) -> int | None:
        """Return the exit status, as of `Popen`, if it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("worker", timeout or 0)
            reply = b""
            with suppress(OSError):
                reply = self._connection.recv(STATUS.size)
            # If the keeper was killed, how the worker ended is not known.
            self.returncode = STATUS.unpack(reply)[0] if len(reply) == STATUS.size else -9
            self._connection.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)
