"""Fixes mistakes that mostly raise nothing: precedence, precision, dtypes, order, prints."""

from __future__ import annotations

import ast

from jaxtutor.core.data.observations import (
    Float64Truncated,
    FractionCut,
    IntegersCut,
    IntUpdate,
    NearlyEqual,
    ObservedRepeated,
    RankPromotion,
    SoftmaxAxis,
    SquarePromotion,
    Wrapped,
)
from jaxtutor.core.diagnosis.causes.silent.operators import (
    precedence,
    swallowed_operands,
)
from jaxtutor.core.diagnosis.editing.conditions import regrouped
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument, atom
from jaxtutor.core.diagnosis.editing.updates import at_update
from jaxtutor.core.diagnosis.engine.matches import AtNode, Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, at_each, by_match, observed, raised, read
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.observed.arithmetic import (
    NearlyEqualFloats,
    ReducedRows,
    at_frame,
    fraction_cut,
    int_update,
    integers_cut,
    nearly_equal,
    observed_repeated,
    rank_promotion,
    row_reduction,
    wrapped,
)
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_value
from jaxtutor.core.diagnosis.reading.names import last_part


def group_comparisons(found: AtNode | Finding) -> Drafts:
    """Write `a < b & c` as `(a < b) & c`."""
    if isinstance(found.node, ast.Compare):
        text = regrouped(found.module, found.node)
        yield Draft(found.module).replace(found.node, text) if text is not None else None


def enable_x64(found: Finding) -> Drafts:
    """Switch float64 on at the top of the file."""
    module = found.module
    imports = [n for n in module.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    if imports and "jax_enable_x64" not in module.source:
        draft, line = Draft(module), (imports[-1].end_lineno or 0) + 1
        name = draft.name("jax.config.update")
        yield draft.add_lines(line, f'\n{name}("jax_enable_x64", True)')


def float_update(found: Finding) -> Drafts:
    """Write fractions into an array of floats."""
    node = found.node
    update = at_update(node.value if isinstance(node, ast.Assign | ast.Return) else node)
    if update is not None and not isinstance(update.array, ast.BinOp):
        yield Draft(found.module).after(update.array, ".astype(float)")


def wider_integers(found: Finding) -> Drafts:
    """Compute a sum, difference or product of small integers in 32 bits."""
    node = found.node
    if isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.Add | ast.Sub | ast.Mult | ast.MatMult
    ):
        draft = Draft(found.module)
        kind = draft.name("jax.numpy.int32")
        for side in (node.left, node.right):
            if not isinstance(side, ast.Constant):
                draft.replace(side, f"{atom(found.module, side)}.astype({kind})")
        yield draft
    elif isinstance(node, ast.Call) and _is_product(found.module, node):
        draft = Draft(found.module)
        kind = draft.name("jax.numpy.int32")
        yield add_argument(draft, node, f"preferred_element_type={kind}")


def _is_product(module: Module, call: ast.Call) -> bool:
    path = module.dotted(call.func) or ""
    is_known = last_part(path) in ("dot", "matmul", "einsum", "tensordot", "vdot")
    return path.startswith("jax.numpy.") and is_known


def same_shape(found: Finding) -> Drafts:
    """Give one side of an operation the shape of the other, where the sizes are the same."""
    node = found.node
    if isinstance(node, ast.Call):
        yield from _squeezed_site(found.module, node)
    if not isinstance(node, ast.BinOp):
        return
    if isinstance(node.right, ast.Name | ast.Attribute):
        yield _reshaped(found.module, node.left, node.right)
    elif isinstance(node.left, ast.Name | ast.Attribute):
        yield _reshaped(found.module, node.right, node.left)


def keep_axis(found: ReducedRows) -> Drafts:
    """Keep the axis of what the rows were reduced to."""
    yield add_argument(Draft(found.module), found.reduction, "keepdims=True")


def _squeezed_site(module: Module, call: ast.Call) -> Drafts:
    """Drop the last axis of a site's parameters and observations, else of one of the two.

    An axis that is longer than 1 raises, so both lose it only where both are columns.
    """
    if module.dotted(call.func) != "numpyro.sample" or len(call.args) < 2:
        return
    distribution, observed = call.args[1], keyword_value(call, "obs")
    given = distribution.args[:1] if isinstance(distribution, ast.Call) else []
    values = [*given, *([observed] if observed is not None else [])]
    for squeezed in (values, *([value] for value in values)):
        draft = Draft(module)
        for value in squeezed:
            draft.wrap(value, f"{draft.name('jax.numpy.squeeze')}(", ", -1)")
        yield draft


def _reshaped(module: Module, node: ast.expr, like: ast.expr) -> Draft:
    draft = Draft(module)
    reshape = draft.name("jax.numpy.reshape")
    return draft.replace(node, f"{reshape}({module.text(node)}, {module.text(like)}.shape)")


def normalise_last(found: Finding) -> Drafts:
    """Take a softmax over the last axis, along which the weights of one row stand."""
    axis = argument(found.node, 1, "axis") if isinstance(found.node, ast.Call) else None
    if isinstance(axis, ast.Constant):
        yield Draft(found.module).replace(axis, "-1")


def compare_closely(found: NearlyEqualFloats) -> Drafts:
    """Compare floats with a tolerance."""
    node, module = found.node, found.module
    if len(node.ops) != 1:
        return
    draft, sign = Draft(module), {ast.Eq: "", ast.NotEq: "~"}.get(type(node.ops[0]))
    left, right = module.text(node.left), module.text(node.comparators[0])
    close = f"{sign}{draft.name('jax.numpy.isclose')}({left}, {right})"
    yield draft.replace(node, close) if sign is not None else None


RULES = (
    Rule("operator-precedence", raised(precedence), group_comparisons),
    Rule("operator-precedence", read(at_each(ast.Compare, swallowed_operands)), group_comparisons),
    Rule("float64-truncated", observed((Float64Truncated, at_frame)), enable_x64),
    Rule(
        "integer-overflow",
        observed((Wrapped, wrapped), (IntegersCut, integers_cut)),
        wider_integers,
    ),
    Rule(
        "silent-broadcast",
        observed(
            (ObservedRepeated, observed_repeated),
            (RankPromotion, rank_promotion),
            (SquarePromotion, row_reduction),
        ),
        by_match(keep_axis, same_shape),
    ),
    Rule("softmax-over-wrong-axis", observed((SoftmaxAxis, at_frame)), normalise_last),
    Rule("float-equality", observed((NearlyEqual, nearly_equal)), compare_closely),
    Rule(
        "int-dtype-truncation",
        observed((FractionCut, fraction_cut), (IntUpdate, int_update)),
        float_update,
    ),
)
