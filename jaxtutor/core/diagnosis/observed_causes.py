"""Names the causes of what was observed while a program ran."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from jaxtutor.core.data.diagnoses import Observation
from jaxtutor.core.diagnosis.families.control_flow.missing_returns import (
    lacks_return,
    missing_return_place,
)
from jaxtutor.core.diagnosis.families.effects.match import leak_of
from jaxtutor.core.diagnosis.families.silent.match import REDUCTIONS, rows_reduced
from jaxtutor.core.diagnosis.observed_axes import axes_mixed, channels_first
from jaxtutor.core.diagnosis.observed_counters import counter, or_counter
from jaxtutor.core.diagnosis.observed_gradients import nan_gradient, zero_gradient
from jaxtutor.core.diagnosis.observed_keys import (
    equal_keys,
    key_again,
    key_for_all,
    key_for_leaves,
    key_in_loop,
    key_reuse,
    key_twice,
)
from jaxtutor.core.diagnosis.observed_location import Found, ObservedLocation, outermost_loop
from jaxtutor.core.diagnosis.observed_lookups import out_of_bounds, same_index_twice, slice_moved
from jaxtutor.core.diagnosis.observed_not_finite import half_overflow, not_finite, unstable
from jaxtutor.core.diagnosis.observed_reads import host_read
from jaxtutor.core.diagnosis.observed_retraces import (
    growing_shape,
    grown_attribute,
    grown_list,
    new_callable,
    new_callable_elsewhere,
    static_change,
    static_function,
    static_number,
    varying_shape,
    wrapped_again,
)
from jaxtutor.core.diagnosis.observed_settings import stale_elsewhere
from jaxtutor.core.diagnosis.observed_state import (
    mutated_bound,
    mutated_static,
    stale_attribute,
    stale_global,
    stale_item,
)
from jaxtutor.core.diagnosis.reading import bound_value, is_number, parameters
from jaxtutor.core.diagnosis.rewriting.mapping import loop_facts
from jaxtutor.core.diagnosis.source import FunctionNode, Module, bound_names, names_in, path_of
from jaxtutor.core.diagnosis.transforms import applied, name_of

Modules = dict[str, Module]


def name_all(observations: Sequence[Observation], modules: Modules) -> Iterator[Found]:
    """Name each observation that is surely a mistake."""
    gradient = nan_gradient(observations, modules)
    halves = [seen.frame for seen in observations if seen.kind == "half_overflow"]
    for seen in observations:
        if seen.kind == "printed_not_finite":
            yield from _printed(seen, modules)
            continue
        if seen.kind == "not_finite" and (gradient is not None or seen.frame in halves):
            continue  # the same operation: a mask hides its value, but not its gradient
        found = _leak(seen, modules) if seen.leak is not None else _name(seen, modules)
        if found is not None:
            yield found
    if gradient is not None:
        yield gradient


def _printed(seen: Observation, modules: Modules) -> Iterator[Found]:
    """Name one expression that a printed NaN or infinity is likely to come from."""
    module = modules.get(seen.frame.file) if seen.frame is not None else None
    if module is not None and seen.frame is not None:
        spot = ObservedLocation(seen, module, seen.frame)
        yield from islice(unstable(spot, tuple(modules.values())), 1)


def _name(seen: Observation, modules: Modules) -> Found | None:
    """Name what was observed at a node, or of a function, of the learner's."""
    frame = seen.frame
    module = modules.get(frame.file) if frame is not None else None
    if frame is None or module is None:
        return None
    if (at_node := _AT_NODE.get(seen.kind)) is not None:
        spot = ObservedLocation(seen, module, frame)
        found = at_node(spot)
        is_grown = found is None and seen.kind == "growing_shape"
        return grown_attribute(spot, modules.values()) if is_grown else found
    function = module.function_at(frame.function, frame.span.line)
    if seen.kind == "new_callable":
        others = (m for m in modules.values() if m is not module)
        return new_callable(seen, module, function) or new_callable_elsewhere(seen, others)
    of_function = _OF_FUNCTION.get(seen.kind)
    if of_function is None or function is None:
        return None
    return of_function(seen, module, function) or stale_elsewhere(seen, module, function, modules)


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


def _none_returned(_seen: Observation, module: Module, function: FunctionNode) -> Found | None:
    """Find the function that computes its answer and does not return it."""
    if not lacks_return(function):
        return None
    return "missing-return", missing_return_place(module, function), {"function": name_of(function)}


# ---------------------------------------------------------------- values


def _buffer_changed(spot: ObservedLocation) -> Found | None:
    """A buffer of NumPy that was filled again while arrays that may share it were kept."""
    if not isinstance(spot.node, ast.Call) or not spot.node.args:
        return None
    facts = {**spot.facts, "name": spot.module.text(spot.node.args[0])}
    return "host-buffer-reused", spot.place(), facts


