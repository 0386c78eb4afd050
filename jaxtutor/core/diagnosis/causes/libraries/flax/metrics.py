"""Matches and fixes metrics of NNX that read another argument than `update` passes."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, method_of
from jaxtutor.core.diagnosis.reading.names import last_part

_EXPECTED = re.compile(r"^Expected keyword argument '(\w+)'")
_READS_ONE = ("Average", "Welford")
"""Metrics that read one argument of `update`, whose name they are made with."""


class OtherArgument(AtCall, frozen=True, kw_only=True):
    """A metric whose argument `update` does not pass.

    `made` is where a part of a `MultiMetric` is made, and `passed` the argument that is meant.
    """

    module_of: Module
    made: ast.Call | None
    passed: str


def other_argument(context: FailureContext) -> OtherArgument | None:
    """A metric looks for an argument of `update` that has another name in the call."""
    call, said = at_call(context), _EXPECTED.search(context.message)
    if call is None or said is None or method_of(call.node) != "update":
        return None
    passed = [k.arg for k in call.node.keywords if k.arg is not None]
    if len(passed) != len(call.node.keywords):
        return None  # `**values` passes what the call does not show
    parts = [
        (module, key, made)
        for module in context.modules.values()
        for key, made in _metric_parts(module)
        if _metric_argument(made) == said[1]
    ]
    if len(parts) == 1:
        module, key, made = parts[0]
        written = f'{module.text(made.func)}("{key}")' if key in passed else ""
        return _other_argument(call, said[1], module, made, key if key in passed else "", written)
    has_parts = any(_metric_parts(module) for module in context.modules.values())
    is_alone = not has_parts and len(passed) == 1
    return _other_argument(call, said[1], call.module, None, passed[0], "") if is_alone else None


def _metric_parts(module: Module) -> list[tuple[str, ast.Call]]:
    """List the parts of each `MultiMetric` that read one argument, with their names."""
    return [
        (keyword.arg, keyword.value)
        for node in module.calls
        if _nnx_name(module, node.func) == "MultiMetric"
        for keyword in node.keywords
        if keyword.arg is not None and isinstance(keyword.value, ast.Call)
        if _nnx_name(module, keyword.value.func) in _READS_ONE
    ]


def _nnx_name(module: Module, node: ast.expr) -> str:
    path = module.dotted(node) or ""
    return last_part(path) if path.startswith("flax.nnx") else ""


def _metric_argument(made: ast.Call) -> str:
    """Return the name of the argument that a metric reads; empty where it is computed."""
    name = argument(made, 0, "argname")
    if name is None:
        return "values"
    return str(name.value) if isinstance(name, ast.Constant) else ""


def _other_argument(
    call: AtCall, name: str, module: Module, made: ast.Call | None, passed: str, written: str
) -> OtherArgument:
    facts = {
        "name": name,
        "function": call.module.text(call.node.func),
        "argument": written,
        "detail": module.text(made) if made is not None else "",
        "condition": f"{name}={passed}" if made is None else "",
    }
    return OtherArgument(
        module.location(made) if made is not None else None,
        facts,
        "alone" if made is None else "" if written else "none",
        context=call.context,
        frame=call.frame,
        node=call.node,
        path=call.path,
        module_of=module,
        made=made,
        passed=passed,
    )


def read_what_is_passed(found: OtherArgument) -> Drafts:
    """Give the metric the name of the argument that is passed, or pass it under its name."""
    draft = Draft(found.module_of).certain()
    if found.made is None:
        keyword = found.node.keywords[0]
        yield draft.replace(keyword, f"{found.facts['name']}={found.module.text(keyword.value)}")
    elif found.facts["argument"]:
        yield draft.replace(found.made, found.facts["argument"])


RULES = (Rule("metric-reads-other-argument", raised(other_argument), read_what_is_passed),)
