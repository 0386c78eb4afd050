"""Names parameters that a whole training leaves as they were, parts, or trains in a copy."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from jaxtutor.core.data.observations import (
    CameApart,
    EqualMembers,
    GradientLeftOut,
    MovedWithoutGradient,
    NeverChanged,
    OtherCopyTrained,
    StateRestarted,
    StateStays,
    SumUsedEarly,
    ZeroGradient,
)
from jaxtutor.core.diagnosis.engine.matches import Finding, ObservedLocation
from jaxtutor.core.diagnosis.engine.rules import Rule, observed
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import keyword_of, method_of
from jaxtutor.core.diagnosis.reading.functions import called_function
from jaxtutor.core.diagnosis.reading.loops import Loop
from jaxtutor.core.diagnosis.reading.names import all_names, last_name
from jaxtutor.core.diagnosis.reading.values import is_string
from jaxtutor.core.diagnosis.words import TASKS, says

_STOPPING = frozenset({"stop_gradient", "partition", "stop_gradient_p"})
_FREEZING = _STOPPING | {"set_to_zero", "freeze", "multi_transform", "partition", "masked"}
_FORMS = {"gradient": "", "update": "frozen", "rate": "rate", "": "unknown"}


def never_changed(spot: ObservedLocation[NeverChanged]) -> Finding | None:
    """Parameters that kept their first value, where the program does not say that it is meant.

    An update that is zero by itself was written to be: such parameters are frozen. They are worth
    a look where the layer that is read last is among them, which is the one that is new.
    """
    seen = spot.seen
    reasons = StateRestarted | StateStays | ZeroGradient | GradientLeftOut
    if any(isinstance(it, reasons) for it in spot.run):
        return None  # they say why
    if seen.count == seen.among and seen.reason != "gradient":
        facts = {**spot.facts, "name": ", ".join(seen.names), "argument": str(seen.times)}
        return replace(spot.found(facts=facts, form="all"), is_certain=False)
    if seen.reason == "update":
        if not seen.is_last:
            return None
    elif _names(spot) & (_STOPPING if seen.reason == "gradient" else _FREEZING - _SCHEDULED):
        return None
    place = _label(spot, seen.names[0]) if seen.reason == "update" else None
    facts = {
        **spot.facts,
        "name": ", ".join(seen.names),
        "detail": f"{seen.count} of {seen.among}",
        "argument": str(seen.times),
    }
    if place is None:
        found = spot.found(facts=facts, form=_FORMS[seen.reason])
    else:
        module, node = place
        found = Finding(None, facts, _FORMS[seen.reason], module=module, node=node)
    return replace(found, is_certain=False)


_SCHEDULED = frozenset({"multi_transform"})
"""What gives parameters rates of their own; it freezes them only together with other functions."""


def moved_without_gradient(spot: ObservedLocation[MovedWithoutGradient]) -> Finding:
    """A parameter that its optimizer decays, though nothing learns it."""
    facts = {**spot.facts, "argument": str(spot.seen.times)}
    decaying = [
        (module, call)
        for module in spot.modules.values()
        for call in module.calls
        if last_name(call.func) in _DECAYING and keyword_of(call, "mask") is None
    ]
    if len(decaying) == 1:
        module, call = decaying[0]
        facts["function"] = module.text(call.func)
        found = Finding(None, facts, module=module, node=call)
    else:
        found = spot.found(facts=facts, form="unknown")
    return replace(found, is_certain=False)


_DECAYING = frozenset("add_decayed_weights adamw adamaxw lamb lars lion nadamw".split())
"""Optimizers of Optax that take away a part of each parameter."""


def came_apart(spot: ObservedLocation[CameApart]) -> Finding | None:
    """Two leaves that were one array, and got updates of their own."""
    seen = spot.seen
    facts = {
        **spot.facts,
        "name": seen.first,
        "argument": seen.second,
        "detail": str(seen.times),
    }
    return replace(spot.found(facts=facts), is_certain=False)


def equal_members(spot: ObservedLocation[EqualMembers]) -> Finding:
    """Members of an ensemble that began with equal parameters, and still have them."""
    seen = spot.seen
    facts = {**spot.facts, "detail": str(seen.count), "argument": str(seen.times)}
    unsplit = list(_unsplit(spot))
    node, form = (unsplit[0], "unsplit") if len(unsplit) == 1 else (None, "")
    return replace(spot.found(node, facts, form=form), is_certain=False)


def restarted(spot: ObservedLocation[StateRestarted]) -> Finding | None:
    """A state of an optimizer that is made again, while the parameters go on."""
    seen = spot.seen
    facts = {**spot.facts, "detail": str(seen.times), "condition": str(seen.calls)}
    made = list(_inits(spot, seen.name))
    if any(says(name, TASKS) for node in made for name in _tasks(spot.module, node)):
        return None
    node = made[0] if len(made) == 1 else None
    return replace(spot.found(node, facts=facts, form="restarted"), is_certain=False)


def other_copy_trained(spot: ObservedLocation[OtherCopyTrained]) -> Finding:
    """A gradient of one tree, whose updates go to a copy that nothing else reads."""
    found = spot.found(facts={**spot.facts, "detail": str(spot.seen.times)})
    return replace(found, is_certain=False)  # many small updates may be taken from one point


def used_early(spot: ObservedLocation[SumUsedEarly]) -> Finding:
    """A sum of gradients with fewer of them the first time that it is used."""
    seen = spot.seen
    facts = {
        **spot.facts,
        "argument": str(seen.first),
        "detail": str(seen.times),
        "condition": str(seen.left),
    }
    return replace(spot.found(facts=facts), is_certain=False)


# ---------------------------------------------------------------- source


def _names(spot: ObservedLocation[NeverChanged]) -> set[str]:
    """Return the last parts of all names that the program reads."""
    nodes = (node for module in spot.modules.values() for node in module.nodes)
    return {last_name(n) for n in nodes if isinstance(n, ast.Name | ast.Attribute)}


def _label(spot: ObservedLocation[NeverChanged], name: str) -> tuple[Module, ast.AST] | None:
    """Return what gives a parameter its label: `labels["head"] = "frozen"`, or a dict entry."""
    outermost = re.search(r"\['([^']*)'\]|\.(\w+)", name)
    word = (outermost[1] or outermost[2]) if outermost else ""
    for module in spot.modules.values():
        for node in module.nodes:
            for key, value in _entries(node):
                if getattr(key, "value", None) == word and _has_label(module, value):
                    return module, value if isinstance(node, ast.Dict) else node
    return None


def _has_label(module: Module, value: ast.expr) -> bool:
    """Return whether an expression has a string that is not a key."""
    strings = [n for n in ast.walk(value) if is_string(n)]
    parents = [module.parents.get(n) for n in strings]
    return any(
        not isinstance(parent, ast.Subscript)
        and not (isinstance(parent, ast.Dict) and string in parent.keys)
        for string, parent in zip(strings, parents, strict=True)
    )


def _entries(node: ast.AST) -> Iterator[tuple[ast.AST, ast.expr]]:
    if isinstance(node, ast.Dict):
        yield from ((k, v) for k, v in zip(node.keys, node.values, strict=True) if k is not None)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield node.targets[0].slice, node.value


def _unsplit(spot: ObservedLocation[EqualMembers]) -> Iterator[ast.expr]:
    """Yield the `False` of `split_rngs={"params": False}`, which gives all members one key."""
    for keyword in (k for call in spot.module.calls for k in call.keywords):
        if keyword.arg == "split_rngs" and isinstance(keyword.value, ast.Dict):
            for value in keyword.value.values:
                if isinstance(value, ast.Constant) and value.value is False:
                    yield value


def _inits(spot: ObservedLocation[StateRestarted], name: str) -> Iterator[ast.Assign]:
    """Yield the statements of a file that make a state by `init`."""
    for node in spot.module.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            targets = [(path_of(target) or "").rpartition(".")[2] for target in node.targets]
            if method_of(node.value) == "init" and name in targets:
                yield node


def _tasks(module: Module, node: ast.AST) -> Iterator[str]:
    """Yield the names of what a statement's loops, and those that call its function, go through."""
    function = module.function(node)
    calls = [
        c for c in module.calls if function is not None and called_function(module, c) is function
    ]
    for start in (node, *calls):
        for outer in module.ancestors(start):
            if isinstance(outer, Loop) and isinstance(outer, ast.For):
                yield from all_names(outer.target) | all_names(outer.iter)


def _has_reason(found: Finding, others: Sequence[tuple[str, Finding]]) -> bool:
    """Return whether the source shows the same mistake for certain."""
    return not found.is_certain and any(
        slug == "optimizer-state-reset" and other.is_certain for slug, other in others
    )


RULES = (
    Rule("parameter-never-changes", observed((NeverChanged, never_changed))),
    Rule("decay-without-gradient", observed((MovedWithoutGradient, moved_without_gradient))),
    Rule("tied-weights-apart", observed((CameApart, came_apart))),
    Rule("members-stay-equal", observed((EqualMembers, equal_members))),
    Rule("optimizer-state-reset", observed((StateRestarted, restarted)), is_echo=_has_reason),
    Rule("gradient-of-other-copy", observed((OtherCopyTrained, other_copy_trained))),
    Rule("sum-used-early", observed((SumUsedEarly, used_early))),
)
