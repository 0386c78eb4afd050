"""Matches and fixes metrics of NNX that read another argument than `update` passes."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Location, Module
from jaxtutor.core.diagnosis.reading.calls import argument, method_of
from jaxtutor.core.diagnosis.reading.names import last_part

_EXPECTED = re.compile(r"^Expected keyword argument '(\w+)'")
_READS_ONE = ("Average", "Welford")
"""Metrics that read one argument of `update`, whose name they are made with."""


class OtherArgument(AtCall, frozen=True, kw_only=True):
    """Metrics whose argument `update` does not pass.

    `renamed` has the call that makes each part of a `MultiMetric`, and how it should be written.
    """

    module_of: Module
    renamed: tuple[tuple[ast.Call, str], ...] = ()


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
    if parts:
        return _parts(call, said[1], parts, passed)
    has_parts = any(_metric_parts(module) for module in context.modules.values())
    return _alone(call, said[1], passed[0]) if not has_parts and len(passed) == 1 else None


def _parts(
    call: AtCall, name: str, parts: list[tuple[Module, str, ast.Call]], passed: list[str]
) -> OtherArgument | None:
    """Return the parts that read an argument: each that is called as an argument should read it.

    Of several parts, none may have another name: that one is meant to read the argument.
    """
    home, _, made = parts[0]
    renamed = [(p, f'{m.text(p.func)}("{key}")') for m, key, p in parts if key in passed]
    if len(parts) > 1 and (len(renamed) < len(parts) or any(m is not home for m, _, _ in parts)):
        return None
    facts = {"argument": ", ".join(text for _, text in renamed), "detail": home.text(made)}
    place, form = home.location(made), "" if renamed else "none"
    return _other_argument(call, place, form, home, renamed, {"name": name, **facts})


def _alone(call: AtCall, name: str, passed: str) -> OtherArgument:
    facts = {"name": name, "condition": f"{name}={passed}"}
    return _other_argument(call, None, "alone", call.module, [], facts)


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
    call: AtCall,
    place: Location | None,
    form: str,
    home: Module,
    renamed: list[tuple[ast.Call, str]],
    facts: dict[str, str],
) -> OtherArgument:
    return OtherArgument(
        place,
        {"function": call.module.text(call.node.func), **facts},
        form,
        context=call.context,
        node=call.node,
        module_of=home,
        renamed=tuple(renamed),
    )


def read_what_is_passed(found: OtherArgument) -> Drafts:
    """Give each metric the name of the argument that is passed, or pass it under its name."""
    draft = Draft(found.module_of).certain()
    if found.form == "alone":
        keyword = found.node.keywords[0]
        yield draft.replace(keyword, f"{found.facts['name']}={found.module.text(keyword.value)}")
        return
    for made, written in found.renamed:
        draft.replace(made, written)
    if found.renamed:
        yield draft


RULES = (Rule("metric-reads-other-argument", raised(other_argument), read_what_is_passed),)
