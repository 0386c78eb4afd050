"""Writes a Python iteration over arrays as what JAX has for it: `vmap`, `scan` or `fori_loop`."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.loops import LoopCarry
from jaxtutor.core.diagnosis.engine.source import Module, names_in
from jaxtutor.core.diagnosis.reading.names import iterated

_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp)
_UNMAPPED = (*_COMPREHENSIONS, ast.IfExp, ast.BoolOp, ast.Not, ast.Slice)
"""What does not work on a tracer as it does on one element, or not for certain."""


def as_vmap(module: Module, node: ast.AST, vmap: str = "jax.vmap") -> str:
    """Return the call of `vmap` that computes the elements of an iterator; empty if none does.

    `node` is a comprehension or a call of `map`. One with a condition, or with another
    comprehension or a decision inside, has no such call.
    """
    if isinstance(node, ast.Call):
        return _map_call(module, node, vmap)
    if not isinstance(node, _COMPREHENSIONS) or len(node.generators) != 1:
        return ""
    (loop,) = node.generators
    if loop.ifs or any(isinstance(n, _UNMAPPED) for n in ast.walk(node.elt)):
        return ""
    pairs = _names_with_arrays(module, loop.target, loop.iter)
    if not pairs:
        return ""
    names, arrays = zip(*pairs, strict=True)
    return f"{vmap}({_mapped_function(module, node.elt, names)})({', '.join(arrays)})"


def _map_call(module: Module, call: ast.Call, vmap: str) -> str:
    is_map = getattr(call.func, "id", "") == "map" and len(call.args) > 1 and not call.keywords
    if not is_map or any(isinstance(a, ast.Starred) for a in call.args):
        return ""
    function, *arrays = (module.text(a) for a in call.args)
    if len(arrays) == 1:
        arrays = [_looped_array(module, call.args[1])]
    return f"{vmap}({function})({', '.join(arrays)})"


def _names_with_arrays(module: Module, target: ast.expr, source: ast.expr) -> list[tuple[str, str]]:
    """Return each name that a loop sets with the array that it goes through."""
    if isinstance(target, ast.Name):
        return [(target.id, _looped_array(module, source))]
    names = [n.id for n in getattr(target, "elts", ()) if isinstance(n, ast.Name)]
    arrays = [iterated(target, source, name) for name in names]
    given = [_looped_array(module, a) for a in arrays if a is not None]
    if _plain_callee(source) == "enumerate" and len(given) == 1:
        given = [f"jnp.arange(len({given[0]}))", *given]
    is_complete = len(given) == len(names) == len(getattr(target, "elts", ()))
    return list(zip(names, given, strict=True)) if is_complete else []


def _looped_array(module: Module, source: ast.expr) -> str:
    """Return the array that holds what a loop goes through."""
    text = module.text(source)
    return f"jnp.a{text}" if _plain_callee(source) == "range" else text


def _mapped_function(module: Module, body: ast.expr, names: tuple[str, ...]) -> str:
    """Return a function of these names: the one that the body calls, or a lambda."""
    if isinstance(body, ast.Call) and not body.keywords:
        given = [a.id if isinstance(a, ast.Name) else "" for a in body.args]
        if given == list(names) and not names_in(body.func) & set(names):
            return module.text(body.func)
    return f"lambda {', '.join(names)}: {module.text(body)}"


def loop_facts(module: Module, loop: ast.AST) -> dict[str, str]:
    """Return the form and the facts that say how JAX writes an unrolled loop.

    The rounds of a comprehension do not depend on each other. Those of a loop do through the names
    that it carries. Without facts, the loop is written in another way.
    """
    if not isinstance(loop, ast.For):
        call = as_vmap(module, loop)
        return {"form": "mapped", "detail": call} if call else {}
    kept = _kept_values(loop)
    carried = [name for name in LoopCarry(module, loop).dependent() if name not in kept]
    if not carried:
        return _collecting(module, loop)
    carry = carried[0] if len(carried) == 1 else f"({', '.join(carried)})"
    facts = {"name": module.text(loop.target), "argument": carry}
    if isinstance(loop.target, ast.Tuple):
        facts["name"] = f"({facts['name'].strip('()')})"
    if _plain_callee(loop.iter) != "range":
        arrays = [array for _, array in _names_with_arrays(module, loop.target, loop.iter)]
        given = arrays[0] if len(arrays) == 1 else f"({', '.join(arrays)})"
        return {**facts, "form": "carried", "container": given} if arrays else {}
    bounds = [module.text(a) for a in getattr(loop.iter, "args", ())]
    if len(bounds) > 2:
        return {}
    if kept:
        is_read = any(facts["name"] in names_in(statement) for statement in loop.body)
        return {**facts, **_scan_facts(module, kept, bounds, is_read=is_read)}
    return {**facts, "form": "counted", "container": ", ".join(["0", *bounds][-2:])}


def _scan_facts(
    module: Module, kept: dict[str, ast.expr], bounds: list[str], *, is_read: bool
) -> dict[str, str]:
    """Return the facts of a counted loop that keeps a value of each round in a list."""
    values = [module.text(value) for value in kept.values()]
    numbers = f"jnp.arange({', '.join(bounds)})"
    facts = {
        "form": "kept",
        "condition": ", ".join(kept),
        "detail": values[0] if len(values) == 1 else f"({', '.join(values)})",
        "container": numbers if is_read or len(bounds) > 1 else f"length={bounds[0]}",
    }
    if len(kept) > 1:
        facts["condition"] = f"({facts['condition']})"
    return facts if is_read else {**facts, "name": "_"}


def _kept_values(loop: ast.For) -> dict[str, ast.expr]:
    """Return the lists to which each round adds one value, and the values."""
    found = {}
    for statement in loop.body:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name(id=rows), "append"), [value], [])):
                found[rows] = value
            case ast.AugAssign(ast.Name(id=rows), ast.Add(), ast.List([value])):
                found[rows] = value
    return found


def _collecting(module: Module, loop: ast.For) -> dict[str, str]:
    """Return the facts of a loop whose rounds only append to a list what they compute."""
    match loop.body:
        case [ast.Expr(ast.Call(ast.Attribute(ast.Name(id=rows), "append"), [result], []))]:
            pairs = (
                _names_with_arrays(module, loop.target, loop.iter)
                if rows not in names_in(result)
                else []
            )
        case _:
            pairs = []
    if not pairs:
        return {}
    names, arrays = zip(*pairs, strict=True)
    call = f"jax.vmap({_mapped_function(module, result, names)})({', '.join(arrays)})"
    return {"form": "mapped", "detail": call}


def _plain_callee(node: ast.expr) -> str:
    return getattr(getattr(node, "func", None), "id", "")
