"""Names the causes of what was observed while a program ran."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence

from jaxtutor.core.data.model import Observation
from jaxtutor.core.diagnosis.families.control_flow.match import lacks_return, missing_return_place
from jaxtutor.core.diagnosis.families.effects.match import leak_of
from jaxtutor.core.diagnosis.families.static_args.match import uses_as_python_value
from jaxtutor.core.diagnosis.loops import loop_around
from jaxtutor.core.diagnosis.observed_keys import key_again, key_reuse, key_twice
from jaxtutor.core.diagnosis.observed_location import Found, ObservedLocation, outermost_loop
from jaxtutor.core.diagnosis.observed_reads import host_read
from jaxtutor.core.diagnosis.observed_retraces import (
    growing_shape,
    static_function,
    static_number,
)
from jaxtutor.core.diagnosis.observed_state import (
    mutated_bound,
    mutated_static,
    stale_attribute,
    stale_global,
)
from jaxtutor.core.diagnosis.reading import parameters
from jaxtutor.core.diagnosis.rewriting.updates import at_update
from jaxtutor.core.diagnosis.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.transforms import (
    AppliedTransform,
    applied,
    name_of,
    place_of,
    static_names,
)

Modules = dict[str, Module]

_LOOPS = (ast.For, ast.While, ast.AsyncFor)
_COMPREHENSIONS = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def name_all(observations: Sequence[Observation], modules: Modules) -> Iterator[Found]:
    """Name each observation that is surely a mistake."""
    for seen in observations:
        found = _leak(seen, modules) if seen.leak is not None else _name(seen, modules)
        if found is not None:
            yield found
    gradient = _nan_gradient(observations, modules)
    if gradient is not None:
        yield gradient


def _name(seen: Observation, modules: Modules) -> Found | None:
    """Name what was observed at a node, or of a function, of the learner's."""
    frame = seen.frame
    module = modules.get(frame.file) if frame is not None else None
    if frame is None or module is None:
        return None
    if (at_node := _AT_NODE.get(seen.kind)) is not None:
        return at_node(ObservedLocation(seen, module, frame))
    function = module.function_at(frame.function, frame.span.line)
    if seen.kind == "new_callable":
        return _new_callable(seen, module, function)
    of_function = _OF_FUNCTION.get(seen.kind)
    return of_function(seen, module, function) if of_function and function else None


def _leak(seen: Observation, modules: Modules) -> Found | None:
    found = leak_of(modules, seen.leak) if seen.leak is not None else None
    if found is None or found[1].place is None or seen.leak is None:
        return None
    return found[0], found[1].place, {**found[1].facts, "function": seen.leak.function}


def _at(slug: str) -> Callable[[ObservedLocation], Found | None]:
    """Return a function that names one cause at the frame of an observation."""

    def found(spot: ObservedLocation) -> Found | None:
        return slug, spot.module.location(spot.frame.span), spot.facts

    return found


def _new_callable(seen: Observation, module: Module, function: FunctionNode | None) -> Found | None:
    """Find the jit inside a function or loop that makes a new callable at each call.

    Callables that do different things need a program each, and one that another program calls is
    compiled with it. Only equal programs were compiled in vain.
    """
    if min(int(seen.facts.get("times", "0")), int(seen.facts.get("same", "0")) - 1) < 2:
        return None
    jits = [a for a in applied(module) if a.kind == "jit" and _is_made_often(a)]
    jits = [a for a in jits if not _is_handed_out(a) and not _is_made_for_loop(a)]
    found = [a for a in jits if a.function is not None and a.function is function] or jits
    if len(found) != 1:
        return None
    return "new-callable-each-call", place_of(found[0]), {"function": name_of(function)}


