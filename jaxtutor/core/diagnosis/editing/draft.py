"""Edits a learner's file: drafts of edits, the patches they become, and their diffs."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Edit
from jaxtutor.core.data.lines import Offsets, line_end, unified
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.source import Module, bound_names, top_imports
from jaxtutor.core.diagnosis.reading.functions import is_docstring
from jaxtutor.core.judging.syntax import find_syntax_error


class Patch(Struct, frozen=True):
    """Edits of one file that belong together; they do not overlap, and are in order.

    `certain` means that the call at fault has no other meaning: a program that runs with the edit
    does what it was written to do. `data_bound` means that the edit is right for some data only:
    the right result in one run does not prove it. A patch that `keeps_results` cannot change what
    the program computes.
    """

    file: str
    edits: tuple[Edit, ...]
    certain: bool = False
    data_bound: bool = False
    keeps_results: bool = False

    def apply(self, source: str) -> str:
        """Make the edits."""
        places, newline = Offsets(source), line_end(source)
        for edit in reversed(self.edits):
            begin = places.offset(edit.span.line, edit.span.column)
            end = places.offset(*span_end(edit.span))
            text = edit.text
            if places.is_past_open_end(edit.span.line):  # the last line has nothing to end it yet
                text = "\n" + text.removesuffix("\n")
            source = source[:begin] + text.replace("\n", newline) + source[end:]
        return source

    def diff(self, source: str) -> str:
        """Show the edits as a unified diff."""
        return show_diff(self.file, source, self.apply(source))


def show_diff(file: str, before: str, after: str) -> str:
    """Write the change of a file as a unified diff."""
    return unified(before, after, (file, file))


def reassigned(before: str, after: str) -> set[str]:
    """List the names at the top of a file whose own assignments an edit changed."""
    old, new = (_assigned_dumps(ast.parse(text)) for text in (before, after))
    return {name for name in old if name in new and old[name] != new[name]}


def _assigned_dumps(tree: ast.Module) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for name in bound_names(node):
                found.setdefault(name, []).append(ast.dump(node.value))
    return found


def line_start(line: int) -> Span:
    """Return the empty stretch at the start of a line."""
    return Span(line, 0, line, 0)


# ---------------------------------------------------------------- making a patch

# How a module or function is imported where the file does not import it yet.
_IMPORTS = {
    "jax.numpy": ("import jax.numpy as jnp", "jnp"),
    "equinox": ("import equinox as eqx", "eqx"),
    "flax.nnx": ("from flax import nnx", "nnx"),
    "flax.linen": ("import flax.linen as nn", "nn"),
    "flax.struct": ("from flax import struct", "struct"),
    "jax.scipy.special": ("import jax.scipy.special", "jax.scipy.special"),
    "jax.scipy.stats": ("import jax.scipy.stats", "jax.scipy.stats"),
    "jax.scipy.linalg": ("import jax.scipy.linalg", "jax.scipy.linalg"),
    "jax.scipy.signal": ("import jax.scipy.signal", "jax.scipy.signal"),
    "jax.scipy": ("import jax.scipy", "jax.scipy"),
    "jax.flatten_util.ravel_pytree": (
        "from jax.flatten_util import ravel_pytree",
        "ravel_pytree",
    ),
    "jax.experimental.checkify": ("from jax.experimental import checkify", "checkify"),
    "jax": ("import jax", "jax"),
    "numpy": ("import numpy as np", "np"),
    "math": ("import math", "math"),
    "functools.partial": ("from functools import partial", "partial"),
    "functools": ("import functools", "functools"),
    "dataclasses": ("import dataclasses", "dataclasses"),
}
_NOT_LOADED = ("jax.scipy", "jax.flatten_util")
"""Modules that `import jax` does not load."""
_STANDARD = frozenset(
    """__future__ abc collections contextlib copy csv dataclasses datetime enum functools
    itertools io json logging math operator os pathlib random re string sys time typing warnings
    statistics argparse""".split()
)


class Draft:
    """A patch in the making: edits of one file, and the imports that they need."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self._edits: list[Edit] = []
        self._imports: dict[str, str] = {}
        self._is_certain = False
        self._is_data_bound = False
        self._keeps_results = False

    def certain(self) -> Draft:
        """Declare that the call at fault has no meaning but the one that the edits give it."""
        self._is_certain = True
        return self

    def data_bound(self) -> Draft:
        """Declare that the edits are right for some data only, so that no run verifies them."""
        self._is_data_bound = True
        return self

    def keeps_results(self) -> Draft:
        """Declare that the edits cannot change what the program computes."""
        self._keeps_results = True
        return self

    # ------------------------------------------------------------ edits

    def replace(self, place: Span | ast.AST, text: str) -> Draft:
        """Put a text in the place of a node or span."""
        span = place if isinstance(place, Span) else self.module.span(place)
        self._edits.append(Edit(span, text))
        return self

    def before(self, node: ast.AST, text: str) -> Draft:
        """Insert a text directly before a node."""
        span = self.module.span(node)
        return self.replace(Span(span.line, span.column, span.line, span.column), text)

    def after(self, node: ast.AST, text: str) -> Draft:
        """Insert a text directly after a node."""
        span = self.module.span(node)
        return self.replace(Span(span.end_line, span.end_column, *span_end(span)), text)

    def wrap(self, node: ast.AST, before: str, after: str) -> Draft:
        """Insert texts around a node."""
        return self.replace(node, before + self.module.text(node) + after)

    def add_lines(self, line: int, text: str) -> Draft:
        """Insert whole lines before a line."""
        return self.replace(line_start(line), text if text.endswith("\n") else text + "\n")

    def lines_after(self, node: ast.AST, text: str) -> Draft:
        """Insert whole lines after a statement."""
        line = self.module.span(node).end_line
        if line < len(self.module.lines):
            return self.add_lines(line + 1, text)
        end = len(self.module.lines[-1])
        return self.replace(Span(line, end, line, end), "\n" + text.rstrip("\n"))

    def drop(self, statement: ast.stmt) -> Draft:
        """Take out a statement with its lines; `pass` stays where a block would be empty."""
        if self._is_only(statement):
            return self.replace(statement, "pass")
        span, lines = self.module.span(statement), self.module.lines
        before = lines[span.line - 1][: span.column]
        after = lines[span.end_line - 1][span.end_column :].lstrip()
        if before.strip() or after.startswith(";"):
            return self.replace(statement, "pass")
        return self.replace(Span(span.line, 0, span.end_line + 1, 0), "")

    def _is_only(self, statement: ast.stmt) -> bool:
        parent = self.module.parents.get(statement)
        blocks = [getattr(parent, name, None) for name in ("body", "orelse", "finalbody")]
        return any(block == [statement] for block in blocks)

    # ------------------------------------------------------------ names

    def name(self, path: str) -> str:
        """Write a library's name as this file would, importing what it does not import yet."""
        written = self._name_in_file(path)
        if written is not None:
            return written
        home = path
        while "." in home and home not in _IMPORTS:
            home = home.rpartition(".")[0]
        statement, alias = _IMPORTS.get(home, (f"import {home}", home))
        self._imports[home] = statement
        return alias + path[len(home) :]

    def import_line(self, statement: str) -> Draft:
        """Import a module or a name as a statement says."""
        self._imports[statement.split()[1]] = statement
        return self

    def _name_in_file(self, path: str) -> str | None:
        known = {
            (alias, home)
            for alias, home in top_imports(self.module).items()
            if path == home or path.startswith(home + ".")
        }
        plain = {(a, h) for a, h in known if not (h == "jax" and path.startswith(_NOT_LOADED))}
        if not plain:
            return None
        alias, home = max(plain, key=lambda item: (len(item[1]), -len(item[0])))
        is_long = path.startswith("jax.numpy.") and not home.startswith("jax.numpy")
        if is_long and "jax.numpy." not in self.module.source:
            return None  # `jnp.` reads better than `jax.numpy.`
        return alias + path[len(home) :]

    # ------------------------------------------------------------ the patch

    def patch(self) -> Patch | None:
        """Finish the patch; None if its edits collide, change nothing, or leave no Python."""
        edits = [*self._import_edits(), *self._edits]
        edits.sort(key=lambda e: (e.span.line, e.span.column, e.span.end_line, e.span.end_column))
        if not edits or any(map(_collide, edits, edits[1:])):
            return None
        patch = Patch(
            self.module.file,
            tuple(edits),
            self._is_certain,
            self._is_data_bound,
            self._keeps_results,
        )
        after = patch.apply(self.module.source)
        is_python = find_syntax_error(after, self.module.file) is None
        return patch if is_python and after != self.module.source else None

    def _import_edits(self) -> list[Edit]:
        return [
            Edit(line_start(_import_line(self.module, home)), self._import_text(home, statement))
            for home, statement in sorted(self._imports.items(), key=lambda i: i[0])
        ]

    def _import_text(self, home: str, statement: str) -> str:
        line = _import_line(self.module, home)
        text = self.module.lines[line - 1] if line <= len(self.module.lines) else ""
        follows = text.split()[1].partition(".")[0] if text.startswith(("import ", "from ")) else ""
        is_apart = home.partition(".")[0] in _STANDARD and follows not in _STANDARD
        return statement + ("\n\n" if is_apart else "\n")


