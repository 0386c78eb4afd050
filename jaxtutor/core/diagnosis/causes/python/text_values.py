"""Matches and fixes settings that were read as text and are used as numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import (
    argument,
    calls_in,
    keyword_of,
    method_of,
    passed_arguments,
)
from jaxtutor.core.diagnosis.reading.names import bound_value, iterated
from jaxtutor.core.diagnosis.reading.values import is_string

_SAYS_INTEGER = re.compile(
    r"interpreted as an integer|must be an integer|integer type|non-integer|must be integers"
)
_SAYS_TEXT = re.compile(r"'str'|class 'str'|by non-int|dtype '?<U|data type ''|'[-+.\de]+'")
_FLAGS = {"int": "integer", "float": "float"}
_ARITHMETIC = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Pow, ast.MatMult)


class TextSetting(AtFrame, frozen=True, kw_only=True):
    """A text where a number belongs: `option` declares it as an option of the command line."""

    text: ast.expr
    converter: str
    option: ast.Call | None
    module_of: Module


def text_for_number(context: FailureContext) -> AtFrame | None:
    """A text takes part in arithmetic, or is passed as a size or rate: a setting, or a key."""
    frame = context.frame
    if frame is None or frame.node is None:
        return None
    found = next(_string_operands(frame), None)
    if found is None and isinstance(frame.node, ast.Call):
        found = next(_string_arguments(context, frame, frame.node), None)
    if found is None and context.library == "optax":
        found = next(_rates(frame), None)
    if found is None:
        return None
    looped = _looped_dict(context, frame, found)
    if looped is not None:
        facts = {"name": frame.module.text(found), "container": frame.module.text(looped)}
        return AtFrame(frame.place(frame.node), facts, "key", context=context)
    is_whole = _SAYS_INTEGER.search(context.message) is not None
    option = _option(context, found)
    converter = _type_of_default(option[1]) if option is not None else ""
    converter = converter or ("int" if is_whole else "float")
    name = frame.module.text(found)
    facts = {"name": name, "function": converter, "argument": f"{converter}({name})"}
    if option is not None:
        facts["container"] = option[0].text(option[1])
        facts["detail"] = f"DEFINE_{_FLAGS[converter]}"
    form = "" if option is None else "flag" if _declares_flag(option[1]) else "option"
    place = option[0].location(option[1]) if option is not None else frame.place(frame.node)
    return TextSetting(
        place,
        facts,
        form,
        context=context,
        text=found,
        converter=converter,
        option=option[1] if option is not None else None,
        module_of=option[0] if option is not None else frame.module,
    )


def _looped_dict(context: FailureContext, frame: FrameContext, node: ast.expr) -> ast.expr | None:
    """Return the dict whose keys a loop around an expression gives to a name."""
    name = node.id if isinstance(node, ast.Name) else ""
    for outer in frame.module.ancestors(node):
        loops = [outer] if isinstance(outer, ast.For) else getattr(outer, "generators", ())
        for loop in loops:
            source = iterated(loop.target, loop.iter, name)
            if source is not None:
                is_dict = any(around.kind(source) == "dict" for around in context.frames)
                made = bound_value(frame.module, source) if isinstance(source, ast.Name) else None
                return source if is_dict or isinstance(made, ast.Dict) else None
    return None


def _is_named_string(frame: FrameContext, node: ast.AST) -> bool:
    """Return whether a name or path held a text."""
    return isinstance(node, ast.Name | ast.Attribute) and frame.kind(node) == "str"


def _is_text_entry(context: FailureContext, frame: FrameContext, node: ast.AST) -> bool:
    """Return whether an entry of a dict, as an argument of the call at fault, held a text."""
    if not isinstance(node, ast.Subscript):
        return False
    passed = {fact.name: fact.kind for fact in context.failure.passed}
    return passed.get(frame.module.text(node)) == "str"


def _string_operands(frame: FrameContext) -> Iterator[ast.expr]:
    """Yield the operand of arithmetic that is a text, where the other one is not."""
    match frame.node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC):
            pairs = [(left, right), (right, left)]
        case ast.Compare(left=left, ops=[ast.Lt() | ast.Gt() | ast.LtE() | ast.GtE()]) as node:
            pairs = [(left, node.comparators[0]), (node.comparators[0], left)]
        case _:
            return
    for text, other in pairs:
        is_text = isinstance(other, ast.JoinedStr) or _is_named_string(frame, other)
        is_text = is_text or is_string(other)
        if _is_named_string(frame, text) and not is_text:
            yield text


def _string_arguments(
    context: FailureContext, frame: FrameContext, call: ast.Call
) -> Iterator[ast.expr]:
    """Yield the texts among a call's arguments, where the message asks for another type."""
    said = _SAYS_INTEGER.search(context.message) or _SAYS_TEXT.search(context.message)
    if said is None or getattr(call.func, "id", "") in ("int", "float"):
        return
    maker = [call.func] if isinstance(call.func, ast.Call) else []  # of `Dense(size)(x)`
    for part in (*passed_arguments(call), *maker):
        for node in ast.walk(part):
            is_read = isinstance(node, ast.expr) and _option(context, node) is not None
            is_whole = _SAYS_INTEGER.search(context.message) is not None
            is_text = _is_named_string(frame, node) or _is_text_entry(context, frame, node)
            if isinstance(node, ast.expr) and is_text and (is_whole or is_read):
                yield node


