"""Creates the first version of a new lesson's files from the templates in the package."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parent.parent / "template"
CHAPTER = "What this chapter is about."


def around(folder: Path) -> dict[Path, str]:
    """Return the missing files of a new lesson's chapter and course, with their texts."""
    chapter = folder.parent
    course = chapter.parent
    needed = {
        course / "course.toml": f'title = "{_words(course.name)}"\n',
        chapter / "chapter.md": f"# {_words(chapter.name)}\n\n{CHAPTER}\n",
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


def find_placeholder(name: str, text: str) -> str:
    """Return the first sentence of the template that is left in a file; empty if there is none."""
    return next((sentence for sentence in _placeholders(name) if sentence in text), "")


@cache
def _placeholders(name: str) -> tuple[str, ...]:
    """Return the sentences of a file of the template that an author replaces."""
    if name == "chapter.md":
        return (CHAPTER,)
    text = (TEMPLATE / name).read_text(encoding="utf-8")
    if name == "lesson.toml":
        info = tomllib.loads(text)
        return (info["new"], *info["hints"])
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S).splitlines()
    return tuple(
        line.removeprefix("- ")
        for line in prose
        if line and not line.startswith("#") and "FUNCTION" not in line
    )
