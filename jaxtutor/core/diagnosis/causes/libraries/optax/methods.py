"""Matches and fixes an object of a library that is called, where one of its methods is meant."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised

_METHODS = {
    "SamplingAlgorithm": ("init", "step"),
    "VIAlgorithm": ("init", "step"),
    "AdaptationAlgorithm": ("run", "run"),
    "GradientTransformation": ("init", "update"),
    "GradientTransformationExtraArgs": ("init", "update"),
    "Transformed": ("init", "apply"),
    "TransformedWithState": ("init", "apply"),
    "MCMC": ("run", "run"),
    "SVI": ("init", "update"),
    **dict.fromkeys(
        """LBFGS BFGS GradientDescent ProximalGradient ProjectedGradient NonlinearCG GaussNewton
        LevenbergMarquardt ScipyMinimize ScipyBoundedMinimize FixedPointIteration Bisection
        OptaxSolver PolyakSGD ArmijoSGD""".split(),
        ("run", "run"),
    ),
}
"""Methods of objects of libraries: the one that takes a single argument, and the usual one."""

_NOT_CALLABLE = re.compile(r"'(\w+)' object is not callable")


def method_not_named(context: FailureContext) -> AtCall | None:
    """An object of a library is called like a function, and does its work in its methods."""
    said, called = _NOT_CALLABLE.search(context.message), context.call
    methods = _METHODS.get(said[1]) if said is not None else None
    if said is None or methods is None or called is None or context.library:
        return None  # a library calls what it was given
    given = len(called.args) + len(called.keywords)
    text = context.frame.module.text(called.func) if context.frame is not None else ""
    method = methods[0] if given == 1 else methods[1]
    both = listed(dict.fromkeys(methods))
    return at_call(
        context, {"name": text, "class": said[1], "argument": f"{text}.{method}", "detail": both}
    )


def name_method(found: AtCall) -> Drafts:
    """Call the method that takes so many arguments."""
    yield Draft(found.module).certain().replace(found.node.func, found.facts["argument"])


RULES = (Rule("method-not-named", raised(method_not_named), name_method),)
