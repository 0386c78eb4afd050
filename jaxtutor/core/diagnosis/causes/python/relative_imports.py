"""Matches and fixes relative imports in a file that runs as a script."""

from __future__ import annotations

import ast
import re

from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.matches import AtFrame
from jaxtutor.core.diagnosis.engine.rules import Rule, raised


class RelativeImport(AtFrame, frozen=True, kw_only=True):
    """An import with leading dots, in a file that runs as a script."""

    statement: ast.ImportFrom


def relative_in_script(context: FailureContext) -> RelativeImport | None:
    """A file of a package runs as a script, so its relative imports have no package."""
    frame = context.frame
    statement = frame.statement if frame is not None else None
    if frame is None or not isinstance(statement, ast.ImportFrom) or not statement.level:
        return None
    folder, name = ["", *re.split(r"[/\\]", frame.module.file)][-2:]
    facts = {"name": name, "container": folder, "argument": f"{folder}.{name.removesuffix('.py')}"}
    return RelativeImport(None, facts, context=context, statement=statement)


def import_by_name(found: RelativeImport) -> Drafts:
    """Import the modules beside the script without the dot, if that is all it imports."""
    nodes = [n for n in found.module.nodes if isinstance(n, ast.ImportFrom) and n.level]
    if any(n.level > 1 for n in nodes):
        return
    draft = Draft(found.module).certain()
    for node in nodes:
        names = ", ".join(a.name + (f" as {a.asname}" if a.asname else "") for a in node.names)
        plain = f"from {node.module} import {names}" if node.module else f"import {names}"
        draft.replace(node, plain)
    yield draft


RULES = (Rule("relative-import-in-script", raised(relative_in_script), import_by_name),)
