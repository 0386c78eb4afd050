"""Ships the answers of the lessons in the wheel as text, which pip neither compiles nor imports.

A checkout and the source distribution hold plain Python files. In the wheel `solution.py`, and what
lies in `also/` and `mistakes/`, gets the suffix `.txt`: bytecode of a solution could be imported
without its text ever being opened, which a check would not notice.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ANSWERS = ("*/*/solution.py", "*/*/also/*.py", "*/*/mistakes/*.py")


class AnswersAsText(BuildHookInterface[Any]):
    """Renames the lessons' answers on their way into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the renamed files; pyproject.toml excludes the originals from the wheel."""
        if self.target_name != "wheel" or version == "editable":
            return
        lessons = Path(self.root) / "lessons"
        for pattern in ANSWERS:
            for path in sorted(lessons.glob(pattern)):
                place = path.relative_to(self.root).as_posix()
                build_data["force_include"][str(path)] = f"jaxtutor/{place}.txt"
