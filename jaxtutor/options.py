"""Owns what may be said to any command."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass
class Options:
    """The options that mean the same everywhere."""

    device: str | None = None
    json: bool = False
    plain: bool = False
    course: Path | None = None
    workspace: Path | None = None
