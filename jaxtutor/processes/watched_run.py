"""Watches one request in one worker until its end: what arrives, and the limits.

A request that exceeds its time or memory is ended here; the runner kills its processes.
"""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import (
    BrokenLibrary,
    Done,
    End,
    Event,
    Machine,
    NoDevice,
    Outcome,
    Started,
)
from jaxtutor.core.data.requests import Request
from jaxtutor.errors import TutorError
from jaxtutor.processes.cpu_time import StarvedTime
from jaxtutor.processes.resources import exceeds_memory
from jaxtutor.processes.spawn import PROGRAM, Process

START_SECONDS = 90.0
"""How long a worker may take to become ready; only a broken installation takes that long."""

MAX_WAIT = 4.0
"""Wall time after which a submission is ended in any case, as a multiple of its limit."""

KEPT_OUTPUT = 64 * 1024
KEPT_RESULT = 512 * 1024 * 1024
EXIT_SECONDS = 1.0
"""How long a process may take to end after it has closed the pipe that carries its results."""

INTERRUPT_SECONDS = 3.0
"""How long a program may take to report where it was when its time was over."""

LOOK_SECONDS = 0.1
"""How often a run's limits are checked; a time limit is a second at least."""

MAX_LOOK = 0.5
"""Seconds after which a look at the memory of many processes is left incomplete: while they are
all running, it could take longer than the time limit."""

LOOK_SHARE = 5
"""A look at the memory of many processes is repeated after this many times as long as it took."""

Listen = Callable[[Event], None]
"""Is called with each event of a run when it arrives."""

TELLING = ("JAX_", "XLA_", "PYTHONPATH", "PYTHONHOME")
"""How the names begin of what may keep jax from starting."""

_FATAL = re.compile(r"^[FE]\d{4} [\d:.]+ +\d+ [\w./]+:\d+\] ")
"""What XLA sets before its last words: the time, the process, its own source file."""

WRAPPED_SIGNAL = 128
"""What a program that runs another adds, as a shell does, to the signal that ended it."""


