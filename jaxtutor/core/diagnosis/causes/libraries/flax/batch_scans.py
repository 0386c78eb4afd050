"""Finds scans over the batch that raise nothing.

There are as many examples as steps, or the data of a batch has no axis for the steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, read
from jaxtutor.core.diagnosis.engine.source import Definition, Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    calls_to,
    keyword_value,
    method_of,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.masks import passed_values
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import elements, elements_or_itself, new_array_shape


def read_batch_scans(module: Module) -> Iterator[Finding]:
    """Yield the scans that go over the axis which gave the carry its number of examples."""
    for scan in module.calls:
        path = module.dotted(scan.func)
        if path == "jax.lax.scan":
            xs = argument(scan, 2, "xs")
            init = argument(scan, 1, "init")
            if _is_for_batch(module, init, xs) and _has_rows(module, scan, xs):
                yield _scan_finding(module, scan, xs, f"jnp.swapaxes({path_of(xs)}, 0, 1)", {})
            yield from _without_steps(module, scan, init, xs)
        elif path in ("flax.nnx.scan", "flax.linen.scan"):
            find_calls = _given_to if "nnx" in path else _linen_calls
            for carry, xs in find_calls(module, scan):
                if _is_for_batch(module, carry, xs):
                    yield _scan_finding(module, scan, xs, "", {"form": "lifted"})
                yield from _without_steps(module, scan, carry, xs)


def _without_steps(
    module: Module, scan: ast.Call, carry: ast.expr | None, xs: ast.expr | None
) -> Iterator[Finding]:
    """Yield the array of a batch, without an axis for the steps, that a cell is scanned over.

    `uniform(key, (n, 3))`, and a state of `(n, 5)`: each step adds one example to all rows. A state
    of one row fits a sequence that has no batch.
    """
    if carry is None or xs is None:
        return
    for state in _origins(module, carry):
        rows = _state_shape(module, scan, state)
        for array in _origins(module, xs):
            sizes = new_array_shape(module, array)
            if len(rows) == len(sizes) == 2 and _is_same_size(rows[0], sizes[0]):
                facts = {"name": path_of(xs) or "", "detail": module.text(sizes[0])}
                yield finding(module, array, facts, "unstepped")
                return


def _origins(module: Module, node: ast.expr) -> Iterator[ast.expr]:
    """Yield what a value was bound to, also where it was passed for a parameter."""
    yield bound_value(module, node)
    if isinstance(node, ast.Name):
        yield from (bound_value(module, value) for value in passed_values(module, node))


def _state_shape(module: Module, scan: ast.Call, state: ast.expr) -> list[ast.expr]:
    """Return the sizes of the state of a recurrent cell: of that which the cell itself makes.

    A state of other origin is that of a cell if the scan was given the class of one.
    """
    if method_of(state) == "initialize_carry" and isinstance(state, ast.Call):
        return next(filter(None, map(elements, passed_arguments(state))), [])
    target = module.dotted(scan.args[0]) if scan.args else None
    is_cell = (target or "").startswith("flax.") and last_part(target).endswith("Cell")
    parts = elements_or_itself(state) if is_cell else []
    return new_array_shape(module, bound_value(module, parts[0])) if parts else []


def _is_same_size(rows: ast.expr, examples: ast.expr) -> bool:
    """Return whether two sizes are written alike, and are not 1."""
    is_one = isinstance(rows, ast.Constant) and rows.value == 1
    return not is_one and ast.dump(rows) == ast.dump(examples)


def _linen_calls(module: Module, scan: ast.Call) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the last two arguments, carry and sequences, of the calls of what `nn.scan` made."""
    axes = keyword_value(scan, "in_axes")
    if axes is not None and not (_is_axis(axes) and axes.value == 0):
        return
    for call in (n for n in module.calls if len(n.args) > 1):
        made: ast.expr = call
        while isinstance(made, ast.Call) and made is not scan:
            made = bound_value(module, made.func)
        if made is scan and call is not scan:
            yield call.args[-2], call.args[-1]


def _scan_finding(
    module: Module, scan: ast.Call, xs: ast.expr | None, change: str, form: dict[str, str]
) -> Finding:
    facts = {"name": path_of(xs) or "", "argument": change, **(form or {"form": "silent"})}
    return finding(module, scan, facts)


def _slots(module: Module, scan: ast.Call) -> tuple[int, int] | None:
    """Return the positions of the carry and of the only input that is scanned, over axis 0."""
    axes = keyword_value(scan, "in_axes")
    parts = axes.elts if isinstance(axes, ast.Tuple) else []
    carries = [n for n, p in enumerate(parts) if module.dotted(p) == "flax.nnx.Carry"]
    scanned = {n: p.value for n, p in enumerate(parts) if _is_axis(p)}
    is_first = len(carries) == 1 and list(scanned.values()) == [0]
    return (carries[0], min(scanned)) if is_first else None


