"""Matches and fixes tuples in arithmetic: gradients, outputs with their state, shapes."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtNode, at_node
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, find
from jaxtutor.core.diagnosis.reading.calls import keyword_of, method_of
from jaxtutor.core.diagnosis.reading.values import is_number


class TupleOperand(AtNode, frozen=True, kw_only=True):
    """A tuple in arithmetic; `made` binds it to a gradient and what comes with it, if it does.

    `parts` is how to write the names for both.
    """

    made: ast.Assign | None
    parts: str = ""


class AppliedOperand(TupleOperand, frozen=True, kw_only=True):
    """The output of a model together with its new state, as `apply` returned them."""


class ShapeOperand(TupleOperand, frozen=True, kw_only=True):
    """A shape in arithmetic; `axis` is the one that the other operand was reduced over."""

    shape: ast.Attribute
    axis: str


def tuple_operand(context: FailureContext) -> TupleOperand | None:
    """A tuple takes part in arithmetic with arrays."""
    found = at_node(context)
    if found is None or not isinstance(found.node, ast.BinOp):
        return None
    sides = (found.node.left, found.node.right)
    shapes = [s for s in sides if isinstance(s, ast.Attribute) and s.attr == "shape"]
    if len(shapes) == 1:
        return _shape_operand(found, found.node, shapes[0])
    names = [s for s in sides if isinstance(s, ast.Name) and found.frame.kind(s) == "tuple"]
    if len(names) != 1:
        return None
    bound = found.module.assignments(names[0].id, found.module.scope(names[0]))
    made = bound[-1] if bound and isinstance(bound[-1], ast.Assign) else None
    grad = find(context, "value_and_grad", "grad", at=made.value) if made is not None else None
    parts = _result_names(grad, names[0].id) if grad is not None else ""
    facts = {"name": names[0].id}
    if made is not None and _is_apply(context, made.value):
        assert isinstance(made.value, ast.Call)
        facts |= {
            "function": found.module.text(made.value.func),
            "argument": f"{names[0].id}, {_new_state(made.value)}",
        }
        return AppliedOperand(
            found.frame.place(made), facts, "apply", context=context, node=found.node, made=made
        )
    return TupleOperand(
        None, facts, context=context, node=found.node, made=made if parts else None, parts=parts
    )


def _result_names(grad: AppliedTransform, name: str) -> str:
    """Write the names for what a transformed function returns, if that is a pair."""
    if grad.kind == "value_and_grad":
        return f"_, {name}"
    return f"{name}, _" if grad.option("has_aux") is not None else ""


def _is_apply(context: FailureContext, made: ast.expr) -> bool:
    """Return whether a call returns the output of a model and its new state."""
    if not isinstance(made, ast.Call) or method_of(made) not in ("apply", "apply_fn"):
        return False
    paths = {path for module in context.modules.values() for path in module.imports.values()}
    transforms = (
        (module.dotted(n.func) or "") for module in context.modules.values() for n in module.calls
    )
    is_haiku = "haiku" in paths and any("transform_with_state" in path for path in transforms)
    return is_haiku or keyword_of(made, "mutable") is not None


def _new_state(made: ast.Call) -> str:
    """Name the new state: as `apply` got the old one, or `updates` for collections of Flax."""
    if keyword_of(made, "mutable") is not None:
        return "updates"
    given = made.args[1] if len(made.args) > 1 else None
    return given.id if isinstance(given, ast.Name) else "state"


def _shape_operand(found: AtNode, node: ast.BinOp, shape: ast.Attribute) -> ShapeOperand:
    other = node.right if node.left is shape else node.left
    axis = _reduced_axis(other, found.module)
    array = found.module.text(shape.value)
    meant = f"{array}.shape[{axis}]" if axis else f"{array}.size"
    facts = {"name": found.module.text(shape), "argument": meant, "container": array}
    return ShapeOperand(
        None, facts, "shape", context=found.context, node=node, made=None, shape=shape, axis=axis
    )


def _reduced_axis(node: ast.expr, module: Module) -> str:
    """Return the axis that a sum goes over, as the file writes it; empty for all of them."""
    axis = keyword_of(node, "axis") if isinstance(node, ast.Call) else None
    return module.text(axis.value) if axis is not None and is_number(axis.value) else ""


def unpack_gradient(found: TupleOperand) -> Drafts:
    """Take the gradient and what comes with it apart."""
    target = found.made.targets[0] if found.made is not None else None
    if isinstance(target, ast.Name) and found.parts:
        yield Draft(found.module).replace(target, found.parts)


def _take_output(found: AppliedOperand) -> Drafts:
    """Take the output and the new state apart."""
    assert found.made is not None
    yield Draft(found.module).replace(found.made.targets[0], found.facts["argument"])


def _take_sizes(found: ShapeOperand) -> Drafts:
    """Take one size of a shape, or all of them."""
    yield Draft(found.module).replace(found.shape, found.facts["argument"])


RULES = (
    Rule(
        "tuple-in-arithmetic",
        raised(tuple_operand),
        by_match(unpack_gradient, _take_output, _take_sizes),
    ),
)
