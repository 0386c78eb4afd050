"""Matches and fixes calls of jvp, and results of gradients that are unpacked wrongly."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, find
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.words import GRADIENTS, says


class Unpacked(AtFrame, frozen=True, kw_only=True):
    """The result of a gradient with auxiliary data, unpacked into three names."""

    targets: ast.Tuple


def jvp_tuples(context: FailureContext) -> AtCall | None:
    """The inputs of jvp are not in tuples: `(x)` is `x`."""
    call = at_call(context)
    return call if call is not None and call.path == "jax.jvp" else None


def make_tuples(found: AtCall) -> Drafts:
    """Put the primals and the tangents of a jvp into tuples."""
    draft = Draft(found.module)
    for position, name in ((1, "primals"), (2, "tangents")):
        given = argument(found.node, position, name)
        if given is None or isinstance(given, ast.Tuple | ast.List):
            continue
        draft.after(given, ",") if _is_grouped(found.module, given) else draft.wrap(
            given, "(", ",)"
        )
    yield draft.certain()


def _is_grouped(module: Module, node: ast.expr) -> bool:
    span = module.span(node)
    line, last = module.lines[span.line - 1], module.lines[span.end_line - 1]
    before, after = line[: span.column].rstrip(), last[span.end_column :].lstrip()
    return before.endswith("(") and before[:-1].rstrip().endswith((",", "=")) and after[:1] == ")"


def aux_not_nested(context: FailureContext) -> Unpacked | None:
    """The value, the auxiliary data and the gradient are unpacked as three."""
    frame = context.frame
    statement = frame.statement if frame is not None else None
    if frame is None or not isinstance(statement, ast.Assign):
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Tuple) or len(target.elts) != 3:
        return None
    grad = find(context, "value_and_grad", at=statement.value)
    if grad is None or not _has_aux(grad):
        return None
    place = frame.place(statement)
    facts = {"name": frame.module.text(target)}
    return Unpacked(place, facts, context=context, targets=target)


def _has_aux(grad: AppliedTransform) -> bool:
    option = grad.option("has_aux")
    return isinstance(option, ast.Constant) and option.value is True


def nest_aux(found: Unpacked) -> Drafts:
    """Unpack the value and the auxiliary data as a pair, and the gradient beside it.

    The gradient is what a step subtracts or an optimizer gets; else its name only proposes.
    """
    texts = [found.module.text(item) for item in found.targets.elts]
    used = [text for text in texts if _steps_by(found.module, text)]
    named = used or [text for text in texts if says(text, GRADIENTS)]
    last = named[0] if len(named) == 1 else texts[2]
    first = [text for text in texts if text != last]
    draft = Draft(found.module).replace(found.targets, f"({', '.join(first)}), {last}")
    yield draft.certain() if used == [last] else draft


def _steps_by(module: Module, name: str) -> bool:
    """Return whether an optimizer is given a name, or a factor times it is subtracted."""
    for node in module.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="update" | "apply_gradients")):
                given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "grads")]
                if any(path_of(value) == name for value in given):
                    return True
            case ast.BinOp(op=ast.Sub(), right=ast.BinOp(left=one, op=ast.Mult(), right=other)):
                if name in (path_of(one), path_of(other)):
                    return True
    return False


RULES = (
    Rule("jvp-needs-tuples", raised(jvp_tuples), make_tuples),
    Rule("aux-not-nested", raised(aux_not_nested), nest_aux),
)