def _is_handed_out(item: AppliedTransform) -> bool:
    """Return whether a function returns what it compiled: a maker of functions makes one a call."""
    module = item.module
    maker = next((n for n in module.ancestors(item.node) if isinstance(n, ast.FunctionDef)), None)
    if item.is_decorator and maker is item.function and maker is not None:
        maker = next((n for n in module.ancestors(maker) if isinstance(n, ast.FunctionDef)), None)
    statement = module.statement(item.node)
    made = (
        item.function.name
        if item.is_decorator and isinstance(item.function, ast.FunctionDef)
        else ""
    )
    names = {made, *(bound_names(statement) if statement is not None else ())} - {""}
    values = [n.value for n in ast.walk(maker) if isinstance(n, ast.Return)] if maker else []
    parts = [p for v in values if v for p in (v.elts if isinstance(v, ast.Tuple) else [v])]
    return any(p is item.node or path_of(p) in names for p in parts)


def _is_made_for_loop(item: AppliedTransform) -> bool:
    """Return whether what was compiled is then called in a loop of its own, as a fit does."""
    module, compiled = item.module, item.function
    makers = [n for n in module.ancestors(item.node) if isinstance(n, ast.FunctionDef)]
    maker = next((n for n in makers if n is not compiled or not item.is_decorator), None)
    statement = compiled if item.is_decorator else module.statement(item.node)
    names = bound_names(statement) if statement is not None else set()
    calls = [n for n in ast.walk(maker or module.tree) if isinstance(n, ast.Call)]
    loops = [loop_around(module, c) for c in calls if path_of(c.func) in names]
    return any(loop is not None and statement not in list(ast.walk(loop)) for loop in loops)


def _is_made_often(item: AppliedTransform) -> bool:
    """Return whether a transformation is applied again at each call or iteration."""
    outer = item.module.ancestors(item.node)
    decorated = item.function if item.is_decorator else None
    return any(
        isinstance(n, ast.FunctionDef | ast.Lambda | ast.For | ast.While) and n is not decorated
        for n in outer
    )


def _none_returned(_seen: Observation, module: Module, function: FunctionNode) -> Found | None:
    """Find the function that computes its answer and does not return it."""
    if not lacks_return(function):
        return None
    return "missing-return", missing_return_place(module, function), {"function": name_of(function)}


def _static_change(seen: Observation, module: Module, function: FunctionNode) -> Found | None:
    """Find the static argument that changes at each call and need not be static."""
    jits = [a for a in applied(module) if a.kind == "jit" and a.function is function]
    if len(jits) != 1 or min(int(seen.facts.get(n, "0")) for n in ("times", "same")) < 2:
        return None
    free = [n for n in sorted(static_names(jits[0])) if _is_free(jits[0], function, n)]
    if len(free) != 1:
        return None
    facts = {"function": name_of(function), "argument": free[0], "name": free[0]}
    return "static-arg-changes-each-call", place_of(jits[0]), facts


def _is_free(jit: AppliedTransform, function: FunctionNode, name: str) -> bool:
    """Return whether a function does arithmetic only with a parameter."""
    names = [a.arg for a in parameters(function)]
    if name not in names or uses_as_python_value(jit, name):
        return False
    used = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return bool(used) and all(_is_harmless(jit.module, n) for n in used)


def _is_harmless(module: Module, node: ast.AST) -> bool:
    """Return whether a use needs no Python value: arithmetic, or a note in a list."""
    parent = module.parents.get(node)
    if isinstance(parent, ast.Call):
        return isinstance(parent.func, ast.Attribute) and parent.func.attr == "append"
    return isinstance(parent, ast.BinOp | ast.UnaryOp)


# ---------------------------------------------------------------- values


def _out_of_bounds(spot: ObservedLocation) -> Found | None:
    """An index past the end, where nothing says that this is meant."""
    if spot.called().rpartition(".")[2].startswith("dynamic_slice"):
        return _slice_moved(spot)
    is_meant = _is_guarded(spot) if _is_lookup(spot) else not _is_library_lookup(spot)
    if is_meant:
        return None
    if "checkify.checkify" in spot.module.source:  # it looks for this itself
        return None
    form = {"form": "one_hot"} if spot.seen.get("library") == "one_hot" else {}
    return "out-of-bounds-clamped", spot.place(), {**spot.facts, **form}


