"""Finds the learner's files that a file imports, so that one open file is read with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from jaxtutor.core.linting.groups import imported_names
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace

MOST_FILES = 40
"""Files that are read for one open file: what is far away hardly matters to it."""


def with_imports(path: Path, texts: Mapping[Path, str], root: Path) -> dict[Path, str]:
    """Return the text of a file and of those that it imports, directly or not, below `root`.

    `texts` has the texts of open files, which may differ from those on disk.
    """
    found: dict[Path, str] = {}
    waiting = [path]
    while waiting and len(found) < MOST_FILES:
        file = waiting.pop(0)
        text = texts.get(file)
        if text is None:
            with suppress(TutorError):
                text = workspace.read_program(file).text
        if text is not None and file not in found:
            found[file] = text
            waiting += (each for each in _imported(file, text, root) if each not in found)
    return found


def _imported(file: Path, text: str, root: Path) -> Iterator[Path]:
    """Yield the files that a text's imports may mean."""
    above = [folder for folder in file.parents if folder.is_relative_to(root)]
    folders = [file.parent, *above[1:], root / "src"]
    for name in dict.fromkeys(imported_names(text)):
        dotted = name.lstrip(".")
        levels = len(name) - len(dotted)
        bases = [*file.parents][levels - 1 : levels] if levels else folders
        parts = [part for part in dotted.split(".") if part]
        for base in bases:
            module = base.joinpath(*parts)
            files = (module.with_name(f"{module.name}.py"), module / "__init__.py")
            yield from (each for each in files if each != file and each.is_file())
