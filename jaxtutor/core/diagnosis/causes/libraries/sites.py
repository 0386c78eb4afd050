"""Matches and fixes what inference of NumPyro refuses: discrete latent sites, no valid start."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of, keyword_of, keyword_value
from jaxtutor.core.diagnosis.reading.library_calls import place_of_call
from jaxtutor.core.diagnosis.reading.names import last_part

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
    named = [(m, c) for m, c in sites if f"'{_site_name(c)}'" in context.message]
    found = named or sites
    if frame is None or len(found) != 1:
        return None
    module, call = found[0]
    facts = {"name": _site_name(call)}
    return AtFrame(module.location(call), facts, context=context)


def start_incomplete(context: FailureContext) -> AtFrame | None:
    """The `init_params` of an inference lack a site of the model."""
    frame, call = context.frame, context.call
    if frame is None or frame.callee(call) != "numpyro.sample" or context.message:
        return None
    for outer in reversed(context.frames[:-1]):
        option = keyword_of(outer.node, "init_params") if isinstance(outer.node, ast.Call) else None
        if option is not None and call is not None:
            facts = {"name": _site_name(call), "argument": outer.module.text(option.value)}
            return AtFrame(outer.place(option), facts, context=context)
    return None


def _discrete_sites(module: Module) -> Iterator[ast.Call]:
    """Yield the samples of discrete distributions that observe nothing."""
    for node in module.calls:
        if module.dotted(node.func) != "numpyro.sample":
            continue
        if _distribution(module, node) in _DISCRETE and keyword_of(node, "obs") is None:
            yield node


def _distribution(module: Module, site: ast.Call) -> str:
    """Return the name of a site's distribution; empty where it is not written there."""
    given = argument(site, 1, "fn")
    while isinstance(given, ast.Call):
        given = given.func
        if isinstance(given, ast.Attribute) and isinstance(given.value, ast.Call):
            given = given.value  # `dist.Bernoulli(p).expand([3])`
    return last_part(module.dotted(given))


def _site_name(call: ast.Call) -> str:
    first = call.args[0] if call.args else None
    return str(first.value) if isinstance(first, ast.Constant) else ""


def named_call(context: FailureContext) -> AtFrame | None:
    """Return the call at fault by its name, for a cause that the message alone decides."""
    call = at_call(context)
    if call is None:
        return None
    facts = {"name": place_of_call(call.frame, call.node)}
    return AtFrame(None, facts, context=context)


_SUPPORTS = {
    "Beta": "numbers between 0 and 1, without 0 and 1",
    "Bernoulli": "0 and 1",
    "BernoulliLogits": "0 and 1",
    "BernoulliProbs": "0 and 1",
    "Binomial": "whole numbers from 0 to `total_count`",
    "Categorical": "class numbers from 0 to one less than the number of classes",
    "CategoricalLogits": "class numbers from 0 to one less than the number of classes",
    "CategoricalProbs": "class numbers from 0 to one less than the number of classes",
    "Dirichlet": "positive numbers that add up to 1 along the last axis",
    "Exponential": "numbers from 0 on",
    "Gamma": "numbers above 0",
    "HalfCauchy": "numbers from 0 on",
    "HalfNormal": "numbers from 0 on",
    "InverseGamma": "numbers above 0",
    "Kumaraswamy": "numbers between 0 and 1, without 0 and 1",
    "LogNormal": "numbers above 0",
    "NegativeBinomial2": "whole numbers from 0 on",
    "OrderedLogistic": "class numbers from 0 on",
    "Pareto": "numbers above the scale",
    "Poisson": "whole numbers from 0 on",
    "Uniform": "numbers from `low` to `high`",
    "VonMises": "angles between -pi and pi",
    "Weibull": "numbers above 0",
}
"""What distributions of NumPyro can give, in words that follow "takes"."""
_FRACTIONS = ("Beta", "Kumaraswamy")


class OutsideSupport(AtFrame, frozen=True, kw_only=True):
    """Observations that their distribution cannot give: `observed`, in the file `home`."""

    home: Module
    observed: ast.expr
    distribution: str


def no_start(context: FailureContext) -> AtFrame | None:
    """Return the only site whose observations cannot be; else the call at fault."""
    frame, sites = context.frame, context.failure.sites
    site = sites[0] if len(sites) == 1 else None
    found = [
        (module, call, observed)
        for module in context.modules.values()
        for call in calls_of(module, "numpyro.sample")
        if site is not None and _site_name(call) == site.name
        if (observed := keyword_value(call, "obs")) is not None
    ]
    if frame is None or site is None or len(found) != 1:
        return named_call(context)
    home, call, observed = found[0]
    support = _SUPPORTS.get(site.distribution, "the values of its `support`")
    facts = {
        "name": site.name,
        "argument": home.text(observed),
        "container": site.distribution.removesuffix("Probs").removesuffix("Logits"),
        "detail": "one value" if site.missing == 1 else f"{site.missing} values",
        "condition": f"{support}; the data reach from {site.lowest} to {site.highest}",
    }
    return OutsideSupport(
        home.location(call),
        facts,
        "missing" if site.missing else "support",
        context=context,
        home=home,
        observed=observed,
        distribution=site.distribution,
    )


def into_support(found: AtFrame) -> Drafts:
    """Keep observed fractions off the ends of the interval, which their density excludes."""
    if isinstance(found, OutsideSupport) and _is_at_end(found):
        draft = Draft(found.home)
        yield draft.wrap(found.observed, f"{draft.name('jax.numpy.clip')}(", ", 1e-6, 1 - 1e-6)")


def _is_at_end(found: OutsideSupport) -> bool:
    """Return whether the observations are fractions of which some are exactly 0 or 1."""
    site = found.context.failure.sites[0]
    is_inside = not site.missing and 0.0 <= float(site.lowest) <= float(site.highest) <= 1.0
    return found.distribution in _FRACTIONS and is_inside


RULES = (
    Rule("init-params-incomplete", raised(start_incomplete)),
    Rule("discrete-latent-site", raised(discrete_latent)),
    Rule("no-valid-start", raised(no_start), into_support),
    Rule("solver-out-of-steps", raised(named_call)),
)
