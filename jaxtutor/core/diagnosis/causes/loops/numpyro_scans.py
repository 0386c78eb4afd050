"""Matches bodies of NumPyro's `scan` that return no pair, which it takes apart itself."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.loops.loops import InLoop
from jaxtutor.core.diagnosis.causes.loops.scan_pairs import return_pair, scan_body_not_pair
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    name_of,
    resolve,
    result_place,
)
from jaxtutor.core.diagnosis.reading.calls import argument
from jaxtutor.core.diagnosis.reading.functions import result_of


def no_pair(context: FailureContext) -> InLoop | None:
    """The body of a scan does not return a pair; NumPyro unpacks it before JAX can say so."""
    if "scan body output" in context.message:
        return scan_body_not_pair(context)
    call = at_call(context)
    if call is None or not call.path.startswith("numpyro.") or not call.path.endswith(".scan"):
        return None
    body = argument(call.node, 0, "f")
    function = resolve(call.module, body, call.node) if body is not None else None
    value = result_of(function) if function is not None else None
    if function is None or value is None or (isinstance(value, ast.Tuple) and len(value.elts) == 2):
        return None
    loop = AppliedTransform("scan", call.module, call.node, call.node, function)
    return InLoop(
        result_place(call.module, function),
        {"function": name_of(function)},
        "numpyro",
        context=context,
        loop=loop,
        function=function,
    )


RULES = (Rule("scan-body-not-pair", raised(no_pair), return_pair),)
