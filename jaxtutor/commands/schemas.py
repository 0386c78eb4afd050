"""Implements `schema`: prints the JSON Schema of an output, or lists the schemas."""

from __future__ import annotations

import json

from rich.text import Text

from jaxtutor.app import App
from jaxtutor.commands import PASSED
from jaxtutor.core.data.lessons import suggest
from jaxtutor.core.reporting.outputs.schemas import OUTPUTS, make_schema, title_of
from jaxtutor.core.reporting.outputs.system import SchemaEntry, SchemaOutput
from jaxtutor.errors import UsageError


def print_schema(app: App, name: str | None) -> int:
    """Print the schema of a name as JSON, or the names of all."""
    if name is None:
        return _list(app)
    if name not in OUTPUTS:
        close = suggest(name, list(OUTPUTS))
        meant = f"Did you mean {' or '.join(close)}? " if close else ""
        raise UsageError(f"No schema is named {name!r}.", f"{meant}List them: jaxtutor schema")
    app.stdout.write(json.dumps(make_schema(name), indent=2) + "\n")
    return PASSED


def _list(app: App) -> int:
    if app.options.json:
        entries = tuple(SchemaEntry(name=name, title=title_of(name)) for name in OUTPUTS)
        app.print_json(SchemaOutput(schemas=entries))
        return PASSED
    width = max(map(len, OUTPUTS))
    for name in OUTPUTS:
        label = f"{name}: " if app.options.plain else f"{name:<{width}}  "
        app.console.print(Text.assemble((label, "code"), title_of(name), overflow="fold"))
    return PASSED
