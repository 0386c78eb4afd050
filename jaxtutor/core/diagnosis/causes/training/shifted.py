"""Finds language models that are trained to predict the token that they are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, called_identifier, passed_arguments
from jaxtutor.core.diagnosis.reading.names import bound_value, last_part
from jaxtutor.core.diagnosis.words import SHIFTS, says

_LOSSES = tuple(
    f"{home}.softmax_cross_entropy_with_integer_labels" for home in ("optax", "optax.losses")
)
_MOVING = tuple(
    f"{home}.{name}"
    for home in ("jax.numpy", "numpy", "jax.lax")
    for name in ("roll", "pad", "insert", "concatenate", "hstack", "append", "shift_right")
)
_OF_LISTS = ("append", "insert")
_MASK_MAKERS = ("tril", "triu", "tri", "make_causal_mask")
_CAUSAL_FLAGS = ("is_causal", "causal")


class LabelsOfInputs(Finding, frozen=True, kw_only=True):
    """A loss whose labels are what the model was given."""

    logits: ast.expr
    labels: ast.expr


def read_shifted(module: Module) -> Iterator[LabelsOfInputs]:
    """Yield each loss of a causal model whose labels are the model's own input."""
    if not any(_is_causal(module, n) for n in module.nodes):
        return
    if any(_may_shift(module, n) or _is_shift(n) for n in module.nodes):
        return
    for call in module.calls:
        if module.dotted(call.func) not in _LOSSES:
            continue
        logits, labels = argument(call, 0, "logits"), argument(call, 1, "labels")
        if logits is not None and labels is not None and _is_given(module, logits, labels):
            facts = {"name": module.text(labels), "argument": module.text(logits)}
            yield LabelsOfInputs(
                module=module, node=call, facts=facts, logits=logits, labels=labels
            )


def _is_causal(module: Module, node: ast.AST) -> bool:
    """Return whether a node lets positions see those before them only."""
    match node:
        case ast.keyword(arg=flag, value=ast.Constant(value=True)):
            return flag in _CAUSAL_FLAGS
        case ast.Call(func=func):
            return last_part(module.dotted(func)) in _MASK_MAKERS
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()]):
            return all(_is_counted(module, side) for side in (left, *node.comparators))
    return False


def _is_counted(module: Module, node: ast.expr) -> bool:
    """Return whether an expression is `jnp.arange(n)`, perhaps with further axes."""
    made = bound_value(module, node)
    while isinstance(made, ast.Subscript):
        made = bound_value(module, made.value)
    return isinstance(made, ast.Call) and (module.dotted(made.func) or "").endswith(".arange")


def _may_shift(module: Module, node: ast.AST) -> bool:
    """Return whether a node may move the tokens, or says so of what the learner calls."""
    match node:
        case ast.Call(func=func):
            name = called_identifier(node)
            return module.dotted(func) in _MOVING or (name not in _OF_LISTS and says(name, SHIFTS))
        case ast.FunctionDef(name=name) | ast.arg(arg=name) | ast.keyword(arg=str(name)):
            return says(name, SHIFTS)
        case ast.Name(id=name):
            return says(name, SHIFTS)
    return False


def _is_shift(node: ast.AST) -> bool:
    """Return whether a node is a slice that leaves out the first or the last: `[:-1]`, `[1:]`."""
    match node:
        case ast.Slice(lower=None, upper=ast.UnaryOp(op=ast.USub())):
            return True
        case ast.Slice(lower=ast.Constant(value=1), upper=None):
            return True
    return False


def _is_given(module: Module, logits: ast.expr, labels: ast.expr) -> bool:
    """Return whether a model that computes logits gets the labels themselves."""
    made = bound_value(module, logits)
    if isinstance(made, ast.Subscript):  # the first of several results
        made = made.value
    if not isinstance(made, ast.Call) or not isinstance(labels, ast.Name | ast.Subscript):
        return False
    if (module.dotted(made.func) or "").startswith(("jax.numpy.", "jax.nn.", "jax.lax.")):
        return False
    if path_of(labels) is None and not isinstance(getattr(labels, "slice", None), ast.Constant):
        return False
    given = passed_arguments(made)
    return any(ast.dump(a) == ast.dump(labels) for a in given)


def shift_labels(found: LabelsOfInputs) -> Drafts:
    """Compare the logits of each position with the token after it."""
    module, logits, labels = found.module, found.logits, found.labels
    draft = Draft(module).replace(logits, f"{atom(module, logits)}[..., :-1, :]")
    yield draft.replace(labels, f"{atom(module, labels)}[..., 1:]").certain()


RULES = (Rule("labels-are-inputs", read(read_shifted, imports=TRAINING), shift_labels),)
