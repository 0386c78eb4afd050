"""Creates the first version of a new lesson's files from the templates in the package."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parent.parent / "template"


def around(folder: Path) -> dict[Path, str]:
    """Return the missing files of a new lesson's chapter and course, with their texts."""
    chapter = folder.parent
    course = chapter.parent
    needed = {
        course / "course.toml": f'title = "{_words(course.name)}"\n',
        chapter / "chapter.md": f"# {_words(chapter.name)}\n\nWhat this chapter is about.\n",
    }
    return {path: text for path, text in needed.items() if not path.exists()}


def _words(name: str) -> str:
    words = re.sub(r"[^a-zA-Z0-9]+", " ", re.sub(r"^\d+_", "", name)).strip()
    return words.capitalize() or "A course"


def files(folder: str) -> dict[str, str]:
    """Return the files of a new lesson by name; its function is named after the folder."""
    function = re.sub(r"^\d+_", "", folder).replace("-", "_")
    title = function.replace("_", " ").capitalize()
    return {
        str(path.relative_to(TEMPLATE)): path.read_text(encoding="utf-8")
        .replace("FUNCTION", function)
        .replace("TITLE", title)
        for path in sorted(TEMPLATE.rglob("*.*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