def span_end(span: Span) -> tuple[int, int]:
    """Return the end of a span."""
    return span.end_line, span.end_column


def _collide(first: Edit, second: Edit) -> bool:
    return span_end(first.span) > (second.span.line, second.span.column)


def _import_line(module: Module, home: str) -> int:
    """Choose the line before which an import goes."""
    return module.line_between(_import_place(module, home))


def _import_place(module: Module, home: str) -> int:
    """Choose the line at which an import would go by its order."""
    imports = [n for n in module.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    lines = [(n.lineno, _top(n)) for n in imports if _top(n) != "__future__"]
    top = home.partition(".")[0]
    if not lines:
        return _after_docstring(module)
    if top in _STANDARD:
        return lines[0][0]
    outside = [n for n in imports if _top(n) not in _STANDARD | {"__future__"}]
    later = [n for n in outside if _order(n) > (isinstance(n, ast.ImportFrom), home)]
    return later[0].lineno if later else (imports[-1].end_lineno or 0) + 1


def _order(node: ast.Import | ast.ImportFrom) -> tuple[bool, str]:
    """Order an import as isort would: plain ones by name, `from` ones after them."""
    is_from = isinstance(node, ast.ImportFrom)
    name = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
    return is_from and _top(node) not in ("jax", "numpy"), name


def _top(node: ast.Import | ast.ImportFrom) -> str:
    name = node.names[0].name if isinstance(node, ast.Import) else node.module or ""
    return name.partition(".")[0]


def _after_docstring(module: Module) -> int:
    body = module.tree.body
    first = [n for n in body if isinstance(n, ast.ImportFrom) or is_docstring(n)]
    if first:
        return (first[-1].end_lineno or 0) + 1
    return body[0].lineno if body else 1


Drafts = Iterable[Draft | None]
"""The edits that a fix proposes, the likeliest first; None where one does not apply."""
