"""Draws the screens in the styleguide with the program's own code.

    python tests/pictures.py            draw the screens
    python tests/pictures.py --check    also check their submissions again, which runs jax

The results of checks are stored in `data/pictures/verdicts.json`, so drawing needs no jax. The
course, the files, the times and the machine in the pictures are invented and do not change.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import msgspec
from msgspec.structs import replace
from rich.cells import cell_len
from rich.color import ColorType
from rich.console import Console
from rich.style import Style
from rich.text import Text

from jaxtutor.app import App
from jaxtutor.commands import diagnose as diagnosing
from jaxtutor.commands import explain as explaining
from jaxtutor.commands import files, hints, machine, pages, stats
from jaxtutor.commands.verdicts import show_verdict
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.reporting.health import HealthItem
from jaxtutor.options import Options
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from jaxtutor.session.messages import Begin, Message, MessageChannel, ScreenUpdate, Size
from jaxtutor.session.session import Session
from jaxtutor.session.session_process import EncodedStream
from jaxtutor.session.state import SessionState
from jaxtutor.storage.store import Store
from jaxtutor.storage.workspace import Submission, Workspace
from jaxtutor.system.editor import Editor
from jaxtutor.watch.background import CheckFinished, FixTried

HERE = Path(__file__).parent
DATA = HERE / "data" / "pictures"
PICTURES = HERE.parent / "docs" / "pictures"
HOME = Path("/home/learner")
FILE = HOME / "jaxtutor" / "01_first_steps" / "01_brighten.py"
SCRIPT = HOME / "train.py"
LESSON = "brighten"
NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
SUBMISSIONS = ("passed", "failed", "raised")
SCRIPTS = ("train", "drift")


# ---------------------------------------------------------------- stored results


class Records(msgspec.Struct, frozen=True):
    """The results of checking the submissions and scripts in the pictures."""

    verdicts: dict[str, Verdict]
    scripts: dict[str, Script]
    fix: tuple[Fix, Verdict]


class Script(msgspec.Struct, frozen=True):
    """The result of a script."""

    status: Any
    failure: Failure | None
    diagnosis: Diagnosis | None
    findings: tuple[Diagnosis, ...]


def read_records() -> Records:
    """Read the stored results."""
    return msgspec.json.decode((DATA / "verdicts.json").read_bytes(), type=Records)


def source(name: str) -> str:
    """Read the source of a submission or a script."""
    return (DATA / "submissions" / f"{name}.py").read_text()


def make_records() -> None:
    """Check the submissions and run the scripts, with invented times and paths."""
    from jaxtutor.checks.submission_trials import fix_submission
    from jaxtutor.scripts.script_check import diagnose_script

    with an_app() as app:
        lesson = app.course.find(LESSON)
        verdicts = {}
        for name in SUBMISSIONS:
            checked = app.checker.check(lesson, source(name), FILE)
            assert checked is not None, "nothing cancels this"
            verdicts[name] = msgspec.structs.replace(checked, seconds=0.21)
        fix = fix_submission(app.checker, lesson, source("raised"), FILE, verdicts["raised"])
        assert fix is not None, "this one has a fix"
        scripts = {}
        for name in SCRIPTS:
            path = DATA / "submissions" / f"{name}.py"
            made = diagnose_script(app.checker.runner, app.library, path, ())
            scripts[name] = Script(made.status, made.failure, made.diagnosis, made.findings)
    after = msgspec.structs.replace(fix[1], seconds=0.21)
    text = msgspec.json.encode(Records(verdicts, scripts, (fix[0], after))).decode()
    for name in SCRIPTS:
        text = text.replace(str(DATA / "submissions" / f"{name}.py"), str(SCRIPT))
    pretty = msgspec.json.format(text.encode(), indent=1)
    (DATA / "verdicts.json").write_bytes(pretty + b"\n")


# ---------------------------------------------------------------- the environment


class Outbox(MessageChannel):
    """Stands in for the connection to the session, and keeps what is sent."""

    def __init__(self) -> None:
        self.frames: list[ScreenUpdate] = []

    def send(self, message: Message) -> None:
        """Keep a message."""
        if isinstance(message, ScreenUpdate):
            self.frames.append(message)


@contextmanager
def a_place() -> Iterator[None]:
    """Set up a fixed environment and a clock that does not advance."""
    environ = {
        "HOME": str(HOME),
        "TERM": "xterm-256color",
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        **{name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ},
        "JAXTUTOR_TRUST_COURSE": "yes",
    }
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, environ, clear=True))
        stack.enter_context(
            patch("jaxtutor.storage.clock.read", lambda: NOON + timedelta(minutes=15))
        )
        stack.enter_context(patch("jaxtutor.session.status.time.monotonic", lambda: 1000.0))
        time.tzset()
        yield
    time.tzset()


@contextmanager
def an_app(columns: int = 80, plain: bool = False) -> Iterator[App]:
    """Set up an app with a course and a history."""
    clock = iter(NOON - timedelta(days=2) + timedelta(minutes=11 * n) for n in range(1000))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = App(Options(plain=plain), EncodedStream("utf-8"), environ=dict(os.environ))
        made: dict[str, Any] = vars(app)
        made["course"] = load_course(DATA / "course")
        made["workspace"] = Workspace(folder / "jaxtutor", folder / "data")
        made["store"] = Store(folder / "progress.sqlite3", "pictures", lambda: next(clock), print)
        app.console.width = columns
        app.console.height = 24
        try:
            yield app
        finally:
            app.close()


def add_past(app: App, records: Records) -> None:
    """Record two days of work by the learner."""
    from jaxtutor.checks.attempts import record

    lesson, sums, _, _ = app.course.lessons
    for name in ("raised", "failed", "passed"):
        record(app, lesson, submission(name), records.verdicts[name])
    app.store.record_hint(lesson.slug, 1)
    app.store.keep_source(lesson.slug, source("failed").encode(), "before reset")
    wrong = msgspec.structs.replace(records.verdicts["raised"], lesson=sums.slug)
    record(app, sums, submission("raised"), wrong)


def submission(name: str) -> Submission:
    """Return a submission of the learner's file at one moment."""
    text = source(name)
    return Submission(FILE, text.encode(), text)