class Cancel:
    """Lets another thread, or a signal handler, end a run early.

    With `gently`, a captured program is interrupted first, and may report what it was doing.
    """

    def __init__(self, gently: bool = False) -> None:
        self.gently = gently
        self.read, self._write = os.pipe()
        self._lock = threading.Lock()
        self._open = True
        self.asked = False

    def __call__(self) -> None:
        """Ask for the end; harmless when the run is over."""
        with self._lock:
            self.asked = True
            if self._open:
                os.write(self._write, b"x")

    def close(self) -> None:
        """Give the pipe back."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self.read)
                os.close(self._write)


@dataclass
class _CappedOutput:
    """What a stream brought: its head and its tail, and how much was between."""

    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def add(self, data: bytes) -> None:
        room = KEPT_OUTPUT - len(self.head)
        self.head += data[:room]
        self.tail += data[room:] if room < len(data) else b""
        over = len(self.tail) - KEPT_OUTPUT
        if over > 0:
            self.dropped += over
            del self.tail[:over]

    def whole(self) -> bytes:
        between = f"\n… {self.dropped:,} bytes more …\n".encode() if self.dropped else b""
        return bytes(self.head) + between + bytes(self.tail)


class WatchedRun:
    """One request in one worker, watched until its end."""

    def __init__(
        self,
        process: Process,
        request: Request,
        seconds: float,
        cancel: Cancel | None,
        listen: Listen | None = None,
    ) -> None:
        self.process = process
        self.listen = listen
        self.request = request
        self.seconds = seconds
        self.cancel = cancel
        self.events: list[Event] = []
        self.buffer = bytearray()
        self.unsent = memoryview(wire.encode(process.token, request))
        self.streams = {descriptor: _CappedOutput() for descriptor in process.prints}
        self.end: End | None = None
        self.detail = ""
        self.started: float | None = None
        self.is_done = False
        self.interrupted: float | None = None
        self.end_if_interrupted: End = "timed_out"
        self.status: int | None = None
        self.starved = StarvedTime(process.popen.pid)
        self.born = self.next_look = time.monotonic()

    def watch(self) -> None:
        """Watch until something ends it."""
        with selectors.DefaultSelector() as selector:
            os.set_blocking(self.process.request, False)
            selector.register(self.process.request, selectors.EVENT_WRITE)
            for descriptor in (self.process.result, *self.streams):
                os.set_blocking(descriptor, False)
                selector.register(descriptor, selectors.EVENT_READ)
            if self.cancel:
                selector.register(self.cancel.read, selectors.EVENT_READ)
            while self.end is None:
                self._step(selector)
        self._drain()

    @property
    def died_idle(self) -> bool:
        """Return whether something else ended the process before it came to the request."""
        begun = any(event.stage != "ready" for event in self.events if isinstance(event, Started))
        return self.end == "crashed" and not begun and self.process.popen.poll() is not None

    def _ask(self, selector: selectors.BaseSelector) -> None:
        """Send as much of the request as the pipe takes; a worker may be slow to read it."""
        with contextlib.suppress(BlockingIOError):
            try:
                self.unsent = self.unsent[os.write(self.process.request, self.unsent) :]
            except BrokenPipeError:  # it is dead, and its own pipe will say so
                self.unsent = self.unsent[:0]
        if not self.unsent:
            selector.unregister(self.process.request)

    def _step(self, selector: selectors.BaseSelector) -> None:
        exited = self.process.popen.poll() is not None
        ready = selector.select(0 if exited else LOOK_SECONDS)
        if exited and not any(key.fd == self.process.result for key, _ in ready):
            self._take_result(b"")  # a child of its own may hold the pipe open
        for key, _ in ready:
            if self.cancel and key.fd == self.cancel.read:
                selector.unregister(key.fd)
                self._end_by_cancel()
                continue
            if key.fd == self.process.request:
                self._ask(selector)
                continue
            data = self._read(key.fd)
            if data is None:
                continue
            if key.fd == self.process.result:
                if not data and self._is_running_on():
                    selector.unregister(key.fd)
                    continue
                self._take_result(data)
            elif data:
                self.streams[key.fd].add(data)
            else:
                selector.unregister(key.fd)
        if self.end is None:
            self._look_at_limits()

    def _is_running_on(self) -> bool:
        """Return whether a learner's own program has closed all files, as a daemon does."""
        return self.process.kind.program == PROGRAM and self.process.popen.poll() is None

    @staticmethod
    def _read(descriptor: int) -> bytes | None:
        try:
            return os.read(descriptor, 1 << 20)
        except BlockingIOError:
            return None

    def _take_result(self, data: bytes) -> None:
        if not data:
            self._note_exit()
            return
        self.buffer += data
        try:
            for body in wire.split(self.process.token, self.buffer):
                self._take_event(wire.read_event(body))
        except wire.Garbled:
            self.end, self.detail = "crashed", "it wrote to the pipe that carries its results"
            return
        if len(self.buffer) > KEPT_RESULT:
            self.end, self.detail = "out_of_memory", "its answers are too large"

    def _note_exit(self) -> None:
        """Note how the process ended; a learner's own program ends after it has reported.

        Its threads and exit hooks run until then, as under Python.
        """
        group = self.process.group
        if self.process.kind.program == PROGRAM:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.status = self.process.popen.wait(EXIT_SECONDS)
        if self.interrupted is not None:
            self.end, self.detail = self.end_if_interrupted, self._stage()
            return
        if self.is_done and self.status is not None:
            self.end = "finished"
            return
        if group is not None and group.ran_out_of_memory:
            self.end, self.detail = "out_of_memory", self._stage()
        else:
            self.end, self.detail = "crashed", self._describe_exit()

    def _take_event(self, event: Event) -> None:
        self.events.append(event)
        if self.listen is not None:
            self.listen(event)
        if isinstance(event, Machine | Started) and self.started is None:
            self.started = time.monotonic()
            self.starved.look()
        if isinstance(event, Done | NoDevice | BrokenLibrary):
            self.is_done = True
            if self.process.kind.program != PROGRAM:
                self.end = "finished"

    def _look_at_limits(self) -> None:
        now = time.monotonic()
        if self.interrupted is not None:
            if now - self.interrupted > INTERRUPT_SECONDS:
                self.end, self.detail = self.end_if_interrupted, self._stage()
            return
        if self.started is None:
            if now - self.born > START_SECONDS:
                self.end, self.detail = "crashed", "jax did not start"
            return
        self.starved.look()
        if now - self.started > self.seconds and not self._was_starved(now - self.started):
            self._interrupt("timed_out")
        elif self.process.kind.memory and self._exceeds_memory(self.started):
            self.end, self.detail = "out_of_memory", self._stage()

    def _end_by_cancel(self) -> None:
        """End a run that is not needed any longer."""
        if self.cancel is not None and self.cancel.gently and self.started is not None:
            self._interrupt("cancelled")
        else:
            self.end = "cancelled"

    def _interrupt(self, end: End) -> None:
        """End a run early; a learner's program may first say where it is.

        It is interrupted, as by Ctrl-C. Compiled code does not react to that, and ends by force.
        """
        kind = self.process.kind
        if kind.program != PROGRAM or kind.is_trial:
            self.end, self.detail = end, self._stage() if end == "timed_out" else ""
            return
        self.interrupted, self.end_if_interrupted = time.monotonic(), end
        with contextlib.suppress(OSError):
            os.kill(self.process.popen.pid, signal.SIGINT)

    def _was_starved(self, passed: float) -> bool:
        """Return whether other programs kept the worker from running within its time.

        A right submission must not fail because the machine is busy. The time in which it wanted a
        CPU and had none does not count, up to `MAX_WAIT` times its limit.
        """
        if self.process.kind.shares_terminal or passed > MAX_WAIT * self.seconds:
            return False
        return passed - self.starved.seconds <= self.seconds

    def _exceeds_memory(self, started: float) -> bool:
        """Check the memory now and then, but not at first: most checks are over by then."""
        now = time.monotonic()
        if now - started <= 2 * LOOK_SECONDS or now < self.next_look:
            return False
        group = self.process.group
        if group is not None and group.limits_memory:
            self.next_look = now + LOOK_SECONDS
            return group.ran_out_of_memory
        pid, limit = self.process.popen.pid, self.process.kind.memory * 2**20
        is_over = exceeds_memory(pid, limit, min(now + MAX_LOOK, started + self.seconds))
        taken = time.monotonic() - now
        self.next_look = now + max(LOOK_SECONDS, LOOK_SHARE * taken)
        return is_over

    def _stage(self) -> str:
        stages = [event.stage for event in self.events if isinstance(event, Started)]
        return stages[-1] if stages else ""

    def _describe_exit(self) -> str:
        try:
            status = self.process.popen.wait(1)
        except subprocess.TimeoutExpired:
            return "it closed the pipe that carries its results"
        if self.process.kind.wrap and status > WRAPPED_SIGNAL:
            status = WRAPPED_SIGNAL - status
        if status >= 0:
            return f"it left with exit status {status}"
        with contextlib.suppress(ValueError):
            return f"it was ended by {signal.Signals(-status).name}"
        return f"it was ended by signal {-status}"

    def _drain(self) -> None:
        """Take what is still in the pipes of prints, without waiting for more."""
        for descriptor, output in self.streams.items():
            for _ in range(64):
                with contextlib.suppress(OSError):
                    data = self._read(descriptor)
                    if not data:
                        break
                    output.add(data)

    def assemble(self) -> Outcome:
        """Return the outcome. Raises TutorError if the installation is broken."""
        machines = [event for event in self.events if isinstance(event, Machine)]
        machine = machines[-1] if machines else None
        outputs = [output.whole() for output in self.streams.values()]
        stdout, stderr = outputs or (b"", b"")
        if self.started is None and self.end == "crashed":
            self._refuse_to_go_on(stderr)
        prints = wire.split_prints(self.process.token, stdout)
        assert self.end is not None
        return Outcome(
            end=self.end,
            seconds=time.monotonic() - (self.started or self.born),
            machine=machine,
            events=tuple(event for event in self.events if not isinstance(event, Machine)),
            end_detail=self.detail,
            device=_default_device(machine),
            printed=tuple((stage, text.decode("utf-8", "replace")) for stage, text in prints),
            stderr=stderr.decode("utf-8", "replace"),
            exit_status=self.status,
        )

    def _refuse_to_go_on(self, stderr: bytes) -> None:
        """A worker that never became ready says something of the installation, not the learner."""
        last = stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        said = _FATAL.sub("", last) or self.detail
        raise TutorError(f"jax could not be started: {said}", _find_remedy(os.environ))


def _find_remedy(environ: Mapping[str, str]) -> str:
    """Say what to do where jax does not start: what is set for it may be why."""
    names = sorted(name for name in environ if name.startswith(TELLING))
    if not names:
        return "Check the installation: python -c 'import jax; print(jax.devices())'"
    listed = f"{', '.join(names[:-1])} and {names[-1]} are" if names[1:] else f"{names[0]} is"
    without = " ".join(f"-u {name}" for name in names)
    return f"{listed} set, which may be why. Try without: env {without} jaxtutor devices"


def _default_device(machine: Machine | None) -> str:
    devices = machine.devices if machine else ()
    return next((device.name for device in devices if device.default), "")
