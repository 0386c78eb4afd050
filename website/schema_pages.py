"""Writes the JSON Schemas of the outputs as files of the site, and the page that lists them."""

from __future__ import annotations

import json
from pathlib import Path

from jaxtutor.core.reporting.outputs.output import SCHEMA
from jaxtutor.core.reporting.outputs.schemas import OUTPUTS, make_schema, title_of
from website.sources import SourcePage, link

ABOUT = "The JSON Schema of each object that jaxtutor prints with --json."
TEXT = """
The [JSON Schema](https://json-schema.org) of each object that `--json` prints.
`jaxtutor schema NAME` prints the same. {guide} describes every key.

The addresses are stable. They contain the schema number, now {number}.
A schema with that number may get more keys, and loses none.

{rows}
"""


def schemas_page() -> SourcePage:
    """List the schemas, with links to their files and to the tables of their keys."""
    rows = (
        f'- <a href="{SCHEMA}/{name}.json"><code>{name}</code></a>: {title_of(name)} '
        f"({link('keys', 'guides/json', name)})"
        for name in OUTPUTS
    )
    guide = link("JSON output", "guides/json")
    text = TEXT.format(guide=guide, number=SCHEMA, rows="\n".join(rows))
    return SourcePage("schemas/index", "JSON Schemas", text, ABOUT)


def write_schemas(folder: Path) -> None:
    """Write each schema to its address below the folder: `schemas/NUMBER/NAME.json`."""
    place = folder / "schemas" / str(SCHEMA)
    place.mkdir(parents=True)
    for name in OUTPUTS:
        text = json.dumps(make_schema(name), indent=2)
        (place / f"{name}.json").write_text(text + "\n", encoding="utf-8")