# ---------------------------------------------------------------- screens


@dataclass(frozen=True)
class Screen:
    """The lines written to a terminal, and its width."""

    columns: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Picture:
    """A named screen, a sentence that describes it, and the function that draws it."""

    name: str
    says: str
    draw: Callable[[Records], Screen]


def session(
    change: Callable[[SessionState, Records], None],
    *,
    columns: int = 80,
    rows: int = 24,
    panel: bool = False,
    plain: bool = False,
    past: bool = False,
    hinted: int = 0,
    focused: bool = False,
) -> Callable[[Records], Screen]:
    """Return a function that draws a session after a change of its state."""

    def draw(records: Records) -> Screen:
        outbox = Outbox()
        begin = Begin(LESSON, "utf-8", "auto", "F12", plain=plain)
        with a_place(), an_app(columns, plain) as app:
            if past:
                add_past(app, records)
            for rung in range(1, hinted + 1):
                app.store.record_hint(LESSON, rung)
            lesson = app.course.find(LESSON)
            made = Session(app, lesson, outbox, begin)
            made._state.path = FILE
            made._state.size = Size(columns, rows, 30 if panel else rows, panel)
            change(made._state, records)
            made._draw()
            made._wake.close()
        frame = outbox.frames[-1]
        if panel:
            return Screen(columns, (frame.focused if focused else frame.status, *frame.lines))
        space = [""] * max(rows - 1 - len(frame.lines), 0)
        return Screen(columns, (*frame.lines, *space, frame.status))

    return draw


def command(
    do: Callable[[App, Records], object], columns: int = 80, plain: bool = False
) -> Callable[[Records], Screen]:
    """Return a function that draws the output of a command."""

    def draw(records: Records) -> Screen:
        with a_place(), an_app(columns, plain) as app:
            add_past(app, records)
            do(app, records)
            app.stdout.flush()
            drawn = cast(io.BytesIO, app.stdout.buffer).getvalue().decode()
        return Screen(columns, tuple(drawn.rstrip("\n").split("\n")))

    return draw


