"""Matches what inference of NumPyro refuses: discrete latent sites, models without a start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.library_calls import place_of_call
from jaxtutor.core.diagnosis.reading import argument
from jaxtutor.core.diagnosis.rules import AtFrame, at_call
from jaxtutor.core.diagnosis.source import Module

_DISCRETE = frozenset(
    """Bernoulli BernoulliLogits BernoulliProbs BetaBinomial Binomial BinomialLogits BinomialProbs
    Categorical CategoricalLogits CategoricalProbs DiscreteUniform Geometric GeometricLogits
    GeometricProbs Multinomial NegativeBinomial2 OrderedLogistic Poisson ZeroInflatedPoisson
    """.split()
)


def discrete_latent(context: FailureContext) -> AtFrame | None:
    """A gradient-based inference meets a discrete site that is not observed."""
    frame = context.frame
    sites = [(m, c) for m in context.modules.values() for c in _discrete_sites(m)]
    named = [(m, c) for m, c in sites if f"'{_name(c)}'" in context.message]
    found = named or sites
    if frame is None or len(found) != 1:
        return None
    module, call = found[0]
    facts = {"name": _name(call)}
    return AtFrame(module.location(call), facts, context=context, frame=frame)


def _discrete_sites(module: Module) -> Iterator[ast.Call]:
    """Yield the samples of discrete distributions that observe nothing."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call) or module.dotted(node.func) != "numpyro.sample":
            continue
        given = argument(node, 1, "fn")
        while isinstance(given, ast.Call):
            given = given.func
            if isinstance(given, ast.Attribute) and isinstance(given.value, ast.Call):
                given = given.value  # `dist.Bernoulli(p).expand([3])`
        kind = (module.dotted(given) or "").rpartition(".")[2]
        if kind in _DISCRETE and not any(k.arg == "obs" for k in node.keywords):
            yield node


def _name(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    return str(first.value) if isinstance(first, ast.Constant) else ""


def named_call(context: FailureContext) -> AtFrame | None:
    """Return the call at fault by its name, for a cause that the message alone decides."""
    call = at_call(context)
    if call is None:
        return None
    facts = {"name": place_of_call(call.frame, call.node)}
    return AtFrame(None, facts, context=context, frame=call.frame)
