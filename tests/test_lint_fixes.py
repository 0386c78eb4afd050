"""Tests the edits of `lint`, and the baseline of accepted findings."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis, Edit, Fix
from jaxtutor.core.data.positions import Span
from jaxtutor.core.linting.baseline import BaselineFault, read_baseline
from jaxtutor.core.linting.directives import read_directives
from jaxtutor.core.linting.edits import edited
from jaxtutor.core.linting.source_lint import LintedFile
from jaxtutor.linting.fixes import MOST_PASSES, fixed, write_files

KNOWN = Library().slugs
WRONG = """\
import time

import jax
import jax.numpy as jnp

double = jax.jit(lambda x: x * 2)
table = double(jnp.ones(3))
start = time.time()
for _ in range(3):
    double(table)
print(time.time() - start)
table.at[0].set(1.0)  # jaxtutor: ignore[labels-are-inputs]
print(table)
"""
SAFE = WRONG.replace("    double(table)", "    jax.block_until_ready(double(table))").replace(
    "  # jaxtutor: ignore[labels-are-inputs]", ""
)
ALL = SAFE.replace("table.at[0]", "table = table.at[0]")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one wrong file as the current one, with a home of its own."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "a.py").write_text(WRONG)
    return folder


def lint(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["lint", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


# ---------------------------------------------------------------- edits


def test_a_fix_makes_the_edits_that_keep_results(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What could change results is left, and still reported."""
    assert "1 can be fixed with --fix, 1 with" in " ".join(lint(capsys)[1].split())
    status, out, _ = lint(capsys, "--fix")
    assert (1, SAFE) == (status, (project / "a.py").read_text())
    assert "a.py: fixed." in out
    assert "at-set-result-dropped" in out
    assert "timed-before-finished" not in out


def test_unsafe_edits_are_made_if_they_are_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All known edits of mistakes are made in one command."""
    assert 0 == lint(capsys, "--fix", "--unsafe-fixes")[0]
    assert (project / "a.py").read_text() == ALL


def test_a_diff_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the edits, and the status says whether there are some."""
    status, out, _ = lint(capsys, "--diff")
    assert (1, WRONG) == (status, (project / "a.py").read_text())
    assert out.startswith("--- a.py\n+++ a.py\n@@")
    assert "+    jax.block_until_ready(double(table))\n" in out
    (project / "a.py").write_text(ALL)
    assert (0, "") == lint(capsys, "--diff")[:2]


