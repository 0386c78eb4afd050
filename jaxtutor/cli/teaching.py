"""Declares the command that grades submissions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jaxtutor.cli.completion import complete_lesson, complete_words
from jaxtutor.cli.groups import TEACH
from jaxtutor.cli.parameters import Jobs, Junit, shared_options

if TYPE_CHECKING:
    from jaxtutor.app import App

commands = typer.Typer()


@commands.command(rich_help_panel=TEACH)
@shared_options("device", "json", "format", "plain", "course")
def grade(
    app: App,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of learners' files.")],
    lesson: Annotated[
        str | None,
        typer.Option(
            "--lesson",
            metavar="LESSON",
            help="Grade only this lesson.",
            autocompletion=complete_lesson,
        ),
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write one CSV line per file.")
    ] = None,
    junit: Junit = None,
    jobs: Jobs = 0,
    confine: Annotated[
        str,
        typer.Option(
            "--confine",
            metavar="WHEN",
            help="Confine submissions with bubblewrap: always (or run none), or never.",
            autocompletion=complete_words("always", "never"),
        ),
    ] = "always",
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="Grade on the Dask cluster at this address."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", min=0, help="Seed of the hidden test cases.")
    ] = 0,
) -> int:
    """Grade a folder of learners' files."""
    from jaxtutor.commands import grade as grades

    chosen = grades.GradeOptions(lesson, csv, junit, jobs, confine, scheduler, seed)
    return grades.grade(app, folder, chosen)