def having(name: str, view: str = "verdict") -> Callable[[SessionState, Records], None]:
    """Return a state change: a submission was checked."""

    def change(state: SessionState, records: Records) -> None:
        state.checked = CheckFinished(state.lesson, submission(name), records.verdicts[name])
        state.text = source(name)
        state.show_view(view)

    return change


def looking_at(view: str) -> Callable[[SessionState, Records], None]:
    """Return a state change: a view was opened before the first save."""
    return lambda state, _: state.show_view(view)


def checking(state: SessionState, records: Records) -> None:
    """Show a check in progress after a newer save."""
    having("raised")(state, records)
    state.checking_since = 1000.0 - 1.2


def asking(state: SessionState, _: Records) -> None:
    """Show the first run, without an editor."""
    names = ("micro", "nano", "vim")
    state.choice = tuple(Editor(it, (f"/usr/bin/{it}",), "terminal", "found") for it in names)


def resetting(state: SessionState, records: Records) -> None:
    """Show the question before a reset."""
    having("raised")(state, records)
    state.asking = ("Restore the starter? A copy of your text is kept.", lambda: None)


def telling(state: SessionState, records: Records) -> None:
    """Show a message."""
    state.notify("Save and leave nano. It then opens row-sums.")


def having_fix(state: SessionState, records: Records) -> None:
    """Show a fix that was tried."""
    having("raised", "fix")(state, records)
    assert state.checked is not None
    state.tried = FixTried(state.checked, records.fix)


def check(name: str) -> Callable[[App, Records], object]:
    """Return a function that draws `jaxtutor check` of a submission."""
    return lambda app, records: show_verdict(
        app, app.course.find(LESSON), FILE, records.verdicts[name], source(name)
    )


def grade(app: App, records: Records) -> None:
    """Draw `jaxtutor grade` for three learners."""
    from jaxtutor.core.grading.grades import SubmittedFile, grade_of, ungraded
    from jaxtutor.display.grades import grades_page

    handed_in = {"ann": "passed", "bob": "failed", "cat": "raised", "dan": "passed"}
    grades = [
        grade_of(SubmittedFile(who, LESSON, f"{who}/{LESSON}.py", ""), records.verdicts[name])
        for who, name in handed_in.items()
    ]
    nameless = SubmittedFile("eve", "", "eve/main.py", "")
    grades = [
        replace(it, measured_outside=("values",)) if it.status == "passed" else it for it in grades
    ]
    grades.append(ungraded(nameless, "unnamed", "It is named like no lesson's file."))
    for part in grades_page(grades, [LESSON], app.marks):
        app.console.print(part)


def diagnose(name: str) -> Callable[[App, Records], object]:
    """Return a function that draws `jaxtutor diagnose` of a script."""

    def do(app: App, records: Records) -> None:
        it = records.scripts[name]
        made = ScriptDiagnosis(
            it.status,
            Program("script", str(SCRIPT), SCRIPT, source(name)),
            SCRIPT,
            "cpu:0",
            "",
            1.0,
            it.failure,
            it.diagnosis,
            it.findings,
            {str(SCRIPT): source(name)},
        )
        for part in diagnosing.draw(app, made):
            app.console.print(part, width=app.renderer.width)

    return do


def hint_twice(app: App, _: Records) -> None:
    """Draw `jaxtutor hint` after one hint was shown."""
    hints.hint(app, LESSON, False, False)


def diff(app: App, _: Records) -> None:
    """Draw `jaxtutor diff` of a file against the starter."""
    lesson = app.course.find(LESSON)
    for line in app.renderer.source_diff(lesson.starter, source("raised"), ("starter", "yours")):
        app.console.print(line)


POINTS = (
    HealthItem("Python", "well", "3.13.0"),
    HealthItem("jax", "well", "0.12.0, with jaxlib 0.12.0"),
    HealthItem("editor", "note", "none is set: nano would be taken", "export EDITOR=nano"),
    HealthItem("disk", "wrong", "40 MB are free", "Free some disk space."),
)


def doctor(app: App, _: Records) -> None:
    """Draw `jaxtutor doctor` on a machine with problems."""
    with patch("jaxtutor.commands.doctor.examine", lambda _: POINTS):
        machine.doctor(app)