def test_a_text_is_fixed_on_the_way(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Standard input is printed with the edits, and nothing else is."""
    monkeypatch.setattr("sys.stdin", io.StringIO(WRONG))
    assert (0, ALL) == lint(capsys, "-", "--fix", "--unsafe-fixes")[:2]


@pytest.mark.parametrize(
    "options",
    [
        ["--unsafe-fixes"],
        ["--fix", "--diff"],
        ["--diff", "--json"],
        ["--fix", "--write-baseline=b"],
    ],
)
def test_options_that_exclude_each_other(
    options: list[str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Options that make no sense together are refused, and no file changes."""
    assert 2 == lint(capsys, *options)[0]
    assert (project / "a.py").read_text() == WRONG


def test_a_file_keeps_its_encoding_and_its_link(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bytes, line endings and a link stay; a file that has two names is written once."""
    text = f"# -*- coding: latin-1 -*-\n# é\n{WRONG}".replace("\n", "\r\n")
    (project / "a.py").write_bytes(text.encode("latin-1"))
    (project / "b.py").symlink_to("a.py")
    assert 0 == lint(capsys, "--fix", "--unsafe-fixes")[0]
    assert (project / "b.py").is_symlink()
    after = (project / "a.py").read_bytes()
    assert b"# \xe9\r\n" in after
    assert after.count(b"\r\n") == after.count(b"\n")
    assert b"table = table.at[0]" in after


def test_a_file_that_changed_meanwhile_is_not_written(project: Path) -> None:
    """An editor may save while files are read."""
    file = str(project / "a.py")
    written, problems = write_files({file: "x = 1\n"}, {file: "x = 2\n"})
    assert ([], [file]) == (written, list(problems))
    assert (project / "a.py").read_text() == WRONG


def found(*edits: Edit) -> Diagnosis:
    fix = Fix("", verified=False, replaced=edits, keeps_results=True)
    return Diagnosis(None, "", "zero-gradient", "a.py", edits[0].span, "", "", "", fix=fix)


def test_edits_that_overlap_wait_for_another_pass() -> None:
    """The first one is made; so is an import that both need, once."""
    line = Edit(Span(1, 0, 1, 0), "import jax\n")
    first, second = Edit(Span(1, 0, 1, 5), "y = 2"), Edit(Span(1, 4, 1, 5), "3")
    linted = LintedFile("a.py", (found(Edit(Span(2, 4, 2, 5), "4"), line), found(second, line)))
    assert "import jax\nx = 3\nx = 4\n" == edited("x = 1\nx = 1\n", linted, is_unsafe=False)
    linted = LintedFile("a.py", (found(first), found(second)))
    assert "y = 2\n" == edited("x = 1\n", linted, is_unsafe=False)


def test_an_edit_that_leaves_no_python_is_not_made() -> None:
    """Two edits may each be right, and not both."""
    linted = LintedFile("a.py", (found(Edit(Span(1, 0, 1, 1), "(")),))
    assert "x = 1\n" == edited("x = 1\n", linted, is_unsafe=False)


def test_edits_that_never_end_are_stopped() -> None:
    """An edit that causes another finding is made a limited number of times."""

    def grow(texts: dict[str, str]) -> list[LintedFile]:
        return [LintedFile("a.py", (found(Edit(Span(1, 0, 1, 0), "y = 1\n")),))]

    assert "y = 1\n" * MOST_PASSES == fixed({"a.py": ""}, grow, False)["a.py"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("x = 1  # jaxtutor: ignore[zero-gradient]", "x = 1"),
        ("x = 1  # jaxtutor: ignore[zero-gradient]  # noqa", "x = 1  # noqa"),
        ("x = 1  # noqa  # jaxtutor: ignore", "x = 1  # noqa"),
        ("x = 1  # jaxtutor: ignore[zero-gradient] it is meant", "x = 1"),
        ("# jaxtutor: ignore-file[zero-gradient]", ""),
    ],
)
def test_what_goes_with_a_comment(line: str, left: str) -> None:
    """Only the directive goes, and its line if nothing else is in it."""
    text = f"{line}\ny = 2\n"
    unused, _ = read_directives("a.py", text, KNOWN)
    after = edited(text, LintedFile("a.py", unused=unused), is_unsafe=False)
    assert (f"{left}\ny = 2\n" if left else "y = 2\n") == after


@pytest.mark.parametrize("cause", ["prng-key-reuse", "at-set-result-dropped"])
def test_a_comment_that_a_run_may_need_stays(
    cause: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A comment for what a run finds too, or for what was not looked for, is not removed."""
    text = "import jax.numpy as jnp\n\nx = jnp.ones(3)\nx.at[0].set(1)  # jaxtutor: ignore[X]\n"
    text = text.replace("X", cause) + "print(x)\n"
    (project / "a.py").write_text(text)
    assert 0 == lint(capsys, "--fix", "--select", "zero-gradient")[0]
    assert (project / "a.py").read_text() == text


# ---------------------------------------------------------------- the baseline


def test_accepted_findings_are_not_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They stay accepted when lines move; a second one of the kind is new."""
    (project / "a.py").write_text(SAFE)
    assert (0, "1 accepted in base.json.\n") == lint(capsys, "--write-baseline", "base.json")[:2]
    assert 1 == lint(capsys)[0]
    (project / "a.py").write_text(f"\n\n{SAFE}")
    status, out, _ = lint(capsys, "--baseline", "base.json")
    assert 0 == status
    assert "1 accepted" in " ".join(out.split())
    (project / "a.py").write_text(f"{SAFE}table.at[0].set(1.0)\nprint(table)\n")
    status, out, _ = lint(capsys, "--baseline", "base.json", "--json")
    assert (1, 1) == (status, len(json.loads(out)["findings"]))


def test_the_project_names_its_baseline(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The path is relative to the folder of the settings, wherever the command runs."""
    (project / "deep").mkdir()
    (project / "a.py").rename(project / "deep" / "a.py")
    (project / "deep" / "a.py").write_text(SAFE)
    assert 0 == lint(capsys, "--write-baseline", "base.json")[0]
    (project / "pyproject.toml").write_text('[tool.jaxtutor]\nbaseline = "base.json"\n')
    assert 0 == lint(capsys, "deep/a.py")[0]


def test_what_is_gone_is_reported(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finding that was fixed is named; one that was not looked for is not."""
    (project / "a.py").write_text(SAFE)
    lint(capsys, "--write-baseline", "base.json")
    (project / "a.py").write_text(ALL)
    status, out, _ = lint(capsys, "--baseline", "base.json")
    assert 0 == status
    assert "a.py: at-set-result-dropped, accepted before, is fixed." in out
    out = lint(capsys, "--baseline", "base.json", "--select", "zero-gradient", "--json")[1]
    assert [] == json.loads(out)["gone"]
    (project / "a.py").write_text("x = (\n")
    assert [] == json.loads(lint(capsys, "--baseline", "base.json", "--json")[1])["gone"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "is not a baseline"),
        ("[]", "is not a baseline"),
        ('{"version": 1, "findings": [1]}', "is not a baseline"),
        ('{"version": 2, "findings": 5}', "is a baseline of version 2, not 1"),
        (None, "cannot be read"),
    ],
)
def test_a_baseline_that_cannot_be_used_is_an_error(
    data: str | None, says: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says what is wrong, and how it is written again."""
    if data is not None:
        (project / "base.json").write_text(data)
        with pytest.raises(BaselineFault):
            read_baseline(data.encode())
    status, _, err = lint(capsys, "--baseline", "base.json")
    assert 3 == status
    assert says in " ".join(err.split())
    assert "--write-baseline base.json" in " ".join(err.split())


def test_no_baseline_is_written_of_a_broken_file(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would accept what is found when the file is corrected, or miss it."""
    (project / "a.py").write_text("x = (\n")
    assert 2 == lint(capsys, "--write-baseline", "base.json")[0]
    assert not (project / "base.json").exists()