def _is_lookup(spot: ObservedLocation) -> bool:
    if isinstance(spot.node, ast.Subscript):
        return True
    if not isinstance(spot.node, ast.Call) or any(k.arg == "mode" for k in spot.node.keywords):
        return False
    return spot.called().rpartition(".")[2] in ("take", "take_along_axis", "get")


_LOOKUPS = ("Embed.__call__", "Embedding.__call__", "integer_labels", "one_hot")
_MASKING = ("mask", "pad", "ignore", "valid", "where")
_LABELS = ("label", "target", "class", "digit")


def _is_library_lookup(spot: ObservedLocation) -> bool:
    """Return whether a library looked up ids of the program's in a table, and nothing masks them.

    A negative id may stand for "no label", and a mask may choose among the results.
    """
    named = spot.seen.get("library", "")
    too_large = int(spot.seen.get("index", "-1")) >= int(spot.seen.get("size", "0"))
    if not named.endswith(_LOOKUPS) or not too_large or not isinstance(spot.node, ast.Call):
        return False
    if named == "one_hot" and spot.seen.get("lowest") != "1" and not _encodes_labels(spot.node):
        return False
    nodes = list(ast.walk(spot.function))
    names = {n.id for n in nodes if isinstance(n, ast.Name)}
    names |= {n.attr for n in nodes if isinstance(n, ast.Attribute)}
    names |= {n.arg for n in nodes if isinstance(n, ast.keyword | ast.arg) and n.arg}
    return not any(word in name.lower() for name in names for word in _MASKING)


def _encodes_labels(call: ast.Call) -> bool:
    """Return whether the encoded numbers are classes by their name.

    Positions in a buffer, for instance, are encoded as zeros where they do not fit, on purpose.
    """
    name = ((path_of(call.args[0]) or "") if call.args else "").rpartition(".")[2].lower()
    return name in ("y", "ys") or name.startswith("y_") or any(word in name for word in _LABELS)


def _debug_format(spot: ObservedLocation) -> Found | None:
    """An f-string that Python filled with tracers before `jax.debug.print` got it."""
    is_print = spot.called().endswith("debug.print")
    return ("debug-print-format", spot.place(), spot.facts) if is_print else None


def _is_guarded(spot: ObservedLocation) -> bool:
    """Return whether the function chooses by a condition on the index, and may read anywhere."""
    node = spot.node
    index = node.slice if isinstance(node, ast.Subscript) else node
    names = names_in(index) if index is not None else set()
    for call in ast.walk(spot.function):
        if not isinstance(call, ast.Call) or not call.args:
            continue
        name = path_of(call.func) or ""
        chooses = name.rpartition(".")[2] in ("where", "select", "select_n", "cond", "clip")
        if chooses and names & names_in(call.args[0]):
            return True
    return False


def _slice_moved(spot: ObservedLocation) -> Found | None:
    """A dynamic slice that does not fit, or an index past the end that was compiled as one."""
    if _is_guarded(spot):
        return None
    if isinstance(spot.node, ast.Subscript):
        return _out_of_bounds(spot)
    is_slice = (
        spot.called().rpartition(".")[2].startswith(("dynamic_slice", "dynamic_update_slice"))
    )
    return ("dynamic-slice-clamped", spot.place(), spot.facts) if is_slice else None


def _same_index_twice(spot: ObservedLocation) -> Found | None:
    """`x.at[i].set(x[i] + v)` with an index that occurs twice."""
    update = at_update(spot.node)
    if update is None or not isinstance(spot.node, ast.Call):
        return None
    wanted = (ast.dump(update.array), ast.dump(update.subscript.slice))
    reads = [n for a in spot.node.args[:1] for n in ast.walk(a) if isinstance(n, ast.Subscript)]
    if update.method != "set" or wanted not in [
        (ast.dump(n.value), ast.dump(n.slice)) for n in reads
    ]:
        return None
    facts = {**spot.facts, "name": spot.module.text(update.array)}
    return "scatter-duplicate-indices", spot.place(), facts


