"""Reads docs/json.md, and compares its tables and what commands print with the schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from jaxtutor.core.reporting.outputs.diagnosed import DiagnosisOutput
from jaxtutor.core.reporting.outputs.output import to_json
from jaxtutor.core.reporting.outputs.schemas import OUTPUTS, make_schema

PAGE = Path(__file__).parent.parent / "docs" / "json.md"
DIAGNOSIS = "DiagnosisOutput"
_ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|", re.MULTILINE)
_WORDS = {
    "string": "text",
    "number": "number",
    "integer": "number",
    "boolean": "boolean",
    "array": "list",
    "object": "object",
}


def promised(section: str) -> dict[str, str]:
    """Return the keys of an object on the page, as dotted paths, with their types."""
    body = PAGE.read_text(encoding="utf-8").split(f"\n## {section}\n", 1)[1].partition("\n## ")[0]
    return dict(_ROW.findall(body))


@cache
def schema_of(section: str) -> dict[str, Any]:
    """Return the schema of a section; that of a diagnosis is part of others."""
    if section != "diagnosis":
        return make_schema(section)
    (own,), parts = msgspec.json.schema_components([DiagnosisOutput], ref_template="#/$defs/{name}")
    return {**parts[DIAGNOSIS], "$defs": parts, **own}


def described(section: str) -> dict[str, str]:
    """Return the keys of a schema with their types, as the page writes them."""
    schema = schema_of(section)
    keys = dict(_keys(schema, schema.get("$defs", {}), ""))
    keys.pop("schema", None)
    return keys


def _keys(
    part: Mapping[str, Any], parts: Mapping[str, Any], path: str
) -> Iterator[tuple[str, str]]:
    for key, of in part.get("properties", {}).items():
        name = f"{path}.{key}" if path else key
        kind, inner, is_list = _kind(of, parts)
        yield name, kind
        if "diagnosis" not in kind:
            yield from _keys(inner, parts, f"{name}[]" if is_list else name)


def _kind(of: Mapping[str, Any], parts: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], bool]:
    """Return how the page writes a type, the object in it, and whether that is in a list."""
    if "anyOf" in of:
        (own,) = [option for option in of["anyOf"] if option != {"type": "null"}]
        kind, inner, is_list = _kind(own, parts)
        return f"{kind} or null", inner, is_list
    if "$ref" in of:
        name = of["$ref"].rpartition("/")[2]
        return "diagnosis" if name == DIAGNOSIS else "object", parts[name], False
    if "enum" in of:
        return "number" if of["enum"] == [1] else "text", {}, False
    if of["type"] == "array":
        item, inner, _ = _kind(of["items"], parts)
        return "list" if item == "object" else f"list of {item}", inner, True
    return _WORDS[of["type"]], {}, False


def _values(report: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(report))


def broken_promises(report: Mapping[str, Any], section: str) -> list[str]:
    """Return how an object that was printed differs from its schema, if it does."""
    type_ = DiagnosisOutput if section == "diagnosis" else OUTPUTS[section]
    try:
        read = to_json(msgspec.convert(report, type_))
    except msgspec.ValidationError as error:
        return [str(error)]
    return (
        [] if _values(read) == _values(report) else ["It has keys that its schema does not have."]
    )
