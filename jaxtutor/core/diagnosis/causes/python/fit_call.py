"""Fixes calls whose arguments do not fit."""

from __future__ import annotations

import ast
import builtins

from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.causes.python.arity import wrong_arity
from jaxtutor.core.diagnosis.causes.python.handed import take_same
from jaxtutor.core.diagnosis.causes.python.library_fix import library_arguments
from jaxtutor.core.diagnosis.causes.python.model_calls import pass_on
from jaxtutor.core.diagnosis.causes.python.packed import take_element
from jaxtutor.core.diagnosis.causes.python.passed_on import other_keyword
from jaxtutor.core.diagnosis.causes.python.refused import (
    insert_value,
    list_arguments,
    name_arguments,
    rename_keyword,
    scale_outside,
)
from jaxtutor.core.diagnosis.causes.python.shifted import (
    are_meant,
    insert_argument,
    shifted_argument,
)
from jaxtutor.core.diagnosis.causes.python.undefined import names_in_sight
from jaxtutor.core.diagnosis.causes.python.wrong_calls import WrongArity
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.engine.transforms import AppliedTransform, find


def _pass_argument(found: WrongArity) -> Drafts:
    """Pass an argument that was forgotten, where its name is in sight; add a missing `self`."""
    call, message = found.call, found.context.message
    if call is None:
        return
    if found.form:
        yield from library_arguments(found, call)
        return
    if found.missing:
        yield take_element(found.context)
        shifted = shifted_argument(found, call)
        if shifted is not None:
            yield insert_argument(found, call, shifted)
        elif set(found.missing) <= names_in_sight(found.frame) - set(dir(builtins)):
            given = [f"{n}={n}" if call.keywords else n for n in found.missing]
            draft = add_argument(Draft(found.module), call, ", ".join(given))
            yield draft.certain() if are_meant(found, call) else draft
        return
    if "takes 1 positional argument but 2" in message:
        yield _take_both(find(found.context, "scan", "fori_loop", at=call))
    if "positional argument" in message and isinstance(call.func, ast.Attribute):
        yield _take_self(found.module, call.func.attr)


def _take_both(loop: AppliedTransform | None) -> Draft | None:
    """Let the body of a loop take what it does not use: the element, or the index."""
    body = loop.function if loop is not None else None
    if loop is None or body is None or len(body.args.args) != 1:
        return None
    only = body.args.args[0]
    if loop.kind == "scan":
        return Draft(loop.module).after(only, ", _")
    return Draft(loop.module).before(only, "_, ")


def _take_self(module: Module, name: str) -> Draft | None:
    function = module.function_named(name)
    if function is None or not isinstance(module.parents.get(function), ast.ClassDef):
        return None
    given = function.args.args
    if given:
        is_taken = given[0].arg in ("self", "cls")
        return None if is_taken else Draft(module).before(given[0], "self, ").certain()
    header = module.header(function)
    column = module.lines[header.line - 1].find("(") + 1
    place = Span(header.line, column, header.line, column)
    return Draft(module).replace(place, "self").certain() if column else None


RULES = (
    Rule(
        "wrong-arity",
        raised(wrong_arity),
        by_match(
            rename_keyword,
            other_keyword,
            insert_value,
            name_arguments,
            scale_outside,
            list_arguments,
            take_same,
            pass_on,
            _pass_argument,
        ),
    ),
)
