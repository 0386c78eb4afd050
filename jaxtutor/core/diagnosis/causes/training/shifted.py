"""Finds language models that are trained to predict the token that they are given."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import atom
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.rules import TRAINING, Rule, read
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import argument, passed_arguments
from jaxtutor.core.diagnosis.reading.names import bound_value

_LOSSES = tuple(
    f"{home}.softmax_cross_entropy_with_integer_labels" for home in ("optax", "optax.losses")
)
_SHIFTING = ("shift", "roll", "pad", "insert", "concatenate", "hstack", "append", "bos")
_CAUSAL = ("causal", "tril", "triu")


def read_shifted(module: Module) -> Iterator[Finding]:
    """Yield each loss of a causal model whose labels are the model's own input."""
    words = [w for n in module.nodes if (w := _word(n))]
    if not any(mark in w for w in words for mark in _CAUSAL):
        return
    if any(mark in w for w in words for mark in _SHIFTING) or any(map(_is_shift, module.nodes)):
        return
    for call in module.calls:
        if module.dotted(call.func) not in _LOSSES:
            continue
        logits, labels = argument(call, 0, "logits"), argument(call, 1, "labels")
        if logits is not None and labels is not None and _is_given(module, logits, labels):
            facts = {"name": module.text(labels), "argument": module.text(logits)}
            yield finding(module, call, facts)


def _word(node: ast.AST) -> str:
    """Return the name that a node uses, in lower case."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.FunctionDef(name=name):
            return name.lower()
        case ast.keyword(arg=str(name)) | ast.arg(arg=name):
            return name.lower()
    return ""


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


def shift_labels(found: Finding) -> Drafts:
    """Compare the logits of each position with the token after it."""
    module, call = found.module, found.node
    if not isinstance(call, ast.Call):
        return
    logits, labels = argument(call, 0, "logits"), argument(call, 1, "labels")
    if logits is not None and labels is not None:
        draft = Draft(module).replace(logits, f"{atom(module, logits)}[..., :-1, :]")
        yield draft.replace(labels, f"{atom(module, labels)}[..., 1:]").certain()


RULES = (Rule("labels-are-inputs", read(read_shifted, imports=TRAINING), shift_labels),)
