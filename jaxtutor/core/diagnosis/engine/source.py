"""Finds the node of the syntax tree at a span, the nodes around it, and its text.

The right place or None, never a guess.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from msgspec import Struct

from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Span

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Definition = ast.FunctionDef | ast.AsyncFunctionDef
Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.Module
Result = TypeVar("Result")
Positioned = ast.expr | ast.stmt | ast.pattern | ast.arg | ast.keyword | ast.alias


class Location(Struct, frozen=True):
    """A stretch of a learner's file and the text to show for it."""

    file: str
    span: Span
    expression: str


class SessionTexts(dict[str, str]):
    """The texts of cells of one session, and of other files that they use.

    `imports` maps the names that any cell of the session imports to what they stand for.
    """

    def __init__(
        self, texts: Mapping[str, str], cells: Set[str], imports: Mapping[str, str]
    ) -> None:
        super().__init__(texts)
        self.cells = cells
        self.imports = imports


def only_files(texts: Mapping[str, str], files: Set[str]) -> Mapping[str, str]:
    """Return the texts of some files only."""
    chosen = {file: text for file, text in texts.items() if file in files}
    if isinstance(texts, SessionTexts):
        return SessionTexts(chosen, texts.cells, texts.imports)
    return chosen


class Module:
    """One parsed file of the learner's; asks nothing of the outside.

    `elsewhere` maps names that other cells of its session import to what they stand for.
    """

    def __init__(
        self,
        file: str,
        source: str,
        tree: ast.Module,
        elsewhere: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.file = file
        self.source = source
        self.tree = tree
        self.elsewhere = elsewhere
        self.lines = split_lines(source)
        self._columns: dict[int, list[int]] = {}
        self._bindings: dict[ast.AST, dict[str, list[ast.stmt]]] = {}
        self._once: dict[Callable[[Module], Any], Any] = {}

    def once(self, read: Callable[[Module], Result]) -> Result:
        """Return `read(self)`, which is called the first time only."""
        if read not in self._once:
            self._once[read] = read(self)
        return self._once[read]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ text and spans

    def span(self, node: ast.AST) -> Span:
        """Return a node's span, with columns in characters."""
        assert isinstance(node, Positioned)
        end_line = node.end_lineno or node.lineno
        end = node.end_col_offset if node.end_col_offset is not None else node.col_offset
        return Span(
            node.lineno,
            self._characters(node.lineno, node.col_offset),
            end_line,
            self._characters(end_line, end),
        )

    def _characters(self, line: int, column: int) -> int:
        """Turn a column in bytes into one in characters."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if text.isascii():
            return column
        if line not in self._columns:
            self._columns[line] = _columns(text)
        columns = self._columns[line]
        return columns[min(column, len(columns) - 1)]

    def text(self, place: Span | ast.AST) -> str:
        """Return the source between the ends of a span or a node, exactly as written."""
        span = place if isinstance(place, Span) else self.span(place)
        lines = self.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column]
        lines[0] = lines[0][span.column :]
        return "\n".join(lines)

    def location(self, place: Span | ast.AST) -> Location:
        """Return the place of a span or a node, with its text."""
        span = place if isinstance(place, Span) else self.span(place)
        return Location(self.file, span, self.text(span))

    def header(self, statement: ast.stmt) -> Span:
        """Return the span of a statement without its body (`def f(x):`, `if x:`)."""
        span = self.span(statement)
        body = getattr(statement, "body", None)
        if not isinstance(body, list) or not body or body[0].lineno == span.line:
            return span
        first = body[0]
        top = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", []))])
        last = next(
            (n for n in range(top - 1, span.line - 1, -1) if self._ends_header(n)), span.line
        )
        return Span(span.line, span.column, last, len(self.lines[last - 1].rstrip()))

    def _ends_header(self, line: int) -> bool:
        return self.lines[line - 1].split("#")[0].rstrip().endswith(":")

    # ------------------------------------------------------------ the tree

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """List every node of the file, those of outer statements first, as `ast.walk` does."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        """List every call of the file, in the order of `nodes`."""
        return tuple(node for node in self.nodes if isinstance(node, ast.Call))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """Map each node to its parent node."""
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def _by_span(self) -> dict[Span, list[ast.AST]]:
        found: dict[Span, list[ast.AST]] = {}
        for node in self.nodes:
            if isinstance(node, Positioned):
                found.setdefault(self.span(node), []).append(node)
        return found

    def node_at(self, span: Span) -> ast.AST | None:
        """Find the node that covers exactly `span`; an expression before a statement."""
        nodes = self._by_span.get(span, [])
        expressions = [n for n in nodes if isinstance(n, ast.expr)]
        return (expressions or nodes or [None])[0] or self._step_at(span)

    def _step_at(self, span: Span) -> ast.Call | None:
        """Find the call of a method that stands on a line of its own, in a chain of calls.

        Python records such a call from the name of the method on.
        """
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                func, whole = self.span(node.func), self.span(node)
                begin = (func.end_line, func.end_column - len(node.func.attr))
                if begin == (span.line, span.column) and _end(whole) == _end(span):
                    return node
        return None

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Walk outwards from a node, nearest first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Find the statement a node belongs to: itself, or the nearest around it."""
        if isinstance(node, ast.stmt):
            return node
        return next((n for n in self.ancestors(node) if isinstance(n, ast.stmt)), None)

    def function(self, node: ast.AST) -> FunctionNode | None:
        """Find the nearest function or lambda around a node."""
        return next((n for n in self.ancestors(node) if isinstance(n, FunctionNode)), None)

    def outer_function(self, node: ast.AST) -> str:
        """Name the outermost function around a node, after the classes around it: `Model.step`."""
        names: list[str] = []
        for outer in reversed([node, *self.ancestors(node)]):
            if isinstance(outer, ast.ClassDef | Definition):
                names.append(outer.name)
            if isinstance(outer, Definition):
                return ".".join(names)
        return ""

    def scope(self, node: ast.AST) -> Scope:
        """Find the function, lambda or module whose names a node sees first."""
        return self.function(node) or self.tree

    def statement_on(self, line: int) -> ast.stmt | None:
        """Find the innermost statement that covers a line; None for a line between statements."""
        found = [
            n
            for n in self.nodes
            if isinstance(n, ast.stmt) and n.lineno <= line <= (n.end_lineno or n.lineno)
        ]
        return max(found, key=lambda n: (n.lineno, -(n.end_lineno or n.lineno)), default=None)

    def line_between(self, line: int) -> int:
        """Return this line, or the first after it that does not lie inside a statement.

        New lines may go before it: inside a text of several lines they would become part of it.
        """
        for node in self.tree.body:
            if top_line(node) < line <= (node.end_lineno or node.lineno):
                line = (node.end_lineno or node.lineno) + 1
        return line

    # ------------------------------------------------------------ definitions

    @cached_property
    def functions(self) -> list[FunctionNode]:
        """List every function and lambda of the file, in the order of their lines."""
        found = [n for n in self.nodes if isinstance(n, FunctionNode)]
        return sorted(found, key=lambda n: (n.lineno, n.col_offset))

    def function_at(self, name: str, line: int) -> FunctionNode | None:
        """Find a function by the name and first line that Python and JAX record for it.

        The first line of a decorated function is its first decorator's.
        """
        found = [f for f in self.functions if _recorded_name(f) == name and line in _first_lines(f)]
        return found[0] if len(found) == 1 else None

    def function_named(self, name: str) -> Definition | None:
        """Find the one function that has a name; None where there are several."""
        found = [f for f in self.functions if not isinstance(f, ast.Lambda) and f.name == name]
        one = found[0] if len(found) == 1 else None
        return one if isinstance(one, Definition) else None

    # ------------------------------------------------------------ names

    @cached_property
    def imports(self) -> dict[str, str]:
        """Map each imported name to the dotted path it stands for."""
        found = dict(self.elsewhere)
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.split(".")[0]
                    found[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for alias in node.names:
                    found[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        return found

    def dotted(self, node: ast.AST | None) -> str | None:
        """Resolve a name or attribute chain through the imports: `np.sin` is `numpy.sin`.

        None for what does not begin with an imported name.
        """
        path = path_of(node)
        if path is None:
            return None
        first, _, rest = path.partition(".")
        top = self.imports.get(first)
        return None if top is None else f"{top}.{rest}" if rest else top

    def assignments(self, name: str, scope: ast.AST) -> list[ast.stmt]:
        """List the statements of one scope that bind a plain name, in the order of their lines."""
        if scope not in self._bindings:
            self._bindings[scope] = _bindings(scope)
        return self._bindings[scope].get(name, [])


def _end(span: Span) -> tuple[int, int]:
    return span.end_line, span.end_column


def _columns(text: str) -> list[int]:
    """Return the character that each byte of a line belongs to, and the number of characters."""
    found = [n for n, character in enumerate(text) for _ in character.encode(errors="replace")]
    return [*found, len(text)]


LARGE = 20_000
"""Characters of a text that takes 2 MB or more when it is parsed."""


def read_module(file: str, source: str) -> Module | None:
    """Parse a file; None if Python cannot. The last few files are kept, of large ones two."""
    return (_read_large if len(source) > LARGE else _read)(file, source)


def read_modules(sources: Mapping[str, str]) -> dict[str, Module]:
    """Parse files, given by name; those that Python cannot parse are left out."""
    parsed = ((file, read_module(file, text)) for file, text in sources.items())
    modules = {file: module for file, module in parsed if module is not None}
    if isinstance(sources, SessionTexts):
        for file in sources.cells & modules.keys():
            cell = modules[file]
            modules[file] = Module(file, cell.source, cell.tree, sources.imports)
    return modules


def top_imports(module: Module) -> dict[str, str]:
    """Map the names that are imported at the top of a file to what they stand for.

    Those of the other cells of its session are among them.
    """
    found = dict(module.elsewhere)
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            for item in node.names:
                top = item.name.partition(".")[0]
                found[item.asname or top] = item.name if item.asname else top
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.update({i.asname or i.name: f"{node.module}.{i.name}" for i in node.names})
    return found


def session_imports(cells: Iterable[str]) -> dict[str, str]:
    """Map the names that the cells of a session import at their top to what they stand for."""
    found: dict[str, str] = {}
    for text in cells:
        module = _parse("", text) if "import" in text else None
        found |= top_imports(module) if module is not None else {}
    return found


def _parse(file: str, source: str) -> Module | None:
    try:
        return Module(file, source, ast.parse(source))
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        return None


_read, _read_large = lru_cache(maxsize=8)(_parse), lru_cache(maxsize=2)(_parse)


def forget_large() -> None:
    """Drop the large files that were parsed, which take up to a hundred times their size.

    A learner's next text is another one, so a long session would keep them for nothing.
    """
    _read_large.cache_clear()


def top_line(statement: ast.stmt) -> int:
    """Return the first line of a statement: that of its first decorator, where it has one."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(item.lineno for item in decorators)])


def _recorded_name(function: FunctionNode) -> str:
    return "<lambda>" if isinstance(function, ast.Lambda) else function.name


def _first_lines(function: FunctionNode) -> list[int]:
    decorators = [] if isinstance(function, ast.Lambda) else function.decorator_list
    return [function.lineno, *(d.lineno for d in decorators)]


def path_of(node: ast.AST | None) -> str | None:
    """Write a name or a chain of attributes on a name as `a.b.c`; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Walk a scope's nodes without entering the functions and classes inside it."""
    known = _own_nodes.get(scope)
    if known is None:
        known = _own_nodes[scope] = tuple(_walk_own(scope))
    return iter(known)


_own_nodes = WeakKeyDictionary[ast.AST, tuple[ast.AST, ...]]()
"""The nodes of scopes whose trees are in use: many rules walk the same functions."""


def _walk_own(scope: ast.AST) -> Iterator[ast.AST]:
    stack = list(reversed(_body_nodes(scope)))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def _body_nodes(scope: ast.AST) -> list[ast.AST]:
    body = getattr(scope, "body", None)
    if isinstance(body, list):
        return list(body)
    return [body] if isinstance(body, ast.AST) else list(ast.iter_child_nodes(scope))


def bound_names(statement: ast.AST) -> set[str]:
    """List the plain names a statement binds by itself, not in its body."""
    match statement:
        case ast.Assign(targets=targets):
            return {n for t in targets for n in _names_in_target(t)}
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            return set(_names_in_target(target))
        case ast.For(target=target) | ast.AsyncFor(target=target):
            return set(_names_in_target(target))
        case ast.With(items=items):
            return {n for i in items if i.optional_vars for n in _names_in_target(i.optional_vars)}
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
    return set()


def _bindings(scope: ast.AST) -> dict[str, list[ast.stmt]]:
    """List the statements of one scope by each name that they bind, in the order of their lines."""
    found: dict[str, list[ast.stmt]] = {}
    statements = [node for node in own_nodes(scope) if isinstance(node, ast.stmt)]
    for statement in sorted(statements, key=lambda it: (it.lineno, it.col_offset)):
        for name in bound_names(statement):
            found.setdefault(name, []).append(statement)
    return found


def _names_in_target(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Tuple | ast.List):
        for item in node.elts:
            yield from _names_in_target(item)
    elif isinstance(node, ast.Starred):
        yield from _names_in_target(node.value)


def names_in(node: ast.AST) -> set[str]:
    """List the names a node reads."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def tight(module: Module, node: ast.AST) -> ast.AST:
    """Narrow a node to the expression to show: `a if c else b` to `c`, a store to its statement."""
    match node:
        case ast.IfExp(test=test) | ast.If(test=test) | ast.While(test=test):
            return test
        case ast.Assert(test=test):
            return test
        case ast.Expr(value=value):
            return value
    parent = module.parents.get(node)
    if isinstance(parent, ast.Assign | ast.AugAssign) and is_store(node):
        return parent
    return node


def is_store(node: ast.AST) -> bool:
    """Return whether a node is a subscript or attribute that is assigned to."""
    return isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store)
