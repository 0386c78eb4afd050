"""Owns the commands `diagnose` and `explain`: what they print, and their exit statuses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.checking.fix_trials import fix_script
from jaxtutor.checking.script_check import ScriptDiagnosis, diagnose_script
from jaxtutor.core.data.lessons import suggest
from jaxtutor.display.prose import relative
from jaxtutor.display.theme import NARROW, visible
from jaxtutor.errors import UsageError

if TYPE_CHECKING:
    from jaxtutor.core.data.model import Diagnosis, Fix

CLEAN, NOT_CLEAN, INTERRUPTED = 0, 1, 130


def diagnose(
    app: App, script: Path, arguments: tuple[str, ...], seconds: float | None, apply: bool = False
) -> int:
    """Run the learner's script and say what it raised, or what it silently does wrong.

    Fixes are tried after that is drawn; `apply` writes the first into the script.
    """
    made = diagnose_script(
        app.checker.runner,
        app.library,
        script.absolute(),
        arguments,
        device=app.options.device,
        seconds=math.inf if seconds is None else seconds,
        captured=app.options.json,
    )
    if made.interrupted:
        _show(app, draw(app, made))
        return INTERRUPTED
    if app.options.json:
        from jaxtutor.core.reporting.reports import script_report

        made = fix_script(made, app.checker.runner, app.library, arguments, app.options.device)

        app.print_json(
            script_report(
                file=str(made.file),
                status=made.status,
                device=made.device,
                jax_version=made.jax_version,
                seconds=made.seconds,
                diagnosis=made.diagnosis,
                findings=made.findings,
                stdout=made.stdout,
                end_detail=made.end_detail,
            )
        )
    else:
        _show(app, draw(app, made))
        made = fix_script(made, app.checker.runner, app.library, arguments, app.options.device)
        _show(app, draw_fixes(app, made))
    if apply:
        apply_fix(app, made)
    return CLEAN if made.status == "clean" else NOT_CLEAN


def _show(app: App, parts: Iterator[RenderableType]) -> None:
    for part in parts:
        app.console.print(part, width=app.renderer.width)


def draw(app: App, made: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Draw the diagnosis of a script."""
    name = relative(made.file)
    marks = app.marks
    if made.status == "clean":
        yield Text(f"{marks.passed} {name}: it ran, and nothing looked wrong.", style="passed")
        return
    if made.failure is not None:
        yield Text(f"{marks.failed} {name}: {made.failure.error_class}", style="failed")
        yield Text()
        yield from _raised(app, made)
        return
    yield Text(f"{marks.failed} {name}: {_ENDS.get(made.status, '')}", style="failed")
    if made.status == "crashed":
        yield Text(visible(made.end_detail[:1].upper() + made.end_detail[1:]) + ".")
    yield Text()
    for finding in made.findings:
        yield from _one(app, made, finding)


_ENDS = {
    "found": "it ran, and silently does something that it seems not meant to do",
    "timed_out": "it did not end in time",
    "crashed": "its process ended before the script did",
}


def _raised(app: App, made: ScriptDiagnosis) -> Iterator[RenderableType]:
    assert made.failure is not None
    if made.diagnosis is None:
        yield Text(visible(made.failure.message), overflow="fold")
        return
    yield from _one(app, made, made.diagnosis)
    if made.diagnosis.cause is None:
        yield Text(
            "JAX's own words:" if made.failure.module.startswith("jax") else "Python's words:"
        )
        yield Text("  " + visible(made.failure.message.partition("\n")[0]), overflow="fold")


def _one(app: App, made: ScriptDiagnosis, found: Diagnosis) -> Iterator[RenderableType]:
    source = made.sources.get(found.file, "")
    if found.file != str(made.file):
        yield Text(f"In {relative(Path(found.file))}", style="quiet")
    yield from app.renderer.diagnosis(found, source)