BELOW: dict[str, Any] = {"panel": True, "columns": 90, "rows": 9}
ALL = (
    Picture("page", "A lesson's page, before and after the editor.", session(looking_at("text"))),
    Picture(
        "page-narrow", "The same at 40 columns.", session(looking_at("text"), columns=40, rows=20)
    ),
    Picture("page-plain", "The same with `--plain`.", session(looking_at("text"), plain=True)),
    Picture("welcome", "The first screen of all.", session(looking_at("welcome"), rows=12)),
    Picture("first-run", "The one question of a first run.", session(asking, rows=8)),
    Picture("page-passed", "A pass.", session(having("passed"), rows=14)),
    Picture("page-raised", "An error, explained.", session(having("raised"), rows=34)),
    Picture(
        "page-failed",
        "Another answer than the solution's, and a finding.",
        session(having("failed"), rows=38),
    ),
    Picture("page-checking", "While a newer save is checked.", session(checking, rows=14)),
    Picture("page-notice", "A message.", session(telling, rows=12)),
    Picture("page-reset", "A question before a reset.", session(resetting, rows=10)),
    Picture("page-keys", "All keys.", session(looking_at("keys"), rows=20)),
    Picture("page-hint", "Hints.", session(looking_at("hint"), rows=10, past=True)),
    Picture("page-fix", "A fix that was tried.", session(having_fix, rows=24, hinted=3)),
    Picture("page-diff", "The file against the starter.", session(having("raised", "diff"))),
    Picture(
        "page-jaxpr",
        "Two jaxprs side by side, if they fit.",
        session(having("passed", "jaxpr"), columns=110, rows=14),
    ),
    Picture("page-attempts", "The attempts.", session(looking_at("attempts"), rows=12, past=True)),
    Picture("page-list", "The course.", session(looking_at("list"), rows=14, past=True)),
    Picture("panel-text", "Below an editor: the problem.", session(looking_at("text"), **BELOW)),
    Picture("panel-passed", "A pass.", session(having("passed"), **BELOW)),
    Picture("panel-raised", "An error.", session(having("raised"), **BELOW)),
    Picture("panel-failed", "Another answer.", session(having("failed"), **BELOW)),
    Picture(
        "panel-checking",
        "A newer save is checked: what stands below is of the one before.",
        session(checking, **BELOW),
    ),
    Picture("panel-keys", "After the prefix.", session(having("raised"), focused=True, **BELOW)),
    Picture("panel-hint", "A hint.", session(looking_at("hint"), past=True, **BELOW)),
    Picture("panel-notice", "A message.", session(telling, **BELOW)),
    Picture(
        "panel-narrow",
        "At 40 columns.",
        session(having("raised"), panel=True, columns=40, rows=6),
    ),
    Picture("check-passed", "`check`: a pass.", command(check("passed"))),
    Picture("check-failed", "`check`: another answer.", command(check("failed"))),
    Picture("check-raised", "`check`: an error.", command(check("raised"))),
    Picture("check-plain", "`check --plain`.", command(check("raised"), plain=True)),
    Picture("hint", "`hint`.", command(hint_twice)),
    Picture("list", "`list`.", command(lambda app, _: pages.list_lessons(app))),
    Picture(
        "history", "`history`.", command(lambda app, _: files.history(app, LESSON, every=False))
    ),
    Picture("diff", "`diff`.", command(diff)),
    Picture("stats", "`stats`.", command(lambda app, _: stats.stats(app))),
    Picture("grade", "`grade`: a folder of one lesson.", command(grade)),
    Picture("diagnose-raised", "`diagnose`: what it raised.", command(diagnose("train"))),
    Picture("diagnose-found", "`diagnose`: a silent mistake.", command(diagnose("drift"))),
    Picture(
        "explain",
        "`explain`: a cause's page.",
        command(lambda app, _: explaining.explain(app, "traced-bool-in-while")),
    ),
    Picture("doctor", "`doctor`.", command(doctor)),
)


# ---------------------------------------------------------------- SVG

