"""Matches and fixes arguments of NNX: keys in the place of `nnx.Rngs`, filters of a split."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, raised
from jaxtutor.core.diagnosis.engine.source import Module, path_of
from jaxtutor.core.diagnosis.reading.calls import keyword_of
from jaxtutor.core.diagnosis.reading.library_calls import given_values, in_sight
from jaxtutor.core.diagnosis.reading.names import last_part


class KeyForRngs(AtFrame, frozen=True, kw_only=True):
    """A key that is passed as `rngs`; `given` is the argument of the outermost call."""

    given: ast.expr
    module_of: Module


def key_for_rngs(context: FailureContext) -> KeyForRngs | None:
    """A layer of NNX gets a key, or a seed, in the place of `nnx.Rngs`."""
    frame, call = context.frame, context.call
    option = keyword_of(call, "rngs") if call is not None else None
    if frame is None or call is None or option is None or context.library != "flax":
        return None
    passed = [
        (module, node)
        for node in given_values(context, frame, option.value)
        for module in context.modules.values()
        if isinstance(module.parents.get(node), ast.Call | ast.keyword)
    ]
    if not passed:
        return None
    module, given = passed[-1]
    facts = {"name": frame.module.text(call.func), "argument": module.text(given)}
    place = module.location(given)
    return KeyForRngs(place, facts, context=context, given=given, module_of=module)


def wrap_key(found: KeyForRngs) -> Drafts:
    """Pass `nnx.Rngs(key)`."""
    nnx = next((a for a, p in found.module_of.imports.items() if p == "flax.nnx"), None)
    if nnx is not None:
        yield Draft(found.module_of).certain().wrap(found.given, f"{nnx}.Rngs(", ")")


class Split(AtCall, frozen=True, kw_only=True):
    """A call of `nnx.split` whose filters do not fit; `parts` are the states that are taken."""

    parts: int


class Merge(Split, frozen=True, kw_only=True):
    """A call of `nnx.merge` without some of the states that the split made."""

    missing: tuple[str, ...]


def split_parts(context: FailureContext) -> Split | None:
    """A split leaves variables out, or makes fewer states than are taken, or than are merged."""
    if "Incorrect number of leaves" in context.message:
        return _partial_merge(context)
    frame = context.frame
    statement = frame.statement if frame is not None else None
    call = getattr(statement, "value", None)
    if frame is None or not isinstance(call, ast.Call) or "Non-exhaustive" in context.message:
        return _partial_split(context)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if frame.callee(call) != "flax.nnx.split" or not isinstance(target, ast.Tuple):
        return None
    parts, filters = len(target.elts) - 1, len(call.args) - 1
    if parts < 2 or filters > 0:
        return None
    facts = {"name": str(parts), "argument": frame.module.text(target)}
    facts["function"] = frame.module.text(call)
    place = frame.place(call)
    return Split(place, facts, "unpacked", context=context, node=call, parts=parts)


def _partial_split(context: FailureContext) -> Split | None:
    call = at_call(context)
    if call is None or "Non-exhaustive" not in context.message:
        return None
    return Split(context=context, node=call.node, parts=0)


def _partial_merge(context: FailureContext) -> Merge | None:
    """Find the states that a split made and that the merge of the same graph leaves out."""
    call = at_call(context)
    if call is None or last_part(call.path) != "merge" or not call.node.args:
        return None
    passed = [path_of(a) for a in call.node.args]
    for node in call.module.nodes:
        made = getattr(node, "value", None)
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(target, ast.Tuple) or not isinstance(made, ast.Call):
            continue
        names = [path_of(part) or "" for part in target.elts]
        missing = tuple(n for n in names[1:] if n and n not in passed)
        if call.module.dotted(made.func) == "flax.nnx.split" and names[0] == passed[0] and missing:
            facts = {"name": ", ".join(f"`{n}`" for n in missing), "argument": missing[0]}
            facts["detail"] = f"{call.module.text(call.node.func)}({', '.join(names)})"
            return Merge(
                None, facts, "merge", context=context, node=call.node, parts=0, missing=missing
            )
    return None


def add_filters(found: Split) -> Drafts:
    """Take the parameters and the rest apart."""
    outer = found.module.parents.get(found.node)
    if found.parts == 0 and isinstance(outer, ast.Assign):
        target = outer.targets[0]
        if isinstance(target, ast.Tuple):
            draft = add_argument(Draft(found.module), found.node, "...")
            has_name = len(target.elts) == len(found.node.args) + 1  # the graph has no filter
            yield draft.certain() if has_name else draft.after(target.elts[-1], ", _")
    nnx = next((a for a, p in found.module.imports.items() if p == "flax.nnx"), None)
    if found.parts == 2 and nnx is not None:
        yield add_argument(Draft(found.module).certain(), found.node, f"{nnx}.Param, ...")


def _add_states(found: Merge) -> Drafts:
    """Merge all states; a copy, where the variables are those of an outer trace."""
    if all(in_sight(found.frame, name) for name in found.missing):
        last = found.node.args[-1]
        for option in ("", ", copy=True"):
            text = ", ".join(["", *found.missing])
            yield Draft(found.module).certain().after(last, text + option)


RULES = (
    Rule("nnx-key-for-rngs", raised(key_for_rngs), wrap_key),
    Rule("nnx-split-remainder", raised(split_parts), by_match(add_filters, _add_states)),
)
