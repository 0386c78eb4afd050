"""Finds the parameters of a file's functions that are surely traced when they are called."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    applied,
    is_partial,
    resolve,
    static_names,
)
from jaxtutor.core.diagnosis.interpretation.kinds import Kinds, ValueKind
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.names import last_name, last_part
from jaxtutor.core.diagnosis.reading.values import elements_or_itself, option_integers

_ALWAYS_TRACED = frozenset({"scan", "map", "fori_loop", "while_loop", "cond", "switch"})
_DIFFERENTIATING = frozenset({"grad", "value_and_grad", "jacfwd", "jacrev", "hessian"})
_JIT_OPTIONS = frozenset({"static_argnums", "static_argnames"})
_PLAIN_OPTIONS = frozenset(
    "donate_argnums donate_argnames keep_unused inline in_shardings out_shardings"  # jit
    " out_axes axis_name policy prevent_cse"  # vmap and checkpoint
    " length reverse unroll init xs init_val f body_fun cond_fun true_fun false_fun operand".split()
)
"""The options that leave arguments traced."""


def traced_parameters(module: Module) -> dict[FunctionNode, Kinds]:
    """Map each function that JAX traces to those of its parameters that are surely traced."""
    traced = dict[FunctionNode, Kinds]()
    differentiated = dict[FunctionNode, Kinds]()
    for item in applied(module):
        function = item.function
        if function is None or not _is_of_jax(module, item) or not _is_understood(item):
            continue
        if item.kind in _DIFFERENTIATING:
            names = _differentiated_names(item, function)
            differentiated[function] = dict.fromkeys(names, ValueKind.DIFFERENTIATED)
            continue
        kept = static_names(item) | _with_defaults(function) | _bound_by_partials(module, item)
        kinds = {name: ValueKind.TREE for name in positional_names(function) if name not in kept}
        known = traced.get(function, kinds)
        traced[function] = {name: kind for name, kind in kinds.items() if name in known}
    every = traced.keys() | differentiated.keys()
    return {it: differentiated.get(it, {}) | traced.get(it, {}) for it in every}


def host_functions(module: Module) -> set[FunctionNode]:
    """Return the functions that a callback runs, on the host and with values."""
    calls = (call for call in module.calls if call.args)
    names = ((module.dotted(call.func) or "", call) for call in calls)
    callbacks = [c for name, c in names if name.startswith("jax.") and name.endswith("callback")]
    found = (resolve(module, call.args[0], call) for call in callbacks)
    return {function for function in found if function is not None}


def _differentiated_names(item: AppliedTransform, function: FunctionNode) -> list[str]:
    option = item.option("argnums")
    if option is None:
        option = ast.Constant(0)
    names = positional_names(function)
    return [names[n] for n in option_integers(option) if n < len(names)]


def _is_of_jax(module: Module, item: AppliedTransform) -> bool:
    """Return whether all arguments become tracers: not those of Equinox' and Flax' functions."""
    node: ast.expr = item.node
    if isinstance(node, ast.Call):
        node = node.args[0] if is_partial(module, node) and node.args else node.func
    is_tracing = item.kind in _ALWAYS_TRACED | _DIFFERENTIATING | {"jit", "vmap", "checkpoint"}
    return is_tracing and (module.dotted(node) or "").rpartition(".")[0] in ("jax", "jax.lax")


def _is_understood(item: AppliedTransform) -> bool:
    """Return whether the options say which arguments are traced."""
    if item.call is None:
        return True
    if item.kind == "vmap" and len(item.call.args) > 1 and not item.is_decorator:
        return False
    return all(
        option.arg in _PLAIN_OPTIONS
        or (item.kind == "jit" and option.arg in _JIT_OPTIONS and _is_written_out(option.value))
        or (item.kind in _DIFFERENTIATING and _is_written_out(option.value))
        for option in item.call.keywords
    )


def _is_written_out(option: ast.expr) -> bool:
    return all(isinstance(each, ast.Constant) for each in elements_or_itself(option))


def _bound_by_partials(module: Module, item: AppliedTransform) -> set[str]:
    """Return the parameters that a `partial` may have bound before the function is traced."""
    function, call = item.function, item.call
    if function is None or call is None or item.is_decorator:
        return set()
    bound = set[str]()
    for target in call.args:
        inner = target
        while isinstance(inner, ast.Call) and inner.args:
            if is_partial(module, inner):
                bound.update(positional_names(function)[: len(inner.args) - 1])
                bound.update(option.arg or "" for option in inner.keywords)
            inner = inner.args[0]
        if resolve(module, target, call) is function and not _names_function(inner, function):
            bound.update(parameter_names(function))  # a name of a partial, perhaps
    return bound


def _names_function(node: ast.expr, function: FunctionNode) -> bool:
    name = getattr(node, "attr", last_name(node))
    return node is function or name == getattr(function, "name", "")


def positional_names(function: FunctionNode) -> list[str]:
    """List the parameters that a call fills by position, without `self`."""
    given = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    return given[1:] if given[:1] in (["self"], ["cls"]) else given


def _with_defaults(function: FunctionNode) -> set[str]:
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]
    return set(names[len(names) - len(function.args.defaults) :])


_ASKING = frozenset({"isinstance", "issubclass", "hasattr", "getattr", "callable", "type"})


def doubtful_names(module: Module, function: ast.AST) -> set[str]:
    """Return the names of which a function asks what they are: they may be plain values."""
    doubtful = set[str]()
    for node in ast.walk(function):
        match node:
            case ast.Call(func=func, args=[asked, *_]):
                name = module.dotted(func) or path_of(func) or ""
                if name in _ASKING or last_part(name) in ("isscalar", "is_concrete"):
                    doubtful.add(path_of(asked) or "")
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()]):
                doubtful.add(path_of(left) or "")
            case ast.Nonlocal(names=names) | ast.Global(names=names):
                doubtful.update(names)
    return doubtful
