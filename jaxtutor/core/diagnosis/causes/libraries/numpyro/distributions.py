"""Matches and fixes parameters of NumPyro's distributions that are outside of their range."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtNode
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import argument, keyword_of
from jaxtutor.core.diagnosis.reading.names import last_part
from jaxtutor.core.diagnosis.reading.values import is_number

_SAID = re.compile(r"(\w+) distribution got invalid (\w+) parameter")
_POSITIVE = frozenset(
    "rate scale concentration concentration0 concentration1 df mean alpha".split()
)
_LOCATED = "Normal LogNormal Cauchy Laplace Gumbel Logistic SoftLaplace".split()
_PARAMETERS = {
    **dict.fromkeys(_LOCATED, ("loc", "scale")),
    **dict.fromkeys(("HalfNormal", "HalfCauchy"), ("scale",)),
    **dict.fromkeys(("Poisson", "Exponential"), ("rate",)),
    **dict.fromkeys(("Bernoulli", "Categorical", "Geometric"), ("probs",)),
    "StudentT": ("df", "loc", "scale"),
    "Gamma": ("concentration", "rate"),
    "InverseGamma": ("concentration", "rate"),
    "GammaPoisson": ("concentration", "rate"),
    "Beta": ("concentration1", "concentration0"),
    "NegativeBinomial2": ("mean", "concentration"),
    "Weibull": ("scale", "concentration"),
    "Binomial": ("total_count", "probs"),
    "ZeroInflatedPoisson": ("gate", "rate"),
}
"""The order of the parameters; of other distributions, only keywords are read."""


class OutOfRange(AtNode, frozen=True, kw_only=True):
    """A call that makes a distribution, with the argument that is outside of its range."""

    value: ast.expr
    parameter: str


def out_of_range(context: FailureContext) -> OutOfRange | None:
    """A rate or scale is negative, a probability is not between 0 and 1, or a value is NaN."""
    said, frame, call = _SAID.search(context.message), context.frame, context.call
    path = (frame.callee(call) or "") if frame is not None else ""
    if said is None or frame is None or call is None or not path.startswith("numpyro.dist"):
        return None
    parameter, name = said[2], last_part(path)
    value = argument(call, _parameter_position(name, parameter), parameter)
    if value is None:
        return None
    form = "positive" if parameter in _POSITIVE else "unit" if parameter == "probs" else ""
    text = frame.module.text(value)
    wrapped = f"jnp.exp({text})" if parameter in ("rate", "mean") else f"jax.nn.softplus({text})"
    facts = {
        "name": text,
        "function": frame.module.text(call.func),
        "condition": parameter,
        "argument": wrapped if form == "positive" else f"logits={text}",
    }
    return OutOfRange(
        frame.place(value),
        facts,
        form,
        context=context,
        node=call,
        value=value,
        parameter=parameter,
    )


def _parameter_position(name: str, parameter: str) -> int | None:
    order = _PARAMETERS.get(name, ())
    return order.index(parameter) if parameter in order else None


def into_range(found: OutOfRange) -> Drafts:
    """Map a number of any sign to a positive one, or take it for the logit of a probability."""
    value, draft = found.value, Draft(found.module)
    if is_number(value) or not isinstance(found.node, ast.Call):
        return
    if found.form == "positive":
        function = "jax.numpy.exp" if found.parameter in ("rate", "mean") else "jax.nn.softplus"
        yield draft.wrap(value, f"{draft.name(function)}(", ")")
    if found.form == "unit":
        keyword = keyword_of(found.node, "probs")
        yield draft.replace(keyword or value, f"logits={found.module.text(value)}")


RULES = (Rule("distribution-parameter-invalid", raised(out_of_range), into_range),)
