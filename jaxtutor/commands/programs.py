"""Finds the program that `diagnose` is to run in its command line."""

from __future__ import annotations

from dataclasses import replace

from jaxtutor.app import App
from jaxtutor.commands.diagnose import DiagnoseOptions
from jaxtutor.errors import UsageError
from jaxtutor.scripts import programs
from jaxtutor.scripts.programs import Program

FLAGS = ("--json", "--plain", "--apply", "--once", "--traceback")
VALUES = ("--device", "--timeout")


def take_program(
    app: App,
    words: tuple[str, ...],
    module: str | None,
    command: str | None,
    chosen: DiagnoseOptions,
) -> tuple[Program, DiagnoseOptions]:
    """Return the program, and the options with those after its name that are for `diagnose`.

    Options after the name of a script belong to the script, except before `--`:
    `diagnose train.py --json -- --steps 3`. Raises TutorError.
    """
    if module is not None and command is not None:
        raise UsageError("Both -m and -c were given.", "Give one of them.")
    if module is not None:
        return programs.module(module, words), chosen
    if command is not None:
        return programs.command(command, words), chosen
    if not words:
        raise UsageError("There is no program to run.", "Give a script: jaxtutor diagnose SCRIPT")
    name, rest = words[0], words[1:]
    if "--" in rest:
        split = rest.index("--")
        ours = _read(app, rest[:split], chosen)
        if ours is not None:
            return programs.from_command_line((name, *rest[split + 1 :])), ours
    program = programs.from_command_line(words)
    _note_ours(app, program)
    return program, chosen


def _read(app: App, words: tuple[str, ...], chosen: DiagnoseOptions) -> DiagnoseOptions | None:
    """Read words that are all options of `diagnose`, and apply them; None if one is not."""
    pairs: dict[str, str] = {}
    rest = list(words)
    while rest:
        name, has_value, value = rest.pop(0).partition("=")
        if name in FLAGS and not has_value:
            pairs[name] = "yes"
        elif name in VALUES and (has_value or rest):
            pairs[name] = value if has_value else rest.pop(0)
        else:
            return None
    app.options.json |= "--json" in pairs
    app.options.plain |= "--plain" in pairs
    app.options.device = pairs.get("--device", app.options.device)
    return replace(
        chosen,
        seconds=_seconds(pairs["--timeout"]) if "--timeout" in pairs else chosen.seconds,
        apply=chosen.apply or "--apply" in pairs,
        once=chosen.once or "--once" in pairs,
        traceback=chosen.traceback or "--traceback" in pairs,
    )


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"Invalid time limit {text!r}.", "Give seconds.") from None


def _note_ours(app: App, program: Program) -> None:
    """Say that an option was handed to the script, if the script does not seem to know it."""
    passed = [word for word in program.arguments if word in (*FLAGS, *VALUES)]
    passed = [word for word in passed if word.strip("-") not in program.source]
    if passed and program.source:
        app.warn(
            f"{passed[0]} is passed to {program.name}, because it stands after the name.",
            f"For jaxtutor, write: jaxtutor diagnose {passed[0]} {program.name}",
        )