def _nearly_equal(spot: ObservedLocation) -> Found | None:
    """Floats that differ in their last digits are compared with ==."""
    ops = spot.node.ops if isinstance(spot.node, ast.Compare) else []
    is_equality = any(isinstance(op, ast.Eq | ast.NotEq) for op in ops)
    return ("float-equality", spot.place(), spot.facts) if is_equality else None


def _wrapped(spot: ObservedLocation) -> Found | None:
    """Integer arithmetic that wrapped around, where no bits are being shuffled."""
    if not isinstance(spot.node, ast.BinOp | ast.AugAssign | ast.Call):
        return None
    bits = (ast.BitXor, ast.LShift, ast.RShift)
    shuffles = any(
        isinstance(n, ast.BinOp | ast.AugAssign) and isinstance(n.op, bits)
        for n in ast.walk(spot.function)
    )
    return None if shuffles else ("integer-overflow", spot.place(), spot.facts)


def _zero_gradient(spot: ObservedLocation) -> Found | None:
    return "zero-gradient", spot.place(), spot.facts


def _unrolled(spot: ObservedLocation) -> Found | None:
    """One expression made many equations, in a Python loop."""
    loop = outermost_loop(spot)
    if loop is None:
        return None
    header = spot.module.header(loop) if isinstance(loop, ast.stmt) else loop
    return "unrolled-loop", spot.module.location(header), spot.facts


def _large(spot: ObservedLocation) -> Found | None:
    return "large-intermediate", spot.place(), spot.facts


def _is_bound(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _rank_promotion(spot: ObservedLocation) -> Found | None:
    """A column met a row, and nothing in the expression says that a table was wanted."""
    if spot.node is None or any(_adds_axis(n) for n in ast.walk(spot.function)):
        return None
    is_call = isinstance(spot.node, ast.Call) and not spot.called().startswith("jax.")
    facts = {**spot.facts, "form": "call"} if is_call else spot.facts
    return "silent-broadcast", spot.place(), facts


def _adds_axis(node: ast.AST) -> bool:
    """Return whether a node adds an axis on purpose."""
    if isinstance(node, ast.Subscript):
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return any(isinstance(i, ast.Constant) and i.value is None for i in items) or any(
            isinstance(i, ast.Attribute) and i.attr == "newaxis" for i in items
        )
    name = path_of(node.func) if isinstance(node, ast.Call) else None
    return (name or "").rpartition(".")[2] in ("expand_dims", "outer", "broadcast_to")


_MATRICES = frozenset("w W A M weight weights matrix mat kernel basis rotation projection".split())


def _mapped_square(spot: ObservedLocation) -> Found | None:
    """A matrix that all examples share is mapped by its rows, for its size is the batch's."""
    if not isinstance(spot.node, ast.Call):
        return None
    found = [a for a in applied(spot.module) if a.kind == "vmap" and a.node is spot.node]
    function = found[0].function if found else None
    if function is None or not found:
        return None
    names = [a.arg for a in parameters(function)]
    positions = [int(n) for n in spot.seen.get("positions", "").split()]
    shared = [names[n] for n in positions if n < len(names) and names[n] in _MATRICES]
    if len(shared) != 1 or not any(_multiplies(n, shared[0]) for n in ast.walk(function)):
        return None
    facts = {**spot.facts, "argument": shared[0], "name": shared[0]}
    return "vmap-maps-shared-argument", spot.place(), facts


def _multiplies(node: ast.AST, name: str) -> bool:
    """Return whether a node is a matrix product with a name."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return name in (path_of(node.left), path_of(node.right))
    called = path_of(node.func) if isinstance(node, ast.Call) else None
    is_product = (called or "").rpartition(".")[2] in ("dot", "matmul", "einsum")
    return is_product and isinstance(node, ast.Call) and name in map(path_of, node.args)


# ---------------------------------------------------------------- gradients that are not numbers


def _nan_gradient(observations: Sequence[Observation], modules: Modules) -> Found | None:
    """Name why a gradient is NaN, by where the first value without a number came from."""
    kinds = {seen.kind: seen for seen in reversed(observations)}
    first = kinds.get("inf_gradient") or kinds.get("nan_gradient")
    frame = first.frame if first is not None and "nan_gradient" in kinds else None
    module = modules.get(frame.file) if frame is not None else None
    if first is None or frame is None or module is None:
        return None
    spot = ObservedLocation(first, module, frame)
    if spot.node is None:
        return None
    where = _where_around(spot) or _where_of_name(spot)
    if where is not None:
        facts = {**spot.facts, "function": _one_line(module.text(spot.node))}
        return "nan-grad-through-where", spot.place(where), facts
    root = _root_around(spot)
    return ("nan-grad-of-norm-at-zero", spot.place(root), spot.facts) if root is not None else None


def _one_line(text: str) -> str:
    """Return a text that fits into a sentence; empty for another."""
    return text if len(text) <= 40 and "\n" not in text else ""


def _is_where(module: Module, node: ast.AST) -> bool:
    func = node.func if isinstance(node, ast.Call) else None
    name = (module.dotted(func) or "") if func is not None else ""
    return name in ("jax.numpy.where", "jax.lax.select", "jax.numpy.select")


def _where_around(spot: ObservedLocation) -> ast.AST | None:
    """Find the `where` in whose branches a spot lies."""
    inner: ast.AST | None = spot.node
    for outer in spot.module.ancestors(spot.node) if spot.node is not None else ():
        if isinstance(outer, ast.Call) and _is_where(spot.module, outer):
            return outer if inner in outer.args[1:] else None
        if isinstance(outer, ast.stmt):
            return None
        inner = outer
    return None


def _where_of_name(spot: ObservedLocation) -> ast.AST | None:
    """Find the `where` that chooses the name to which the spot's statement gives a value."""
    statement = spot.module.statement(spot.node) if spot.node is not None else None
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    names = {t.id for t in targets if isinstance(t, ast.Name)}
    for call in ast.walk(spot.function):
        if isinstance(call, ast.Call) and _is_where(spot.module, call):
            branches = {n for branch in call.args[1:] for n in names_in(branch)}
            if names & branches and call.lineno > spot.frame.span.line:
                return call
    return None


def _root_around(spot: ObservedLocation) -> ast.AST | None:
    """Find the root or norm at a spot."""
    node = spot.node
    for outer in [node, *spot.module.ancestors(node)] if node is not None else []:
        if isinstance(outer, ast.stmt):
            return None
        name = (path_of(outer.func) or "") if isinstance(outer, ast.Call) else ""
        if name.rpartition(".")[2] in ("sqrt", "norm", "hypot", "power", "std"):
            return outer
        is_power = isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Pow)
        if is_power and isinstance(outer, ast.BinOp) and _is_fraction(outer.right):
            return outer
    return None


