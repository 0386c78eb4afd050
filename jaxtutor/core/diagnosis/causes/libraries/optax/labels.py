"""Matches and fixes labels of parameters for which `optax.multi_transform` has no optimizer."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised
from jaxtutor.core.diagnosis.engine.source import Module
from jaxtutor.core.diagnosis.reading.calls import argument, calls_of

_MAKERS = ("optax.multi_transform", "optax.partition")
_LISTED = re.compile(r"labels: \[(.*?)\].*keys: \[(.*?)\]", re.S)


class Unmatched(AtFrame, frozen=True, kw_only=True):
    """Labels without a transformation, and keys that no label names; `made` makes the optimizer."""

    made: ast.Call | None
    module_of: Module | None
    labels: tuple[str, ...]
    keys: tuple[str, ...]


def unmatched(context: FailureContext) -> Unmatched | None:
    """Some labels of parameters are not among the keys of the transformations."""
    listed, frame = _LISTED.search(context.message), context.frame
    if listed is None or frame is None:
        return None
    labels, keys = (set(re.findall(r"'([^']*)'", part)) for part in listed.groups())
    makers = [
        (module, node) for module in context.modules.values() for node in calls_of(module, *_MAKERS)
    ]
    module, made = makers[0] if len(makers) == 1 else (None, None)
    return Unmatched(
        module.location(made) if module is not None and made is not None else None,
        {"detail": f"{_quoted_names(labels - keys)}; the keys are {_quoted_names(keys)}"},
        context=context,
        made=made,
        module_of=module,
        labels=tuple(sorted(labels - keys)),
        keys=tuple(sorted(keys - labels)),
    )


def _quoted_names(names: set[str]) -> str:
    return ", ".join(f'`"{name}"`' for name in sorted(names))


def rename_key(found: Unmatched) -> Drafts:
    """Write the label as the key, where one label and one key are left over."""
    given = argument(found.made, 0, "transforms") if found.made is not None else None
    if not isinstance(given, ast.Dict) or found.module_of is None:
        return
    if len(found.labels) == len(found.keys) == 1:
        for key in given.keys:
            if isinstance(key, ast.Constant) and key.value == found.keys[0]:
                yield Draft(found.module_of).replace(key, f'"{found.labels[0]}"').certain()


RULES = (Rule("labels-without-transform", raised(unmatched), rename_key),)
