"""Finds which argument a call forgot, from the names of those that it passes.

Of `loss(x, y)`, where `loss` takes `params, x, y`, Python says that `y` is missing.
"""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.causes.python.library_fix import times_bound
from jaxtutor.core.diagnosis.causes.python.wrong_calls import WrongArity
from jaxtutor.core.diagnosis.editing.draft import Draft
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.library_calls import is_key

_CALLED = re.compile(r"(\w+)\(\) missing \d+ required positional")


def shifted_argument(found: WrongArity, call: ast.Call) -> int | None:
    """Return where the argument belongs that a call forgot, if that is not the end of the call.

    Every argument has to get the parameter of its name then, and one of them got another.
    """
    names = _called_parameters(found, call)
    count = len(call.args)
    if len(found.missing) != 1 or not names or call.keywords or _insertion_fits(call, names, count):
        return None
    places = [n for n in range(count) if _insertion_fits(call, names, n)]
    return places[0] if len(places) == 1 else None


def insert_argument(found: WrongArity, call: ast.Call, place: int) -> Draft | None:
    """Insert a forgotten argument, where its name is in sight."""
    name = _called_parameters(found, call)[place]
    if times_bound(found.module, call, name) == 0:
        return None
    draft = Draft(found.module).before(call.args[place], f"{name}, ")
    return draft.certain() if _is_meant(found, call, name) else draft


def are_meant(found: WrongArity, call: ast.Call) -> bool:
    """Return whether missing arguments at the end of a call are the values of their names.

    A key that is in sight may have been used, so it is not certain that it is meant.
    """
    names = _called_parameters(found, call)
    if not names or not _insertion_fits(call, names, len(call.args)):
        return False
    return all(_is_meant(found, call, name) for name in found.missing)


def _is_meant(found: WrongArity, call: ast.Call, name: str) -> bool:
    fact = found.frame.fact(name)
    is_other = fact is None or is_key(fact.detail)
    return not is_other and times_bound(found.module, call, name) == 1


def _called_parameters(found: WrongArity, call: ast.Call) -> list[str]:
    """List the parameters of the one function of the learner's that a call may have called."""
    said = _CALLED.search(found.context.message)
    name = said[1] if said is not None else ""
    functions = [
        function
        for module in found.context.modules.values()
        for function in module.functions
        if getattr(function, "name", "") == name
    ]
    if len(functions) != 1:
        return []
    names = parameter_names(functions[0])
    is_bound = isinstance(call.func, ast.Attribute) and names[:1] in (["self"], ["cls"])
    return names[is_bound:]


def _insertion_fits(call: ast.Call, names: list[str], place: int) -> bool:
    """Return whether no argument gets another's parameter if one is inserted at a place."""
    for number, given in enumerate(call.args):
        position = number + (number >= place)
        if isinstance(given, ast.Starred) or position >= len(names):
            return False
        if isinstance(given, ast.Name) and given.id in names and names[position] != given.id:
            return False
    return True