def _debug_format(spot: ObservedLocation) -> Found | None:
    """An f-string that Python filled with tracers before `jax.debug.print` got it."""
    is_print = spot.called().endswith("debug.print")
    return ("debug-print-format", spot.place(), spot.facts) if is_print else None


def _nearly_equal(spot: ObservedLocation) -> Found | None:
    """Floats that differ in their last digits are compared with ==."""
    ops = spot.node.ops if isinstance(spot.node, ast.Compare) else []
    is_equality = any(isinstance(op, ast.Eq | ast.NotEq) for op in ops)
    if spot.seen.get("again") and isinstance(spot.node, ast.Compare):
        # Iterating until nothing changes is meant; to reach a number, such as 1.0, is not.
        is_equality &= any(map(is_number, (spot.node.left, *spot.node.comparators)))
    return ("float-equality", spot.place(), spot.facts) if is_equality else None


def _fraction_cut(spot: ObservedLocation) -> Found | None:
    """Fractions that `x.astype(y.dtype)` cuts off, where `y` has an integer dtype."""
    match spot.node:
        case ast.Call(
            func=ast.Attribute(attr="astype"), args=[ast.Attribute(attr="dtype") as kind]
        ):
            facts = {**spot.facts, "name": spot.module.text(kind.value), "form": "astype"}
            return "int-dtype-truncation", spot.place(), facts
    return None


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


_BITS = ("hash", "bits", "seed", "key", "rng", "random")


def _integers_cut(spot: ObservedLocation) -> Found | None:
    """Integers of 64 bits that became others in 32 bits, where they stand for numbers or ids."""
    text = spot.module.text(spot.node).lower() if spot.node is not None else ""
    if any(word in text for word in _BITS):
        return None
    return "integer-overflow", spot.place(), {**spot.facts, "form": "cut"}


def _unrolled(spot: ObservedLocation) -> Found | None:
    """One expression made many equations, in a Python loop."""
    loop = outermost_loop(spot)
    if loop is None:
        return None
    header = spot.module.header(loop) if isinstance(loop, ast.stmt) else loop
    facts = {**spot.facts, **loop_facts(spot.module, loop)}
    return "unrolled-loop", spot.module.location(header), facts


def _large(spot: ObservedLocation) -> Found | None:
    return "large-intermediate", spot.place(), spot.facts


def _rank_promotion(spot: ObservedLocation) -> Found | None:
    """A column met a row, and nothing in the expression says that a table was wanted."""
    if spot.node is None or any(_adds_axis(n) for n in ast.walk(spot.function)):
        return None
    if _is_table(spot):
        return None
    site = _sample_site(spot)
    if site is not None:
        facts = {**spot.facts, "name": spot.seen["site"], "form": "site"}
        return "silent-broadcast", spot.place(site), facts
    is_call = isinstance(spot.node, ast.Call) and not spot.called().startswith("jax.")
    facts = {**spot.facts, "form": "call"} if is_call else spot.facts
    return "silent-broadcast", spot.place(), facts


def _observed_repeated(spot: ObservedLocation) -> Found | None:
    """A plate spreads the values that a site observes along an axis that they do not have."""
    site = _sample_site(spot)
    if site is None:
        return None
    sizes = {"name": spot.seen["site"], "detail": spot.seen["observed"]}
    facts = {**spot.facts, **sizes, "condition": spot.seen["shape"], "form": "plate"}
    return "silent-broadcast", spot.place(site), facts


def _sample_site(spot: ObservedLocation) -> ast.Call | None:
    """Return the `numpyro.sample` of the site whose probability was being computed."""
    name = spot.seen.get("site", "")
    calls = [n for n in spot.module.nodes if isinstance(n, ast.Call) and n.args]
    samples = [c for c in calls if spot.module.dotted(c.func) == "numpyro.sample"]
    found = [c for c in samples if getattr(c.args[0], "value", None) == name]
    return found[0] if name and len(found) == 1 else None


def _row_reduction(spot: ObservedLocation) -> Found | None:
    """A square table and what its own rows were reduced to, which lines up with its columns."""
    node = spot.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub | ast.Div):
        return None
    reduced = rows_reduced(bound_value(spot.module, node.right))
    if reduced is None or ast.dump(reduced) != ast.dump(node.left):
        return None
    names = {"name": spot.module.text(reduced), "argument": spot.module.text(node.right)}
    return "silent-broadcast", spot.place(), {**spot.facts, **names, "form": "rows"}


