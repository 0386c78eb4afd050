"""Creates the first version of a new lesson's files from the templates in the package."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from jaxtutor.content.lesson import PROJECTS
from jaxtutor.content.loading import is_numbered
from jaxtutor.core.learning.growing import grow

TEMPLATE = Path(__file__).resolve().parent.parent / "template"
CHAPTER = "What this chapter is about."
SUMMARY = "One sentence: what the program does."


def around(folder: Path) -> dict[Path, str]:
    """Return the missing files of a new lesson's chapter, or project, and course, with texts."""
    chapter = folder.parent
    title = _words(chapter.name)
    if is_step(folder):
        course = chapter.parent.parent
        needed = {
            chapter / "project.toml": f'title = "{title}"\nsummary = "{SUMMARY}"\n',
            chapter / "project.md": f"# {title}\n\n{CHAPTER}\n",
        }
    else:
        course = chapter.parent
        needed = {chapter / "chapter.md": f"# {title}\n\n{CHAPTER}\n"}
    needed[course / "course.toml"] = f'title = "{_words(course.name)}"\n'
    return {path: text for path, text in needed.items() if not path.exists()}


def is_step(folder: Path) -> bool:
    """Return whether a folder is that of a step of a project, by where it lies."""
    return folder.parent.parent.name == PROJECTS


def make_room(folder: Path) -> int:
    """Give the next numbers to the folders from the number of a new one on; return how many.

    Only those move that have to: where a number is free, the next ones stay.
    """
    others = [path for path in folder.parent.iterdir() if path.is_dir() and is_numbered(path.name)]
    later: list[Path] = []
    for path in sorted(others, key=_number):
        if _number(path) == _number(folder) + len(later):
            later.append(path)
    for path in reversed(later):  # an interruption leaves a gap, and no number twice
        digits, _, name = path.name.partition("_")
        path.rename(path.with_name(f"{int(digits) + 1:0{len(digits)}}_{name}"))
    return len(later)


def _number(folder: Path) -> int:
    return int(folder.name.partition("_")[0])


def _words(name: str) -> str:
    words = re.sub(r"[^a-zA-Z0-9]+", " ", re.sub(r"^\d+_", "", name)).strip()
    return words.capitalize() or "A course"


def files(folder: Path) -> dict[str, str]:
    """Return the files of a new lesson by name; its function is named after the folder.

    The solution of a step begins with that of the step before.
    """
    function = re.sub(r"^\d+_", "", folder.name).replace("-", "_")
    title = function.replace("_", " ").capitalize()
    made = {
        str(path.relative_to(TEMPLATE)): path.read_text(encoding="utf-8")
        .replace("FUNCTION", function)
        .replace("TITLE", title)
        for path in sorted(TEMPLATE.rglob("*.*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    before = sorted(folder.parent.glob("*/solution.py")) if is_step(folder) else []
    if before:
        earlier = before[-1].read_text(encoding="utf-8")
        made["solution.py"] = grow(earlier, made["solution.py"])
    return made


def find_placeholder(name: str, text: str) -> str:
    """Return the first sentence of the template that is left in a file; empty if there is none."""
    return next((sentence for sentence in _placeholders(name) if sentence in text), "")


@cache
def _placeholders(name: str) -> tuple[str, ...]:
    """Return the sentences of a file of the template that an author replaces."""
    if name in ("chapter.md", "project.md"):
        return (CHAPTER,)
    if name == "project.toml":
        return (SUMMARY,)
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
