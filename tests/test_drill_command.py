"""Tests `drill`: its answers, its conversation, and that what was answered is kept."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.app import App
from jaxtutor.checks import drill_check
from jaxtutor.cli import run
from jaxtutor.commands import diagnose
from jaxtutor.commands.drill_log import DrillLog
from jaxtutor.commands.drill_printing import lesson_of
from jaxtutor.commands.drill_talk import DrillTalk
from jaxtutor.commands.drills import options_of
from jaxtutor.content.drill_pages import DrillPages
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.pages import fill
from jaxtutor.options import Options
from jaxtutor.scripts.programs import Program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from jaxtutor.storage import schema
from jaxtutor.system import editor
from json_page import broken_promises

DRILL = DrillPages().find("fish-market")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty home."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    for name in ("VISUAL", "EDITOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(drill_check, "diagnose_broken", lambda *_: None)
    return tmp_path / "home"


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    status = run(["drill", *words, "--json"])
    return status, json.loads(capsys.readouterr().out)


def events(home: Path) -> list[tuple[Any, ...]]:
    """Return program, answers, runs and whether it was fixed, of each drill on record."""
    columns = "program, line_right, cause_right, tries, fixed_at IS NOT NULL"
    with closing(sqlite3.connect(home / "data" / "progress.sqlite3")) as db:
        return db.execute(f"SELECT {columns} FROM drills ORDER BY id").fetchall()


# ---------------------------------------------------------------- answers on the command line


def test_drills_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON has a session's programs with four causes each, and not the answers."""
    status, report = ask(capsys)

    assert (0, []) == (status, broken_promises(report, "drill"))
    names = [drill["name"] for drill in report["drills"]]
    assert len(names) == len(set(names)) > 1
    assert {4} == {len(drill["options"]) for drill in report["drills"]}


def test_without_a_terminal_nothing_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """The program is printed with numbered lines, and how to answer."""
    assert 0 == run(["drill", "fish-market"])
    printed = capsys.readouterr().out
    assert "  7      keep = " in printed
    assert "jaxtutor drill fish-market --line N --cause NAME" in printed


@pytest.mark.parametrize(
    ("line", "cause", "expected"),
    [
        ("7", "traced-bool-in-and-or", (0, True, True)),
        ("8", "traced-bool-in-and-or", (1, False, True)),
        ("7", "traced-bool-in-if", (1, True, False)),
    ],
)
def test_a_reading_is_judged_and_recorded(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    line: str,
    cause: str,
    expected: tuple[int, bool, bool],
) -> None:
    """The line and the cause are judged one by one, and a wrong answer gets a reason."""
    status, report = ask(capsys, "fish-market", "--line", line, "--cause", cause)

    assert bool(report["why"]) == (status != 0)

    assert [] == broken_promises(report, "drill-answer")
    assert expected == (status, report["line_right"], report["cause_right"])
    assert [("fish-market", *expected[1:], 0, 0)] == events(home)


