"""Owns the prompt's side of its worker: requests go in, prints and replies come out, or its end.

A worker is asked one thing at a time while learner's code runs: on its request pipe, bytes or the
end of it would then mean that the prompt is gone.
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
from jaxtutor.core.data.model import Machine, NoDevice
from jaxtutor.core.repl import messages
from jaxtutor.processes import runner, spawn

KEPT_OUTPUT = 64 * 1024
"""Characters that one cell may print; of more, the end is shown besides."""
KEPT_TAIL = 4 * 1024
LATE_MARK = 2.0


@dataclass(frozen=True)
class OutputReceived:
    """What a cell printed, as it comes."""

    text: str


@dataclass(frozen=True)
class ReplyReceived:
    """A reply."""

    reply: messages.ReplReply


@dataclass(frozen=True)
class OutputComplete:
    """What a cell printed is complete."""


@dataclass(frozen=True)
class WorkerGone:
    """The worker's process ended; `why` says how."""

    why: str


Heard = OutputReceived | ReplyReceived | OutputComplete | WorkerGone


class Worker:
    """One worker process."""

    def __init__(self, process: spawn.Process) -> None:
        self._process = process
        self._lock = threading.Lock()
        self._is_busy = False
        self._numbers = 0
        self._asked: dict[int, SimpleQueue[messages.ReplReply | None]] = {}
        # A SimpleQueue of Python 3.11 may wait for ever when a signal comes at the end of its wait.
        self._heard: Queue[Heard] = Queue()
        self.machine: Machine | None = None
        self.missing: NoDevice | None = None
        self.trouble = b""
        self.ended = ""
        self.settled = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ asking

    @property
    def is_ready(self) -> bool:
        """Tell whether jax is there."""
        return self.machine is not None

    def post(self, request: messages.ReplRequest) -> None:
        """Ask for learner's code to be run; `hear` tells what comes of it."""
        with self._lock:
            self._is_busy = True
            self._write(request)

    def ask(self, make: messages.Numbered, seconds: float) -> messages.ReplReply | None:
        """Ask for something quick. None where the worker is not free, or it took too long."""
        answer: SimpleQueue[messages.ReplReply | None] = SimpleQueue()
        with self._lock:
            if self._is_busy or not self.is_ready:
                return None
            self._numbers += 1
            number = self._numbers
            self._asked[number] = answer
            self._write(make(number))
        try:
            return answer.get(timeout=seconds)
        except Empty:
            return None
        finally:
            self._asked.pop(number, None)

    def _write(self, request: messages.ReplRequest) -> None:
        frame = memoryview(wire.encode(self._process.token, request))
        with suppress(OSError):  # it is dead, and its own pipe will say so
            while frame:
                frame = frame[os.write(self._process.request, frame) :]

    def hear(self, seconds: float) -> Heard | None:
        """Take the next thing that was heard, if one comes in time."""
        try:
            heard = self._heard.get(timeout=seconds)
        except Empty:
            return None
        if isinstance(heard, ReplyReceived) and isinstance(heard.reply, messages.CellDone):
            with self._lock:
                self._is_busy = False
        return heard

    # ------------------------------------------------------------ ending

    def interrupt(self) -> None:
        """Have the cell stopped by KeyboardInterrupt, where Python still gets to run."""
        with suppress(ProcessLookupError):
            self._process.popen.send_signal(signal.SIGINT)

    def close(self, patience: float = 0.0) -> None:
        """End it: with patience by the end of its pipe, so that what it holds is written out."""
        if patience:
            with self._lock, suppress(OSError):
                os.close(self._process.request)
                self._process.request = os.open(os.devnull, os.O_WRONLY)
            with suppress(subprocess.TimeoutExpired):
                self._process.popen.wait(patience)
        self._process.popen.kill()  # its pipes close, and the thread that listens ends
        self._thread.join(5)
        with suppress(subprocess.TimeoutExpired):
            self._process.popen.wait(5)  # whoever it leaves behind is looked for when it is over
        runner.bury(self._process)

    # ------------------------------------------------------------ listening

    def _listen(self) -> None:
        result = self._process.result
        prints = _Prints(self._process.token)
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
                for fd in sorted(ready, key=lambda fd: fd == result):  # prints come first
                    data = _read(fd)
                    if fd == result:
                        is_open = bool(data) and self._take(buffer, data)
                    elif not data:
                        selector.unregister(fd)
                    elif streams[1] is not None and fd == streams[1].fileno():
                        self.trouble = (self.trouble + data)[-KEPT_TAIL:]
                    else:
                        for heard in prints.feed(data):
                            self._heard.put(heard)
        for heard in prints.flush():
            self._heard.put(heard)
        self.ended = self._describe_end()
        self._heard.put(WorkerGone(self.ended))
        self.settled.set()
        for answer in list(self._asked.values()):
            answer.put(None)

    def _take(self, buffer: bytearray, data: bytes) -> bool:
        """Take replies off the pipe; False where it brings what is none."""
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
                answer = self._asked.get(number)
                if answer is not None:
                    answer.put(reply)
            case _:
                self._heard.put(ReplyReceived(reply))

    def _describe_end(self) -> str:
        try:
            status = self._process.popen.wait(2)
        except subprocess.TimeoutExpired:
            return "it closed the pipe that carries its results"
        if status >= 0:
            return f"it left with exit status {status}"
        with suppress(ValueError):
            return f"it was ended by {signal.Signals(-status).name}"
        return f"it was ended by signal {-status}"


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


@dataclass
class _Prints:
    """What a cell prints, on its way: cut at the marks, and capped."""

    token: bytes
    buffer: bytearray = field(default_factory=bytearray)
    shown: int = 0
    dropped: int = 0
    tail: str = ""

    def __post_init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._mark = wire.mark(self.token, "cell")

    def feed(self, data: bytes) -> Iterator[Heard]:
        """Give what can be shown by now."""
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
        held = self._held()
        free = bytes(self.buffer[: len(self.buffer) - held])
        del self.buffer[: len(free)]
        yield from self._text(free)

    def _held(self) -> int:
        """Count the last bytes, which may be the beginning of a mark."""
        for count in range(min(len(self._mark) - 1, len(self.buffer)), 0, -1):
            if self.buffer.endswith(self._mark[:count]):
                return count
        return 0

    def _text(self, data: bytes, final: bool = False) -> Iterator[Heard]:
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

    def flush(self) -> Iterator[Heard]:
        """Give the end of what was too much."""
        if self.dropped:
            yield OutputReceived(f"\n… {self.dropped:,} characters more …\n")
        if self.tail:
            yield OutputReceived(self.tail)
        self.tail, self.dropped = "", 0
