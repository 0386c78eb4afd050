"""Finds states that do not advance from one round of a training loop to the next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.statistics import counterpart, loss_with_aux
from jaxtutor.core.diagnosis.causes.training.updates import (
    TREE_MAPS,
    assigned_elements,
    renewed_and_returned,
)
from jaxtutor.core.diagnosis.engine.matches import ExpressionFinding, Finding
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
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of, reached
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    argument_for,
    calls_in,
    calls_to,
    method_of,
    method_owner,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.functions import (
    called_function,
    parameter_names,
    result_of,
    returns_of,
)
from jaxtutor.core.diagnosis.reading.loops import (
    Loop,
    carried,
    loop_around,
    paths_bound_in,
)
from jaxtutor.core.diagnosis.reading.names import bound_value

_LOOPS = ("scan", "fori_loop", "while_loop")


class NewState(ExpressionFinding, frozen=True, kw_only=True):
    """An old state in a place for which the new one has the name `new`."""

    new: str


class NotCarried(Finding, frozen=True, kw_only=True):
    """A statement that drops new states: `dropped` are the underscores and names of states."""

    dropped: tuple[tuple[ast.Name, str], ...] = ()


class NotStored(Finding, frozen=True, kw_only=True):
    """A statement whose new statistics the call `step` should store, as `text`."""

    step: ast.Call
    text: str


class MadeAgain(Finding, frozen=True, kw_only=True):
    """A statement that makes a state again in each round of `loop`, if it stands in one."""

    node: ast.stmt
    loop: Loop | None


def lost_states(module: Module, statement: ast.Assign) -> Iterator[Finding]:
    """Yield the states that an assignment in a training loop drops or ignores."""
    yield from _not_carried(module, statement)
    yield from _kept_apart(module, statement)
    yield from _statistics_unread(module, statement)


def states_made_again(module: Module, statement: ast.Assign) -> Iterator[MadeAgain]:
    """Yield the states that an assignment in a training loop makes again in each round."""
    yield from _started_again(module, statement)
    yield from _optimizer_made_again(module, statement)


def _not_carried(module: Module, statement: ast.Assign) -> Iterator[Finding]:
    """`params, _, loss = step(params, opt_state)` in a loop: each round gets the first state."""
    call = statement.value
    if not isinstance(call, ast.Call):
        return
    dropped = tuple(_dropped_states(module, statement, call))
    for _, name in dropped:
        facts = {"name": name, "function": module.text(call.func)}
        yield NotCarried(module=module, node=statement, facts=facts, dropped=dropped)


def _dropped_states(
    module: Module, statement: ast.Assign, call: ast.Call
) -> Iterator[tuple[ast.Name, str]]:
    """Yield each underscore that takes a next state, and the name of the state."""
    target, loop = statement.targets[0], loop_around(module, statement)
    if loop is None or not isinstance(target, ast.Tuple):
        return
    kept = {p for e in target.elts if (p := path_of(e)) is not None and not p.startswith("_")}
    for position, element in enumerate(target.elts):
        if not (isinstance(element, ast.Name) and element.id.startswith("_")):
            continue
        given = _renewed(module, call, position, len(target.elts))
        name = path_of(given) if given is not None else None
        if name is None or name in paths_bound_in(loop):
            continue
        is_state = _is_optax(module, call.func) or _is_svi(module, call.func)
        is_state |= renews_statistics(module, call) is given
        if kept & carried(module, loop, call) or is_state:
            yield element, name


def _kept_apart(module: Module, statement: ast.Assign) -> Iterator[Finding]:
    """`new = optax.apply_updates(params, updates)` in a loop in which nothing reads `new`."""
    call, loop = statement.value, loop_around(module, statement)
    new = path_of(statement.targets[0])
    if loop is None or new is None or not isinstance(call, ast.Call) or not call.args:
        return
    name = path_of(call.args[0])
    if not (module.dotted(call.func) or "").endswith(".apply_updates") or name is None:
        return
    if name not in paths_bound_in(loop) and new not in names_in(loop):
        facts = {"name": name, "function": module.text(call.func)}
        yield Finding(module=module, node=statement, facts=facts)


def _statistics_unread(module: Module, statement: ast.Assign) -> Iterator[Finding]:
    """`(loss, updates), grads = step(params)`: nothing reads the state that comes as aux."""
    aux, loss = _unread_aux(module, statement)
    kept = _old_state(module, statement, loss) if loss is not None else None
    if kept is not None:
        step = name_of(module.function(statement))
        facts = {"name": module.text(kept), "argument": aux, "function": step}
        yield NewState(None, facts, "aux", module=module, node=kept, new=aux)
        return
    given = _statistics_returned(module, loss) if loss is not None else None
    if loss is None or given is None:
        return
    form = "underscore" if aux.startswith("_") else "statistics"
    facts = {"name": module.text(given), "argument": aux}
    owner, _, name = (path_of(given) or "").rpartition(".")
    step_call = _step_of(module, statement, owner, name) if owner else None
    if step_call is None:
        yield Finding(None, facts, form, module=module, node=statement)
        return
    result = result_of(loss)
    is_whole = isinstance(result, ast.Tuple) and isinstance(result.elts[1], ast.Name)
    text = f'{name}={aux}["{name}"]' if is_whole else f"{name}={aux}"
    yield NotStored(None, facts, form, module=module, node=statement, step=step_call, text=text)


def _unread_aux(module: Module, statement: ast.Assign) -> tuple[str, FunctionNode | None]:
    """Return the name for the aux of a loss that nothing reads, and the loss."""
    match statement.targets[0], statement.value:
        case ast.Tuple(elts=[ast.Tuple(elts=[_, ast.Name(id=aux)]), _]), ast.Call(func=func):
            if not _reads_name(module, aux, module.scope(statement)):
                return aux, loss_with_aux(module, func, statement)
    return "", None


def _old_state(module: Module, statement: ast.Assign, loss: FunctionNode) -> ast.expr | None:
    """Return the old state that a step returns, though its loss returns the new one."""
    step, result = module.function(statement), result_of(loss)
    name = path_of(result.elts[1]) if isinstance(result, ast.Tuple) and result.elts[1:] else None
    if (
        step is None
        or not isinstance(loss, Definition)
        or not isinstance(statement.value, ast.Call)
    ):
        return None
    if name is None or name not in renewed_and_returned(loss):
        return None
    given = path_of(argument_for(loss, statement.value, name))
    bound = {n for node in own_nodes(step) for n in bound_names(node)}
    if given is None or given in bound or given not in set(parameter_names(step)):
        return None
    made = result_of(step)
    parts = assigned_elements(made) if made is not None else []
    return next((part for part in parts if path_of(part) == given), None)


def _step_of(module: Module, statement: ast.Assign, state: str, name: str) -> ast.Call | None:
    """Return the call of `apply_gradients` of a train state that does not store a collection."""
    for call in (n for n in own_nodes(module.scope(statement)) if isinstance(n, ast.Call)):
        is_step = path_of(call.func) == f"{state}.apply_gradients"
        if is_step and not any(k.arg == name for k in call.keywords) and call.keywords:
            return call
    return None


def _reads_name(module: Module, name: str, scope: Scope) -> bool:
    """Return whether a function reads its name, itself or in a function inside it."""
    parts = [scope, *(n for n in ast.walk(scope) if isinstance(n, FunctionNode))]
    sharing = [p for p in parts if p is scope or not module.assignments(name, p)]
    names = (n for p in sharing for n in own_nodes(p) if isinstance(n, ast.Name))
    return any(n.id == name and isinstance(n.ctx, ast.Load) for n in names)


def _statistics_returned(module: Module, function: FunctionNode) -> ast.expr | None:
    """Return the statistics whose new values a loss returns beside its value."""
    result = result_of(function)
    if not isinstance(result, ast.Tuple) or len(result.elts) != 2:
        return None
    return _statistics_in(module, function, result.elts[1])


def _statistics_in(module: Module, function: FunctionNode, made: ast.expr) -> ast.expr | None:
    """Return the statistics of which an expression in a loss has the new values."""
    name = path_of(made.value if isinstance(made, ast.Subscript) else made)
    for bound in module.assignments(name, function) if name is not None else ():
        match bound:
            case ast.Assign(
                targets=[ast.Tuple(elts=[_, ast.Name(id=taken)])], value=ast.Call() as call
            ) if taken == name:
                return renews_statistics(module, call)
    return None


def _renewed(module: Module, call: ast.Call, position: int, count: int) -> ast.expr | None:
    """Find the argument of which a call returns the next state at a position of its result."""
    if _is_optax(module, call.func):
        return argument(call, 1, "state") if (position, count) == (1, 2) else None
    if _is_svi(module, call.func):
        return argument(call, 0, "svi_state") if (position, count) == (0, 2) else None
    statistics = renews_statistics(module, call)
    if statistics is not None and (position, count) == (1, 2):
        return statistics
    function = called_function(module, call)
    ends = returns_of(function) if function is not None else []
    result = ends[0].value if len(ends) == 1 else None
    if function is None or not isinstance(result, ast.Tuple) or len(result.elts) != count:
        return None
    name = path_of(result.elts[position])
    source = _source_of(module, function, name) if name is not None else None
    return argument_for(function, call, source) if source is not None else None


def renews_statistics(module: Module, call: ast.Call) -> ast.expr | None:
    """Return the state that `apply` updates while training: of batch normalization, for example.

    It is `variables` in `net.apply(variables, x, mutable=["batch_stats"])`, and `state` in
    `net.apply(params, state, x, is_training=True)` of Haiku.
    """
    if not isinstance(call.func, ast.Attribute) or not call.args:
        return None
    if call.func.attr not in ("apply", "apply_fn"):
        return None
    mutable = [n for k in call.keywords if k.arg == "mutable" for n in ast.walk(k.value)]
    if any(isinstance(n, ast.Constant) and n.value == "batch_stats" for n in mutable):
        return _item(call.args[0], "batch_stats")
    values = passed_arguments(call)
    is_training = any(isinstance(v, ast.Constant) and v.value is True for v in values)
    is_haiku = is_training and _is_transformed_with_state(module, path_of(call.func.value))
    return call.args[1] if is_haiku and len(call.args) > 1 else None


def _item(node: ast.expr, key: str) -> ast.expr:
    """Return what a dict that is written out has at a key; other expressions as they are."""
    if isinstance(node, ast.Dict):
        for name, value in zip(node.keys, node.values, strict=True):
            if isinstance(name, ast.Constant) and name.value == key:
                return value
    return node


def _is_transformed_with_state(module: Module, name: str | None) -> bool:
    nodes = [n for n in module.nodes if isinstance(n, ast.Assign)]
    bound = [n.value for n in nodes if name in map(path_of, n.targets)]
    calls = [c for v in bound for c in calls_in(v)]
    return any(module.dotted(c.func) == "haiku.transform_with_state" for c in calls)


def _source_of(module: Module, function: FunctionNode, name: str) -> str | None:
    """Return the parameter of which a function computes a name: itself, or a state it updates."""
    given = set(parameter_names(function))
    bound = module.assignments(name, function)
    if name in given:
        return name if bound else None
    for statement in bound:
        value = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(value, ast.Call) and _calls_update(value):
            state = argument(value, 1, "state")
            return path_of(state) if path_of(state) in given else None
        if isinstance(statement, ast.Assign) and isinstance(value, ast.Call):
            state = _renewed_by_loss(module, statement, value, name)
            return path_of(state) if path_of(state) in given else None
    return None


def _renewed_by_loss(
    module: Module, statement: ast.Assign, call: ast.Call, name: str
) -> ast.expr | None:
    """Return the statistics of which a loss returns the new values, in a part beside its value."""
    loss, target = loss_with_aux(module, call.func, statement), statement.targets[0]
    result = result_of(loss) if loss is not None else None
    if loss is None or result is None or not isinstance(target, ast.Tuple):
        return None
    made = counterpart(target.elts[0], result, name)
    return _statistics_in(module, loss, made) if made is not None else None


def _calls_update(call: ast.Call) -> bool:
    return method_of(call) == "update"


def _is_optax(module: Module, func: ast.expr) -> bool:
    """Return whether a callee is the `update` of an optimizer that optax made in this file."""
    if not isinstance(func, ast.Attribute) or func.attr != "update":
        return False
    return bool(_optimizers(module, path_of(func.value)))


def _is_svi(module: Module, func: ast.expr) -> bool:
    """Return whether a callee is the `update` of an SVI of NumPyro, or `jax.jit` of it."""
    made = bound_value(module, func)
    if isinstance(made, ast.Call) and module.dotted(made.func) == "jax.jit" and made.args:
        made = made.args[0]
    if not isinstance(made, ast.Attribute) or made.attr not in ("update", "stable_update"):
        return False
    owner = bound_value(module, made.value)
    return isinstance(owner, ast.Call) and module.dotted(owner.func) == "numpyro.infer.SVI"


def _optimizers(module: Module, name: str | None) -> list[ast.Call]:
    """List the calls of optax that a name or attribute is bound to."""
    statements = [n for n in module.nodes if isinstance(n, ast.Assign)]
    bound = [s.value for s in statements if any(path_of(t) == name for t in s.targets)]
    calls = [v for v in bound if isinstance(v, ast.Call)]
    made = [c for c in calls if (module.dotted(c.func) or "").startswith("optax.")]
    return made if name is not None and len(made) == len(bound) else []


def _started_again(module: Module, statement: ast.Assign) -> Iterator[MadeAgain]:
    """`opt_state = tx.init(params)` in the loop that updates it: each round starts from zero."""
    state, params = path_of(statement.targets[0]), _initialised_from(module, statement.value)
    if state is None or params is None:
        return
    function, loop = module.function(statement), loop_around(module, statement)
    if loop is not None:
        is_wrong = _is_in_round(module, loop, statement, state, params)
    else:
        is_wrong = function is not None and _is_step(module, function, state)
        is_wrong = is_wrong and _is_called_in_rounds(module, function)
    if is_wrong:
        yield MadeAgain(module=module, node=statement, facts={"name": state}, loop=loop)


def _optimizer_made_again(module: Module, statement: ast.Assign) -> Iterator[MadeAgain]:
    """`optimizer = nnx.Optimizer(model, tx)` in each step, for a model from outside of the loop.

    A loop that trains further with each optimizer begins a new task on purpose, and plain gradient
    descent has no state.
    """
    name, made = path_of(statement.targets[0]), statement.value
    if name is None or not isinstance(made, ast.Call) or not made.args:
        return
    if module.dotted(made.func) != "flax.nnx.Optimizer" or _is_plain_descent(module, made):
        return
    function, loop = module.function(statement), loop_around(module, statement)
    model = path_of(made.args[0]) or ""
    if loop is not None:
        parts, is_wrong = loop.body, model not in paths_bound_in(loop) and bool(model)
    elif isinstance(function, Definition) and model in set(parameter_names(function)):
        parts = function.body
        is_wrong = _gets_one_model(module, function, model) and not _is_read_at_end(function, name)
    else:
        return
    users = [f for part in parts for f in reached(module, part)]
    nodes = [n for part in (*parts, *users) for n in ast.walk(part)]
    used = [n for n in nodes if isinstance(n, ast.Call) and _calls_update(n)]
    repeats = any(isinstance(n, Loop | ast.ListComp) for n in nodes)
    repeats |= any(a.kind in _LOOPS and a.node in nodes for a in applied(module))
    if is_wrong and used and not repeats:
        yield MadeAgain(module=module, node=statement, facts={"name": name}, loop=loop)


def _is_plain_descent(module: Module, made: ast.Call) -> bool:
    tx = bound_value(module, made.args[1]) if len(made.args) > 1 else None
    is_sgd = isinstance(tx, ast.Call) and module.dotted(tx.func) == "optax.sgd"
    return isinstance(tx, ast.Call) and is_sgd and len(tx.args) + len(tx.keywords) < 2


def _gets_one_model(module: Module, function: Definition, model: str) -> bool:
    """Return whether all calls of a function stand in loops that get their model from outside."""
    calls = list(calls_to(module, function.name))
    given = [(loop_around(module, c), path_of(argument_for(function, c, model))) for c in calls]
    return bool(given) and all(
        loop is not None and name is not None and name not in paths_bound_in(loop)
        for loop, name in given
    )


def _is_read_at_end(function: Definition, name: str) -> bool:
    """Return whether a function returns what has a name."""
    values = [r.value for r in returns_of(function) if r.value is not None]
    parts = [p for v in values for p in (v.elts if isinstance(v, ast.Tuple) else [v])]
    return any(path_of(part) == name for part in parts)


def _initialised_from(module: Module, value: ast.expr) -> str | None:
    """Return the parameters for which an expression makes the first state of an optimizer."""
    if not isinstance(value, ast.Call) or not value.args:
        return None
    optimizer = method_owner(value, "init")
    if optimizer is not None:
        return path_of(value.args[0]) if _optimizers(module, path_of(optimizer)) else None
    is_zeros = module.dotted(value.func) == "jax.numpy.zeros_like"
    if module.dotted(value.func) in TREE_MAPS and len(value.args) == 2:
        is_zeros = module.dotted(value.args[0]) == "jax.numpy.zeros_like"
    return path_of(value.args[-1]) if is_zeros else None


def _is_in_round(module: Module, loop: Loop, statement: ast.stmt, state: str, params: str) -> bool:
    """Return whether each round makes a state, hands it to one call, and drops the new one."""
    uses = [
        n
        for n in own_nodes(loop)
        if isinstance(n, ast.Call) and n.lineno > statement.lineno and state in _argument_paths(n)
    ]
    holder = module.statement(uses[0]) if len(uses) == 1 else None
    if statement not in loop.body or holder not in loop.body or not isinstance(holder, ast.Assign):
        return False
    later = [n for n in own_nodes(loop) if n.__class__ is ast.Name and n.lineno > holder.lineno]
    is_read = any(path_of(n) == state for n in later)
    is_kept = state in {path_of(e) for t in holder.targets for e in assigned_elements(t)}
    return is_kept and not is_read and params in carried(module, loop, statement)


def _argument_paths(call: ast.Call) -> set[str]:
    values = passed_arguments(call)
    return {path for value in values if (path := path_of(value)) is not None}


def _is_called_in_rounds(module: Module, function: FunctionNode | None) -> bool:
    """Return whether all calls of a function stand in loops, and replace what they are given."""
    name = getattr(function, "name", None)
    calls = [n for n in module.calls if name is not None and path_of(n.func) == name]
    return bool(calls) and all(loop_around(module, c) and _replaces(module, c) for c in calls)


def _replaces(module: Module, call: ast.Call) -> bool:
    """Return whether a call's result is assigned to one of its arguments."""
    statement = module.statement(call)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return bool(_argument_paths(call) & {path_of(e) for t in targets for e in assigned_elements(t)})


def _is_step(module: Module, function: FunctionNode, state: str) -> bool:
    """Return whether a function is one step: it has no loop, and keeps its state for itself."""
    looped = any(a.kind in _LOOPS and module.function(a.node) is function for a in applied(module))
    if looped or any(isinstance(n, Loop) for n in ast.walk(function)):
        return False
    updates = [n for n in own_nodes(function) if isinstance(n, ast.Call) and _calls_update(n)]
    values = [r.value for r in returns_of(function) if r.value is not None]
    parts = [p for v in values for p in (v.elts if isinstance(v, ast.Tuple) else [v])]
    is_used = any(state in _argument_paths(u) and _is_optax(module, u.func) for u in updates)
    return is_used and not any(state in names_in(p) for p in parts)
