"""Connects the prompt to its worker: sends requests, receives output and replies.

While learner's code runs, the worker gets no other request: any byte on its request pipe, and its
end, would then mean that the prompt is gone.
"""

from __future__ import annotations

import codecs
import os
import selectors
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue, SimpleQueue

from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Machine, NoDevice
from jaxtutor.core.repl import messages
from jaxtutor.processes import spawn
from jaxtutor.processes.process_tree import reap

KEPT_OUTPUT = 64 * 1024
"""Characters that one cell may print; of longer output, the end is shown as well."""
KEPT_TAIL = 4 * 1024
"""Characters of the end of longer output, and bytes of standard error."""
LATE_MARK = 2.0
"""Seconds to wait for the end mark of a cell's output after the cell is done."""


@dataclass(frozen=True)
class OutputReceived:
    """Output of a cell, as it comes."""

    text: str


@dataclass(frozen=True)
class ReplyReceived:
    """A reply of the worker."""

    reply: messages.ReplReply


@dataclass(frozen=True)
class OutputComplete:
    """The output of a cell is complete."""


@dataclass(frozen=True)
class WorkerGone:
    """The worker process ended; `why` describes how."""

    why: str


WorkerEvent = OutputReceived | ReplyReceived | OutputComplete | WorkerGone


class Worker:
    """A worker process of the prompt."""

    def __init__(self, process: spawn.Process) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._is_busy = False
        self._numbers = 0
        self._pending: dict[int, SimpleQueue[messages.ReplReply | None]] = {}
        # Python 3.11's SimpleQueue.get can block past its timeout if a signal arrives at its end.
        self._events: Queue[WorkerEvent] = Queue()
        self.machine: Machine | None = None
        self.missing: NoDevice | None = None
        self.trouble = b""
        self.ended = ""
        self.settled = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ requests

    @property
    def is_ready(self) -> bool:
        """Return whether the worker has imported jax."""
        return self.machine is not None

    def post(self, request: messages.ReplRequest) -> None:
        """Request a run of learner's code; `hear` returns its results."""
        with self._lock:
            self._is_busy = True
            self._write(request)

    def ask(self, make: messages.Numbered, seconds: float) -> messages.ReplReply | None:
        """Send a quick request and wait. Return None if the worker is busy, or takes too long."""
        answer: SimpleQueue[messages.ReplReply | None] = SimpleQueue()
        with self._lock:
            if self._is_busy or not self.is_ready:
                return None
            self._numbers += 1
            number = self._numbers
            self._pending[number] = answer
            self._write(make(number))
        try:
            return answer.get(timeout=seconds)
        except Empty:
            return None
        finally:
            self._pending.pop(number, None)

    def _write(self, request: messages.ReplRequest) -> None:
        message = memoryview(wire.encode(self._process.token, request))
        with suppress(OSError):  # the worker is dead; its result pipe reports that
            while message:
                message = message[os.write(self._process.request, message) :]

    def hear(self, seconds: float) -> WorkerEvent | None:
        """Return the next event, or None if none comes in time."""
        try:
            event = self._events.get(timeout=seconds)
        except Empty:
            return None
        if isinstance(event, ReplyReceived) and isinstance(event.reply, messages.CellDone):
            with self._lock:
                self._is_busy = False
        return event

    # ------------------------------------------------------------ ending

    def interrupt(self) -> None:
        """Send SIGINT: the cell gets a KeyboardInterrupt once it executes Python code again."""
        with suppress(ProcessLookupError):
            self._process.popen.send_signal(signal.SIGINT)

    def close(self, timeout: float = 0.0) -> None:
        """End the worker; with a timeout, close its pipe first so that it can flush its output."""
        if timeout:
            with self._lock, suppress(OSError):
                os.close(self._process.request)
                self._process.request = os.open(os.devnull, os.O_WRONLY)
            with suppress(subprocess.TimeoutExpired):
                self._process.popen.wait(timeout)
        self._process.popen.kill()  # this closes its pipes, which ends the listening thread
        self._thread.join(5)
        with suppress(subprocess.TimeoutExpired):
            self._process.popen.wait(5)  # processes it leaves behind are found after it has ended
        reap(self._process)

    # ------------------------------------------------------------ listening

    def _listen(self) -> None:
        result = self._process.result
        output = _CellOutput(self._process.token)
        streams = self._process.popen.stdout, self._process.popen.stderr
        with selectors.DefaultSelector() as selector:
            selector.register(result, selectors.EVENT_READ)
            for stream in streams:
                if stream is not None:
                    selector.register(stream.fileno(), selectors.EVENT_READ)
            buffer = bytearray()
            is_open = True
            while is_open:
                ready = [key.fd for key, _ in selector.select()]
                for fd in sorted(ready, key=lambda fd: fd == result):  # output before replies
                    data = _read(fd)
                    if fd == result:
                        is_open = bool(data) and self._take(buffer, data)
                    elif not data:
                        selector.unregister(fd)
                    elif streams[1] is not None and fd == streams[1].fileno():
                        self.trouble = (self.trouble + data)[-KEPT_TAIL:]
                    else:
                        for event in output.feed(data):
                            self._events.put(event)
        for event in output.flush():
            self._events.put(event)
        self.ended = self._describe_end()
        self._events.put(WorkerGone(self.ended))
        self.settled.set()
        for answer in list(self._pending.values()):
            answer.put(None)

    def _take(self, buffer: bytearray, data: bytes) -> bool:
        """Read replies from the pipe; return False if its bytes are not replies."""
        buffer += data
        try:
            for body in wire.split(self._process.token, buffer):
                self._sort(messages.read_reply(body))
        except wire.Garbled:
            self._process.popen.kill()
            return False
        return True

    def _sort(self, reply: messages.ReplReply) -> None:
        match reply:
            case Machine():
                self.machine = reply
                self.settled.set()
            case NoDevice():
                self.missing = reply
                self.settled.set()
            case messages.Matches(number=number) | messages.Described(number=number):
                answer = self._pending.get(number)
                if answer is not None:
                    answer.put(reply)
            case _:
                self._events.put(ReplyReceived(reply))

    def _describe_end(self) -> str:
        try:
            status = self._process.popen.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed its result pipe"
        if status >= 0:
            return f"it exited with status {status}"
        with suppress(ValueError):
            return f"it was killed by {signal.Signals(-status).name}"
        return f"it was killed by signal {-status}"


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


