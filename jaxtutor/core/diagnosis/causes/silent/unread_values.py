"""Finds values that a program computes and never reads, and what it reads in their place."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.interpretation.liveness import LiveNames, liveness
from jaxtutor.core.diagnosis.observed.unread import has_other_words
from jaxtutor.core.diagnosis.reading.calls import calls_in, passed_arguments
from jaxtutor.core.diagnosis.reading.changes import LIBRARIES, changed_name
from jaxtutor.core.diagnosis.reading.functions import block_of
from jaxtutor.core.diagnosis.reading.names import last_part, load_sites

_EFFECTS = frozenset("block_until_ready effects_barrier print callback breakpoint init".split())
"""Functions of libraries that are also called for something other than their result."""


class Made(Struct, frozen=True):
    """A statement that gives a name a computed value, in the order of its scope's statements."""

    module: Module
    scope: ast.AST
    statement: ast.Assign
    name: str
    value: ast.expr


class Unread(Finding, frozen=True, kw_only=True):
    """A value that nothing reads, and the places where another is read in its place."""

    new: str
    used: tuple[ast.Name, ...] = ()


def read_unread_values(module: Module) -> Iterator[Unread]:
    """Yield each computed value that no statement reads, if the source says what was meant."""
    for scope in (module.tree, *module.functions):
        is_read = isinstance(scope, Definition) or (scope is module.tree and _is_script(module))
        live = liveness(module, scope) if is_read else None
        for made in _made_in(module, scope) if live is not None else ():
            if live is not None and live.is_dead(made.statement, made.name):
                found = _old_is_read(made, live) or _again(made, live) or _never(made)
                if found is not None:
                    yield found


def _is_script(module: Module) -> bool:
    """Return whether a file is a program by itself: its statements print, and nothing exports."""
    calls = (s.value for s in module.tree.body if isinstance(s, ast.Expr))
    is_printing = any(isinstance(c, ast.Call) and path_of(c.func) == "print" for c in calls)
    return is_printing and not module.elsewhere and not module.assignments("__all__", module.tree)


def _made_in(module: Module, scope: ast.AST) -> Iterator[Made]:
    """Yield the statements of a scope that compute a value; underscores say that none is read."""
    for node in own_nodes(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() | ast.BinOp() as value):
                if not name.startswith("_"):
                    yield Made(module, scope, node, name, value)


def _unread_value(made: Made, form: str, read_instead: str = "") -> Unread:
    """Return the finding, with the lines that read another value in the place of the new one."""
    used = tuple(_reads_after(made, read_instead)) if read_instead else ()
    facts = {"name": made.name, "argument": read_instead}
    if used:
        facts["detail"] = str(used[0].lineno)
    return Unread(
        None,
        facts,
        form,
        module=made.module,
        node=made.statement,
        is_certain=False,
        new=made.name,
        used=used,
    )


def _reads_after(made: Made, name: str) -> list[ast.Name]:
    """List where a name is read behind a statement, or else before it, in the next round."""
    sites = load_sites(made.scope, name)
    end = made.statement.end_lineno or made.statement.lineno
    return [n for n in sites if n.lineno > end] or [n for n in sites if n.lineno < end]


def _old_is_read(made: Made, live: LiveNames) -> Unread | None:
    """Find a new version of a value where the old one is read after it, or nothing at all."""
    old = changed_name(made.module, made.value)
    if old == made.name:
        return _unread_value(made, "late") if isinstance(made.scope, Definition) else None
    is_called = any(calls_in(made.value))  # plain arithmetic may be a leftover
    is_read = old in live.after[made.statement]
    return _unread_value(made, "instead", old) if is_called and is_read else None


def _again(made: Made, live: LiveNames) -> Unread | None:
    """Find what a call makes again, from a newer value, where what it made before is read."""
    for earlier in _made_in(made.module, made.scope):
        if earlier.name in live.after[made.statement] and _is_made_again(earlier, made):
            return _unread_value(made, "again", earlier.name)
    return None


def _is_made_again(earlier: Made, later: Made) -> bool:
    """Return whether two calls differ in one argument, which was computed between them."""
    old, new = earlier.value, later.value
    if not isinstance(old, ast.Call) or not isinstance(new, ast.Call):
        return False
    shape = [k.arg for k in old.keywords], len(old.args), ast.dump(old.func)
    if shape != ([k.arg for k in new.keywords], len(new.args), ast.dump(new.func)):
        return False
    pairs = zip(passed_arguments(old), passed_arguments(new), strict=True)
    differing = [now for before, now in pairs if ast.dump(before) != ast.dump(now)]
    first, last = earlier.statement.lineno, later.statement.lineno
    between = (n for n in own_nodes(later.scope) if isinstance(n, ast.stmt))
    newer = {name for n in between if first < n.lineno < last for name in bound_names(n)}
    return len(differing) == 1 and bool(names_in(differing[0]) & newer)


def _never(made: Made) -> Unread | None:
    """Find what a function computes with JAX and reads nowhere, or overwrites."""
    if not isinstance(made.scope, Definition) or not _is_computed(made):
        return None
    if not load_sites(made.scope, made.name):
        return _unread_value(made, "nowhere")
    return _unread_value(made, "overwritten") if _is_overwritten(made) else None


def _is_computed(made: Made) -> bool:
    """Return whether a value is that of a function that is called for its result only.

    A function that is called twice with the same arguments may be called to compile it.
    """
    call = made.value
    if not isinstance(call, ast.Call):
        return False
    path = made.module.dotted(call.func)
    if path is not None:
        return path.partition(".")[0] in LIBRARIES and last_part(path) not in _EFFECTS
    is_own = isinstance(call.func, ast.Name) and not hasattr(builtins, call.func.id)
    alike = [c for c in calls_in(made.scope) if ast.dump(c) == ast.dump(call)]
    return is_own and bool(call.args) and len(alike) == 1


def _is_overwritten(made: Made) -> bool:
    """Return whether the same block computes another value of the same operands for a name."""
    block = block_of(made.module, made.statement)
    for later in block[block.index(made.statement) + 1 :]:
        if made.name in names_in(later):
            return False
        if made.name in bound_names(later):
            return isinstance(later, ast.Assign) and _shares_operands(made, later.value)
    return False


def _shares_operands(made: Made, other: ast.expr) -> bool:
    """Return whether another expression reads a variable that a value is computed from."""
    called = {path_of(call.func) for call in (*calls_in(made.value), *calls_in(other))}
    shared = names_in(made.value) & names_in(other) - called - made.module.imports.keys()
    return ast.dump(made.value) != ast.dump(other) and bool(shared)


def read_new(found: Unread) -> Drafts:
    """Read the new value in the place of the old one, where that is read once."""
    if len(found.used) == 1:
        yield Draft(found.module).replace(found.used[0], found.new)


RULES = (
    Rule(
        "value-never-read",
        read(read_unread_values, imports=TRAINING),
        read_new,
        is_echo=has_other_words,
    ),
)
