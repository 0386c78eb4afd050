"""Names what a compiled program computes and nothing reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from jaxtutor.core.data.observations import (
    AnsweredFalse,
    CallbackUnread,
    LargeResult,
    StackForLast,
    StateLost,
    StateRepeated,
    ValueUnread,
)
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.observed.state import names_of
from jaxtutor.core.diagnosis.reading.calls import argument, argument_for, calls_to
from jaxtutor.core.diagnosis.reading.functions import called_function, parameter_names, result_of
from jaxtutor.core.diagnosis.reading.loops import loop_around
from jaxtutor.core.diagnosis.reading.names import last_part, load_sites


def callback_unread(spot: ObservedLocation[CallbackUnread]) -> Finding | None:
    """A call of the host for its effect; certain if the program's text drops the result too."""
    called = last_part(spot.called())
    if spot.node is None or called not in ("pure_callback", "error_if"):
        return None
    if is_discarded(spot.module, spot.node):
        return spot.found(form="error_if" if called == "error_if" else "")
    return replace(spot.found(form="inside"), is_certain=False)


def is_known_update(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether the call is one of those whose dropped result the source shows."""
    line = found.location.span.line
    return any(
        slug == "update-result-dropped" and other.location.span.line == line
        for slug, other in others
    )


def is_discarded(module: Module, node: ast.AST) -> bool:
    """Return whether the source drops the value of an expression, in this function or its callers.

    It stands alone, has a name that is never read, or is returned to calls that drop it.
    """
    match module.parents.get(node):
        case ast.Expr():
            return True
        case ast.Assign(targets=[ast.Name(id=name)]) as statement:
            return name == "_" or not load_sites(module.scope(statement), name)
        case ast.Return() | ast.Lambda():
            function = module.function(node)
            name = name_of(function) if isinstance(function, Definition) else ""
            calls = list(calls_to(module, name)) if name else []
            return bool(calls) and all(isinstance(module.parents[c], ast.Expr) for c in calls)
    return False


def answered_false(spot: ObservedLocation[AnsweredFalse]) -> Finding | None:
    """A call that says by its answer that it did nothing, where nothing reads the answer."""
    if not isinstance(spot.node, ast.Call) or not isinstance(spot.node.func, ast.Attribute):
        return None
    facts = {
        "function": spot.node.func.attr,
        "name": spot.module.text(spot.node.func.value),
        "detail": str(spot.seen.times),
    }
    is_checkpoint = spot.node.func.attr == "save" and any(
        path.startswith("orbax") for path in spot.module.imports.values()
    )
    return replace(
        spot.found(facts=facts, form="checkpoint" if is_checkpoint else ""), is_certain=False
    )


# ---------------------------------------------------------------- stacks


def stack_for_last(spot: ObservedLocation[StackForLast]) -> Finding | None:
    """A scan that stacks what only its last round is read of, in the program or by its caller.

    It is certain if the stack is also far larger than what goes into the program and comes out.
    """
    if not isinstance(spot.node, ast.Call):
        return None
    if spot.seen.is_returned and not _is_last_read(spot):
        return None
    result = _stacked(spot.module, spot.node)
    found = spot.found(result, facts={**spot.facts, "condition": str(spot.seen.times)})
    is_huge = any(isinstance(o, LargeResult) and o.frame == spot.frame for o in spot.run)
    return replace(found, is_certain=is_huge)


def _stacked(module: Module, scan: ast.Call) -> ast.expr | None:
    """Return the expression in the body of a scan that is stacked."""
    body = argument(scan, 0, "f")
    name = body.id if isinstance(body, ast.Name) else ""
    function = body if isinstance(body, ast.Lambda) else module.function_named(name)
    match result_of(function) if isinstance(function, FunctionNode) else None:
        case ast.Tuple(elts=[_, stacked]):
            return stacked
    return None


def _is_last_read(spot: ObservedLocation[StackForLast]) -> bool:
    """Return whether the callers read nothing but the last entry of what a scan stacks."""
    readers = list(_readers(spot.module, spot.node, (1,))) if spot.node is not None else []
    return bool(readers) and all(map(_is_last, readers))


def _readers(
    module: Module, value: ast.AST, path: Sequence[int], steps: int = 3
) -> Iterator[ast.AST | None]:
    """Yield the expressions that read the part of a value at a path, and None for an unknown one.

    Names, tuples and returned values are followed, a few steps.
    """
    outer = module.parents.get(value)
    match outer:
        case _ if steps < 0:
            yield None
        case ast.Subscript(value=inner, slice=ast.Constant(value=int(n))) if (
            inner is value and path
        ):
            if n == path[0]:
                yield from _readers(module, outer, path[1:], steps)
        case ast.Assign(targets=[target]):
            yield from _readers_of_target(module, target, path, steps)
        case ast.Return() | ast.Tuple() if (
            place := _returned_part(module, value, path)
        ) is not None:
            function, path = place
            for name in {name_of(function), *names_of(module, function)} - {""}:
                for call in calls_to(module, name):
                    yield from _readers(module, call, path, steps - 1)
        case _:
            yield outer if not path else None


def _readers_of_target(
    module: Module, target: ast.expr, path: Sequence[int], steps: int
) -> Iterator[ast.AST | None]:
    match target:
        case ast.Tuple(elts=parts) if path and path[0] < len(parts):
            yield from _readers_of_target(module, parts[path[0]], path[1:], steps)
        case ast.Name(id=name):
            for read in load_sites(module.scope(target), name):
                yield from _readers(module, read, path, steps)
        case _:
            yield None


def _returned_part(
    module: Module, value: ast.AST, path: Sequence[int]
) -> tuple[Definition, Sequence[int]] | None:
    """Return the function that returns a value, and where the value is in what it returns."""
    outer, function = module.parents.get(value), module.function(value)
    if isinstance(outer, ast.Tuple):
        path = (outer.elts.index(value), *path) if isinstance(value, ast.expr) else path
        outer = module.parents.get(outer)
    is_returned = isinstance(outer, ast.Return) and isinstance(function, Definition)
    return (function, path) if is_returned and isinstance(function, Definition) else None


def _is_last(reader: ast.AST | None) -> bool:
    """Return whether an expression is `stack[-1]` or `stack[-1, …]`."""
    index = reader.slice if isinstance(reader, ast.Subscript) else None
    if isinstance(index, ast.Tuple) and index.elts:
        index = index.elts[0]
    match index:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return True
    return False


# ---------------------------------------------------------------- states


def state_lost(spot: ObservedLocation[StateLost]) -> Finding | None:
    """A new value for an argument of a compiled function, that the function does not return."""
    seen = spot.seen
    if seen.form == "carried":
        return None
    if seen.form == "returned":
        return _returned_as_it_was(spot, "returned")
    found = spot.found(facts={**spot.facts, "name": seen.argument}, form="unreturned")
    return replace(found, is_certain=False)


def state_of_a_loop_lost(spot: ObservedLocation[StateLost]) -> Finding | None:
    """A new state that the body of a loop computes, and does not return."""
    return _returned_as_it_was(spot, "observed") if spot.seen.form == "carried" else None


def state_repeated(spot: ObservedLocation[StateRepeated]) -> Finding | None:
    """A new state that a step returns, and that the source drops where it calls the step."""
    seen, call = spot.seen, spot.node
    if not isinstance(call, ast.Call):
        return None
    readers = _readers(spot.module, call, seen.path)
    if not all(_is_shown_meanwhile(spot.module, call, reader) for reader in readers):
        return None
    facts = {
        "name": seen.argument,
        "function": spot.module.text(call.func),
        "detail": str(seen.times),
    }
    return replace(spot.found(facts=facts, form="repeated"), is_certain=False)


def _is_shown_meanwhile(module: Module, call: ast.Call, reader: ast.AST | None) -> bool:
    """Return whether the loop around a call only prints, now and then, what it returned.

    What is printed after the loop may be all that the program is for.
    """
    loop = loop_around(module, call)
    statement = module.statement(reader) if reader is not None else None
    if (
        loop is None
        or not isinstance(statement, ast.Expr)
        or loop not in module.ancestors(statement)
    ):
        return False
    return isinstance(statement.value, ast.Call) and path_of(statement.value.func) == "print"


def _returned_as_it_was(spot: ObservedLocation[StateLost], form: str) -> Finding:
    """Return a finding where a function returns an argument whose new value nothing reads.

    The only variable that the expression is assigned to, and that is never read, has the new value.
    """
    seen = spot.seen
    facts = {**spot.facts, "name": seen.argument, "function": seen.name}
    new = _unread_target(spot)
    if new:
        facts, form = {**facts, "argument": new}, "unread"
    return replace(spot.found(_returned_place(spot), facts, form=form), is_certain=False)


def _returned_place(spot: ObservedLocation[StateLost]) -> ast.expr | None:
    """Return where a function returns an argument, else all that it returns, if it is clear."""
    function = spot.function
    result = result_of(function) if isinstance(function, Definition) else None
    if result is None:
        return None
    name = re.split(r"[.\[]", spot.seen.argument)[0]
    found = [n for n in ast.walk(result) if isinstance(n, ast.Name) and n.id == name]
    return found[0] if len(found) == 1 else result


def _unread_target(spot: ObservedLocation[StateLost]) -> str:
    """Return the only variable that takes a part of an expression and that is never read."""
    statement = spot.module.statement(spot.node) if spot.node is not None else None
    if not isinstance(statement, ast.Assign) or not isinstance(spot.function, Definition):
        return ""
    names = [name for name in bound_names(statement) if not load_sites(spot.function, name)]
    named = [name for name in names if not name.startswith("_")]
    return named[0] if len(named) == 1 else ""


def is_explained(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether the source shows why a new state is lost, or what is read in its place."""
    return found.form in _OBSERVED and any(
        (slug in _EXPLAINING and other is not found and other.form not in _OBSERVED)
        or _is_read_instead(slug, other, found)
        for slug, other in others
    )


def _is_read_instead(slug: str, unread: Finding, lost: Finding) -> bool:
    """Return whether the source goes on with the old one of the value that a state lost."""
    is_same = unread.facts.get("name") == lost.facts.get("argument")
    return slug == "value-never-read" and unread.form == "instead" and is_same


_OBSERVED = ("unreturned", "returned", "observed", "unread", "repeated")
_EXPLAINING = (
    "at-set-result-dropped",
    "changed-argument-lost",
    "carry-returned-unchanged",
    "state-not-carried",
    "update-result-dropped",
    "old-state-used",
    "training-mode-in-evaluation",  # an evaluation that computes statistics drops them
)

# ---------------------------------------------------------------- variables


def value_unread(spot: ObservedLocation[ValueUnread]) -> Finding | None:
    """A variable that no result depends on, which the source too reads nowhere after it.

    A call may be given it, of a function that does not read that parameter.
    """
    name, function = spot.seen.name, spot.function
    statement = spot.module.statement(spot.node) if spot.node is not None else None
    if not isinstance(function, Definition) or statement is None or name.startswith("_"):
        return None
    if any(
        isinstance(n, ast.Global | ast.Nonlocal) and name in n.names for n in ast.walk(function)
    ):
        return None
    readers = [n for n in load_sites(function, name) if _may_read(spot.module, n, statement)]
    ignoring = [_ignoring_function(spot.module, reader) for reader in readers]
    if not all(ignoring):
        return None
    facts = spot.facts if not ignoring else {**spot.facts, "argument": ignoring[0]}
    found = spot.found(statement, facts, form="ignored" if ignoring else "")
    return replace(found, is_certain=False)


def _may_read(module: Module, load: ast.Name, statement: ast.stmt) -> bool:
    """Return whether a name is read after a statement, in a later round, or in a function."""
    around = list(module.ancestors(statement))
    outer = list(module.ancestors(load))
    if statement in outer:
        return False
    loops = (n for n in around if isinstance(n, ast.For | ast.While))
    is_inner = module.function(load) is not module.function(statement)
    return is_inner or load.lineno > statement.lineno or any(loop in outer for loop in loops)


def _ignoring_function(module: Module, load: ast.Name) -> str:
    """Return the function that a name is passed to and that does not read it; empty if none."""
    call = module.parents.get(load)
    if isinstance(call, ast.keyword):
        call = module.parents.get(call)
    function = called_function(module, call) if isinstance(call, ast.Call) else None
    if function is None or not isinstance(call, ast.Call):
        return ""
    for name in parameter_names(function):
        if argument_for(function, call, name) is load:
            return "" if load_sites(function, name) else function.name
    return ""


def has_other_words(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether a cause with more to say was found at the same line, or explains the loss.

    The source says more than the program that was compiled from it: what is read instead.
    """
    line = found.location.span.line
    others_here = [o for o in others if o[1] is not found and o[1].location.span.line == line]
    return any(
        slug in _SAYING_MORE and not _is_read_instead("value-never-read", found, other)
        for slug, other in others
    ) or any(slug != "value-never-read" or other.form in _OF_SOURCE for slug, other in others_here)


_OF_SOURCE = ("instead", "again", "overwritten")
_SAYING_MORE = (
    "state-not-carried",
    "carry-returned-unchanged",
    "update-result-dropped",
    "zero-gradient",
)

RULES = (
    Rule(
        "pure-callback-unread", observed((CallbackUnread, callback_unread)), is_echo=is_known_update
    ),
    Rule("false-answer-dropped", observed((AnsweredFalse, answered_false))),
    Rule("stack-for-last-entry", observed((StackForLast, stack_for_last))),
    Rule(
        "state-not-carried",
        observed((StateLost, state_lost), (StateRepeated, state_repeated)),
        is_echo=is_explained,
    ),
    Rule(
        "carry-returned-unchanged",
        observed((StateLost, state_of_a_loop_lost)),
        is_echo=is_explained,
    ),
    Rule("value-never-read", observed((ValueUnread, value_unread)), is_echo=has_other_words),
)
