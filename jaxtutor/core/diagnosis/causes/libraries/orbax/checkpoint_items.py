"""Matches and fixes checkpoints of several items from which one is restored without its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtCall, at_call
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import keyword_value, method_of
from jaxtutor.core.diagnosis.reading.names import last_part


class UnnamedItem(AtCall, frozen=True, kw_only=True):
    """A restore of one item without its name; `item` is that name, if only one fits."""

    given: ast.expr
    item: str
    composite: str


def unnamed_item(context: FailureContext) -> UnnamedItem | None:
    """A checkpoint has items with names, and `restore` gets the arguments of one of them."""
    call = at_call(context)
    given = keyword_value(call.node, "args") if call is not None else None
    if call is None or given is None or method_of(call.node) != "restore":
        return None
    kind = last_part(call.module.text(getattr(given, "func", given)))
    saved = list(_saved(context))
    fitting = [name for name, saver in saved if saver == kind.replace("Restore", "Save")]
    item = fitting[0] if len(set(fitting)) == 1 else ""
    text = call.module.text(given)
    home = call.module.text(getattr(given, "func", given)).rpartition(".")[0]
    composite = f"{home}.Composite" if home else "Composite"
    name = item or "name"
    facts = {
        "name": text,
        "container": ", ".join(f"`{name}`" for name in dict.fromkeys(n for n, _ in saved)),
        "argument": f"args={composite}({name}={text})",
        "condition": f'["{name}"]',
    }
    return UnnamedItem(
        None,
        facts,
        "" if facts["container"] else "unknown",
        context=context,
        node=call.node,
        given=given,
        item=item,
        composite=composite,
    )


def _saved(context: FailureContext) -> Iterator[tuple[str, str]]:
    """Yield the items that the program saves together, each with the class that saves it."""
    for module in context.modules.values():
        for node in module.calls:
            if _callee_end(module, node) == "Composite":
                for keyword in node.keywords:
                    if keyword.arg is not None and isinstance(keyword.value, ast.Call):
                        yield keyword.arg, _callee_end(module, keyword.value)


def _callee_end(module: Module, call: ast.Call) -> str:
    return last_part(module.text(call.func))


def name_item(found: UnnamedItem) -> Drafts:
    """Name the item, and take it out of what `restore` returns."""
    if found.item:
        draft = Draft(found.module).certain()
        draft.wrap(found.given, f"{found.composite}({found.item}=", ")")
        yield draft.after(found.node, found.facts["condition"])


RULES = (Rule("checkpoint-item-not-named", raised(unnamed_item), name_item),)
