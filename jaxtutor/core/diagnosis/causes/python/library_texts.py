"""Matches and fixes texts that stand where a library computes with a number."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.python import text_arguments
from jaxtutor.core.diagnosis.causes.python import text_values as texts
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import passed_arguments
from jaxtutor.core.diagnosis.reading.values import is_number

_NUMBER = re.compile(r"`'([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)'`")


class TextForNumber(AtFrame, frozen=True, kw_only=True):
    """A call of a library that gets a number as a text, which is one of the arguments `given`."""

    module_of: Module | None
    given: tuple[ast.expr, ...]


def text_for_number(context: FailureContext) -> AtFrame | None:
    """A text stands where a number belongs: in the expression at fault, or inside a library."""
    found = text_arguments.text_for_operand(context) or texts.text_for_number(context)
    return found or _inside_library(context)


def _inside_library(context: FailureContext) -> TextForNumber | None:
    """A library computes with a value that is a text of digits, as files and prompts give."""
    check, frame = context.failure.check, context.frame
    said = [s for s in check.values.values() if _NUMBER.fullmatch(s)] if check else []
    if check is None or frame is None or check.kind != "computes" or len(said) != 1:
        return None
    makers = [
        (module, node)
        for module in context.modules.values()
        for node in module.calls
        if _is_from_package(module, node, check.function.partition(".")[0])
    ]
    made = [(m, n, given) for m, n in makers if (given := _settings(n))]
    module, node, given = made[0] if len(made) == 1 else (None, None, ())
    first = module.text(given[0]) if module is not None and given else "value"
    facts = {"argument": said[0].strip("`"), "name": first, "function": check.function}
    facts["detail"] = check.condition
    place = module.location(node) if module is not None and node is not None else None
    return TextForNumber(place, facts, "inside", context=context, module_of=module, given=given)


def _is_from_package(module: Module, call: ast.Call, package: str) -> bool:
    return (module.dotted(call.func) or "").partition(".")[0] == package


def _settings(call: ast.Call) -> tuple[ast.expr, ...]:
    """Return the arguments of a call that are read from somewhere: settings, not arrays."""
    values = passed_arguments(call)
    kinds = (ast.Subscript, ast.Attribute)
    return tuple(
        v for v in values if isinstance(v, kinds) and _is_field_or_entry(v) and not is_number(v)
    )


def _is_field_or_entry(node: ast.expr) -> bool:
    """Return whether an expression is an entry or a field: `options["lr"]`, `args.lr`."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.slice, ast.Constant) and path_of(node.value) is not None
    return path_of(node) is not None


def convert(found: AtFrame) -> Drafts:
    """Convert the setting, or every one of a call, where a number stays what it is."""
    if isinstance(found, text_arguments.TextArgument):
        yield from text_arguments.convert_argument(found)
    if isinstance(found, texts.TextSetting):
        yield from texts.convert(found)
    if not isinstance(found, TextForNumber) or found.module_of is None:
        return
    draft = Draft(found.module_of).certain()
    for value in found.given:
        draft.wrap(value, "float(", ")")
    yield draft


RULES = (Rule("text-as-number", raised(text_for_number), convert),)
