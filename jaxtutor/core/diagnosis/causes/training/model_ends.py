"""Finds the last thing that a model computes: at the end of a class, a function or a Sequential."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.source import Definition, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import resolve, transformation
from jaxtutor.core.diagnosis.reading.calls import keyword_value, method_of, method_owner
from jaxtutor.core.diagnosis.reading.functions import returned
from jaxtutor.core.diagnosis.reading.names import bound_value

_SEQUENTIALS = (
    "flax.linen.Sequential",
    "flax.nnx.Sequential",
    "haiku.Sequential",
    "equinox.nn.Sequential",
)
_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
_WRAPPERS = ("haiku.without_apply_rng", "flax.linen.Lambda", "equinox.nn.Lambda")
_RUNS = ("apply", "apply_fn")


def ends_of_call(module: Module, call: ast.Call) -> list[ast.expr]:
    """List what the function or model of a call returns, as far as the file shows it.

    The end of a Sequential is its last part, which need not be a call.
    """
    function = _function_run(module, call)
    if function is not None:
        ends = [end for end in returned(function) if end is not None]
        return [end for value in ends for end in end_of(module, value)]
    model = method_owner(call, *_RUNS)
    made = bound_value(
        module, model if model is not None else _unwrapped_function(module, call.func)
    )
    return list(_last_part(module, made))


def _is_apply(call: ast.Call) -> bool:
    return method_of(call) in _RUNS


def _unwrapped_function(module: Module, func: ast.expr) -> ast.expr:
    """Return the function inside `jax.vmap(…)` and the like, also where a name stands for it."""
    made = bound_value(module, func)
    while isinstance(made, ast.Call) and made.args and transformation(module, made.func):
        func = made.args[0]
        made = bound_value(module, func)
    return func


def _function_run(module: Module, call: ast.Call) -> Definition | None:
    """Return the file's function that a call runs: by its name, or by Haiku's `apply`."""
    if not _is_apply(call):
        func = _unwrapped_function(module, call.func)
        found = resolve(module, func, call) if isinstance(func, ast.Name) else None
        return found if isinstance(found, Definition) else None
    assert isinstance(call.func, ast.Attribute)
    made = bound_value(module, call.func.value)
    while isinstance(made, ast.Call) and made.args and module.dotted(made.func) in _WRAPPERS:
        made = bound_value(module, made.args[0])
    if not isinstance(made, ast.Call) or module.dotted(made.func) not in _TRANSFORMS:
        return None
    found = resolve(module, made.args[0], made) if made.args else None
    return found if isinstance(found, Definition) else None


def end_of(module: Module, value: ast.expr) -> Iterator[ast.expr]:
    """Yield what a returned expression ends with."""
    made = bound_value(module, value)
    if not isinstance(made, ast.Call):
        yield made
        return
    parts = list(_last_part(module, bound_value(module, made.func)))
    if not parts and isinstance(made.func, ast.Attribute):
        parts = list(_last_part(module, _attribute(module, made.func)))
    yield from parts or [made]


def _attribute(module: Module, node: ast.Attribute) -> ast.expr:
    """Return what the file assigns to `self.layers`, if it does so once."""
    path = path_of(node)
    found = [
        s.value
        for s in module.nodes
        if isinstance(s, ast.Assign) and any(path_of(t) == path for t in s.targets)
    ]
    return found[0] if len(found) == 1 and path is not None else node


def _last_part(module: Module, made: ast.expr) -> Iterator[ast.expr]:
    """Yield the last part of a Sequential, or the last activation of an MLP of Equinox."""
    if not isinstance(made, ast.Call):
        return
    path = module.dotted(made.func) or ""
    if path == "equinox.nn.MLP":
        last = keyword_value(made, "final_activation")
        if last is not None:
            yield last
    if path not in _SEQUENTIALS:
        return
    parts = made.args
    if len(parts) == 1 and isinstance(parts[0], ast.List | ast.Tuple):
        parts = parts[0].elts
    if parts and not isinstance(parts[-1], ast.Starred):
        last = parts[-1]
        is_wrapped = isinstance(last, ast.Call) and module.dotted(last.func) in _WRAPPERS
        yield last.args[0] if is_wrapped and isinstance(last, ast.Call) and last.args else last
