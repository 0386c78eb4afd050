"""Matches and fixes arguments that a mapped function cannot map: numbers, and settings of linen."""

from __future__ import annotations

import ast

from msgspec.structs import replace

from jaxtutor.core.diagnosis.causes.shapes import mapped_axes as match
from jaxtutor.core.diagnosis.causes.shapes import mapped_axes_fixes as fix
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.phrases import listed
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.reading.calls import callee_root, calls_in, keyword_value
from jaxtutor.core.diagnosis.reading.names import bound_value
from jaxtutor.core.diagnosis.reading.values import is_number

_KINDS = ("number", "none", "str")


class MappedSetting(AtCall, frozen=True, kw_only=True):
    """An `in_axes` that maps numbers or flags; `written` gives them None."""

    axes: ast.expr
    written: str


def unmapped(context: FailureContext) -> AtFrame | None:
    """A number or a setting is passed to a function that is mapped over all its arguments."""
    return _mapped_setting(context) or _by_keyword(context) or _by_position(context)


def _by_position(context: FailureContext) -> AtFrame | None:
    """A number, or a tree with numbers, is passed by position."""
    found, call = match.mapped(context), context.call
    if found is None or call is None or found.form or found.facts.get("argument"):
        return found
    text = found.frame.module.text
    numbers = [a for a in call.args if fix.shape_of(found.frame, a) == ()]
    dicts = [a for a in call.args if found.frame.kind(a) == "dict"]
    if numbers:
        return replace(found, facts={**found.facts, "argument": text(numbers[0])})
    form = "tree" if len(dicts) == 1 else ""
    # Which of several arguments it is remains open: the origin of a tracer does not say it.
    name = text(dicts[0]) if form else ""
    return replace(found, facts={**found.facts, "argument": name}, form=form)


def _by_keyword(context: FailureContext) -> AtFrame | None:
    """A number is passed by keyword, and keyword arguments are mapped whatever `in_axes` says."""
    found, call = match.mapped(context), context.call
    keywords = call.keywords if call is not None and found is not None else []
    plain = [k.arg for k in keywords if k.arg and found and _is_known_number(found.frame, k.value)]
    if found is None or call is None or not plain or found.form:
        return found if plain else None
    if any(_is_known_number(found.frame, a) for a in call.args):
        return None
    facts = {**found.facts, "argument": plain[0], "name": listed(plain)}
    return replace(found, facts=facts, form="keyword")


def _is_known_number(frame: FrameContext, node: ast.expr) -> bool:
    return is_number(node) or frame.kind(node) == "number"


def share(found: AtFrame) -> Drafts:
    """Map the arrays alone."""
    if isinstance(found, MappedSetting):
        yield Draft(found.module).certain().replace(found.axes, found.written)
    elif isinstance(found, match.AtVmap):
        yield from fix.share_numbers(found)


def _mapped_setting(context: FailureContext) -> MappedSetting | None:
    """A module that `nn.vmap` maps gets a flag or a number beside its arrays."""
    call = at_call(context)
    root = callee_root(call.node) if call is not None else None
    if call is None or not isinstance(root, ast.expr) or len(call.node.args) < 2:
        return None
    made = _lifting(call, root)
    if made is None or call.module.dotted(made.func) != "flax.linen.vmap":
        return None
    axes = keyword_value(made, "in_axes")
    shared = [_is_setting_value(call, a) for a in call.node.args]
    if not isinstance(axes, ast.Constant) or not any(shared) or all(shared):
        return None
    value = call.module.text(axes)
    written = f"({', '.join('None' if is_one else value for is_one in shared)})"
    names = [
        call.module.text(a) for a, is_one in zip(call.node.args, shared, strict=True) if is_one
    ]
    facts = {"argument": ", ".join(f"`{n}`" for n in names), "detail": f"in_axes={written}"}
    return MappedSetting(
        call.module.location(axes),
        facts,
        "linen",
        context=context,
        node=call.node,
        axes=axes,
        written=written,
    )


def _lifting(call: AtCall, root: ast.expr) -> ast.Call | None:
    """Return the call that made the mapped class: under a name, or in the failing expression."""
    made = bound_value(call.module, root)
    if isinstance(made, ast.Call):
        return made
    return next((n for n in calls_in(call.node.func)), None)


def _is_setting_value(call: AtCall, given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) or call.frame.kind(given) in _KINDS


RULES = (Rule("vmap-non-array", raised(unmapped), share),)