def _is_axis(node: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _given_to(module: Module, scan: ast.Call) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield the carry and the sequences in each call of what `nnx.scan` made."""
    slots = _slots(module, scan)
    outer = module.parents.get(scan)
    calls: list[ast.Call] = []
    if isinstance(outer, Definition) and scan in outer.decorator_list:
        calls = list(calls_to(module, outer.name))
    elif isinstance(outer, ast.Call) and outer.func is scan:
        calls = [outer]
    for call in calls:
        if slots is not None and len(call.args) > max(slots):
            yield call.args[slots[0]], call.args[slots[1]]


def _is_for_batch(module: Module, carry: ast.expr | None, xs: ast.expr | None) -> bool:
    """Return whether a carry has a row for each index along the axis that is scanned."""
    if carry is None or not isinstance(xs, ast.Name):
        return False
    value = bound_value(module, carry)
    sizes = [t.elts[0] for t in ast.walk(value) if isinstance(t, ast.Tuple) and t.elts]
    sized = [s for s in sizes if isinstance(s, ast.Name)]
    function = module.function(value)
    fills = any(isinstance(n, ast.Attribute) and n.attr == "at" for n in ast.walk(module.tree))
    return not fills and any(_is_first_size(module, s, xs, function) for s in sized)


def _has_rows(module: Module, scan: ast.Call, xs: ast.expr | None) -> bool:
    """Return whether each step gets rows, as the carry has: the body joins the two along -1.

    So it is as well if the shape of the whole is unpacked into three sizes or more.
    """
    function = resolve(module, scan.args[0], scan) if scan.args else None
    names = parameter_names(function)
    for node in ast.walk(function) if function is not None and len(names) == 2 else ():
        match node:
            case ast.Call(args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_]) if (
                module.dotted(node.func) == "jax.numpy.concatenate"
            ):
                if set(names) <= {path_of(part) for part in parts}:
                    return True
    shapes = (n for n in module.nodes if isinstance(n, ast.Assign))
    return any(
        isinstance(target, ast.Tuple) and len(target.elts) > 2
        for statement in shapes
        if path_of(statement.value) == f"{path_of(xs)}.shape"
        for target in statement.targets
    )


def _is_first_size(module: Module, size: ast.Name, xs: ast.Name, scope: ast.AST | None) -> bool:
    """Return whether a name is `xs.shape[0]`, and `xs` is still the same array."""
    scope = scope or module.tree
    for statement in module.assignments(size.id, scope):
        match statement:
            case (
                ast.Assign(
                    targets=[ast.Name()],
                    value=ast.Subscript(value=shape, slice=ast.Constant(value=0)),
                )
                | ast.Assign(targets=[ast.Tuple(elts=[ast.Name(), *_])], value=shape)
            ) if _whole_shape(shape) == f"{xs.id}.shape" and _binds_first(statement, size.id):
                again = module.assignments(xs.id, scope)
                return not any(s.lineno >= statement.lineno for s in again)
    return False


def _whole_shape(node: ast.expr) -> str | None:
    """Return `x.shape` for `x.shape[:2]`, and for itself."""
    match node:
        case ast.Subscript(value=value, slice=ast.Slice(lower=None)):
            return path_of(value)
    return path_of(node)


def _binds_first(statement: ast.Assign, name: str) -> bool:
    target = statement.targets[0]
    first = target.elts[0] if isinstance(target, ast.Tuple) else target
    return isinstance(first, ast.Name) and first.id == name


def scan_over_steps(found: Finding) -> Drafts:
    """Go over the second axis of the sequences."""
    module, scan = found.module, found.node
    if not isinstance(scan, ast.Call) or found.form == "unstepped":
        return
    draft, xs = Draft(module), argument(scan, 2, "xs")
    if module.dotted(scan.func) == "jax.lax.scan" and xs is not None:
        yield draft.wrap(xs, f"{draft.name('jax.numpy.swapaxes')}(", ", 0, 1)")
        return
    for name in ("in_axes", "out_axes"):
        axes = keyword_value(scan, name)
        if axes is None:
            add_argument(draft, scan, f"{name}=1")
        for part in axes.elts if isinstance(axes, ast.Tuple) else [axes]:
            if part is not None and _is_axis(part) and part.value == 0:
                draft.replace(part, "1")
    yield draft


RULES = (Rule("scan-over-batch-axis", read(read_batch_scans), scan_over_steps),)
