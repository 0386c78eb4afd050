"""Matches rules of `custom_jvp` that take arrays for tuples, or are not linear in the tangents."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.extending.extension_rules import (
    custom_rules,
    parameters_of_rule,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import indent_of
from jaxtutor.core.diagnosis.engine.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame, InContext
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import definition_place, name_of
from jaxtutor.core.diagnosis.reading.functions import parameter_names


class ArraysTaken(AtFrame, frozen=True, kw_only=True):
    """A rule of a function of `primals`, in the file `home`, that does not take tuples apart."""

    home: Module
    rule: FunctionNode
    primals: tuple[str, ...]


def tuples_not_taken(context: FailureContext) -> ArraysTaken | None:
    """A rule of `custom_jvp` computes with the tuples of its arguments and of their tangents."""
    found = (_arrays_taken(context, frame) for frame in reversed(context.frames))
    return next((match for match in found if match is not None), None)


def _arrays_taken(context: FailureContext, frame: FrameContext) -> ArraysTaken | None:
    if "tuple" not in context.message:
        return None
    for registered, _, rule in custom_rules(frame.module):
        given = parameter_names(rule)
        if rule is not frame.function or registered.attr != "defjvp" or len(given) != 2:
            continue
        if not all(frame.kind(name) == "tuple" for name in given):
            return None
        primals, _ = parameters_of_rule(frame.module, registered)
        facts = {
            "function": name_of(rule),
            "name": ", ".join(given),
            "argument": f"({primals[0] if len(primals) == 1 else 'x'},), (tangent,)",
        }
        return ArraysTaken(
            definition_place(frame.module, rule),
            facts,
            context=context,
            outer_frame=frame,
            home=frame.module,
            rule=rule,
            primals=tuple(primals),
        )
    return None


def take_tuples(found: ArraysTaken) -> Drafts:
    """Take the only argument and its tangent out of their tuples first."""
    rule = found.rule
    if len(found.primals) != 1 or not isinstance(rule, ast.FunctionDef):
        return
    x, dx = parameter_names(rule)
    first = rule.body[0]
    line = f"{indent_of(found.home, first)}({x},), ({dx},) = {x}, {dx}"
    yield Draft(found.home).certain().add_lines(first.lineno, line)


def tangent_not_linear(context: FailureContext) -> InContext | None:
    """JAX cannot transpose an operation in a rule of `custom_jvp`."""
    for module, node in context.transformed():
        for registered, _, rule in custom_rules(module):
            if registered.attr == "defjvp" and rule in module.ancestors(node):
                shown = node.elts[-1] if isinstance(node, ast.Tuple) and node.elts else node
                facts = {"function": name_of(rule), "expression": module.text(shown)}
                return InContext(module.location(shown), facts, context=context)
    return None


RULES = (
    Rule("jvp-rule-takes-arrays", raised(tuples_not_taken), take_tuples),
    Rule("tangent-not-linear", raised(tangent_not_linear)),
)
