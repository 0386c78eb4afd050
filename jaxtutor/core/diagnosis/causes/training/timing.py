"""Finds times of compiled calls that are taken before the results are computed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile

from jaxtutor.core.data.observations import TimedCall
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of
from jaxtutor.core.diagnosis.observed.clocks import UnfinishedTime, timed_call
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_to
from jaxtutor.core.diagnosis.reading.functions import block_of, parameter_names

_CLOCKS = frozenset(
    f"time.{name}" for name in ("time", "perf_counter", "monotonic", "time_ns", "perf_counter_ns")
) | {"timeit.default_timer"}
_WAITING = (ast.JoinedStr, ast.BoolOp, ast.IfExp, ast.Not, ast.Await, ast.YieldFrom, ast.Yield)
_HARMLESS = ("range", "len", "enumerate")  # calls that neither wait nor compute


def read_timing(module: Module) -> Iterator[UnfinishedTime]:
    """Yield each difference of two clock reads around compiled calls without a wait for the result.

    Anything else between the reads may wait for the results, so then nothing is reported. Nor is
    a training loop, whose steps depend on each other, or a first call, which is compiled meanwhile.
    """
    if not any(path.partition(".")[0] in ("time", "timeit") for path in module.imports.values()):
        return
    for difference in module.nodes:
        between = list(_timed_by(module, difference))
        call = _unawaited(module, between)
        if call is not None:
            facts = {"function": module.text(call.func)}
            yield UnfinishedTime(module=module, node=difference, facts=facts, call=call)


def _timed_by(module: Module, node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements between the two clock reads of a difference, if it is one."""
    match node:
        case ast.BinOp(left=left, op=ast.Sub(), right=ast.Name(id=start)):
            if _is_read_again(module, node, start):  # the whole time is measured too
                return
            statement = module.statement(node)
        case _:
            return
    if statement is None:
        return
    block = block_of(module, statement)
    end = block.index(statement) if statement in block else 0
    if isinstance(left, ast.Name):
        end = max((n for n in range(end) if _reads_clock(module, block[n], left.id)), default=0)
    elif not _is_clock(module, left):
        return
    starts = [n for n in range(end) if _reads_clock(module, block[n], start)]
    yield from block[starts[-1] + 1 : end] if starts else []


def _is_read_again(module: Module, time: ast.BinOp, start: str) -> bool:
    """Return whether another time is taken from the same start."""
    return any(
        node is not time and path_of(node.right) == start
        for node in own_nodes(module.scope(time))
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)
    )


def _reads_clock(module: Module, statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id=target)], value=value):
            return target == name and _is_clock(module, value)
    return False


def _is_clock(module: Module, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and module.dotted(node.func) in _CLOCKS


def _unawaited(module: Module, statements: list[ast.stmt]) -> ast.Call | None:
    """Return the last compiled call of some statements, if they do nothing else."""
    nodes = [n for s in statements for n in ast.walk(s)]
    if any(isinstance(n, _WAITING) for n in nodes) or not all(map(_is_simple, nodes)):
        return None
    calls = [n for n in nodes if isinstance(n, ast.Call) and path_of(n.func) not in _HARMLESS]
    if not calls or not all(_is_compiled(module, c) for c in calls):
        return None
    made = {name for n in nodes if isinstance(n, ast.Assign) for name in bound_names(n)}
    if any(names_in(node) & made for node in nodes if isinstance(node, ast.expr)):
        return None
    is_repeated = any(isinstance(n, ast.For | ast.ListComp) for n in nodes)
    if not (is_repeated or _is_timed_again(module, calls[-1])) and not _is_called_before(
        module, calls[-1], statements[0]
    ):
        return None
    return max(calls, key=lambda c: (c.lineno, c.col_offset))


def _is_simple(node: ast.AST) -> bool:
    return not isinstance(node, ast.stmt) or isinstance(node, ast.Assign | ast.Expr | ast.For)


def _is_timed_again(module: Module, call: ast.Call) -> bool:
    """Return whether a loop around a call repeats it with the same arguments."""
    outer = takewhile(lambda n: not isinstance(n, FunctionNode), module.ancestors(call))
    loop = next((n for n in outer if isinstance(n, ast.For)), None)
    if loop is None:
        return False
    changed = {name for node in ast.walk(loop) for name in bound_names(node)}
    return not names_in(call) & changed


def _is_called_before(module: Module, call: ast.Call, start: ast.stmt) -> bool:
    """Return whether the same function calls what a call calls in an earlier statement."""
    nodes = (n for n in own_nodes(module.scope(call)) if isinstance(n, ast.Call))
    return any(n.lineno < start.lineno and path_of(n.func) == path_of(call.func) for n in nodes)


def _is_compiled(module: Module, call: ast.Call) -> bool:
    """Return whether a callee is a compiled function, or a parameter that is given one."""
    name = path_of(call.func)
    if name is None:
        return False
    if name in _compiled(module):
        return True
    function = module.function(call)
    if not isinstance(function, Definition) or name not in set(parameter_names(function)):
        return False
    given = (argument_for(function, c, name) for c in calls_to(module, function.name))
    values = (v for value in given if value is not None for v in _iterated_values(module, value))
    return any(path_of(value) in _compiled(module) for value in values)


def _iterated_values(module: Module, node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression, or what a loop over a literal list gives the variable that it is."""
    yield node
    outer = (n for n in module.ancestors(node) if isinstance(n, ast.For))
    for loop in outer:
        targets = loop.target.elts if isinstance(loop.target, ast.Tuple) else [loop.target]
        names = [path_of(target) for target in targets]
        rows = loop.iter.elts if isinstance(loop.iter, ast.List | ast.Tuple) else []
        if path_of(node) in names:
            position = names.index(path_of(node))
            for row in rows:
                parts = row.elts if isinstance(row, ast.Tuple) and len(names) > 1 else [row]
                if len(parts) == len(names):
                    yield parts[position]
            return


def _compiled(module: Module) -> set[str]:
    """Name the compiled functions of a file that it binds once."""
    found = set[str]()
    for item in applied(module):
        if item.kind != "jit":
            continue
        if item.is_decorator:
            found.add(name_of(item.function))
            continue
        holder = module.parents.get(item.node)
        names = bound_names(holder) if isinstance(holder, ast.Assign) else set()
        found |= {n for n in names if _is_bound_once(module, n)}
    return found - {""}


def _is_bound_once(module: Module, name: str) -> bool:
    return sum(name in bound_names(node) for node in module.nodes) == 1


def wait_for_result(found: UnfinishedTime) -> Drafts:
    """Wait for the result of the last compiled call before the clock is read."""
    draft = Draft(found.module).keeps_results()
    yield draft.wrap(found.call, f"{draft.name('jax.block_until_ready')}(", ")")


RULES = (
    Rule("timed-before-finished", read(read_timing), wait_for_result),
    Rule("timed-before-finished", observed((TimedCall, timed_call)), by_match(wait_for_result)),
)
