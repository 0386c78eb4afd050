"""Declares the commands for programs that are not lessons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from jaxtutor.cli.declarations import OWN, Argument, Commands, Option, shared_options
from jaxtutor.cli.parameters import Jobs, LessonArgument

if TYPE_CHECKING:
    from jaxtutor.app import App

commands = Commands()


@commands.command(
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": True},
    rich_help_panel=OWN,
)
@shared_options("device", "json", "format", "plain")
def diagnose(
    app: App,
    script: Annotated[
        str | None,
        Argument(metavar="SCRIPT", help="A script, a notebook, or: -- pytest.", show_default=False),
    ] = None,
    arguments: Annotated[
        list[str] | None, Argument(metavar="ARGS", help="The program's arguments.")
    ] = None,
    module: Annotated[
        str | None, Option("-m", metavar="MODULE", help="Run a module, as python -m does.")
    ] = None,
    command: Annotated[
        str | None, Option("-c", metavar="CODE", help="Run this code, as python -c does.")
    ] = None,
    timeout: Annotated[
        float | None,
        Option(metavar="SECONDS", help="Time limit for the program (default: none)."),
    ] = None,
    apply: Annotated[
        bool, Option("--apply", help="Write the fix into the script; a backup is kept.")
    ] = False,
    once: Annotated[
        bool, Option("--once", help="Run the program a single time: no fix is tried.")
    ] = False,
    traceback: Annotated[
        bool, Option("--traceback", help="Also print the whole traceback.")
    ] = False,
) -> int:
    """Run a program; explain what it raises or silently does wrong."""
    from jaxtutor.commands import diagnose
    from jaxtutor.commands.programs import take_program

    chosen = diagnose.DiagnoseOptions(timeout, apply, once, traceback)
    words = tuple(word for word in (script, *(arguments or ())) if word is not None)
    program, chosen = take_program(app, words, module, command, chosen)
    return diagnose.diagnose(app, program, chosen)


@commands.command(rich_help_panel=OWN)
@shared_options("json", "format", "plain")
def lint(
    app: App,
    paths: Annotated[
        list[Path] | None,
        Argument(metavar="PATHS", help="Files and folders (default: this folder); - reads a text."),
    ] = None,
    select: Annotated[
        list[str] | None,
        Option("--select", metavar="CAUSE", help="Look for this cause only.", completes="page"),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        Option("--ignore", metavar="CAUSE", help="Do not report this cause.", completes="page"),
    ] = None,
    stdin_filename: Annotated[
        str | None, Option(metavar="NAME", help="Name the text that - reads.")
    ] = None,
    statistics: Annotated[
        bool, Option("--statistics", help="Count the findings of each cause.")
    ] = False,
    exit_zero: Annotated[
        bool, Option("--exit-zero", help="Exit with 0 also if mistakes are found.")
    ] = False,
    jobs: Jobs = None,
    fix: Annotated[
        bool, Option("--fix", help="Make the edits that cannot change results.")
    ] = False,
    unsafe_fixes: Annotated[
        bool, Option("--unsafe-fixes", help="Make the other known edits too.")
    ] = False,
    diff: Annotated[
        bool, Option("--diff", help="Print the edits as a diff; write nothing.")
    ] = False,
    baseline: Annotated[
        Path | None,
        Option("--baseline", metavar="FILE", help="Report only what this file does not accept."),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        Option("--write-baseline", metavar="FILE", help="Accept all that is found today."),
    ] = None,
) -> int:
    """Find mistakes that the source shows, without running it."""
    from jaxtutor.commands import lint

    chosen = lint.LintOptions(
        select=select or (),
        ignore=ignore or (),
        stdin_name=stdin_filename,
        statistics=statistics,
        exit_zero=exit_zero,
        jobs=jobs,
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        diff=diff,
        baseline=baseline,
        write_baseline=write_baseline,
    )
    return lint.run_lint(app, paths or [], chosen)


@commands.command(rich_help_panel=OWN)
@shared_options("device", "plain", "course", "workspace")
def repl(
    app: App,
    lesson: LessonArgument = None,
    keys: Annotated[
        str | None,
        Option(
            metavar="KIND",
            help="Key bindings: emacs or vi.",
            completes="key_table",
        ),
    ] = None,
) -> int:
    """Open a JAX prompt that diagnoses errors as a check does."""
    from jaxtutor.repl.command import repl

    return repl(app, lesson, keys)


@commands.command(rich_help_panel=OWN)
@shared_options("device", "course", "workspace")
def lsp(app: App) -> int:
    """Serve diagnoses to an editor by the Language Server Protocol."""
    from jaxtutor.commands import language_server

    return language_server.serve(app)