@dataclass
class _CellOutput:
    """The output of a cell: split at the marks, and limited in size."""

    token: bytes
    buffer: bytearray = field(default_factory=bytearray)
    shown: int = 0
    dropped: int = 0
    tail: str = ""

    def __post_init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._mark = wire.mark(self.token, "cell")

    def feed(self, data: bytes) -> Iterator[WorkerEvent]:
        """Add captured bytes; yield what can be shown."""
        self.buffer += data
        while True:
            before, mark, after = bytes(self.buffer).partition(self._mark)
            if not mark:
                break
            yield from self._text(before, final=True)
            yield from self.flush()
            yield OutputComplete()
            self.buffer[:] = after
            self.shown = self.dropped = 0
        held = self._partial_mark()
        free = bytes(self.buffer[: len(self.buffer) - held])
        del self.buffer[: len(free)]
        yield from self._text(free)

    def _partial_mark(self) -> int:
        """Return the number of bytes at the end that may be the start of a mark."""
        for count in range(min(len(self._mark) - 1, len(self.buffer)), 0, -1):
            if self.buffer.endswith(self._mark[:count]):
                return count
        return 0

    def _text(self, data: bytes, final: bool = False) -> Iterator[WorkerEvent]:
        text = self._decoder.decode(data, final)
        if not text:
            return
        room = max(KEPT_OUTPUT - self.shown, 0)
        self.shown += len(text[:room])
        rest = text[room:]
        if text[:room]:
            yield OutputReceived(text[:room])
        if rest:
            self.tail += rest
            self.dropped += max(len(self.tail) - KEPT_TAIL, 0)
            self.tail = self.tail[-KEPT_TAIL:]

    def flush(self) -> Iterator[WorkerEvent]:
        """Yield the end of output that exceeded the limit."""
        if self.dropped:
            yield OutputReceived(f"\n… {self.dropped:,} more characters …\n")
        if self.tail:
            yield OutputReceived(self.tail)
        self.tail, self.dropped = "", 0
