"""Implements `diagnose` and `explain`."""

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
MOST_MATCHES = 15
"""Pages that are listed for an ambiguous name."""


def diagnose(
    app: App, script: Path, arguments: tuple[str, ...], seconds: float | None, apply: bool = False
) -> int:
    """Run the learner's script and report what it raised or silently does wrong.

    Fixes are tried after the diagnosis is printed; `apply` writes the first one into the script.
    """
    run = diagnose_script(
        app.checker.runner,
        app.library,
        script.absolute(),
        arguments,
        device=app.options.device,
        seconds=_limit(app) if seconds is None else seconds,
        captured=app.options.json,
    )
    if run.interrupted:
        _show(app, draw(app, run))
        return INTERRUPTED
    if app.options.json:
        from jaxtutor.core.reporting.reports import script_report

        run = fix_script(run, app.checker.runner, app.library, arguments, app.options.device)

        app.print_json(
            script_report(
                file=str(run.file),
                status=run.status,
                device=run.device,
                jax_version=run.jax_version,
                seconds=run.seconds,
                diagnosis=run.diagnosis,
                findings=run.findings,
                stdout=run.stdout,
                end_detail=run.end_detail,
            )
        )
    else:
        _show(app, draw(app, run))
        with app.waiting("Looking for a fix that works in your script"):
            run = fix_script(run, app.checker.runner, app.library, arguments, app.options.device)
        _show(app, draw_fixes(app, run))
    if apply:
        apply_fix(app, run)
    return CLEAN if run.status == "clean" else NOT_CLEAN


def _limit(app: App) -> float:
    """Return the time limit of the settings, in seconds."""
    limit = app.settings.value("limits.script")
    return limit if isinstance(limit, float) else math.inf


def _show(app: App, parts: Iterator[RenderableType]) -> None:
    for part in parts:
        app.console.print(part, width=app.renderer.width)


def draw(app: App, run: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Draw the diagnosis of a script."""
    name = relative(run.file)
    marks = app.marks
    if run.status == "clean":
        yield Text(
            f"{marks.passed} {name}: ran without errors, and nothing looks wrong.", style="passed"
        )
        return
    if run.failure is not None:
        yield Text(f"{marks.failed} {name}: {run.failure.error_class}", style="failed")
        yield Text()
        yield from _raised(app, run)
        return
    yield Text(f"{marks.failed} {name}: {_ENDS.get(run.status, '')}", style="failed")
    if run.status == "crashed":
        yield Text(visible(run.end_detail[:1].upper() + run.end_detail[1:]) + ".")
    yield Text()
    for finding in run.findings:
        yield from _one(app, run, finding)


_ENDS = {
    "found": "ran without errors, but likely has a silent bug",
    "timed_out": "exceeded the time limit",
    "crashed": "the process ended before the script did",
}


def _raised(app: App, run: ScriptDiagnosis) -> Iterator[RenderableType]:
    assert run.failure is not None
    if run.diagnosis is None:
        yield Text(visible(run.failure.message), overflow="fold")
        return
    yield from _one(app, run, run.diagnosis)
    if run.diagnosis.cause is None:
        source = "JAX" if run.failure.module.startswith("jax") else "Python"
        yield Text(f"Message from {source}:")
        yield Text("  " + visible(run.failure.message.partition("\n")[0]), overflow="fold")


def _one(app: App, run: ScriptDiagnosis, found: Diagnosis) -> Iterator[RenderableType]:
    source = run.sources.get(found.file, "")
    if found.file != str(run.file):
        yield Text(f"In {relative(Path(found.file))}", style="quiet")
    yield from app.renderer.diagnosis(found, source)


def draw_fixes(app: App, run: ScriptDiagnosis) -> Iterator[RenderableType]:
    """Draw the fixes that were tried, and what is known about each."""
    for found in filter(None, (run.diagnosis, *run.findings)):
        if found.fix is not None:
            yield Text(_fix_words(found, found.fix), style="title")
            yield from app.renderer.diff_text(found.fix.diff)
            yield Text()


def _fix_words(found: Diagnosis, fix: Fix) -> str:
    """Describe what was observed of a fix, and claim no more."""
    if not fix.verified:
        return "Suggested fix (unverified): check that the result is correct"
    result = "as before" if found.error_class is None else "as without jit"
    return f"Verified fix: the script runs with it and gives the same result {result}"


def apply_fix(app: App, run: ScriptDiagnosis) -> None:
    """Write the first fix into the script, after saving the old text in a file beside it."""
    from jaxtutor.storage import workspace

    found = [item for item in (run.diagnosis, *run.findings) if item and item.fix]
    if not found or found[0].fix is None:
        raise UsageError("There is no fix to apply.", "The script was not changed.")
    present = workspace.read(run.file)
    if present.text != run.sources[str(run.file)]:
        raise UsageError(
            f"{run.file} changed while it was diagnosed.", "No fix was written. Run it again."
        )
    backup = run.file.with_name(run.file.name + ".orig")
    if workspace.present(backup) not in (None, present.data):
        raise UsageError(
            f"{backup} already exists, with other contents.", "Move it. The script was not changed."
        )
    workspace.write_atomically(backup, present.data)
    workspace.write_atomically(run.file, present.encode(found[0].fix.source))
    app.warn(f"The fix was written to {run.file}. The old text is in {backup}.")


# ---------------------------------------------------------------- explain


def explain(app: App, name: str | None) -> int:
    """Print the page of a cause or error class; without a name, the index."""
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
    """Find a page by its exact name, otherwise by an unambiguous part of it. Raises UsageError."""
    names = [*app.library.slugs, *app.library.classes]
    wanted = name.rpartition(".")[2]
    exact = [known for known in names if known.lower() == wanted.lower()]
    found = exact or [known for known in names if wanted.lower() in known.lower()]
    if len(found) == 1:
        title, page = app.library.page(found[0])
        return found[0], title, page
    if found:
        raise UsageError(
            f"{name!r} matches {len(found)} pages:\n{_list_pages(app, found)}",
            f"Type more of the name, or: jaxtutor search {name}",
        )
    close = suggest(wanted, names)
    remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor explain"
    raise UsageError(f"No page is named {name!r}.", remedy)


def _list_pages(app: App, names: list[str]) -> str:
    """List pages with their titles, one in a line."""
    width = max(map(len, names[:MOST_MATCHES]))
    lines = [
        f"  {name:<{width}}  {app.library.page(name)[0].partition(': ')[2]}"
        for name in names[:MOST_MATCHES]
    ]
    others = len(names) - MOST_MATCHES
    return "\n".join([*lines, *([f"  and {others} more"] if others > 0 else [])])


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
    """Draw each name with its title; on a narrow terminal, later rows are indented."""
    for name, title in entries.items():
        line = Text.assemble((name, "code"), ": ", app.renderer.prose(title), overflow="fold")
        if app.options.plain:
            yield line
            continue
        first, *others = line.wrap(app.console, app.renderer.width)
        yield first
        rest = " ".join(row.plain.strip() for row in others)
        for row in app.renderer.prose(rest).wrap(app.console, max(app.renderer.width - 4, 16)):
            yield Text("    ") + row
