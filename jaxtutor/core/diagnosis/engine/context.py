"""Places a failure in the learner's source: the node that raised, and what its names were."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from jaxtutor.core.data.failures import Failure, NameFact
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Location,
    Module,
    names_in,
    path_of,
    read_modules,
    tight,
)
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import iterated

# What holds of a tracer without knowing its value: these attributes are static.
STATIC_ATTRIBUTES = frozenset({"shape", "ndim", "dtype", "size", "aval", "weak_type", "itemsize"})
STATIC_CALLS = frozenset({"len", "isinstance", "type", "hasattr", "callable", "id"})


class FrameContext:
    """One of the learner's frames: the node that was being evaluated, and what its names are."""

    def __init__(self, module: Module, frame: Frame, names: tuple[NameFact, ...]) -> None:
        self.module = module
        self.record = frame
        self.names = {fact.name: fact for fact in names}

    @cached_property
    def node(self) -> ast.AST | None:
        """The node whose span is exactly the frame's; None where nothing matches."""
        return self.module.node_at(self.record.span)

    @cached_property
    def statement(self) -> ast.stmt | None:
        """The statement that was being executed."""
        if self.node is not None:
            return self.module.statement(self.node)
        return self.module.statement_on(self.record.span.line)

    @cached_property
    def function(self) -> FunctionNode | None:
        """The function the frame belongs to."""
        start = self.node or self.statement
        return self.module.function(start) if start is not None else None

    def fact(self, node: ast.AST | str | None) -> NameFact | None:
        """Return what a name or dotted path is; None for other expressions."""
        path = node if isinstance(node, str) else path_of(node)
        if path is None:
            return None
        known = self.names.get(path)
        return known if known is not None and known.kind != "missing" else self._element(path)

    def _element(self, name: str) -> NameFact | None:
        """Return what a name of a comprehension was: an element of the array it goes through.

        From Python 3.12 on, such a name is gone from the frame when the exception leaves it.
        """
        outer = self.module.ancestors(self.node) if self.node is not None else ()
        for node in outer:
            for loop in getattr(node, "generators", ()):
                array = self.names.get(path_of(iterated(loop.target, loop.iter, name)) or "")
                if array is not None and array.kind in ("tracer", "array", "ndarray"):
                    return NameFact(name, array.kind, _element_type(array.detail))
        return self.names.get(name)

    def kind(self, node: ast.AST | str | None) -> str | None:
        """Name the kind of a name or dotted path; None where not known."""
        fact = self.fact(node)
        return fact.kind if fact is not None and fact.kind != "missing" else None

    def dotted(self, node: ast.AST | None) -> str | None:
        """Resolve a callee to its defining path, by what it was when the program failed."""
        fact = self.fact(node)
        if fact is not None and fact.kind in ("function", "class", "module") and fact.detail:
            return fact.detail
        return self.module.dotted(node)

    def callee(self, node: ast.AST | None) -> str | None:
        """Resolve the function that a call calls."""
        return self.dotted(node.func) if isinstance(node, ast.Call) else None

    def is_own(self, node: ast.AST | None) -> bool:
        """Return whether a name is a function or class of the learner's."""
        fact = self.fact(node)
        return fact is not None and fact.own

    def is_traced(self, node: ast.AST | None) -> bool:
        """Return whether an expression reads a tracer's value, and not only its shape or type."""
        if node is None:
            return False
        if isinstance(node, ast.Name | ast.Attribute):
            kind = self.kind(node)
            if kind is not None:
                return kind == "tracer"
            if isinstance(node, ast.Name):
                return False
            return node.attr not in STATIC_ATTRIBUTES and self.is_traced(node.value)
        if isinstance(node, ast.Call) and self._is_static_call(node):
            return False
        if isinstance(node, ast.Lambda):
            return False
        return any(self.is_traced(child) for child in ast.iter_child_nodes(node))

    def _is_static_call(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Name) and node.func.id in STATIC_CALLS:
            return True
        return self.callee(node) in ("jax.numpy.shape", "jax.numpy.ndim", "numpy.shape")

    def place(self, node: ast.AST, shown: ast.AST | None = None) -> Location:
        """Return the place of a node; a statement with a body is shown by its first lines."""
        module = self.module
        header = isinstance(node, ast.stmt) and hasattr(node, "body")
        span = module.header(node) if header else module.span(node)  # type: ignore[arg-type]
        return Location(module.file, span, module.text(module.span(shown) if shown else span))


def _element_type(aval: str) -> str:
    """Return the type of an element of an array: `float32[3,2]` holds `float32[2]`."""
    dtype, _, shape = aval.partition("[")
    return f"{dtype}[{shape.partition(',')[2] or ']'}"


