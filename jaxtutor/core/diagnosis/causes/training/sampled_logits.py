"""Finds probabilities that a distribution or a sampler takes for logits."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import bound_value

_MAKING = {
    f"{home}.{name}": name
    for home in ("jax.nn", "flax.linen", "flax.nnx")
    for name in ("softmax", "sigmoid")
} | {"jax.scipy.special.expit": "expit", "jax.scipy.special.softmax": "softmax"}
_DISTRIBUTIONS = ("numpyro.distributions.", "distrax.", "tensorflow_probability.")


class ProbabilitiesGiven(Finding, frozen=True, kw_only=True):
    """Probabilities that a distribution gets as its keyword `logits`, or a sampler as logits."""

    logits: ast.expr
    keyword: ast.keyword | None


def read_sampled_logits(module: Module) -> Iterator[ProbabilitiesGiven]:
    """Yield each call that gets the result of a softmax or sigmoid as logits."""
    for call in module.calls:
        keyword = _logits_of_distribution(module, call)
        logits = keyword.value if keyword is not None else _sampled_logits(module, call)
        made = bound_value(module, logits) if logits is not None else None
        function = _MAKING.get(module.dotted(getattr(made, "func", None)) or "")
        if logits is None or function is None:
            continue
        yield ProbabilitiesGiven(
            module=module,
            node=call,
            facts={
                "name": module.text(call.func),
                "function": function,
                "argument": module.text(logits),
            },
            form="sampled" if keyword is None else "distribution",
            logits=logits,
            keyword=keyword,
        )


def _logits_of_distribution(module: Module, call: ast.Call) -> ast.keyword | None:
    path = module.dotted(call.func) or ""
    return keyword_of(call, "logits") if path.startswith(_DISTRIBUTIONS) else None


def _sampled_logits(module: Module, call: ast.Call) -> ast.expr | None:
    is_sampler = module.dotted(call.func) == "jax.random.categorical"
    return argument(call, 1, "logits") if is_sampler else None


def give_probabilities(found: ProbabilitiesGiven) -> Drafts:
    """Name the probabilities as such, or take their logarithm."""
    draft, text = Draft(found.module).certain(), found.module.text(found.logits)
    if found.keyword is not None:
        yield draft.replace(found.keyword, f"probs={text}")
    else:
        yield draft.replace(found.logits, f"{draft.name('jax.numpy.log')}({text})")
