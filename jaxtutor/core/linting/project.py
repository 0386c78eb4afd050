"""Defines the settings of a project, `[tool.jaxtutor]` in its `pyproject.toml`, and reads them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.lessons import suggest
from jaxtutor.core.linting.directives import nearest

KEYS = (
    "select",
    "ignore",
    "per-file-ignores",
    "exclude",
    "baseline",
    "entry-point",
    "device",
    "timeout",
)


class ProjectSettings(Struct, frozen=True, kw_only=True):
    """What a project allows, and how its program runs.

    Of the causes, those in `ignore` are not reported, nor those beside `select` if it is not
    empty. Patterns are globs of paths relative to the project's folder, or of names.
    `baseline` is the file of accepted findings,
    `entry_point` is the script that a language server runs, `seconds` the limit of a run.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: dict[str, tuple[str, ...]] = {}
    exclude: tuple[str, ...] = ()
    baseline: str | None = None
    entry_point: str | None = None
    device: str | None = None
    seconds: float | None = None

    def selects(self, cause: str) -> bool:
        """Return whether a cause is looked for."""
        return not self.select or cause in self.select

    def ignores(self, cause: str, path: str) -> bool:
        """Return whether a cause is named to be ignored in a file, by its path in the project."""
        return cause in self.ignore or any(
            cause in causes and is_matched(path, pattern)
            for pattern, causes in self.per_file_ignores.items()
        )

    def with_options(self, select: Collection[str], ignore: Collection[str]) -> ProjectSettings:
        """Return the settings with options, which come before them."""
        ignored = {*self.ignore}.difference(select).union(ignore)
        return replace(self, select=tuple(select) or self.select, ignore=tuple(sorted(ignored)))

    def chosen_device(self, environ: Mapping[str, str]) -> str | None:
        """Return the device to run on, unless a variable of JAX says it."""
        return None if environ.get("JAX_PLATFORMS") else self.device

    def excludes(self, path: str) -> bool:
        """Return whether a file, or a folder with all its files, is left out."""
        return any(is_matched(path, pattern) for pattern in self.exclude)


class ProjectFault(Exception):
    """A value of the table cannot be used: what is wrong with it, and what to do."""

    def __init__(self, key: str, says: str, remedy: str) -> None:
        super().__init__(f"{key} {says}")
        self.key, self.says, self.remedy = key, says, remedy


def is_matched(path: str, pattern: str) -> bool:
    """Return whether a glob matches a path, one of its folders, or the name of either.

    `*` and `?` stay within one folder, `**` does not.
    """
    names = path.split("/")
    wholes = ["/".join(names[:n]) for n in range(len(names), 0, -1)]
    tried = wholes if "/" in pattern.strip("/") else names
    form = _compiled(pattern.strip("/"))
    return any(form.fullmatch(name) for name in tried)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    steps = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    return re.compile("".join(steps.get(piece, re.escape(piece)) for piece in pieces))


def read_settings(table: Mapping[str, Any], known: Collection[str]) -> ProjectSettings:
    """Read the table. `known` are the slugs of all causes. Raises ProjectFault."""
    for key in table:
        if key not in KEYS:
            near = suggest(key, list(KEYS))
            remedy = f"Did you mean `{near[0]}`?" if near else f"It knows {', '.join(KEYS)}."
            raise ProjectFault(key, "is not a setting of a project", remedy)
    entry, device = table.get("entry-point"), table.get("device")
    baseline = table.get("baseline")
    return ProjectSettings(
        select=_slugs("select", table.get("select", ()), known),
        ignore=_slugs("ignore", table.get("ignore", ()), known),
        per_file_ignores=_by_file(table.get("per-file-ignores", {}), known),
        exclude=_texts("exclude", table.get("exclude", ())),
        baseline=None if baseline is None else _text("baseline", baseline),
        entry_point=None if entry is None else _text("entry-point", entry),
        device=None if device is None else _text("device", device),
        seconds=_seconds(table["timeout"]) if "timeout" in table else None,
    )


def _slugs(key: str, value: object, known: Collection[str]) -> tuple[str, ...]:
    slugs = _texts(key, value)
    for slug in slugs:
        if slug not in known:
            raise ProjectFault(key, f"names an unknown cause, `{slug}`", nearest(slug, known))
    return slugs


def _by_file(value: object, known: Collection[str]) -> dict[str, tuple[str, ...]]:
    key = "per-file-ignores"
    if not isinstance(value, Mapping):
        raise ProjectFault(key, "is not a table", 'Write for instance "tests/*" = ["slug"].')
    return {str(glob): _slugs(f'{key}."{glob}"', each, known) for glob, each in value.items()}


def _texts(key: str, value: object) -> tuple[str, ...]:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if not is_list or not all(isinstance(item, str) and item for item in value):  # type: ignore[attr-defined]
        raise ProjectFault(key, "is not a list of texts", f'Write for instance {key} = ["..."].')
    return tuple(value)  # type: ignore[arg-type]


def _text(key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ProjectFault(key, "is not a text", f'Write for instance {key} = "...".')
    return value


def _seconds(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value <= 86_400:  # type: ignore[operator]
        raise ProjectFault(
            "timeout", "is not a number of seconds up to a day", "Write for instance timeout = 60."
        )
    return float(value)  # type: ignore[arg-type]
