"""Names the times that a program took before the device had finished, or while JAX compiled."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import TimedCall
from jaxtutor.core.data.positions import Frame
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.source import Module, path_of


class UnfinishedTime(Finding, frozen=True, kw_only=True):
    """A time that is taken before the result of a call is computed."""

    call: ast.Call


def timed_call(spot: ObservedLocation[TimedCall]) -> Finding | None:
    """A difference of two clock reads around compiled calls that nothing waits for."""
    module, seen = spot.module, spot.seen
    time = elapsed_time(module, seen.start, spot.frame)
    caller = spot.modules.get(seen.call.file)
    call = caller.node_at(seen.call.span) if caller is not None else None
    call = call.value if isinstance(call, ast.Expr) else call
    if time is None or caller is None or not isinstance(call, ast.Call):
        return None
    if not seen.is_compiled and _reads_on_the_host(caller, call, spot.frame):
        return None
    facts = {"function": caller.text(call.func)}
    if seen.is_compiled:  # the first call alone may be what somebody wants to know
        facts["detail"] = str(seen.times)
        return replace(spot.found(time, facts=facts, form="compiled"), is_certain=False)
    if caller is not module:
        return spot.found(time, facts=facts)
    return UnfinishedTime(module=module, node=time, facts=facts, call=call)


def _reads_on_the_host(module: Module, call: ast.Call, end: Frame) -> bool:
    """Return whether NumPy may read a result after a call: it does so behind Python's back."""
    lines = range(call.lineno, end.span.line + 1)
    return any(
        node.lineno in lines and (module.dotted(node.func) or "").startswith("numpy.")
        for node in module.calls
    )


def elapsed_time(module: Module, start: Frame, end: Frame) -> ast.BinOp | None:
    """Return the difference of two clock reads, also through the names that they are bound to.

    A name belongs to one function, and an attribute, such as `self.start`, to the file.
    """
    first, last = module.node_at(start.span), module.node_at(end.span)
    if first is None or last is None or start.file != end.file:
        return None
    for node in module.nodes:
        match node:
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                if _is_bound_to(module, right, first) and (
                    left is last or _is_bound_to(module, left, last)
                ):
                    return node
    return None


def _is_bound_to(module: Module, node: ast.expr, clock: ast.AST) -> bool:
    """Return whether an expression is a name or an attribute that a clock read is assigned to."""
    path, statement = path_of(node), module.parents.get(clock)
    if path is None or not isinstance(statement, ast.Assign):
        return False
    if isinstance(node, ast.Name) and module.scope(node) is not module.scope(clock):
        return False
    return path in map(path_of, statement.targets)
