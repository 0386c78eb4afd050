"""Owns the place of a mistake as a fixer sees it: the diagnosis laid over the source."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property

from jaxtutor.core.data.lines import Offsets
from jaxtutor.core.data.model import Diagnosis, Failure
from jaxtutor.core.diagnosis.context import FailureContext, FrameContext, parameters
from jaxtutor.core.diagnosis.edits import Draft
from jaxtutor.core.diagnosis.source import FunctionNode, Module, own_nodes, path_of, read_module


class FixSite:
    """A diagnosis with the learner's parsed files at hand; without a failure for a finding."""

    def __init__(
        self, diagnosis: Diagnosis, failure: Failure | None, sources: Mapping[str, str]
    ) -> None:
        self.diagnosis = diagnosis
        self.failure = failure
        self.context = FailureContext(failure, sources) if failure is not None else None
        self.modules = self.context.modules if self.context is not None else _read(sources)

    @property
    def module(self) -> Module | None:
        """The file that the diagnosis points into."""
        return self.modules.get(self.diagnosis.file)

    @cached_property
    def node(self) -> ast.AST | None:
        """The node that the diagnosis points at; the statement there if no node fits exactly."""
        module, span = self.module, self.diagnosis.span
        if module is None or span is None:
            return None
        node = module.node_at(span)
        if isinstance(node, ast.expr) and isinstance(module.parents.get(node), ast.Expr):
            return node
        return node or module.statement_on(span.line)

    @property
    def frame(self) -> FrameContext | None:
        """The frame in which the failure was raised."""
        return self.context.frame if self.context is not None else None

    @property
    def at(self) -> ast.AST | None:
        """The node that was being evaluated when the failure was raised."""
        return self.context.node if self.context is not None else None

    @property
    def message(self) -> str:
        """What the exception said."""
        return self.failure.message if self.failure is not None else ""

    def call(self) -> tuple[FrameContext, ast.Call] | None:
        """Give the call that raised, and its frame."""
        frame, node = self.frame, self.at
        return (frame, node) if frame is not None and isinstance(node, ast.Call) else None


Drafts = Iterable[Draft | None]
Fixer = Callable[[FixSite], Drafts]


def _read(sources: Mapping[str, str]) -> dict[str, Module]:
    read = ((file, read_module(file, text)) for file, text in sources.items())
    return {file: module for file, module in read if module is not None}


# ---------------------------------------------------------------- writing expressions

_ATOMS = (
    ast.Name,
    ast.Attribute,
    ast.Call,
    ast.Subscript,
    ast.Constant,
    ast.List,
    ast.Dict,
    ast.ListComp,
    ast.JoinedStr,
)


def atom(module: Module, node: ast.expr) -> str:
    """Write an expression so that an operator can stand beside it."""
    text = module.text(node)
    is_atom = isinstance(node, _ATOMS) or (isinstance(node, ast.Tuple) and text[:1] == "(")
    return text if is_atom else f"({text})"


def rewrite(module: Module, node: ast.AST, parts: Mapping[ast.AST, str]) -> str:
    """Write a node with some of its inner nodes replaced."""
    if node in parts:
        return parts[node]
    whole, text = module.span(node), module.text(node)
    places = Offsets(text)

    def offset(line: int, column: int) -> int:
        first = line == whole.line
        return places.offset(line - whole.line + 1, column - (whole.column if first else 0))

    placed = sorted(
        ((module.span(part), new) for part, new in parts.items()),
        key=lambda item: (item[0].line, item[0].column),
        reverse=True,
    )
    for span, new in placed:
        begin, end = offset(span.line, span.column), offset(span.end_line, span.end_column)
        text = text[:begin] + new + text[end:]
    return text


def indent_of(module: Module, node: ast.stmt) -> str:
    """Give the white space that a statement's line begins with."""
    line = module.lines[node.lineno - 1]
    return line[: len(line) - len(line.lstrip())]


def comments_in(module: Module, first: int, last: int) -> list[str]:
    """List the comments that stand on lines of their own between two lines."""
    lines = (line.strip() for line in module.lines[first - 1 : last])
    return [line for line in lines if line.startswith("#")]


def fresh_name(module: Module, *wishes: str) -> str:
    """Choose a name that the file does not use yet."""
    used = {n.id for n in ast.walk(module.tree) if isinstance(n, ast.Name)}
    used |= {a.arg for a in ast.walk(module.tree) if isinstance(a, ast.arg)}
    used |= {f.name for f in ast.walk(module.tree) if isinstance(f, ast.FunctionDef)}
    used |= set(module.imports)
    for wish in wishes:
        if wish not in used:
            return wish
    return next(f"{wishes[-1]}_{n}" for n in range(2, 100) if f"{wishes[-1]}_{n}" not in used)


# ---------------------------------------------------------------- calls and functions


def keyword_of(call: ast.Call, name: str) -> ast.keyword | None:
    """Find a keyword argument of a call."""
    return next((k for k in call.keywords if k.arg == name), None)


def add_argument(draft: Draft, call: ast.Call, text: str) -> Draft:
    """Add an argument at the end of a call."""
    module = draft.module
    inside = [*call.args, *(k for k in call.keywords)]
    if inside:
        last = max(inside, key=lambda n: (module.span(n).end_line, module.span(n).end_column))
        return draft.after(last, f", {text}") if not _is_bare_generator(call) else draft
    span = module.span(call)
    end = type(span)(span.end_line, span.end_column - 1, span.end_line, span.end_column - 1)
    return draft.replace(end, text)


def _is_bare_generator(call: ast.Call) -> bool:
    return len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp)


def is_number(node: ast.AST | None) -> bool:
    """Tell whether an expression is a number written out."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, int | float | complex)


def returns_of(function: FunctionNode) -> list[ast.Return]:
    """List the return statements of a function, not those of functions inside it."""
    if isinstance(function, ast.Lambda):
        return []
    return [n for n in own_nodes(function) if isinstance(n, ast.Return)]


def result_of(function: FunctionNode) -> ast.expr | None:
    """Give the expression that a function returns, where there is only one."""
    if isinstance(function, ast.Lambda):
        return function.body
    ends = returns_of(function)
    return ends[0].value if len(ends) == 1 else None


def argument_for(function: FunctionNode, call: ast.Call, name: str) -> ast.expr | None:
    """Find what a call gives to a parameter of the learner's function."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [a.arg for a in parameters(function)]
    if names[:1] == ["self"] and isinstance(call.func, ast.Attribute):
        names = names[1:]
    position = names.index(name) if name in names else len(call.args)
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return call.args[position] if position < len(call.args) else None


def calls_to(module: Module, name: str) -> Iterator[ast.Call]:
    """List the calls of a function by its plain name or as a method."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call):
            written = path_of(node.func)
            if written is not None and written.rpartition(".")[2] == name:
                yield node


def block_of(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """Give the block in which a statement stands."""
    parent = module.parents.get(statement)
    for name in ("body", "orelse", "finalbody", "handlers"):
        block = getattr(parent, name, None)
        if isinstance(block, list) and statement in block:
            return block
    return []


def bound_value(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to the expression that was last assigned to it; itself where not known."""
    if not isinstance(node, ast.Name):
        return node
    for scope in (module.scope(node), module.tree):
        bound = [
            s
            for s in module.assignments(node.id, scope)
            if isinstance(s, ast.Assign)
            and isinstance(s.targets[0], ast.Name)
            and (scope is module.tree or s.lineno < node.lineno)
        ]
        if bound:
            return bound[-1].value
    return node
