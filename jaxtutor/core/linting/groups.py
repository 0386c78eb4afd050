"""Divides files into groups that import each other, so that each can be read by itself."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

LARGEST = 1 << 20
"""Characters of one group. A larger one is cut, in the order of the paths."""
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(.+)|import[ \t]+(.+))", re.M)
_NAME = re.compile(r"[\w.]+")


def groups(texts: Mapping[str, str]) -> list[list[str]]:
    """Return the files in groups; those that import each other are in one, if it is not too large.

    The groups depend on the files only, so that each run finds the same.
    """
    by_name = _modules(texts)
    leader = {file: file for file in texts}

    def find(file: str) -> str:
        while leader[file] != file:
            leader[file] = leader[leader[file]]
            file = leader[file]
        return file

    for file, text in texts.items():
        for name in imported_names(text):
            for other in by_name.get(name.rpartition(".")[2], ()):
                leader[find(other)] = find(file)
    joined: defaultdict[str, list[str]] = defaultdict(list)
    for file in texts:
        joined[find(file)].append(file)
    return [part for group in joined.values() for part in _cut(group, texts)]


def _modules(texts: Iterable[str]) -> dict[str, list[str]]:
    """Map the last part of each module's name to the files that may have it."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for file in texts:
        folder, _, name = file.removesuffix(".py").rpartition("/")
        found[folder.rpartition("/")[2] if name == "__init__" else name].append(file)
    return found


def imported_names(text: str) -> Iterator[str]:
    """Yield the dotted names that a file may import, and further words: another file may have one.

    A relative name begins with its dots. The text need not be complete.
    """
    for said in _IMPORT.finditer(text):
        package, names, modules = said.groups()
        if package is None:
            yield from _NAME.findall(modules.partition("#")[0])
            continue
        yield package
        inside = package if package.endswith(".") else f"{package}."
        yield from (f"{inside}{name}" for name in _NAME.findall(names.partition("#")[0]))


def _cut(group: list[str], texts: Mapping[str, str]) -> Iterator[list[str]]:
    part: list[str] = []
    size = 0
    for file in group:
        if part and size + len(texts[file]) > LARGEST:
            yield part
            part, size = [], 0
        part.append(file)
        size += len(texts[file])
    yield part
