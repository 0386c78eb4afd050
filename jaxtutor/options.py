"""Defines the options that several commands share."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Options(Struct):
    """The values of the shared options."""

    device: str | None = None
    json: bool = False
    format: str = ""
    plain: bool = False
    course: Path | None = None
    workspace: Path | None = None

    def __post_init__(self) -> None:
        """A format for other tools is made from the report that `--json` prints."""
        self.json = self.json or self.format not in ("", "full")
        self.format = {"full": "", "json": "", "concise": "short"}.get(self.format, self.format)
