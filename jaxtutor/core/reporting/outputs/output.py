"""Defines what every output has: the number of its schema."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct, to_builtins

SCHEMA = 1
"""Within one number, keys may be added, and none is removed, renamed or given another type."""


class Output(Struct, frozen=True, kw_only=True, tag_field="schema", tag=SCHEMA):
    """An object that a command prints with `--json`."""


def write_json(output: Output) -> str:
    """Return an output as text in ASCII, on one line."""
    return json.dumps(to_json(output))


def to_json(output: Struct) -> dict[str, Any]:
    """Return an output, or a part of one, as the object that is printed."""
    values: dict[str, Any] = to_builtins(output)
    return values
