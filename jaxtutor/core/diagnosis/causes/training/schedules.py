"""Finds schedules of Optax that count epochs, or of which an optimizer gets one value."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import CallFinding, Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, by_match, read
from jaxtutor.core.diagnosis.engine.source import (
    Definition,
    FunctionNode,
    Module,
    Scope,
    bound_names,
    names_in,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import reached
from jaxtutor.core.diagnosis.reading.calls import argument, argument_for, calls_to
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.loops import Loop
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_number

_MAKERS = ("_schedule", "_decay", "_onecycle")
_CHANGED_LATER = ("hyperparams", "inject_hyperparams")
"""Where the learning rate of an optimizer can be set in each round."""


class RateOfOneStep(CallFinding, frozen=True, kw_only=True):
    """The value of a schedule at one step, which an optimizer gets."""


def read_rates(module: Module) -> Iterator[RateOfOneStep]:
    """Yield each `optax.adam(schedule(0))`: the value at one step is a number."""
    if any(word in module.source for word in _CHANGED_LATER):
        return
    for call in module.nodes:
        home, _, name = (module.dotted(getattr(call, "func", None)) or "").rpartition(".")
        if not isinstance(call, ast.Call) or home != "optax" or name.endswith(_MAKERS):
            continue
        rate = argument(call, 0, "learning_rate")
        if isinstance(rate, ast.Call) and _is_value_of_schedule(module, rate):
            facts = {"name": module.text(rate.func), "function": f"optax.{name}"}
            yield RateOfOneStep(None, facts, "number", module=module, node=rate)


def _is_value_of_schedule(module: Module, rate: ast.Call) -> bool:
    """Return whether an expression is `schedule(0)`, where Optax made the schedule."""
    if len(rate.args) != 1 or not is_number(rate.args[0]):
        return False
    made = bound_value(module, rate.func)
    home, _, name = (module.dotted(getattr(made, "func", None)) or "").rpartition(".")
    is_schedule = home.startswith("optax") and name.endswith((*_MAKERS, "join_schedules"))
    return is_schedule and name != "constant_schedule" and made is not rate.func


def pass_schedule(found: RateOfOneStep) -> Drafts:
    """Pass the schedule itself."""
    yield Draft(found.module).replace(found.node, found.module.text(found.node.func))


_STEPS = {
    "cosine_decay_schedule": (1, "decay_steps"),
    "warmup_cosine_decay_schedule": (3, "decay_steps"),
    "linear_schedule": (2, "transition_steps"),
    "polynomial_schedule": (3, "transition_steps"),
    "linear_onecycle_schedule": (0, "transition_steps"),
    "cosine_onecycle_schedule": (0, "transition_steps"),
    "warmup_constant_schedule": (2, "warmup_steps"),
}
"""The functions of Optax that make schedules, and where they take their number of updates."""


class LengthInRounds(Finding, frozen=True, kw_only=True):
    """The length of a schedule, which is the number of rounds of `loops`."""

    schedule: ast.Call
    loops: tuple[ast.For, ...]


def read_schedules(module: Module) -> Iterator[LengthInRounds]:
    """Yield each schedule whose length is the number of rounds of a loop with many updates each."""
    for call in module.calls:
        function = module.dotted(call.func) or ""
        home, _, name = function.rpartition(".")
        if name not in _STEPS or home.partition(".")[0] != "optax":
            continue
        position, keyword = _STEPS[name]
        steps = argument(call, position, keyword)
        rounds = path_of(steps)
        if steps is None or rounds is None or _is_called(module, call):
            continue
        meant = _names_in_callers(module, call, rounds)
        loops = tuple(loop for where, path in meant for loop in _loops_of(module, where, path))
        if any(_has_many_updates(module, loop) for loop in loops):
            facts = {"name": rounds, "argument": keyword, "function": function}
            yield LengthInRounds(module=module, node=steps, facts=facts, schedule=call, loops=loops)


def _names_in_callers(module: Module, call: ast.Call, rounds: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield what a name in a helper's schedule is called where the helper is called."""
    yield call, rounds
    helper = _binding_scope(module, call, rounds)
    first, dot, rest = rounds.partition(".")
    if not isinstance(helper, Definition) or module.assignments(first, helper):
        return
    calls = list(calls_to(module, helper.name))
    for outer in calls if len(calls) == 1 else ():
        given = path_of(argument_for(helper, outer, first))
        if given is not None:
            yield outer, f"{given}{dot}{rest}"