def _rates(frame: FrameContext) -> Iterator[ast.expr]:
    """Yield the texts that an optimizer of Optax was made with, in the function at fault."""
    for node in calls_in(frame.function or frame.module.tree):
        if not (frame.callee(node) or "").startswith("optax."):
            continue
        for given in passed_arguments(node):
            if _is_named_string(frame, given):
                yield given


def _option(context: FailureContext, node: ast.expr) -> tuple[Module, ast.Call] | None:
    """Return the call that declares an option without a type: of argparse, click or absl."""
    name = node.attr if isinstance(node, ast.Attribute) else path_of(node)
    for module in context.modules.values():
        if isinstance(node, ast.Name):
            value = bound_value(module, node)
            name = value.attr if isinstance(value, ast.Attribute) else name
        for call in module.calls:
            if method_of(call) in _DECLARING:
                is_plain = keyword_of(call, "type") is None and keyword_of(call, "action") is None
                if is_plain and name in _declared(call):
                    return module, call
    return None


_TEXT_FLAG = "DEFINE_string"
_DECLARING = ("add_argument", "option", _TEXT_FLAG)


def _declared(call: ast.Call) -> set[str]:
    """List the names under which the value of an option is stored."""
    dest = [k.value for k in call.keywords if k.arg == "dest"]
    names = call.args[:1] if _declares_flag(call) else call.args
    given = [a.value for a in (*names, *dest) if isinstance(a, ast.Constant)]
    return {str(value).lstrip("-").replace("-", "_") for value in given}


def _declares_flag(call: ast.Call) -> bool:
    """Return whether a call declares a flag of absl that is a text."""
    return method_of(call) == _TEXT_FLAG


def _type_of_default(call: ast.Call) -> str:
    """Return the type of an option's default, if that is a number or the text of one."""
    default = argument(call, 1 if _declares_flag(call) else None, "default")
    value = default.value if isinstance(default, ast.Constant) else None
    if isinstance(value, str):
        return "int" if value.isdigit() else "float" if _is_number_text(value) else ""
    return type(value).__name__ if isinstance(value, int | float) else ""


def _is_number_text(text: str) -> bool:
    return re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", text) is not None


def convert(found: TextSetting) -> Drafts:
    """Declare the type of the option, or convert the text where it is used."""
    draft = Draft(found.module_of).certain()
    if found.option is not None and found.form == "flag":
        assert isinstance(found.option.func, ast.Attribute)
        home = found.module_of.text(found.option.func.value)
        yield draft.replace(found.option.func, f"{home}.{found.facts['detail']}")
        return
    if found.option is not None:
        yield add_argument(draft, found.option, f"type={found.converter}")
        return
    yield draft.wrap(found.text, f"{found.converter}(", ")")
