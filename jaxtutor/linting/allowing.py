"""Finds what the projects of files allow, for programs and sessions that run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from jaxtutor.core.linting.project import ProjectSettings
from jaxtutor.core.linting.source_lint import Allowances
from jaxtutor.errors import ConfigError
from jaxtutor.linting.project_files import Project, Projects


def find_allowances(
    here: Callable[[], Project],
    projects: Projects,
    known: Collection[str],
    select: Collection[str] = (),
    ignore: Collection[str] = (),
) -> Allowances:
    """Return what the project of each file allows; `select` and `ignore` come before it.

    `here` returns the project of code that is in no file, such as a cell. It is also that of files
    whose own project has settings that cannot be read, which are not the caller's to correct.
    """

    def settings_of(file: str) -> tuple[ProjectSettings, str]:
        path, project = Path(file), None
        if path.is_file():
            with suppress(ConfigError):
                project = projects.find(path)
        project = project or here()
        return project.settings.with_options(select, ignore), project.path_of(path)

    return Allowances(settings_of, known)
