"""Matches what inference of NumPyro refuses: discrete latent sites, models without a start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.context import FailureContext
from jaxtutor.core.diagnosis.library_calls import place_of_call
from jaxtutor.core.diagnosis.reading import argument, keyword_of
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


def start_incomplete(context: FailureContext) -> AtFrame | None:
    """The `init_params` of an inference lack a site of the model."""
    frame, call = context.frame, context.call
    if frame is None or frame.callee(call) != "numpyro.sample" or context.message:
        return None
    for outer in reversed(context.frames[:-1]):
        option = keyword_of(outer.node, "init_params") if isinstance(outer.node, ast.Call) else None
        if option is not None and call is not None:
            facts = {"name": _name(call), "argument": outer.module.text(option.value)}
            return AtFrame(outer.place(option), facts, context=context, frame=frame)
    return None


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
