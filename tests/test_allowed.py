"""Tests what a project allows where its programs run: in `diagnose`, in tests and in sessions."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from jaxtutor.app import App
from jaxtutor.cli import run
from jaxtutor.commands import diagnose as command
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.facts import Outcome, ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.engine.findings import MOST_FINDINGS, find
from jaxtutor.core.linting.source_lint import Allowances, NothingAllowed
from jaxtutor.linting.allowing import find_allowances
from jaxtutor.linting.project_files import Projects
from jaxtutor.options import Options
from jaxtutor.scripts import programs
from jaxtutor.scripts.early_findings import EarlyFindings
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from jaxtutor.scripts.script_facts import describe

LIBRARY = Library()
DROPPED = "at-set-result-dropped"
BROKEN = """\
import jax
import jax.numpy as jnp

table = jnp.zeros(3)
table.at[0].set(1.0){comment}
print(table)
"""
RAISING = """\
import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    if x.sum() > 0:{comment}
        return x
    return -x


keep(jnp.arange(3.0))
"""
FAILURE = Failure(
    "TracerBoolConversionError",
    ("TracerBoolConversionError", "TypeError", "Exception", "object"),
    "Attempted boolean conversion of traced array with shape bool[].",
    module="jax.errors",
    transformation="jit",
    traced_function="keep",
    tracer="bool[]",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the current one, with a home of its own."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    for name in ("JAX_PLATFORMS", "JAXTUTOR_SCRIPT_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def configure(folder: Path, table: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.jaxtutor]\n{table}\n")


def described(
    file: Path,
    text: str,
    failure: Failure | None = None,
    allowances: Allowances | None = None,
) -> ScriptDiagnosis:
    """Return what is known of a program that ran, as its project wants."""
    file.write_text(text)
    program = programs.script(file)
    projects = Projects(LIBRARY.slugs)
    allowances = allowances or find_allowances(lambda: projects.find(file), projects, LIBRARY.slugs)
    facts = ScriptFacts(int(failure is not None), files=(str(file),), failure=failure)
    return describe(Outcome("finished", 0.0, events=(facts,)), program, LIBRARY, allowances)


def drawn(run: ScriptDiagnosis) -> str:
    app = App(Options(plain=True), stdout=io.StringIO(), stderr=io.StringIO(), environ={})
    for part in command.draw(app, run):
        app.console.print(part)
    return " ".join(app.stdout.getvalue().split())  # type: ignore[attr-defined]


# ---------------------------------------------------------------- diagnose


@pytest.mark.parametrize(
    ("table", "comment", "status"),
    [
        ("", "", "found"),
        ("", f"  # jaxtutor: ignore[{DROPPED}]", "clean"),
        ("", f"\n# jaxtutor: ignore-file[{DROPPED}]", "clean"),
        (f'ignore = ["{DROPPED}"]', "", "clean"),
        ('select = ["prng-key-reuse"]', "", "clean"),
        (f'per-file-ignores = {{"mine.py" = ["{DROPPED}"]}}', "", "clean"),
        (f'per-file-ignores = {{"other.py" = ["{DROPPED}"]}}', "", "found"),
    ],
)
def test_a_run_keeps_what_its_project_allows(
    table: str, comment: str, status: str, project: Path
) -> None:
    """A program in which everything that was found is allowed is clean, and says how much it is."""
    configure(project, table)
    made = described(project / "mine.py", BROKEN.format(comment=comment))

    assert (status, int(status == "clean")) == (made.status, made.allowed)
    assert (status == "clean") == ("1 finding is allowed by the project's" in drawn(made))
    assert (made.findings == ()) == (made.diagnosed == ()) == (status == "clean")
    assert command.report(made).allowed == made.allowed


def test_what_is_worth_a_look_has_its_advice(project: Path) -> None:
    """What need not be a mistake is shown with what to do about it."""
    made = described(project / "mine.py", BROKEN.format(comment=""))
    (found,) = made.findings
    looked = dataclasses.replace(made, status="clean", findings=(), looks=(found,))
    assert found.advice
    assert found.advice in drawn(looked)


def test_a_comment_does_not_solve_a_drill(project: Path) -> None:
    """Where nothing is allowed, no comment is read."""
    text = BROKEN.format(comment="  # jaxtutor: ignore")
    made = described(project / "mine.py", text, allowances=NothingAllowed())
    assert ("found", 0) == (made.status, made.allowed)


@pytest.mark.parametrize("place", ["comment", "table", "select", ""])
def test_an_exception_is_reported_and_its_ignore_named(place: str, project: Path) -> None:
    """An ignore hides nothing of what is raised; one line says so. A selection names no cause."""
    cause = "traced-bool-in-if"
    configure(project, f'ignore = ["{cause}"]' if place == "table" else "")
    if place == "select":
        configure(project, f'select = ["{DROPPED}"]')
    comment = f"  # jaxtutor: ignore[{cause}]" if place == "comment" else ""
    file = project / "mine.py"
    frames = Frame(str(file), "", Span(12, 0, 12, 21)), Frame(str(file), "keep", Span(7, 7, 7, 18))
    failure = replace(FAILURE, frames=frames)
    made = described(file, RAISING.format(comment=comment), failure)

    assert made.diagnosis is not None
    assert ("raised", cause, 0) == (made.status, made.diagnosis.cause, made.allowed)
    says = f"{cause} is ignored here, but an exception is always reported."
    assert (place in ("comment", "table")) == (says in drawn(made))


def test_what_is_allowed_takes_no_place_of_a_mistake() -> None:
    """Of many findings the first few are reported, of those that are not allowed."""
    lines = [f"table.at[{n}].set(1.0)" for n in range(MOST_FINDINGS + 1)]
    text = "import jax.numpy as jnp\ntable = jnp.zeros(99)\n" + "\n".join(lines) + "\n"
    found = find((), {"a.py": text}, LIBRARY, lambda it: it.line > 3)

    assert [*range(4, 4 + MOST_FINDINGS)] == [it.diagnosis.line for it in found]


@pytest.mark.parametrize(("comment", "count"), [("", 1), ("  # jaxtutor: ignore", 0)])
def test_early_reports_leave_out_what_is_allowed(comment: str, count: int, project: Path) -> None:
    """A finding that is allowed is not announced while the program runs."""
    file = project / "mine.py"
    file.write_text(BROKEN.format(comment=comment))
    projects, seen = Projects(LIBRARY.slugs), list[Diagnosis]()
    allowances = find_allowances(lambda: projects.find(file), projects, LIBRARY.slugs)
    with EarlyFindings(programs.script(file), LIBRARY, seen.append, allowances) as early:
        early._begin()
    assert count == len(seen)


@pytest.mark.parametrize(
    ("options", "variables", "personal", "expected"),
    [
        ([], {}, "", ("cpu", 7.0)),
        ([], {}, "[limits]\nscript = 9\n", ("cpu", 7.0)),
        ([], {"JAXTUTOR_SCRIPT_SECONDS": "8"}, "", ("cpu", 8.0)),
        ([], {"JAX_PLATFORMS": "tpu"}, "", (None, 7.0)),
        (["--device", "gpu", "--timeout", "3"], {"JAXTUTOR_SCRIPT_SECONDS": "8"}, "", ("gpu", 3.0)),
    ],
)
def test_options_come_before_variables_before_the_project(
    options: list[str],
    variables: dict[str, str],
    personal: str,
    expected: tuple[str | None, float],
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The project comes before the personal file."""
    configure(project, 'device = "cpu"\ntimeout = 7')
    (project.parent / "home").mkdir()
    (project.parent / "home" / "config.toml").write_text(personal)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    used: list[tuple[str | None, float]] = []

    def diagnose_program(*_: object, **given: Any) -> ScriptDiagnosis:
        used.append((given["device"], given["seconds"]))
        return described(project / "mine.py", "print(1)\n")

    monkeypatch.setattr(command, "diagnose_program", diagnose_program)
    (project / "mine.py").write_text("print(1)\n")
    assert 0 == run(["diagnose", "--once", *options, "mine.py"])
    assert [expected] == used


def test_settings_that_cannot_be_read_run_nothing(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An unknown slug is an error with the nearest, before the program starts."""
    configure(project, 'ignore = ["prng-key-resue"]')
    (project / "mine.py").write_text("open('ran', 'w')\n")
    assert 3 == run(["diagnose", "--once", "mine.py"])
    assert "Did you mean `prng-key-reuse`" in " ".join(capsys.readouterr().err.split())
    assert not (project / "ran").exists()


def test_a_file_of_another_project_keeps_its_own_settings(project: Path) -> None:
    """A broken table of another project is not this one's fault: the settings here are used."""
    other = project.parent / "other"
    other.mkdir()
    (other / "walls.py").touch()
    configure(other, f'ignore = ["{DROPPED}"]')
    found = Diagnosis(None, "", DROPPED, str(other / "walls.py"), Span(1, 0, 1, 3), "", "", "")

    def is_reported() -> bool:
        projects = Projects(LIBRARY.slugs)
        here = projects.of_folder(project)
        return find_allowances(lambda: here, projects, LIBRARY.slugs).is_reported(found)

    assert not is_reported()
    configure(other, "ignore = 3")
    assert is_reported()
