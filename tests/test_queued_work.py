"""Tests that what fails in a thread is described by the call that started the thread."""

from __future__ import annotations

import linecache
import threading
from concurrent.futures import ThreadPoolExecutor
from textwrap import dedent
from types import ModuleType, SimpleNamespace

import pytest

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.worker.failures import failure, queued_work

FILE = "/learner/background.py"


class Saver:
    """A library's object that writes in a thread, and raises when it is asked whether it did."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.thread: threading.Thread | None = None

    def save(self, path: str, nested: bool = False) -> None:
        """Start to write, in a thread that another thread starts if it is nested."""
        saver = self

        class Writer(threading.Thread):
            def run(self) -> None:
                try:
                    super().run()
                except BaseException as error:
                    saver.error = error

        def write() -> None:
            raise ValueError(f"cannot write {path}")

        self.thread = Writer(target=write)
        if nested:
            above = threading.Thread(target=self.thread.start)
            above.start()
            above.join()
        else:
            self.thread.start()

    def wait(self) -> None:
        """Raise what the thread raised."""
        assert self.thread is not None
        self.thread.join()
        assert self.error is not None
        raise self.error


SOURCE = """
def keep(path):
    saver.save(path, NESTED)


saver = library.Saver()
keep("results")
saver.wait()
"""


def is_own(file: str) -> bool:
    """Return True for the program's own frames."""
    return file == FILE


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember where threads are started."""
    made = queued_work.remembering(threading.Thread.start, is_own)
    monkeypatch.setattr(threading.Thread, "start", made)


def fail(source: str) -> Failure:
    """Run a program that raises, with a library that has threads, and describe the exception."""
    text = dedent(source)
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    module = ModuleType("background")
    module.__dict__["library"] = SimpleNamespace(Saver=Saver, Pool=ThreadPoolExecutor)
    try:
        exec(compile(text, FILE, "exec"), module.__dict__)
    except BaseException as error:
        return failure.describe(error, is_own)
    raise AssertionError("the program did not raise")


@pytest.mark.usefixtures("start")
@pytest.mark.parametrize("nested", ["False", "True"])
def test_the_place_is_the_call_that_started_the_thread(nested: str) -> None:
    """The frames are those of the start, with the names of then, also through another thread."""
    source = SOURCE.replace("NESTED", nested)
    found = fail(source)
    assert [(frame.function, frame.span.line) for frame in found.frames] == [
        ("<module>", 7),
        ("keep", 3),
    ]
    assert {"path": "str"}.items() <= {fact.name: fact.kind for fact in found.names}.items()
    assert found.surfaced is not None
    assert found.surfaced.span.line == 8
    made = diagnose(found, {FILE: source}, {})
    assert made is not None
    assert made.diagnosis.span is not None
    assert (made.diagnosis.span.line, made.diagnosis.raised_expression) == (3, "saver.wait()")


def test_without_the_start_the_place_is_where_it_surfaced() -> None:
    """A thread whose start nobody saw is described as any other exception."""
    found = fail(SOURCE.replace("NESTED", "False"))
    assert [frame.span.line for frame in found.frames] == [8]
    assert found.surfaced is None


@pytest.mark.usefixtures("start")
def test_code_of_the_learner_in_the_thread_is_the_place() -> None:
    """Where the learner's own function raises in the thread, that is the place."""
    found = fail("def work():\n    return 1 / 0\n\n\nlibrary.Pool().submit(work).result()\n")
    assert [frame.span.line for frame in found.frames] == [5, 2]
    assert found.surfaced is None


@pytest.mark.usefixtures("start")
def test_a_thread_of_a_pool_is_nobodys() -> None:
    """A thread of a pool works for all of its callers: its start says nothing of its work."""
    found = fail(
        "with library.Pool(1) as pool:\n    pool.submit(int, '1')\n"
        "    pool.submit(int, 'a').result()\n"
    )
    assert [frame.span.line for frame in found.frames] == [3]
