"""Declares the command that grades submissions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from jaxtutor.cli.declarations import TEACH, Argument, Commands, Option, shared_options
from jaxtutor.cli.parameters import Jobs, Junit

if TYPE_CHECKING:
    from jaxtutor.app import App

commands = Commands()


def _file(name: str, says: str, metavar: str = "FILE") -> Any:
    return Option(name, metavar=metavar, help=says)


@commands.command(rich_help_panel=TEACH)
@shared_options("device", "json", "format", "plain", "course")
def grade(
    app: App,
    folder: Annotated[
        Path,
        Argument(metavar="DIR", help="The learners' files: a folder or the zip file of an LMS."),
    ],
    lesson: Annotated[
        str | None,
        Option(
            "--lesson",
            metavar="LESSON",
            help="Grade only this lesson.",
            completes="lesson",
        ),
    ] = None,
    roster: Annotated[
        Path | None,
        _file("--roster", "CSV of the learners, as an LMS exports it."),
    ] = None,
    points: Annotated[Path | None, _file("--points", "TOML with the points of lessons.")] = None,
    deadline: Annotated[
        str | None, _file("--deadline", "Mark files that came after this time.", "TIME")
    ] = None,
    csv: Annotated[Path | None, _file("--csv", "Write one CSV line per file.")] = None,
    junit: Junit = None,
    canvas: Annotated[Path | None, _file("--canvas", "Write a CSV for Canvas.")] = None,
    moodle: Annotated[Path | None, _file("--moodle", "Write a CSV for Moodle.")] = None,
    gradescope: Annotated[
        Path | None, _file("--gradescope", "Write results.json of one submission.")
    ] = None,
    feedback: Annotated[
        Path | None, _file("--feedback", "Write an HTML page for each learner.", "DIR")
    ] = None,
    resume: Annotated[
        Path | None, _file("--resume", "Keep the grades here, and go on from them.")
    ] = None,
    jobs: Jobs = None,
    confine: Annotated[
        str,
        Option(
            "--confine",
            metavar="WHEN",
            help="Confine submissions with bubblewrap: always (or run none), or never.",
            completes="when",
        ),
    ] = "always",
    scheduler: Annotated[
        str | None,
        Option("--scheduler", metavar="ADDRESS", help="Grade on the Dask cluster at this address."),
    ] = None,
    seed: Annotated[
        int, Option("--seed", metavar="N", min=0, help="Seed of the hidden test cases.")
    ] = 0,
) -> int:
    """Grade a folder or a zip file of learners' files."""
    from jaxtutor.commands import grade as grades
    from jaxtutor.grading.plan import GradeOptions, Outputs

    chosen = GradeOptions(
        lesson=lesson,
        jobs=jobs or 0,
        confine=confine,
        scheduler=scheduler,
        seed=seed,
        roster=roster,
        points=points,
        deadline=deadline,
        resume=resume,
        outputs=Outputs(csv, junit, canvas, moodle, gradescope, feedback),
    )
    return grades.grade(app, folder, chosen)
