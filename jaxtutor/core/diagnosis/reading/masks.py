"""Reads whether a value is a mask: by what makes it, and not by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import applied, name_of
from jaxtutor.core.diagnosis.reading.calls import argument, argument_for, calls_to
from jaxtutor.core.diagnosis.reading.functions import parameters, result_of
from jaxtutor.core.diagnosis.reading.names import bound_value, last_name, last_part
from jaxtutor.core.diagnosis.reading.values import is_none

_ARRAYS = ("jax.numpy.", "numpy.")
_COMPARING = frozenset(
    """logical_and logical_or logical_not logical_xor isin isfinite isnan isinf equal not_equal
    less less_equal greater greater_equal tri""".split()
)
_TRIANGLES = ("tril", "triu")
_SAME = frozenset(
    "array asarray float32 bool_ broadcast_to expand_dims tile repeat reshape transpose".split()
)
"""Functions whose result is a mask if the first argument is one."""
_SAME_METHODS = ("astype", "reshape", "transpose", "squeeze")
_FILLED = ("ones", "zeros", "full", "ones_like", "zeros_like", "full_like", "array", "asarray")
_MAKERS = ("make_causal_mask", "make_attention_mask", "combine_masks")
MOST_STEPS = 8
"""Names, calls and parameters that are followed to what makes a value."""


def is_mask(module: Module, node: ast.expr, steps: int = MOST_STEPS) -> bool:
    """Return whether an expression holds truth values: `x > 0`, or `(x > 0).astype(float)`."""
    if steps == 0:
        return False
    made = _value_of(module, node)
    match made:
        case ast.Constant(value=value):
            return isinstance(value, bool)
        case ast.Compare(ops=ops):
            return not any(isinstance(op, ast.Is | ast.IsNot) for op in ops)
        case ast.List() | ast.Tuple():
            return _are_bits(made)
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=inner):
            return is_mask(module, inner, steps - 1)
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right):
            return any(is_mask(module, side, steps - 1) for side in (left, right))
        case ast.Subscript(value=inner) | ast.Attribute(value=inner, attr="T"):
            return is_mask(module, inner, steps - 1)
        case ast.Call():
            return _makes_mask(module, made, steps - 1)
        case ast.Name():
            passed = list(passed_values(module, made))
            return bool(passed) and all(is_mask(module, value, steps - 1) for value in passed)
    return False


def _value_of(module: Module, node: ast.expr) -> ast.expr:
    """Follow a name to what it was last bound to, also beside others: `a, b = 1, 2`."""
    made = bound_value(module, node)
    if not isinstance(made, ast.Name):
        return made
    for scope in (module.scope(made), module.tree):
        for statement in reversed(module.assignments(made.id, scope)):
            match statement:
                case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                    pairs = zip(map(path_of, names), values, strict=False)
                    return next((v for name, v in pairs if name == made.id), made)
    return made


def _are_bits(node: ast.expr) -> bool:
    """Return whether a list has truth values, or the numbers 0 and 1, and both of them."""
    items = [n for n in ast.walk(node) if not isinstance(n, ast.List | ast.Tuple | ast.Load)]
    values = {n.value if isinstance(n, ast.Constant) else None for n in items}
    return values == {0, 1}


def _makes_mask(module: Module, call: ast.Call, steps: int) -> bool:
    path = module.dotted(call.func) or ""
    name = last_part(path)
    first = argument(call, 0, "a", "object", "m", "array")
    if path.startswith(_ARRAYS):
        is_filled = name in _FILLED and _has_bool(call)
        is_triangle = name in _TRIANGLES and first is not None and _is_ones(module, first)
        return (
            name in _COMPARING
            or is_filled
            or is_triangle
            or (name == "where" and _chooses_bits(call))
            or (name in _SAME and first is not None and is_mask(module, first, steps))
        )
    if path.startswith("flax.") and name in _MAKERS:
        return True
    if isinstance(call.func, ast.Attribute) and call.func.attr in _SAME_METHODS:
        return is_mask(module, call.func.value, steps)
    function = module.function_named(path_of(call.func) or "")
    result = result_of(function) if function is not None else None
    return result is not None and is_mask(module, result, steps)


def _has_bool(call: ast.Call) -> bool:
    given = [*call.args[1:], *(k.value for k in call.keywords)]
    return any(last_name(n) in ("bool", "bool_") for n in given)


def _is_ones(module: Module, node: ast.expr) -> bool:
    made = bound_value(module, node)
    path = (module.dotted(made.func) or "") if isinstance(made, ast.Call) else ""
    return path.startswith(_ARRAYS) and path.endswith((".ones", ".ones_like"))


def _chooses_bits(call: ast.Call) -> bool:
    """Return whether `jnp.where` chooses between 0 and 1."""
    values = [n.value for n in call.args[1:] if isinstance(n, ast.Constant)]
    return len(call.args) == 3 and values in ([0, 1], [1, 0])


def passed_values(module: Module, name: ast.Name) -> Iterator[ast.expr]:
    """Yield what the calls in a file pass for a parameter: `data` of `f(data)` for `x` in `f`."""
    outer = (f for f in module.ancestors(name) if isinstance(f, FunctionNode))
    function = next((f for f in outer if name.id in {a.arg for a in parameters(f)}), None)
    for call in _calls_of(module, function) if function is not None else ():
        value = argument_for(function, call, name.id) if function is not None else None
        if value is not None and not is_none(value):
            yield value


def _calls_of(module: Module, function: FunctionNode) -> Iterator[ast.Call]:
    """Yield the calls of a function: by its name, as `jax.vmap(f)(x)`, and of a model's object."""
    name = name_of(function)
    if name == "__call__":
        yield from _runs_of(module, function)
        return
    yield from calls_to(module, name)
    for item in applied(module):
        if item.function is function and item.call is not None:
            parent = module.parents.get(item.call)
            if isinstance(parent, ast.Call) and parent.func is item.call:
                yield parent
            elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
                yield from calls_to(module, parent.targets[0].id)


def _runs_of(module: Module, method: FunctionNode) -> Iterator[ast.Call]:
    """Yield the calls of objects of a method's class; `apply` is given variables before."""
    class_ = next((n for n in module.ancestors(method) if isinstance(n, ast.ClassDef)), None)
    for call in (n for n in module.calls):
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in ("apply", "init"):
            if _is_object(module, func.value, class_):
                yield ast.Call(func, call.args[1:], call.keywords)
        elif _is_object(module, func, class_):
            yield call


def _is_object(module: Module, node: ast.expr, class_: ast.ClassDef | None) -> bool:
    made = bound_value(module, node)
    return class_ is not None and isinstance(made, ast.Call) and path_of(made.func) == class_.name