def draw_fixes(app: App, made: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Draw the fixes that were tried, and how far each can be trusted."""
    for found in filter(None, (made.diagnosis, *made.findings)):
        if found.fix is not None:
            yield Text(_fix_words(found, found.fix), style="title")
            yield from app.renderer.diff_text(found.fix.diff)
            yield Text()


def _fix_words(found: Diagnosis, fix: Fix) -> str:
    """Say what was seen of a fix, and no more."""
    if not fix.verified:
        return "A fix to look at: with it the script runs; whether it is right is for you to say"
    measure = "it gave before" if found.error_class is None else "it gives without jit"
    return f"A fix, verified: with it the script runs, and gives what {measure}"


def apply_fix(app: App, made: ScriptDiagnosis) -> None:
    """Write the first fix into the script, the text as it was kept beside it."""
    from jaxtutor.storage import workspace

    found = [item for item in (made.diagnosis, *made.findings) if item and item.fix]
    if not found or found[0].fix is None:
        raise UsageError("There is no fix to apply.", "The script is as it was.")
    present = workspace.read(made.file)
    if present.text != made.sources[str(made.file)]:
        raise UsageError(f"{made.file} was saved meanwhile.", "It was not changed; try again.")
    backup = made.file.with_name(made.file.name + ".orig")
    if workspace.present(backup) not in (None, present.data):
        raise UsageError(f"{backup} is in the way.", "Move it; the script is as it was.")
    workspace.write_atomically(backup, present.data)
    workspace.write_atomically(made.file, present.spell(found[0].fix.source))
    app.warn(f"{made.file} is changed. As it was, it is in {backup}.")


# ---------------------------------------------------------------- explain


def explain(app: App, name: str | None) -> int:
    """Print a cause's or an error class's page; without a name, the index."""
    if name is None:
        return _print_index(app)
    slug, title, page = _find_page(app, name)
    if app.options.json:
        app.print_json({"schema": 1, "name": slug, "title": title, "page": page})
        return CLEAN
    from jaxtutor.commands.printing import print_long
    from jaxtutor.display.markdown import make_page

    print_long(app, make_page(f"# {title}\n\n{page}", app.options.plain))
    return CLEAN


def _find_page(app: App, name: str) -> tuple[str, str, str]:
    """Find a page by its exact name, else by an unambiguous part of it. Raises UsageError."""
    names = [*app.library.slugs, *app.library.classes]
    wanted = name.rpartition(".")[2]
    exact = [known for known in names if known.lower() == wanted.lower()]
    found = exact or [known for known in names if wanted.lower() in known.lower()]
    if len(found) == 1:
        title, page = app.library.page(found[0])
        return found[0], title, page
    if found:
        raise UsageError(f"{name!r} could be any of {', '.join(found)}.", "Type more of its name.")
    close = suggest(wanted, names)
    remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor explain"
    raise UsageError(f"There is no page {name!r}.", remedy)


def _print_index(app: App) -> int:
    library = app.library
    causes = {slug: library[slug].title for slug in library}
    classes = {name: library.page(name)[0].partition(": ")[2] for name in library.classes}
    if app.options.json:
        app.print_json({"schema": 1, "classes": classes, "causes": causes})
        return CLEAN
    from rich.console import Group
    from rich.table import Table

    from jaxtutor.commands.printing import print_long

    parts: list[RenderableType] = []
    for head, entries in (("Error classes of JAX", classes), ("Causes", causes)):
        table = Table.grid(padding=(0, 2))
        for name, title in entries.items():
            table.add_row(Text(name, style="code"), app.renderer.prose(title))
        narrow = app.options.plain or app.renderer.width < NARROW
        rows = _index_lines(app, entries) if narrow else [table]
        parts += [Text(head, style="title"), *rows, Text()]
    print_long(app, Group(*parts))
    return CLEAN


def _index_lines(app: App, entries: Mapping[str, str]) -> Iterator[Text]:
    for name, title in entries.items():
        yield Text.assemble((name, "code"), ": ", app.renderer.prose(title), overflow="fold")
