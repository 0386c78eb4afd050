"""Runs cells in the learner's namespace, and reports values, errors and observations."""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import linecache
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
from msgspec import Struct

from jaxtutor.core.data.observations import Observation
from jaxtutor.core.repl import messages
from jaxtutor.core.repl.messages import Page, PageStyle
from jaxtutor.core.repl.transcript import FILE, PRELUDE
from jaxtutor.worker import course_modules, leaks, own_files, sources
from jaxtutor.worker.failures import failure
from jaxtutor.worker.repl import operands, values
from jaxtutor.worker.repl.interrupts import Interrupts
from jaxtutor.worker.repl.operands import UnusableOperand
from jaxtutor.worker.repl.retraces import TraceRecorder
from jaxtutor.worker.repl.streams import Streams
from jaxtutor.worker.repl.tutor import Tutor
from jaxtutor.worker.watching import instrument
from jaxtutor.worker.watching.captured_state import ValueSnapshot

OPTIONS: Any = jax.config  # jax does not annotate its options

Send = Callable[[Struct], None]

_TUTOR = str(Path(instrument.__file__).parent.parent)

CARRIED = 200  # functions whose captured values are remembered from cell to cell


class PromptNamespace:
    """The names at the prompt and the state that lasts from cell to cell."""

    def __init__(self, send: Send, streams: Streams, interrupts: Interrupts) -> None:
        self._send = send
        self._streams = streams
        self._interrupts = interrupts
        self._process = os.getpid()
        self._start = time.time()
        self._builtins = dict(vars(builtins))
        self._lines: list[str] = []
        self._states: list[ValueSnapshot] = []
        self._files: dict[str, None] = {}
        self._actions: list[messages.PromptAction] = []
        folder = own_files.ownership(str(Path.cwd() / FILE))

        def is_own(name: str) -> bool:
            if name == FILE or name in self._files:
                return True
            return not name.startswith(_TUTOR) and folder(name)

        self.is_own = functools.cache(is_own)
        self._watch = instrument.Instrumentation(self.is_own)
        self.traces = TraceRecorder(self.is_own)
        self.module = _make_main()
        self.names: dict[str, Any] = vars(self.module)
        self.tutor = Tutor(self.names, self.traces, self._actions.append)
        self._keep_text(1, PRELUDE)
        exec(PRELUDE, self.names)
        self.names["tutor"] = self.tutor

    # ------------------------------------------------------------ requests

    def run(self, request: messages.RunCell) -> messages.CellDone:
        """Run one cell, or one command on its argument, and report the result."""
        self._keep_text(request.line, request.source)
        if request.command:
            work = functools.partial(self._run_command, request)
            return self._carry_out(work, request.look)
        work = functools.partial(self._run_source, request.line, request.source)
        return self._carry_out(work, request.look, observed=request.source)

    def load(self, request: messages.LoadFiles) -> messages.CellDone:
        """Run a lesson's files as modules, and put their names at the prompt."""
        course_modules.compile_from_source(str(Path(request.files[0].path).parent))
        for file in request.files:
            self._files[file.path] = None
            sources.keep(file.path, file.source)
        self.is_own.cache_clear()

        def work() -> None:
            for file in request.files:
                self._load(file)

        return self._carry_out(work, request.look)

    def _load(self, file: messages.File) -> None:
        module = ModuleType(file.name)
        module.__file__ = file.path
        sys.modules[file.name] = module
        try:
            exec(compile(file.source, file.path, "exec", dont_inherit=True), module.__dict__)
        finally:  # also what it defined before it failed
            self.names[file.name] = module
            public = {name: v for name, v in vars(module).items() if not name.startswith("_")}
            self.names.update(public)

    def inspect(self, request: messages.Inspect) -> messages.CellDone:
        """Describe an expression's value without running any code."""
        from jaxtutor.worker.repl import lookup

        def work() -> Any:
            return _Page(lookup.inspect_name(self.names, request.subject, request.deeply))

        return self._carry_out(work, request.look)

    # ------------------------------------------------------------ one run

    def _carry_out(
        self, work: Callable[[], Any], look: PageStyle, observed: str | None = None
    ) -> messages.CellDone:
        """Do the work of a request, and report its result, its exceptions and its output.

        `observed` is the source of a cell to observe. The caller sends the returned message when
        the worker can serve the next request.
        """
        self._interrupts.install()
        linecache.checkcache()  # a module may be loaded again
        started = time.perf_counter()
        self._watch.forget()
        try:
            if observed is not None:
                with self._watch:
                    replies = self._attempt(work, look)
            else:
                replies = self._attempt(work, look)
        except BaseException as error:  # an interrupt between the cell and our own code
            replies = self._error_replies(error)
        seconds = time.perf_counter() - started
        if os.getpid() != self._process:
            os._exit(0)  # a fork by the learner's code: it has no prompt
        self._mend_builtins()
        self._streams.end_cell("cell")
        actions, self._actions[:] = tuple(self._actions), []
        for reply in (*replies, *actions):
            self._send(reply)
        if observed is not None:
            self._report(
                observed, is_failed=any(isinstance(r, messages.CellRaised) for r in replies)
            )
        files = self._own_files()
        changed = tuple(sources.changed_files(files, self._start))
        return messages.CellDone(seconds, tuple(files), changed)

    def _mend_builtins(self) -> None:
        """Restore builtins that the cell deleted or replaced and that this worker needs."""
        space = vars(builtins)
        for name, value in self._builtins.items():
            if name not in space or (callable(value) and not callable(space[name])):
                space[name] = value

    def _attempt(self, work: Callable[[], Any], look: PageStyle) -> tuple[Struct, ...]:
        """Run the learner's code and format its value. Both can be interrupted."""
        try:
            with self._interrupts.armed():
                value = work()
                page = self._page(value, look)
                jax.effects_barrier()
        except BaseException as error:  # a cell may raise anything
            return self._error_replies(error)
        return (messages.PageShown(page),) if page else ()

    def _error_replies(self, error: BaseException) -> tuple[Struct, ...]:
        if isinstance(error, SystemExit):
            return (messages.CellExited(str(error.code or 0)[:200]),)
        if isinstance(error, UnusableOperand):
            return (messages.CommandRefused(str(error)),)
        notes = _notes(error)
        replies = messages.CellRaised(failure.describe(error, self.is_own))
        return (
            (messages.PageShown(tuple(((note, ""),) for note in notes)), replies)
            if notes
            else (replies,)
        )

    def _page(self, value: Any, look: PageStyle) -> Page:
        if value is None:
            return ()
        if type(value) is _Page:
            return value.page
        vars(builtins)["_"] = value
        return values.show(value, look)

    # ------------------------------------------------------------ source

    def _keep_text(self, line: int, source: str) -> None:
        """Register the text of a cell with `linecache`, for tracebacks and locations."""
        self._lines += ["\n"] * (line - 1 - len(self._lines))
        del self._lines[line - 1 :]
        self._lines += [text + "\n" for text in source.split("\n")]
        size = sum(map(len, self._lines[-200:]))
        linecache.cache[FILE] = (size, None, self._lines, FILE)

    def _run_source(self, line: int, source: str) -> Any:
        """Run statements. Return the value of a last expression, unless a semicolon follows."""
        tree = ast.parse("\n" * (line - 1) + source, FILE)
        last = tree.body[-1] if tree.body else None
        shows = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
        if shows:
            tree.body.pop()
        exec(compile(tree, FILE, "exec", dont_inherit=True), self.names)
        if not shows or not isinstance(last, ast.Expr):
            return None
        expression = ast.Expression(last.value)
        return eval(compile(expression, FILE, "eval", dont_inherit=True), self.names)

    def _run_command(self, request: messages.RunCell) -> Any:
        work: Callable[..., Any] = getattr(self.tutor, request.command)
        if not request.source.strip():
            return work()
        if request.command in ("shape", "device", "retraces"):
            subject = operands.read_value(request.source, request.line, self.names)
            if request.command == "retraces" and operands.is_call(request.source):
                subject.value()
                return work(subject.function)
            return work(subject.value())
        call = operands.read_call(request.source, request.line, self.names)
        return work(call.function, *call.args, **call.keywords)

    # ------------------------------------------------------------ observations

    def _report(self, source: str, is_failed: bool) -> None:
        """Report observations from a cell that ran, and functions that hold outdated values."""
        try:
            found = [] if is_failed else [*self._watch.observations(), *self._stale(source)]
            self._states = [*self._states, *self._watch.states][-CARRIED:]
        except Exception:  # a failed observation must not cost the learner the result
            return
        if found:
            self._send(messages.CellObserved(tuple(found)))

    def _stale(self, source: str) -> list[Observation]:
        """Return functions of earlier cells that this cell calls and that hold old values."""
        called = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        return [
            state.kind(name, frame=state.frame)
            for state in self._states
            if state.frame.function in called and self._is_current(state)
            for name in state.changed()
        ]

    def _is_current(self, state: ValueSnapshot) -> bool:
        """Return True if a function's name still refers to the function that was compiled."""
        value = self.names.get(state.frame.function)
        code = getattr(getattr(value, "__wrapped__", value), "__code__", None)
        first = getattr(code, "co_firstlineno", None)
        return first is not None and abs(first - state.frame.span.line) <= 1

    def _own_files(self) -> list[str]:
        found = [*self._files]
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None)
            if isinstance(name, str) and name.endswith(".py") and self.is_own(name):
                found.append(name)
        return found


def _notes(error: BaseException) -> list[str]:
    """Return the notes of an error that are plain text."""
    stored = leaks.instance_dict(error) or {}
    notes = stored.get("__notes__")
    return [note[:500] for note in notes if type(note) is str] if type(notes) is list else []


class _Page:
    """Wraps a page to show unchanged, which is not the value of a cell."""

    def __init__(self, page: Page) -> None:
        self.page = page


def _make_main() -> ModuleType:
    """Create the module that holds the names at the prompt."""
    module = ModuleType("__main__")
    module.__file__ = FILE
    module.__builtins__ = builtins  # type: ignore[attr-defined]
    sys.modules["__main__"] = module
    sys.path.insert(0, "")
    sys.argv[:] = [""]
    gc.collect()
    return module
