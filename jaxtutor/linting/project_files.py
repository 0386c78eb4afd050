"""Finds the project that a path belongs to, its settings, and the files to lint."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec import Struct

from jaxtutor.core.linting.project import ProjectFault, ProjectSettings, read_settings
from jaxtutor.errors import ConfigError, SubmissionError, UsageError
from jaxtutor.storage import workspace

NAME = "pyproject.toml"
LARGEST = 1 << 20
"""Bytes of the file with the settings."""
NOT_SOURCE = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})
"""Folders whose files are not the project's own, beside hidden ones and environments."""


class Project(Struct, frozen=True):
    """A folder with settings; the folder is that of the file that has them."""

    root: Path
    settings: ProjectSettings = ProjectSettings()
    file: Path | None = None

    def path_of(self, file: Path) -> str:
        """Return the path of a file in the project; its whole path if it is outside."""
        try:
            return file.relative_to(self.root).as_posix()
        except ValueError:
            return file.as_posix()


class Projects:
    """Finds projects, and reads the settings of each once. `known` are the slugs of all causes."""

    def __init__(self, known: Collection[str]) -> None:
        self._known = known
        self.of_folder: Callable[[Path], Project] = cache(self._of_folder)

    def find(self, path: Path) -> Project:
        """Return the project of a file or a folder. Raises ConfigError."""
        return self.of_folder(path if path.is_dir() else path.parent)

    def _of_folder(self, folder: Path) -> Project:
        """Return the project of the nearest folder that has settings, from this one upwards."""
        for root in (folder, *folder.parents):
            file = root / NAME
            settings = self._read(file) if file.is_file() else None
            if settings is not None:
                return Project(root, settings, file)
        return Project(folder)

    def _read(self, file: Path) -> ProjectSettings | None:
        try:
            data = workspace.look(file, LARGEST)[1]
            if b"jaxtutor" not in data:  # as in almost every project: what is in it is not for us
                return None
            import tomllib

            text = data.decode("utf-8-sig")
            tools = tomllib.loads(text).get("tool", {})
            table = tools.get("jaxtutor") if isinstance(tools, dict) else None
        except OSError as error:
            raise ConfigError(
                f"{file} cannot be read: {workspace.explain(error)}.", "Check its permissions."
            ) from None
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{file} is not valid: {error}.", "Correct the line.") from None
        if table is None:
            return None
        if not isinstance(table, dict):
            raise ConfigError(f"{file}: `tool.jaxtutor` is not a table.", "Write [tool.jaxtutor].")
        try:
            return read_settings(table, self._known)
        except ProjectFault as fault:
            raise ConfigError(
                f"{file}: in [tool.jaxtutor], {fault.key} {fault.says}.", fault.remedy
            ) from None


def find_files(paths: Sequence[Path], projects: Projects) -> list[Path]:
    """List the Python files of folders, and the files that are named, each once, in order.

    A file that is named is linted even if the settings exclude it. Raises UsageError for a path
    that does not exist, and ConfigError.
    """
    found: dict[Path, None] = {}
    for path in paths:
        whole = absolute(path)
        if whole.is_dir():
            found |= dict.fromkeys(_walk(whole, projects))
        elif whole.exists():
            found[whole] = None
        else:
            raise UsageError(f"{path} does not exist.", "Give files or folders.")
    return list(found)


def absolute(path: Path) -> Path:
    """Return the whole path, without `..`; links stay, since a report names what was given."""
    return Path(os.path.normpath(path.absolute()))


def _walk(folder: Path, projects: Projects) -> Iterator[Path]:
    """Yield the Python files of a folder and of those in it; links to folders are not followed."""
    for root, folders, files in os.walk(folder):
        here = Path(root)
        project = projects.of_folder(here)
        folders[:] = sorted(
            name
            for name in folders
            if _is_source(here / name)
            and not project.settings.excludes(project.path_of(here / name))
        )
        for name in sorted(files):
            path = here / name
            if name.endswith(".py") and not project.settings.excludes(project.path_of(path)):
                yield path


def _is_source(folder: Path) -> bool:
    name = folder.name
    is_environment = (folder / "pyvenv.cfg").exists()
    return not name.startswith(".") and name not in NOT_SOURCE and not is_environment


def read_sources(files: Iterable[Path]) -> tuple[dict[str, str], dict[str, str]]:
    """Read files; return the texts by name, and why others could not be read."""
    texts: dict[str, str] = {}
    problems: dict[str, str] = {}
    for file in files:
        try:
            texts[str(file)] = workspace.read_program(file).text
        except SubmissionError as error:
            problems[str(file)] = error.message
    return texts, problems