class FailureContext:
    """A failure with the learner's parsed files at hand.

    `is_excerpt` says that the sources are the lines that a log quotes, and not whole files.
    """

    def __init__(
        self, failure: Failure, sources: Mapping[str, str], *, is_excerpt: bool = False
    ) -> None:
        self.failure = failure
        self.is_excerpt = is_excerpt
        self.modules = read_modules(sources)
        self.frames = _levels(failure, self.modules)

    @property
    def error(self) -> str:
        """The class that was raised."""
        return self.failure.error_class

    def is_a(self, classes: Collection[str]) -> bool:
        """Return whether the exception is of one of some classes, or of a subclass, by name.

        A class that a library defines is given by its dotted path: `flax.errors.InvalidRngError`.
        """
        path = f"{self.failure.module}.{self.error}"
        return any(name in classes for name in (self.error, path, *self.failure.bases))

    @property
    def library(self) -> str:
        """The package that the learner's code called last, if it is not JAX; else empty.

        `flax` for a failure inside `nn.Dense(…)(x)`, wherever below that it was raised.
        """
        called = (n for n in self.failure.jax_frames if not n.startswith(_WRAPPERS))
        package = next(called, "").partition(".")[0]
        return "" if package in ("jax", "jaxlib") else package

    @property
    def message(self) -> str:
        """What the exception said, without the link to the docs and the note on tracing."""
        return self.failure.message

    @property
    def frame(self) -> FrameContext | None:
        """The deepest of the learner's frames."""
        return self.frames[-1] if self.frames else None

    @property
    def node(self) -> ast.AST | None:
        """The node that was being evaluated when the exception was raised."""
        return self.frame.node if self.frame else None

    @property
    def call(self) -> ast.Call | None:
        """The call that was being evaluated when the exception was raised."""
        return self.node if isinstance(self.node, ast.Call) else None

    def class_named(self, name: str) -> tuple[Module, ast.ClassDef] | None:
        """Find the one class of the learner's that has a name, and its file."""
        nodes = ((m, n) for m in self.modules.values() for n in m.nodes)
        found = [(m, n) for m, n in nodes if isinstance(n, ast.ClassDef) and n.name == name]
        return found[0] if len(found) == 1 else None

    def raised_in(self, *names: str) -> bool:
        """Return whether the first of the library's frames is one of these functions."""
        first = self.failure.jax_frames[0] if self.failure.jax_frames else ""
        return any(first == n or first.endswith("." + n) for n in names)

    def passed_through(self, *names: str) -> bool:
        """Return whether any of the library's frames is one of these functions."""
        return any(f == n or f.endswith("." + n) for f in self.failure.jax_frames for n in names)

    def chain(self) -> Iterator[Failure]:
        """Walk the failure and the exceptions it was raised from."""
        link: Failure | None = self.failure
        while link is not None:
            yield link
            link = link.linked

    def linked_contexts(self, sources: Mapping[str, str]) -> Iterator[FailureContext]:
        """Walk the exceptions that this one was raised from and that have frames of the learner."""
        for link in list(self.chain())[1:]:
            if link.frames:
                yield FailureContext(link, sources, is_excerpt=self.is_excerpt)

    def place(self) -> Location | None:
        """Return the tight expression at which the exception was raised."""
        frame = self.frame
        if frame is None:
            return None
        if frame.node is None or _is_step(frame):
            return _line(frame)
        node = tight(frame.module, frame.node)
        return frame.place(node)

    def transformed(self) -> Iterator[tuple[Module, ast.AST]]:
        """Find the operation that JAX was transforming: where `linked` says, or `origin`.

        JAX keeps the lines of an operation, often without its columns. Then it is the statement of
        that line, unless this has a body.
        """
        link = self.failure.linked
        if link is None or link.error_class != "JaxStackTraceBeforeTransformation":
            return
        steps = [(step.file or "", step.span) for step in self.failure.origin[:1] if step.span]
        called = {(it.file, it.span.line) for it in self.failure.frames}
        for file, span in (*((it.file, it.span) for it in link.frames[-1:]), *steps):
            module = None if (file, span.line) in called else self.modules.get(file)
            node = (module.node_at(span) or module.statement_on(span.line)) if module else None
            is_block = isinstance(node, ast.stmt) and hasattr(node, "body")
            if module is not None and node is not None and not is_block:
                yield module, (node.value or node) if isinstance(node, ast.Return) else node

    def named_place(self) -> Location | None:
        """Return the statement that compilation names: `at train.py:12:8 (step)`."""
        for file, line in _NAMED_LINE.findall(self.message):
            module = self.modules.get(file)
            statement = module.statement_on(int(line)) if module is not None else None
            if module is not None and statement is not None:
                return module.location(module.header(statement))
        return None

    @property
    def argument(self) -> str | None:
        """The argument the traced value comes from; None where it comes from none, or not known."""
        steps = self.failure.origin
        if not steps:
            return None
        first = steps[0]
        module = self.modules.get(first.file or "")
        if first.span is None or module is None:
            return first.expression if first.file is None else None
        return first.expression if isinstance(module.node_at(first.span), ast.arg) else None

    @property
    def is_from_constants(self) -> bool:
        """Return whether the traced value is known to come from no argument at all."""
        return bool(self.failure.origin) and self.argument is None

    def parameter(self, name: str) -> tuple[FrameContext, ast.arg] | None:
        """Find the parameter of a name in the innermost function that has it."""
        for frame in reversed(self.frames):
            for arg in parameters(frame.function):
                if arg.arg == name:
                    return frame, arg
        return None


_NAMED_LINE = re.compile(r" at (\S+\.py):(\d+):\d+ \(")

# Frames of wrappers, which stand before the function that was called.
_WRAPPERS = ("functools.", "contextlib.", "jax._src.source_info_util.", "jax._src.traceback_util.")


def _is_step(frame: FrameContext) -> bool:
    """Return whether a frame is at one of the calls of a chain that goes over several lines."""
    node, span = frame.node, frame.record.span
    return isinstance(node, ast.Call) and frame.module.span(node).line != span.line


def _line(frame: FrameContext) -> Location:
    span = frame.record.span
    return Location(frame.module.file, span, frame.module.text(span).strip())


def _levels(failure: Failure, modules: Mapping[str, Module]) -> list[FrameContext]:
    """Make the frames of a failure, or of the linked exception that kept the learner's frames."""
    link: Failure | None = failure
    while link is not None:
        facts = link.call_names or ((),) * len(link.frames)
        found = [
            FrameContext(modules[frame.file], frame, names)
            for frame, names in zip(link.frames, facts, strict=False)
            if frame.file in modules
        ]
        if found:
            return found
        link = link.linked
    return []


def reads(node: ast.AST | None, name: str) -> bool:
    """Return whether an expression reads a name."""
    return node is not None and name in names_in(node)
