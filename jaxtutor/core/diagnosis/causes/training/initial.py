"""Finds programs that train a value, and go on with the one that it began with."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.causes.training.updates import assigned_elements
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    own_nodes,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import name_of
from jaxtutor.core.diagnosis.reading.calls import argument_for, calls_to, keyword_value
from jaxtutor.core.diagnosis.reading.functions import parameter_names, parameters
from jaxtutor.core.diagnosis.reading.loops import Loop
from jaxtutor.core.diagnosis.reading.names import last_name
from jaxtutor.core.diagnosis.reading.patterns import fits, matches

_PARTING = ("flax.nnx.split", "equinox.partition")
"""Functions that return the arrays of a model, which are then trained in its place."""


class FirstValueUsed(Finding, frozen=True, kw_only=True):
    """A use of a first value in the place of `trained`, which is empty where no name has it."""

    trained: str


def read_initial(module: Module) -> Iterator[FirstValueUsed]:
    """Yield each first value that is used after the loop in which its successor was trained."""
    for scope in (module.tree, *module.functions):
        for made in own_nodes(scope):
            if isinstance(made, ast.Assign):
                yield from _used_after_loop(module, scope, made)
                yield from _used_beside_state(module, scope, made)


def _used_after_loop(module: Module, scope: ast.AST, made: ast.Assign) -> Iterator[FirstValueUsed]:
    first, states = _pair(module, made)
    end = _end_of_training(scope, made, states) if first else 0
    if not end or _is_bound_again(module, scope, first, made):
        return
    names = [n for n in ast.walk(scope) if isinstance(n, ast.Name) and n.lineno > end]
    if any(n.id in states and _reads_weights(module, n) for n in names):
        return
    used = [n for n in names if n.id == first and _is_passed_or_called(module, n)]
    if used:
        facts = {"name": first, "argument": sorted(states)[0]}
        is_state, is_read = _is_train_state(made), bool(_read_from(module, made.value))
        form = "" if is_state else "read" if is_read else "parts"
        trained = f"{facts['argument']}.params" if is_state and len(states) == 1 else ""
        yield FirstValueUsed(None, facts, form, module=module, node=used[0], trained=trained)


def _used_beside_state(
    module: Module, scope: ast.AST, made: ast.Assign
) -> Iterator[FirstValueUsed]:
    """Find a function that takes the train state, and runs the model with the first parameters."""
    first, states = _pair(module, made) if _is_train_state(made) else ("", set[str]())
    if not first or not _end_of_training(scope, made, states):
        return
    if _is_bound_again(module, scope, first, made):
        return
    for function in module.functions:
        state = _state_it_takes(module, function, states)
        own = set(parameter_names(function))
        if not state or first in own or module.assignments(first, function):
            continue
        inside = list(ast.walk(function))
        if any(path_of(n) == f"{state}.params" for n in inside):
            continue
        reads = [n for n in inside if isinstance(n, ast.Name) and n.id == first]
        used = [n for n in reads if _is_applied(module, n)]
        if used:
            facts = {"name": first, "argument": state, "function": name_of(function)}
            trained = f"{state}.params"
            yield FirstValueUsed(
                None, facts, "beside", module=module, node=used[0], trained=trained
            )


def _state_it_takes(module: Module, function: FunctionNode, states: set[str]) -> str:
    """Return the parameter of a function that every call gives a trained state; empty if none."""
    calls = list(calls_to(module, getattr(function, "name", "")))
    for parameter in parameters(function):
        given = [argument_for(function, call, parameter.arg) for call in calls]
        if given and all(isinstance(value, ast.Name) and value.id in states for value in given):
            return parameter.arg
    return ""


def _is_applied(module: Module, name: ast.Name) -> bool:
    """Return whether a name is in the first argument of `apply`, the variables of a model."""
    inner: ast.AST = name
    for outer in module.ancestors(name):
        if isinstance(outer, ast.Call):
            method = last_name(outer.func)
            return method in ("apply", "apply_fn") and outer.args[:1] == [inner]
        if isinstance(outer, ast.stmt):
            return False
        inner = outer
    return False


def _pair(module: Module, made: ast.Assign) -> tuple[str, set[str]]:
    """Return the name of a first value, and the names of what an assignment computes from it."""
    call = made.value
    elements = [element for target in made.targets for element in assigned_elements(target)]
    names = {element.id for element in elements if isinstance(element, ast.Name)}
    read_from = _read_from(module, call)
    if read_from and len(names) == 1:
        return names.pop(), {read_from}
    if not isinstance(call, ast.Call):
        return "", set()
    if module.dotted(call.func) in _PARTING and call.args and isinstance(call.args[0], ast.Name):
        return call.args[0].id, names
    params = keyword_value(call, "params")
    if _is_train_state(made) and isinstance(params, ast.Name):
        return params.id, names
    return "", set()


def _read_from(module: Module, value: ast.expr) -> str:
    """Return the state of which an expression reads the parameters: `svi.get_params(state)`."""
    for found in matches(module, value, "$svi.get_params($state)", "$state.params"):
        owner, state = found.get("svi"), found["state"]
        is_svi = owner is None or fits(module, owner, "numpyro.infer.SVI(...)")
        return state.id if isinstance(state, ast.Name) and is_svi else ""
    return ""


def _is_train_state(made: ast.Assign) -> bool:
    """Return whether an assignment makes a `TrainState` by its method `create`."""
    func = made.value.func if isinstance(made.value, ast.Call) else None
    is_create = isinstance(func, ast.Attribute) and func.attr == "create"
    given = {k.arg for k in made.value.keywords} if isinstance(made.value, ast.Call) else set()
    return is_create and {"params", "tx"} <= given


def _end_of_training(scope: ast.AST, made: ast.Assign, states: set[str]) -> int:
    """Return the last line of the last loop that binds a state again; 0 if there is none."""
    ends = [0]
    for loop in own_nodes(scope):
        if isinstance(loop, Loop) and loop.lineno > made.lineno:
            bound = {name for n in own_nodes(loop) for name in bound_names(n)}
            ends.append((loop.end_lineno or 0) if bound & states else 0)
    return max(ends)


def _is_bound_again(module: Module, scope: ast.AST, name: str, made: ast.Assign) -> bool:
    """Return whether a name gets another value after an assignment, or is changed in place."""
    bound = [s for s in module.assignments(name, scope) if s.lineno > made.lineno]
    changes = [c for c in calls_to(module, "update") if c.lineno > made.lineno]
    given = {path_of(a) for c in changes for a in c.args[:1]}
    return bool(bound) or name in given


def _reads_weights(module: Module, name: ast.Name) -> bool:
    """Return whether a use of a state reads more than the number of its steps."""
    parent = module.parents.get(name)
    return not (isinstance(parent, ast.Attribute) and parent.attr in ("step", "apply_fn", "tx"))


def _is_passed_or_called(module: Module, name: ast.Name) -> bool:
    """Return whether a use runs a model: it is called, or passed to `apply` or a function."""
    inner: ast.AST = name
    for outer in module.ancestors(name):
        if isinstance(outer, ast.Call):
            return outer.func is not inner or inner is name
        if isinstance(outer, ast.stmt | ast.Attribute):
            return False
        inner = outer
    return False


def use_trained(found: FirstValueUsed) -> Drafts:
    """Use the parameters of the state."""
    if found.trained:
        yield Draft(found.module).replace(found.node, found.trained)


RULES = (Rule("initial-params-used", read(read_initial, imports=TRAINING), use_trained),)
