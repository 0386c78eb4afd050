"""Causes in what jit accepts: static arguments, and arguments it cannot trace."""

from __future__ import annotations

from jaxtutor.core.diagnosis.families.static_args import (
    fix,
    match,
    unhashable_fields,
)
from jaxtutor.core.diagnosis.rewriting.hoisting import make_once
from jaxtutor.core.diagnosis.rules import FindingFix, rule

RULES = (
    rule("tracer-to-static-arg", match.tracer_to_static, fix.name_in_outer_jit),
    rule("wrong-static-argnums", match.wrong_static, fix.right_argument),
    rule(
        "unhashable-static-field",
        unhashable_fields.unhashable_field,
        unhashable_fields.tuple_for_list,
    ),
    rule("unhashable-static", match.unhashable, fix.hashable),
    rule("self-not-static", match.self_not_static, fix.name_self),
    rule("nonarray-arg-not-static", match.not_static, fix.name_argument),
)
FINDING_FIXES = (
    FindingFix("static-arg-changes-each-call", fix.changes_each_call),
    FindingFix("new-callable-each-call", make_once),
)