def _is_fraction(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value < 1


_AT_NODE: dict[str, Callable[[ObservedLocation], Found | None]] = {
    "out_of_bounds": _out_of_bounds,
    "slice_moved": _slice_moved,
    "same_index_twice": _same_index_twice,
    "nearly_equal": _nearly_equal,
    "wrapped": _wrapped,
    "zero_gradient": _zero_gradient,
    "unrolled": _unrolled,
    "large": _large,
    "key_reuse": key_reuse,
    "key_again": key_again,
    "key_twice": key_twice,
    "rank_promotion": _rank_promotion,
    "mapped_square": _mapped_square,
    "debug_format": _debug_format,
    "static_number": static_number,
    "static_function": static_function,
    "growing_shape": growing_shape,
    "host_read": host_read,
    "print": _at("impure-print"),
    "next": _at("impure-iterator"),
    "host_random": _at("impure-host-random"),
    "host_time": _at("impure-host-random"),
    "float64": _at("float64-truncated"),
    "int_update": _at("int-dtype-truncation"),
    "item": _at("item-on-tracer"),
}
_OF_FUNCTION: dict[str, Callable[[Observation, Module, FunctionNode], Found | None]] = {
    "stale_global": stale_global,
    "mutated_static": mutated_static,
    "mutated_bound": mutated_bound,
    "stale_attribute": stale_attribute,
    "static_change": _static_change,
    "none_returned": _none_returned,
}
