"""Matches imports that find the learner's own file in the place of a module of its name."""

from __future__ import annotations

import re

from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


def own_file_imported(context: FailureContext) -> AtFrame | None:
    """A file has the name of a module that an import or a lookup needs."""
    files = [it for it in context.failure.hiding if _is_meant(context, _module_of(it))]
    if context.frame is None or not files:
        return None
    name = re.split(r"[/\\]", files[0])[-1]
    if name == "__init__.py":
        name = re.split(r"[/\\]", files[0])[-2]
    facts = {"name": name, "container": _module_of(files[0]), "detail": files[0]}
    return AtFrame(None, facts, context=context)


def _module_of(file: str) -> str:
    """Return the name of the module in a file, or of the package that the file is in."""
    *_, folder, name = ["", *re.split(r"[/\\]", file)]
    return folder if name == "__init__.py" else name.removesuffix(".py")


def _is_meant(context: FailureContext, module: str) -> bool:
    """Return whether a failure can be of a module: an import does not say which one it needs."""
    return context.error != "AttributeError" or f"module '{module}'" in context.message


RULES = (
    Rule(
        "file-hides-module",
        raised(own_file_imported),
        before=("name-typo", "attribute-typo", "missing-import", "removed-api"),
    ),
)
