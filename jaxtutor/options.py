"""Defines the options that several commands share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass
class Options:
    """The values of the shared options."""

    device: str | None = None
    json: bool = False
    plain: bool = False
    course: Path | None = None
    workspace: Path | None = None
