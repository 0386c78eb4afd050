"""Draws what `jaxtutor diagnose` prints for a page's own example, as SVG."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from jaxtutor.app import App
from jaxtutor.commands import diagnose as diagnosing
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from pictures import Screen, a_place, an_app, draw_svg
from website.records import FILE, Run

COLUMNS = 80


@dataclass(frozen=True)
class Screens:
    """Draws screens with one app, in an environment that is always the same."""

    app: App

    def draw(self, run: Run, title: str) -> str:
        """Return the screen of a diagnosis. Raises ValueError for a run without one."""
        if run.diagnosis is None:
            raise ValueError(f"{run.program.name} has no diagnosis")
        output = cast(io.BytesIO, self.app.stdout.buffer)
        output.seek(0)
        output.truncate()
        for part in diagnosing.draw(self.app, _as_diagnosed(run)):
            self.app.console.print(part, width=self.app.renderer.width)
        self.app.stdout.flush()
        text = output.getvalue().decode().replace(run.program.file, FILE)
        return draw_svg(Screen(COLUMNS, tuple(text.rstrip("\n").split("\n"))), title)


def _as_diagnosed(run: Run) -> ScriptDiagnosis:
    path = Path(run.program.file)
    assert run.diagnosis is not None
    return ScriptDiagnosis(
        "raised" if run.failure is not None else "found",
        Program("script", str(path), path, run.program.source),
        path,
        "cpu:0",
        "",
        1.0,
        run.failure,
        run.diagnosis if run.failure is not None else None,
        () if run.failure is not None else (run.diagnosis,),
        {str(path): run.program.source},
    )


@contextmanager
def screens() -> Iterator[Screens]:
    """Set up what draws screens."""
    with a_place(), an_app(COLUMNS) as app:
        app.renderer.whole_messages = True
        yield Screens(app)
