"""Finds probabilities that a distribution or a sampler takes for logits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding, finding
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import bound_value

_MAKING = {
    f"{home}.{name}": name
    for home in ("jax.nn", "flax.linen", "flax.nnx")
    for name in ("softmax", "sigmoid")
} | {"jax.scipy.special.expit": "expit", "jax.scipy.special.softmax": "softmax"}
_DISTRIBUTIONS = ("numpyro.distributions.", "distrax.", "tensorflow_probability.")


def read_sampled_logits(module: Module) -> Iterator[Finding]:
    """Yield each call that gets the result of a softmax or sigmoid as logits."""
    for call in module.calls:
        logits, form = logits_of(module, call)
        made = bound_value(module, logits) if logits is not None else None
        function = _MAKING.get(module.dotted(getattr(made, "func", None)) or "")
        if logits is None or function is None:
            continue
        facts = {"name": module.text(call.func), "function": function, "argument": ""}
        facts["argument"] = module.text(logits)
        yield finding(module, call, facts, form=form)


def logits_of(module: Module, call: ast.Call) -> tuple[ast.expr | None, str]:
    """Return what a distribution or a sampler gets as logits, and which of the two it is."""
    path = module.dotted(call.func) or ""
    if path == "jax.random.categorical":
        return argument(call, 1, "logits"), "sampled"
    given = keyword_of(call, "logits") if path.startswith(_DISTRIBUTIONS) else None
    return (given.value, "distribution") if given is not None else (None, "")


def give_probabilities(found: Finding) -> Drafts:
    """Name the probabilities as such, or take their logarithm."""
    module, call = found.module, found.node
    logits, form = logits_of(module, call) if isinstance(call, ast.Call) else (None, "")
    if not isinstance(call, ast.Call) or logits is None:
        return
    keyword, draft = keyword_of(call, "logits"), Draft(module)
    if form == "distribution" and keyword is not None:
        yield draft.replace(keyword, f"probs={module.text(logits)}").certain()
        return
    log = draft.name("jax.numpy.log")
    yield draft.replace(logits, f"{log}({module.text(logits)})").certain()


def is_of_samples(module: Module, node: ast.AST) -> bool:
    """Return whether a finding is of this module's kind."""
    return isinstance(node, ast.Call) and logits_of(module, node)[0] is not None