def _is_called(module: Module, schedule: ast.Call) -> bool:
    """Return whether the program evaluates a schedule itself: it may count what it likes."""
    statement = module.statement(schedule)
    names = bound_names(statement) if statement is not None else set()
    return any(path_of(n.func) in names for n in module.calls)


def _loops_of(module: Module, call: ast.AST, rounds: str) -> Iterator[ast.For]:
    """Yield the loops over `range(rounds)` in which the name means what it means at a call."""
    scope = _binding_scope(module, call, rounds)
    for node in module.nodes:
        match node:
            case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[*_, last])) if (
                path_of(last) == rounds and _binding_scope(module, node, rounds) is scope
            ):
                yield node
            case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(), end])) if (
                _is_one_more(end, rounds) and _binding_scope(module, node, rounds) is scope
            ):
                yield node


def _is_one_more(node: ast.expr, rounds: str) -> bool:
    """Return whether an expression is `rounds + 1`, the end of a count from 1."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value=1)):
            return path_of(left) == rounds
    return False


def _binding_scope(module: Module, node: ast.AST, path: str) -> ast.AST:
    """Return the nearest function around a node that binds a name, or the file."""
    name = path.partition(".")[0]
    for function in module.ancestors(node):
        if not isinstance(function, FunctionNode):
            continue
        given = {n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)}
        if name in given or module.assignments(name, function):
            return function
    return module.tree


def _has_many_updates(module: Module, loop: ast.For) -> bool:
    """Return whether each round of a loop has a loop of its own that updates an optimizer."""
    parts = [*loop.body, *(f for statement in loop.body for f in reached(module, statement))]
    inner = [n for part in parts for n in ast.walk(part) if isinstance(n, Loop)]
    return any(_runs_update(module, n) for n in inner) and not _updates_itself(loop, inner)


def _runs_update(module: Module, node: ast.AST) -> bool:
    return any(
        _is_update_call(n) for part in (node, *reached(module, node)) for n in ast.walk(part)
    )


def _updates_itself(loop: ast.For, inner: Sequence[ast.AST]) -> bool:
    """Return whether a loop updates outside of the loops in it, once in each round."""
    deeper = {id(n) for one in inner for n in ast.walk(one)}
    own = [n for n in ast.walk(loop) if id(n) not in deeper]
    return any(_is_update_call(n) for n in own)


def _is_update_call(node: ast.AST) -> bool:
    """Return whether a node is a call of `optimizer.update` or of `state.apply_gradients`."""
    func = node.func if isinstance(node, ast.Call) else None
    is_method = isinstance(func, ast.Attribute) and func.attr in ("update", "apply_gradients")
    return is_method and isinstance(node, ast.Call) and bool(node.args or node.keywords)


def count_updates(found: LengthInRounds) -> Drafts:
    """Multiply the number of rounds by the number of updates in each, where both are known."""
    module = found.module
    for loop in found.loops:
        inner = [n for n in own_nodes(loop) if isinstance(n, ast.For) and n is not loop]
        for count in (_round_count(module, n.iter) for n in inner if _runs_update(module, n)):
            if count is not None and _is_known(module, found.schedule, count[1]):
                yield Draft(module).after(found.node, f" * {count[0]}")


def _round_count(module: Module, iterable: ast.expr) -> tuple[str, set[str]] | None:
    """Write the number of rounds of `range(…)`; return it with the names in it."""
    match iterable:
        case ast.Call(func=ast.Name(id="range"), args=[end]):
            return atom(module, end), names_in(end)
        case ast.Call(func=ast.Name(id="range"), args=[_, _, *_] as args):
            names = {name for arg in args for name in names_in(arg)}
            return f"len({module.text(iterable)})", names
    return None


def _is_known(module: Module, where: ast.AST, names: set[str]) -> bool:
    """Return whether names have a value before a statement: parameters, or assigned earlier."""
    known = {"len"}
    for scope in (n for n in (*module.ancestors(where), module.tree) if isinstance(n, Scope)):
        if isinstance(scope, FunctionNode):
            known |= set(parameter_names(scope))
        bound = [n for n in own_nodes(scope) if isinstance(n, ast.stmt)]
        before = [n for n in bound if n.lineno < getattr(where, "lineno", 0)]
        known |= {name for n in before for name in bound_names(n)}
    return names <= known


RULES = (
    Rule(
        "schedule-counts-updates",
        read(read_schedules, read_rates, imports=TRAINING),
        by_match(count_updates, pass_schedule),
    ),
)
