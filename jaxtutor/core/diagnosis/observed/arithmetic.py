"""Recognises mistakes in arithmetic, shapes and sizes that were observed while a program ran."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.data.observations import (
    BufferChanged,
    DebugFormat,
    DifferencesLost,
    DigitsLost,
    FractionCut,
    HalfPromoted,
    HalfSum,
    IntegersCut,
    IntegersRounded,
    IntUpdate,
    IteratorAdvanced,
    LargeResult,
    MappedSquare,
    NearlyEqual,
    Observation,
    ObservedRepeated,
    RankPromotion,
    SquarePromotion,
    StackForLast,
    StateStays,
    SumStays,
    Unrolled,
    Wrapped,
)
from jaxtutor.core.diagnosis.causes.silent.operators import REDUCTIONS, rows_reduced
from jaxtutor.core.diagnosis.editing.mapping import loop_facts
from jaxtutor.core.diagnosis.editing.updates import at_update
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation, finding
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
)
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, applied
from jaxtutor.core.diagnosis.observed.location import outermost_loop
from jaxtutor.core.diagnosis.reading.functions import parameters
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.reading.values import is_number
from jaxtutor.core.diagnosis.words import (
    EXAMPLES,
    MATRICES,
    RANDOM_BITS,
    says,
)


def at_frame(spot: ObservedLocation[Observation]) -> Finding:
    """Report what was observed at its own place."""
    return finding(spot.module, spot.frame.span, spot.facts)


# ---------------------------------------------------------------- values


def buffer_changed(spot: ObservedLocation[BufferChanged]) -> Finding | None:
    """A buffer of NumPy that was filled again while arrays that may share it were kept."""
    if not isinstance(spot.node, ast.Call) or not spot.node.args:
        return None
    facts = {**spot.facts, "name": spot.module.text(spot.node.args[0])}
    return spot.found(facts=facts)


def debug_format(spot: ObservedLocation[DebugFormat]) -> Finding | None:
    """An f-string that Python filled with tracers before `jax.debug.print` got it."""
    is_print = spot.called().endswith("debug.print")
    return spot.found() if is_print else None


class NearlyEqualFloats(Finding, frozen=True, kw_only=True):
    """A comparison of floats that differ in their last digits."""

    node: ast.Compare


def nearly_equal(spot: ObservedLocation[NearlyEqual]) -> NearlyEqualFloats | None:
    """Floats that differ in their last digits are compared with ==."""
    node = spot.node
    if not isinstance(node, ast.Compare):
        return None
    is_equality = any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
    if spot.seen.is_later:
        # Iterating until nothing changes is meant; to reach a number, such as 1.0, is not.
        is_equality &= any(map(is_number, (node.left, *node.comparators)))
    found = NearlyEqualFloats(facts=spot.facts, module=spot.module, node=node)
    return found if is_equality else None


def fraction_cut(spot: ObservedLocation[FractionCut]) -> Finding | None:
    """Fractions that `x.astype(y.dtype)` cuts off, where `y` has an integer dtype."""
    match spot.node:
        case ast.Call(
            func=ast.Attribute(attr="astype"), args=[ast.Attribute(attr="dtype") as kind]
        ):
            facts = {**spot.facts, "name": spot.module.text(kind.value), "form": "astype"}
            return spot.found(facts=facts)
    return None


def int_update(spot: ObservedLocation[IntUpdate]) -> Finding | None:
    """Fractions that an update writes into an array of integers."""
    node = spot.node
    update = at_update(node.value if isinstance(node, ast.Assign | ast.Return) else node)
    name = spot.module.text(update.array) if update is not None else ""
    return spot.found(facts={**spot.facts, "name": name})


def wrapped(spot: ObservedLocation[Wrapped]) -> Finding | None:
    """Integer arithmetic that wrapped around, where no bits are being shuffled."""
    if not isinstance(spot.node, ast.BinOp | ast.AugAssign | ast.Call):
        return None
    bits = (ast.BitXor, ast.LShift, ast.RShift)
    shuffles = any(
        isinstance(n, ast.BinOp | ast.AugAssign) and isinstance(n.op, bits)
        for n in ast.walk(spot.function)
    )
    return None if shuffles else spot.found()


def integers_rounded(spot: ObservedLocation[IntegersRounded]) -> Finding:
    """Integers that a conversion to half precision rounds; an average of counts may bear that."""
    return replace(spot.found(form="integers"), is_certain=False)


def integers_cut(spot: ObservedLocation[IntegersCut]) -> Finding | None:
    """Integers of 64 bits that became others in 32 bits, where they stand for numbers or ids."""
    text = spot.module.text(spot.node) if spot.node is not None else ""
    if says(text, RANDOM_BITS):
        return None
    return spot.found(form="cut")


def unrolled(spot: ObservedLocation[Unrolled]) -> Finding | None:
    """One expression made many equations, in a Python loop."""
    loop = outermost_loop(spot)
    if loop is None:
        return None
    header = spot.module.header(loop) if isinstance(loop, ast.stmt) else loop
    facts = {**spot.facts, **loop_facts(spot.module, loop)}
    return spot.found(header, facts=facts)


def large(spot: ObservedLocation[LargeResult]) -> Finding | None:
    """A result that is much larger than its operands and than everything computed from it.

    Of a stack that is read for its last entry only, more is known.
    """
    stacks = (seen for seen in spot.run if isinstance(seen, StackForLast))
    return None if any(stack.frame == spot.frame for stack in stacks) else spot.found()


def rank_promotion(spot: ObservedLocation[RankPromotion]) -> Finding | None:
    """A column met a row, and nothing in the expression says that a table was wanted."""
    if spot.node is None or any(_adds_axis(n) for n in ast.walk(spot.function)):
        return None
    if _is_table(spot):
        return None
    site = _sample_site(spot)
    if site is not None and _is_mixture(spot.module, site):
        return None  # its probability compares each value with each of the components
    if site is not None:
        given = next((k.value for k in site.keywords if k.arg == "obs"), None)
        form = f"site_{spot.seen.observed}" if spot.seen.observed and given is not None else "site"
        facts = {"argument": spot.module.text(given)} if given is not None else {}
        return spot.found(site, facts={**spot.facts, **facts, "name": spot.seen.site}, form=form)
    is_call = isinstance(spot.node, ast.Call) and not spot.called().startswith("jax.")
    facts = {**spot.facts, "form": "call"} if is_call else spot.facts
    return spot.found(facts=facts)


def observed_repeated(spot: ObservedLocation[ObservedRepeated]) -> Finding | None:
    """A plate spreads the values that a site observes along an axis that they do not have."""
    seen, site = spot.seen, _sample_site(spot)
    if site is None:
        return None
    facts = {"name": seen.site, "detail": seen.observed, "condition": seen.shape}
    return spot.found(site, facts={**spot.facts, **facts}, form="plate")


def _sample_site(spot: ObservedLocation[RankPromotion | ObservedRepeated]) -> ast.Call | None:
    """Return the `numpyro.sample` of the site whose probability was being computed."""
    name = spot.seen.site
    calls = [n for n in spot.module.nodes if isinstance(n, ast.Call) and n.args]
    samples = [c for c in calls if spot.module.dotted(c.func) == "numpyro.sample"]
    found = [c for c in samples if getattr(c.args[0], "value", None) == name]
    return found[0] if name and len(found) == 1 else None


def _is_mixture(module: Module, site: ast.Call) -> bool:
    """Return whether the distribution of a site is a mixture of others."""
    made = bound_value(module, site.args[1]) if len(site.args) > 1 else None
    path = module.dotted(made.func) if isinstance(made, ast.Call) else None
    return last_part(path or "").startswith("Mixture")


class ReducedRows(Finding, frozen=True, kw_only=True):
    """A table and what its rows were reduced to by `reduction`, without an axis for the rows."""

    reduction: ast.Call


def row_reduction(spot: ObservedLocation[SquarePromotion]) -> ReducedRows | None:
    """A square table and what its own rows were reduced to, which lines up with its columns."""
    node = spot.node
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub | ast.Div):
        return None
    reduction = bound_value(spot.module, node.right)
    reduced = rows_reduced(reduction)
    if not isinstance(reduction, ast.Call) or reduced is None:
        return None
    if ast.dump(reduced) != ast.dump(node.left):
        return None
    names = {"name": spot.module.text(reduced), "argument": spot.module.text(node.right)}
    facts = {**spot.facts, **names}
    return ReducedRows(None, facts, "rows", module=spot.module, node=node, reduction=reduction)


def sum_stays(spot: ObservedLocation[SumStays]) -> Finding | None:
    """A sum that grows by itself, and is too large for what is added."""
    form = "half" if spot.seen.aval in _HALF else ""
    if spot.seen.name:
        return spot.found(form=form)
    statement = spot.module.statement(spot.node) if spot.node is not None else None
    if isinstance(spot.node, ast.AugAssign):
        name = spot.module.text(spot.node.target)
        return spot.found(facts={**spot.facts, "name": name}, form=form)
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
    return spot.found(facts={**spot.facts, "name": min(made)}, form=form)


_HALF = ("bfloat16", "float16")


def state_stays(spot: ObservedLocation[StateStays]) -> Finding:
    """A state that is too large for its updates, in the dtype that it is kept in."""
    return spot.found(form="state")


def digits_lost(spot: ObservedLocation[DigitsLost]) -> Finding | None:
    """A computation with numbers whose digits were given, and that JAX did not keep."""
    return spot.found(form="computed") if spot.seen.is_given else None


def digits_cancelled(spot: ObservedLocation[DigitsLost]) -> Finding | None:
    """A difference of nearly equal numbers, from which something larger is computed."""
    return None if spot.seen.is_given else replace(spot.found(), is_certain=False)


def half_promoted(spot: ObservedLocation[HalfPromoted]) -> Finding:
    """An operand of float32 that a computation in half precision meets, and goes on in float32.

    It may be meant, so it is worth a look.
    """
    form = "argument" if spot.seen.argument else ""
    facts = {**spot.facts, "detail": str(spot.seen.times)}
    return replace(spot.found(facts=facts, form=form), is_certain=False)


def half_sum(spot: ObservedLocation[HalfSum]) -> Finding | None:
    """A total of half precision to which a compiled loop adds too many numbers."""
    if not isinstance(spot.node, ast.BinOp | ast.AugAssign):
        return None
    return spot.found(form="half")


def _is_table(spot: ObservedLocation[Observation]) -> bool:
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


class SharedMatrix(Finding, frozen=True, kw_only=True):
    """A `vmap` that maps a matrix by its rows, though all examples share it."""

    vmap: AppliedTransform


def mapped_square(spot: ObservedLocation[MappedSquare]) -> SharedMatrix | None:
    """A matrix that all examples share is mapped by its rows, for its size is the batch's."""
    if not isinstance(spot.node, ast.Call):
        return None
    found = [a for a in applied(spot.module) if a.kind == "vmap" and a.node is spot.node]
    function = found[0].function if found else None
    if function is None or not found:
        return None
    names = [a.arg for a in parameters(function)]
    square = [names[n] for n in spot.seen.positions if n < len(names)]
    named = [name for name in square if name in MATRICES]
    weights = _layer_weights(spot.module, function, square)
    shared = named or weights
    if len(shared) != 1 or not any(_multiplies(n, shared[0]) for n in ast.walk(function)):
        return None
    facts = {**spot.facts, "argument": shared[0], "name": shared[0]}
    return SharedMatrix(
        module=spot.module,
        node=spot.node,
        facts=facts,
        vmap=found[0],
        is_certain=shared == weights,
    )