@pytest.mark.parametrize(
    "words",
    [
        ("fish-markt",),
        ("--cause", "no-such-cause"),
        ("--line", "3"),
        ("--fix", "x.py"),
        ("fish-market", "--line", "0", "--cause", "traced-bool-in-if"),
        ("fish-market", "--line", "99", "--cause", "traced-bool-in-if"),
        ("fish-market", "--line", "7"),
        ("fish-market", "--line", "7", "--cause", "nonesuch"),
        ("fish-market", "--cause", "traced-bool-in-if"),
        ("fish-market", "--fix", "no-such-file.py"),
    ],
)
def test_what_is_no_answer_is_wrong_usage(
    home: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """A line or cause that does not exist is refused, and nothing is recorded."""
    status, report = ask(capsys, *words)
    assert (2, 2) == (status, report["error"]["exit_status"])
    assert not (home / "data" / "progress.sqlite3").exists() or [] == events(home)


# ---------------------------------------------------------------- fixes


def ended(status: Any, stdout: str = "", cause: str = "") -> ScriptDiagnosis:
    """Return the result of running a fix."""
    found = Diagnosis(None, "", cause or None, "m.py", Span(1, 0, 1, 1), "So.", "", "", (), None)
    program = Program("script", "m.py", Path("m.py"), "x")
    run = ScriptDiagnosis(status, program, program.file, "", "", 0.0, stdout=stdout)
    return run.with_findings((found,)) if cause else run


RIGHT = DRILL.expected


@pytest.mark.parametrize(
    ("text", "run_of", "expected"),
    [
        ("", None, "empty"),
        (" \n\n", None, "empty"),
        (DRILL.broken, None, "unchanged"),
        (DRILL.broken + "\n\n", None, "unchanged"),
        ("x", ended("clean", RIGHT), "right"),
        ("x", ended("clean", RIGHT.replace("0.", "1e-9")), "right"),
        ("x", ended("found", RIGHT, "unrolled-loop"), "right"),
        ("x", ended("found", RIGHT, DRILL.cause), "mistaken"),
        ("x", ended("found", RIGHT, "prng-key-reuse"), "mistaken"),
        ("x", ended("clean", "[0. 0. 0.]\n"), "wrong"),
        ("x", ended("clean"), "wrong"),
        ("x", ended("raised", RIGHT), "failed"),
        ("x", ended("exited", RIGHT), "failed"),
        ("x", ended("crashed", RIGHT), "failed"),
        ("x", ended("timed_out", RIGHT), "timed_out"),
    ],
)
def test_a_fix_is_judged_by_what_it_prints(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    run_of: ScriptDiagnosis | None,
    expected: str,
) -> None:
    """It does not matter how a program was fixed; an empty or unchanged one does not run."""
    (tmp_path / "m.py").write_text(text)
    monkeypatch.setattr(drill_check, "diagnose_program", lambda *_, **__: run_of)
    status, report = ask(capsys, "fish-market", "--fix", str(tmp_path / "m.py"))

    assert [] == broken_promises(report, "drill-fix")
    assert (int(expected != "right"), expected) == (status, report["status"])


@pytest.mark.parametrize(
    ("name", "old", "new", "printed", "expected"),
    [
        ("sum-along", "@jax.jit\n", "", "", "uncompiled"),
        ("sum-along", "", "", "", "right"),
        ("cards-from-deck", "", "", ", weak_type=True", "right"),
        ("cards-from-deck", "", "", "int32", "wrong"),
    ],
)
def test_a_fix_is_judged_by_values_and_compiled(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    old: str,
    new: str,
    printed: str,
    expected: str,
) -> None:
    """Weak types may differ, dtypes may not, and taking `jax.jit` away fixes nothing."""
    drill = DrillPages().find(name)
    source = drill.broken.replace(old, new) if old else drill.fixed

    def diagnose(_: Any, __: Any, program: Program, **___: Any) -> ScriptDiagnosis:
        run_of = ended("clean", drill.expected.replace(printed, "") if printed else drill.expected)
        return replace(run_of, program=program)

    (tmp_path / "m.py").write_text(source)
    monkeypatch.setattr(drill_check, "diagnose_program", diagnose)
    assert expected == ask(capsys, name, "--fix", str(tmp_path / "m.py"))[1]["status"]


REWRITTEN = """
import numpy as np
pairs = [(1.0, 35.0), (2.5, 38.0), (1.5, 44.0)]
print(np.array([12.5 * w if w > 2 or l > 40 else 0.0 for w, l in pairs]))
"""


def test_a_rewrite_is_run_and_right(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program written in another way is right if its answer is, and the run is recorded."""
    (tmp_path / "m.py").write_text(REWRITTEN)
    status, report = ask(capsys, "fish-market", "--fix", str(tmp_path / "m.py"))

    assert (0, "right") == (status, report["status"])
    assert [("fish-market", 0, 0, 1, 1)] == events(home)


def test_a_fix_that_makes_another_mistake_is_not_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where only a shape is printed, the run shows that a key is used twice."""
    drill = DrillPages().find("three-sensors")
    broken = drill.broken.splitlines()[drill.line - 1]
    fixed = broken.replace(", gain_key", "") + "; gain_key = noise_key"
    (tmp_path / "m.py").write_text(drill.broken.replace(broken, fixed))
    status, report = ask(capsys, drill.name, "--fix", str(tmp_path / "m.py"))

    assert (1, "mistaken") == (status, report["status"])
    assert "prng-key-reuse" == report["diagnosis"]["cause"]


# ---------------------------------------------------------------- the conversation


@pytest.fixture
def app() -> Iterator[App]:
    """Return the environment of a command."""
    made = App(Options(plain=True), stdout=io.StringIO(), stderr=io.StringIO())
    yield made
    made.close()


def talk(app: App, monkeypatch: pytest.MonkeyPatch, typed: str) -> tuple[bool | None, str]:
    """Have a drill with these lines typed; return its result and what was printed."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    result = DrillTalk(app, DrillLog(app), DRILL, options_of(app, DRILL)).run()
    return result, app.stdout.getvalue()  # type: ignore[attr-defined]


def right_number(app: App) -> int:
    return options_of(app, DRILL).index(DRILL.cause) + 1


def test_a_reading_is_kept_when_the_learner_stops(
    home: Path, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After both answers, leaving before the fix keeps the answers and the file."""
    result, printed = talk(app, monkeypatch, f"seven\n7\n{right_number(app)}\nq\n")

    assert result is None
    assert "Please type a number from 1 to" in printed
    assert [("fish-market", 1, 1, 0, 0)] == events(home)
    assert DRILL.broken == app.workspace.drill_file("fish-market").read_text()


@pytest.mark.parametrize("typed", ["", "q\n", "7\n", "7\nq\n"])
def test_a_drill_left_before_its_answers_is_not_recorded(
    app: App, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    """Without both answers nothing is known, so the drill comes again."""
    assert talk(app, monkeypatch, typed)[0] is None
    assert () == app.store.drills()


def test_ctrl_c_while_a_fix_runs_keeps_the_answers(
    home: Path, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interrupted run is not counted, and the file stays."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(drill_check, "run_fix", interrupt)
    with pytest.raises(KeyboardInterrupt):
        talk(app, monkeypatch, "7\n\nr\n")
    assert [("fish-market", 1, 0, 0, 0)] == events(home)


def test_a_fix_is_shown_on_request(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fix is shown as a diff, with the cause in a sentence."""
    result, printed = talk(app, monkeypatch, "\n\ns\n")

    assert result is False
    assert "+    keep = jnp.where(heavy | (length > 40.0), weight, 0.0)" in printed
    assert "jaxtutor explain traced-bool-in-and-or" in printed


def test_runs_are_counted_until_the_fix_is_right(
    home: Path, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong fix can be tried again, and a right one ends the drill."""
    runs = iter([ended("clean", "1\n"), ended("clean", RIGHT)])

    def fix(_: App, drill: Any, __: Path) -> drill_check.FixResult:
        ran = next(runs)
        return drill_check.FixResult("right" if ran.stdout == RIGHT else "wrong", ran)

    monkeypatch.setattr(drill_check, "run_fix", fix)
    result, printed = talk(app, monkeypatch, f"7\n{right_number(app)}\nr\nr\n")

    assert result is True
    assert "It prints another answer than expected." in printed
    assert [("fish-market", 1, 1, 2, 1)] == events(home)


def test_an_editor_that_fails_is_reported_and_asked_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drill goes on after an editor that cannot be used."""
    app.environ = {**app.environ, "EDITOR": "false"}
    assert talk(app, monkeypatch, "7\n1\n\nq\n")[0] is None
    assert "exited with status 1" in app.stderr.getvalue()  # type: ignore[attr-defined]


def test_the_editor_ends_and_the_fix_runs(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a terminal editor ends without a change, the drill says that nothing changed."""
    app.environ = {**app.environ, "EDITOR": "true"}
    monkeypatch.setattr(editor, "open_in_foreground", lambda *_: 0)
    monkeypatch.setattr(editor, "describe_exit", lambda *_: None)
    _, printed = talk(app, monkeypatch, "7\n1\n\nq\n")
    assert "The program is unchanged." in printed


def test_an_unfinished_fix_is_continued_and_a_finished_one_kept(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The learner's text is never overwritten."""
    file = app.workspace.drill_file("fish-market")
    talk(app, monkeypatch, "7\n1\nq\n")
    file.write_text("mine\n")
    talk(app, monkeypatch, "7\n1\nq\n")
    assert "mine\n" == file.read_text()

    app.store.record_fix("fish-market", True)
    talk(app, monkeypatch, "7\n1\nq\n")
    assert (DRILL.broken, "mine\n") == (
        file.read_text(),
        file.with_name("fish-market-2.py").read_text(),
    )


def test_a_drill_works_without_a_store(
    home: Path, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A progress file that cannot be written is reported once, and the drill goes on."""
    home.mkdir()
    (home / "data").write_text("a file")
    result, printed = talk(app, monkeypatch, "7\n1\ns\n")

    assert result is False
    assert "Line 7" in printed
    assert 1 == app.stderr.getvalue().count("jaxtutor:")  # type: ignore[attr-defined]


# ---------------------------------------------------------------- what is remembered


def test_the_tables_of_drills_are_added(tmp_path: Path, home: Path, app: App) -> None:
    """A file of version 5 gets the tables of drills, and keeps what it has."""
    path = home / "data" / "progress.sqlite3"
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as old:
        for migration in schema.MIGRATIONS[:5]:
            migration(old)
        old.execute("INSERT INTO settings VALUES ('editor', 'nano')")
        old.execute("PRAGMA user_version = 5")
        old.commit()

    app.store.record_drill("fish-market", "traced-bool-in-and-or", True, False)
    app.store.record_met_causes(["prng-key-reuse"])
    assert "nano" == app.store.setting("editor")
    assert ["fish-market"] == [done.program for done in app.store.drills()]
    assert ["prng-key-reuse"] == [it.cause for it in app.store.met_causes()]


@pytest.mark.parametrize(("choice", "expected"), [("causes", ["prng-key-reuse"]), ("nothing", [])])
def test_diagnose_remembers_names_of_causes(
    app: App, monkeypatch: pytest.MonkeyPatch, choice: str, expected: list[str]
) -> None:
    """What `diagnose` found in the learner's program is met, unless the setting says otherwise."""
    monkeypatch.setenv("JAXTUTOR_REMEMBER", choice)
    diagnose._remember(app, ended("found", cause="prng-key-reuse"))
    diagnose._remember(app, replace(ended("clean")))
    assert expected == [it.cause for it in app.store.met_causes()]


def test_a_wrong_answer_is_answered_from_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The broken program is run, and the reason has its own names."""
    monkeypatch.undo()
    status, report = ask(capsys, "fish-market", "--line", "8", "--cause", "traced-bool-in-if")

    assert (1, False) == (status, report["line_right"])
    assert "`heavy or length > 40.0`" in report["why"]


@pytest.mark.parametrize("cause", DrillPages().causes)
def test_each_cause_has_a_sentence_without_holes(app: App, cause: str) -> None:
    """What stands for a program that was not run has the names of the page's example, or none."""
    example, own = app.library.summaries.get(cause), app.library[cause].summary
    assert example or own == fill(own, {})
    assert (example or own) == lesson_of(app, DrillPages().of(cause)[0])


def test_what_was_met_is_due_and_comes_first(
    app: App, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`review`, `stats` and the next session know the causes that the learner met."""
    app.store.record_met_causes(["prng-key-reuse", "a-cause-without-drills"])
    _, drills = ask(capsys)
    run(["review", "--json"])
    review = json.loads(capsys.readouterr().out)
    run(["stats", "--json"])
    stats = json.loads(capsys.readouterr().out)

    found = [DrillPages().find(drill["name"]).cause for drill in drills["drills"]]
    assert "prng-key-reuse" == found[0]
    assert [("prng-key-reuse", True)] == [(it["cause"], it["is_due"]) for it in review["drills"]]
    assert ([], []) == (stats["mastered"], stats["recurring"])
    assert [] == broken_promises(review, "review") + broken_promises(stats, "stats")