def _sum_stays(spot: ObservedLocation) -> Found | None:
    """A sum that grows by itself, and is too large for what is added."""
    statement = spot.module.statement(spot.node) if spot.node is not None else None
    if isinstance(spot.node, ast.AugAssign):
        return (
            "addition-lost",
            spot.place(),
            {**spot.facts, "name": spot.module.text(spot.node.target)},
        )
    if not isinstance(spot.node, ast.BinOp) or not isinstance(statement, ast.Assign | ast.Return):
        return None
    sides = {path_of(spot.node.left) or "", path_of(spot.node.right) or ""} - {""}
    made = bound_names(statement) & sides
    if isinstance(statement, ast.Return):
        values = (
            statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
        )
        own = isinstance(spot.function, FunctionNode) and {a.arg for a in parameters(spot.function)}
        made = sides & (own or set()) if values[0] is spot.node else set()
    if not made:
        return None
    return "addition-lost", spot.place(), {**spot.facts, "name": min(made)}


def _half_sum(spot: ObservedLocation) -> Found | None:
    """A total of half precision to which a compiled loop adds too many numbers."""
    if not isinstance(spot.node, ast.BinOp | ast.AugAssign):
        return None
    return "addition-lost", spot.place(), {**spot.facts, "form": "half"}


def _is_table(spot: ObservedLocation) -> bool:
    """Return whether a column was meant to meet a row.

    It was if it is made in this expression, or if a product is neither reduced nor returned.
    """
    node = spot.node
    if not isinstance(node, ast.BinOp):
        return False
    if any(_makes_column(n) for n in ast.walk(node)):
        return True
    statement = spot.module.statement(node)
    is_kept = isinstance(statement, ast.Assign) and statement.value is node
    if not isinstance(node.op, ast.Mult) or not is_kept or statement is None:
        return False
    names = bound_names(statement)
    calls = [n for n in ast.walk(spot.function) if isinstance(n, ast.Call)]
    return not any(names & names_in(call) and _reduces(call) for call in calls)


def _makes_column(node: ast.AST) -> bool:
    """Return whether a node is `x.reshape(-1, 1)`, or the like by `jnp.reshape`."""
    func = node.func if isinstance(node, ast.Call) else None
    is_reshape = isinstance(func, ast.Attribute) and func.attr == "reshape"
    if not isinstance(node, ast.Call) or not is_reshape or not node.args:
        return False
    last = node.args[-1]
    last = last.elts[-1] if isinstance(last, ast.Tuple) and last.elts else last
    return isinstance(last, ast.Constant) and last.value == 1


def _reduces(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else path_of(call.func) or ""
    return name in REDUCTIONS


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


_AT_NODE: dict[str, Callable[[ObservedLocation], Found | None]] = {
    "out_of_bounds": out_of_bounds,
    "slice_moved": slice_moved,
    "same_index_twice": same_index_twice,
    "nearly_equal": _nearly_equal,
    "wrapped": _wrapped,
    "integers_cut": _integers_cut,
    "zero_gradient": zero_gradient,
    "unrolled": _unrolled,
    "large": _large,
    "key_reuse": key_reuse,
    "key_again": key_again,
    "key_twice": key_twice,
    "observed_repeated": _observed_repeated,
    "rank_promotion": _rank_promotion,
    "square_promotion": _row_reduction,
    "sum_stays": _sum_stays,
    "half_sum": _half_sum,
    "key_for_all": key_for_all,
    "key_for_leaves": key_for_leaves,
    "equal_keys": equal_keys,
    "mapped_square": _mapped_square,
    "debug_format": _debug_format,
    "static_number": static_number,
    "static_function": static_function,
    "growing_shape": growing_shape,
    "varying_shape": varying_shape,
    "wrapped_again": wrapped_again,
    "differences_lost": _at("differences-below-precision"),
    "buffer_changed": _buffer_changed,
    "host_read": host_read,
    "not_finite": not_finite,
    "key_in_loop": key_in_loop,
    "fraction_cut": _fraction_cut,
    "compiled_again": grown_list,
    "softmax_axis": _at("softmax-over-wrong-axis"),
    "half_overflow": half_overflow,
    "axes_mixed": axes_mixed,
    "channels_first": channels_first,
    "print": _at("impure-print"),
    "next": _at("impure-iterator"),
    "host_random": _at("impure-host-random"),
    "host_time": _at("impure-host-random"),
    "float64": _at("float64-truncated"),
    "int_update": _at("int-dtype-truncation"),
    "item": _at("item-on-tracer"),
}
_OF_FUNCTION: dict[str, Callable[[Observation, Module, FunctionNode], Found | None]] = {
    "stale_global": lambda *seen: stale_global(*seen) or counter(*seen),
    "stale_item": or_counter(stale_item),
    "mutated_static": or_counter(mutated_static),
    "mutated_bound": or_counter(mutated_bound),
    "stale_attribute": or_counter(stale_attribute),
    "static_change": static_change,
    "none_returned": _none_returned,
}
