"""Starts many workers quickly, by forking them from a process that has imported jax.

Most of a worker's start is the import of jax and of a lesson's libraries. A template imports them
once; what it forks is a worker like any other, with its own session, limits and control group, and
with a backend that it starts itself. Runs of an edited program start from a template too, which has
imported jax and no library. Only Linux has all that is needed, and a confined worker starts from
its sandbox; other workers are started one by one.
"""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from jaxtutor.core.data.worker_options import RUN_VARIABLE, ForkRequest
from jaxtutor.processes import control_groups, spawn
from jaxtutor.processes.adopted_worker import AdoptedWorker
from jaxtutor.processes.spawn import WORKER, Kind, Process
from jaxtutor.processes.tags import tag, tag_of

START_SECONDS = 90.0
"""How long a template may take to import jax and the libraries."""

MOST = 3
"""Templates kept at a time: lessons of one chapter mostly need the same one."""

TEMPLATE = "jaxtutor.worker.template"

_NUMBER = struct.Struct("i")


class Templates:
    """Forks workers of any kind, from the templates that it starts and keeps."""

    def __init__(self) -> None:
        self._kept: dict[Kind, _Template] = {}
        self._closed: list[_Template] = []
        self._unused: set[Kind] = set()
        self._lock = threading.Lock()

    def fork(self, kind: Kind) -> Process | None:
        """Return a new worker, or None if it cannot be forked.

        A learner's own program is forked only if `prepare` was called for its kind before.
        """
        if not _is_possible(kind):
            return None
        try:
            template = self._template(kind, starts=kind.program == WORKER)
            return template.fork(kind) if template is not None else None
        except (OSError, struct.error):
            with self._lock:
                self._drop(_common(kind))
            return None

    def prepare(self, kind: Kind, seconds: float) -> None:
        """Start a template for workers of this kind in the background, if they can be forked.

        It ends if nothing is forked from it within `seconds`.
        """
        if not _is_possible(kind):
            return
        with suppress(OSError):
            self._template(kind, starts=True)
            self._unused.add(_common(kind))
            timer = threading.Timer(seconds, self._drop_unused)
            timer.daemon = True
            timer.start()

    def _template(self, kind: Kind, starts: bool) -> _Template | None:
        """Return the template for a kind; without one, start it or return None."""
        common = _common(kind)
        with self._lock:
            self._unused.discard(common)
            template = self._kept.pop(common, None)
            if template is None and starts:
                template = _Template(common)
            if template is not None:
                self._kept[common] = template
            while len(self._kept) > MOST:
                self._drop(next(iter(self._kept)))
        return template

    def _drop_unused(self) -> None:
        with self._lock:
            for kind in self._unused:
                self._drop(kind)
            self._unused.clear()

    def _drop(self, kind: Kind) -> None:
        if template := self._kept.pop(kind, None):
            template.close()
            self._closed.append(template)

    def close(self) -> None:
        """End the templates; all workers have ended."""
        with self._lock:
            for kind in list(self._kept):
                self._drop(kind)
            closed, self._closed = self._closed, []
        for template in closed:
            template.end()


def _common(kind: Kind) -> Kind:
    """Return the kind of the template; memory and priority are those of the fork."""
    return replace(kind, memory=0, behind=False)


def _is_possible(kind: Kind) -> bool:
    """Return whether workers can be forked, found again by their tag, and waited for."""
    is_supported = sys.platform == "linux" and hasattr(os, "pidfd_open")
    return is_supported and not kind.wrap and (kind.program == WORKER or kind.is_forked)


class _Template:
    """A process that forks workers. It starts in the background."""

    def __init__(self, kind: Kind) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            module = TEMPLATE if kind.program == WORKER else kind.program
            words = [*spawn.run_module(module), str(theirs.fileno()), repr(kind.imports)]
            self._popen = subprocess.Popen(
                [sys.executable, *words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=_environment(kind),
                start_new_session=True,
            )

    def fork(self, kind: Kind) -> Process:
        """Fork a worker; it gets ready in the background. Raises OSError or struct.error."""
        token, run = os.urandom(16), os.urandom(8).hex()
        number = tag_of(run)
        ours: list[int] = []
        theirs: list[int] = []
        for writes in (True, False, False, False):  # the request, the result, output, errors
            read, write = os.pipe()
            ours.append(write if writes else read)
            theirs.append(read if writes else write)
        request, result, stdout, stderr = ours
        spawn.widen(theirs[1])
        options = spawn.options_for(kind, -1, -1, number)
        group = control_groups.create(run, options.tasks, kind.memory)
        connection, other = socket.socketpair()
        try:
            with other:
                message = ForkRequest(run, options.encode(), group.folders if group else ())
                ends = [other.fileno(), *theirs]
                socket.send_fds(self._control, [message.encode().encode()], ends)
            connection.settimeout(START_SECONDS)
            (pid,) = _NUMBER.unpack(connection.recv(_NUMBER.size))
            connection.settimeout(None)
        except (OSError, struct.error):
            connection.close()
            for descriptor in ours:
                os.close(descriptor)
            if group:
                group.remove()
            raise
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        if kind.behind:
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, pid, spawn.BEHIND)
        worker = AdoptedWorker(pid, connection, stdout, stderr)
        is_tagged = tag(pid, number)
        os.write(request, token)
        return Process(kind, worker, token, request, result, run, is_tagged, group)

    def close(self) -> None:
        """Let it end as soon as its workers have ended."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """End it at once; all of its workers have ended."""
        self._control.close()
        self._popen.kill()
        self._popen.wait()


def _environment(kind: Kind) -> Mapping[str, str]:
    environment = spawn.environment(kind, "")
    del environment[RUN_VARIABLE]
    return environment
