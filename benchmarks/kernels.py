"""Runs a warm Jupyter kernel and times its cells, as a notebook does."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty
from subprocess import DEVNULL
from typing import Any, Self

LONG = 120.0


class Kernel:
    """An IPython kernel of this Python on this machine."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        from jupyter_client.manager import KernelManager

        # Unix sockets, which are faster than TCP.
        self.folder = tempfile.TemporaryDirectory()
        place = str(Path(self.folder.name, "k"))
        self.manager: Any = KernelManager(transport="ipc", ip=place)
        self.manager.start_kernel(env=dict(environ), stdout=DEVNULL, stderr=DEVNULL)
        self.client: Any = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=LONG)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.folder.cleanup()

    @property
    def pid(self) -> int:
        """The kernel's process id."""
        return int(self.manager.provisioner.pid)

    def run(self, cell: str) -> float:
        """Run a cell and return the ms until its reply. Raises RuntimeError if it failed."""
        started = time.perf_counter()
        asked = self.client.execute(cell)
        reply = self._reply_to(asked)
        taken = (time.perf_counter() - started) * 1e3
        self._drain()
        if reply["content"]["status"] != "ok":
            raise RuntimeError("\n".join(reply["content"].get("traceback", ["?"]))[-3000:])
        return taken

    def _reply_to(self, asked: str) -> dict[str, Any]:
        while True:
            reply: dict[str, Any] = self.client.get_shell_msg(timeout=LONG)
            if reply["parent_header"].get("msg_id") == asked:
                return reply

    def _drain(self) -> None:
        """Read the cell's output."""
        try:
            while True:
                self.client.get_iopub_msg(timeout=0)
        except Empty:
            return