def _layer_weights(module: Module, function: FunctionNode, names: list[str]) -> list[str]:
    """Return the parameters that a layer may multiply its example by, as `jnp.tanh(w @ x)` does.

    The rows of two tables may be multiplied on purpose, but no activation follows.
    """
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call) and n.args]
    inputs = [c.args[0] for c in calls if module.dotted(c.func) in _ACTIVATIONS]
    nodes = [n for value in inputs for n in (bound_value(module, value), *ast.walk(value))]
    factors = [name for name in names if any(_multiplies(n, name) for n in nodes)]
    return [name for name in factors if not says(name, EXAMPLES)]


_ACTIVATIONS = (
    "jax.numpy.tanh", "jax.nn.tanh", "jax.nn.relu", "jax.nn.gelu", "jax.nn.silu", "jax.nn.swish",
    "jax.nn.elu", "jax.nn.selu", "jax.nn.leaky_relu", "jax.nn.softplus",
)  # fmt: skip


def _multiplies(node: ast.AST, name: str) -> bool:
    """Return whether a node is a matrix product with a name."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return name in (path_of(node.left), path_of(node.right))
    called = path_of(node.func) if isinstance(node, ast.Call) else None
    is_product = (called or "").rpartition(".")[2] in ("dot", "matmul", "einsum")
    return is_product and isinstance(node, ast.Call) and name in map(path_of, node.args)


RULES = (
    Rule("impure-iterator", observed((IteratorAdvanced, at_frame))),
    Rule(
        "differences-below-precision",
        observed(
            (DifferencesLost, at_frame),
            (DigitsLost, digits_lost),
            (IntegersRounded, integers_rounded),
        ),
    ),
    Rule(
        "addition-lost",
        observed((SumStays, sum_stays), (HalfSum, half_sum), (StateStays, state_stays)),
    ),
    Rule("half-precision-promoted", observed((HalfPromoted, half_promoted))),
    Rule("digits-cancelled", observed((DigitsLost, digits_cancelled))),
    Rule("host-buffer-reused", observed((BufferChanged, buffer_changed))),
    Rule("large-intermediate", observed((LargeResult, large))),
    Rule("unrolled-loop", observed((Unrolled, unrolled))),
)