WIDTH, HEIGHT, EDGE = 8.4, 18, 12
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" \
width="{width:g}" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" \
font-size="14" xml:space="preserve" role="img">
<title>{title}</title>
<style>
text {{ white-space: pre }}
.ground {{ fill: #ffffff }} .ink, text {{ fill: #000000 }} .paper {{ fill: #ffffff }}
.b {{ font-weight: bold }} .d {{ opacity: 0.6 }} .u {{ text-decoration: underline }}
.i {{ font-style: italic }}
{colours}
@media (prefers-color-scheme: dark) {{
.ground {{ fill: #000000 }} .ink, text {{ fill: #ffffff }} .paper {{ fill: #000000 }} }}
</style>
<rect class="ground" width="100%" height="100%"/>
"""


def draw_svg(screen: Screen, title: str) -> str:
    """Draw a screen as SVG, on a light or dark background as the reader prefers."""
    rows: list[str] = []
    numbers: set[int] = set()
    for row, line in enumerate(screen.lines):
        column = 0
        for text, style in runs(line):
            cells = cell_len(text)
            rows += _draw_run(text, style, column, row, numbers)
            column += cells
    colours = " ".join(f"text.c{n} {{ fill: {hex_of(n)} }}" for n in sorted(numbers))
    head = HEAD.format(
        width=screen.columns * WIDTH + 2 * EDGE,
        height=len(screen.lines) * HEIGHT + 2 * EDGE,
        title=escape(title),
        colours=colours,
    )
    return head + "\n".join([*rows, "</svg>", ""])


def runs(line: str) -> Iterator[tuple[str, Style]]:
    """Split a line into pieces of one style each."""
    text = Text.from_ansi(line)
    for segment in text.render(Console(color_system="256", width=500)):
        if segment.text.strip("\n"):
            yield segment.text, segment.style or Style.null()


def _draw_run(text: str, style: Style, column: int, row: int, numbers: set[int]) -> list[str]:
    x, y, width = EDGE + column * WIDTH, EDGE + row * HEIGHT, cell_len(text) * WIDTH
    drawn = []
    classes = [
        letter
        for letter, has in zip(
            "bdui", (style.bold, style.dim, style.underline, style.italic), strict=True
        )
        if has
    ]
    if style.reverse:
        drawn.append(f'<rect class="ink" x="{x:g}" y="{y:g}" width="{width:g}" height="{HEIGHT}"/>')
        classes.append("paper")
    number = number_of(style)
    if number is not None:
        numbers.add(number)
        classes.append(f"c{number}")
    if text.strip():
        given = f' class="{" ".join(classes)}"' if classes else ""
        drawn.append(
            f'<text x="{x:g}" y="{y + 14:g}" textLength="{width:g}"{given}>{escape(text)}</text>'
        )
    return drawn


def number_of(style: Style) -> int | None:
    """Return a style's colour as a number below 256, or None for the terminal's default."""
    ground = style.bgcolor
    assert ground is None or ground.type is ColorType.DEFAULT, "the ground is the terminal's own"
    colour = style.color
    if colour is None or colour.type is ColorType.DEFAULT:
        return None
    assert colour.number is not None, "no colour is drawn that is not one of the 256"
    return colour.number


def hex_of(number: int) -> str:
    """Return one of the 256 colours in hexadecimal."""
    from rich.color import Color

    return Color.from_ansi(number).get_truecolor().hex


def page() -> str:
    """Return the part of the styleguide that contains the pictures."""
    lines = []
    for picture in ALL:
        lines += [f"### {picture.name}", "", picture.says, ""]
        lines += [f"![{picture.name}](pictures/{picture.name}.svg)", ""]
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Draw all pictures and the part of the styleguide that shows them."""
    if "--check" in arguments:
        with a_place():
            make_records()
    records = read_records()
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        old.unlink()
    for picture in ALL:
        drawn = draw_svg(picture.draw(records), picture.says)
        (PICTURES / f"{picture.name}.svg").write_text(drawn, encoding="utf-8")
    guide = PICTURES.parent / "styleguide.md"
    before, mark, _ = guide.read_text(encoding="utf-8").partition("## Every screen\n")
    guide.write_text(f"{before}{mark}\n{page()}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
