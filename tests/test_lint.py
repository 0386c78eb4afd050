"""Tests `lint`: what it reads and reports, the settings of a project, and allowing comments."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from jaxtutor.cli import run
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.positions import Span
from jaxtutor.core.linting.directives import DirectiveFault, read_directives
from jaxtutor.core.linting.groups import groups
from jaxtutor.core.linting.project import ProjectFault, ProjectSettings, is_matched, read_settings
from jaxtutor.core.linting.source_lint import Allowances
from jaxtutor.linting.lint_run import find_mistakes

KNOWN = Library().slugs
DROPPED = "at-set-result-dropped"
BROKEN = """\
import jax.numpy as jnp

table = jnp.zeros(3)
table.at[0].set(1.0){comment}
print(table)
"""
RIGHT = BROKEN.replace("table.at", "table = table.at").format(comment="")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder as the current one, with a home of its own."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def lint(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["lint", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def places(out: str) -> list[tuple[str, int]]:
    found = json.loads(out)["findings"]
    return [(Path(each["file"]).name, each["line"]) for each in found]


# ---------------------------------------------------------------- what is read


def test_a_folder_is_linted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All Python files of a folder are read, and the status says whether something was found."""
    write(project, wrong=BROKEN.format(comment=""), deep__wrong=BROKEN.format(comment=""), ok=RIGHT)
    status, out, _ = lint(capsys, "--json")

    assert 1 == status
    assert [("wrong.py", 4), ("wrong.py", 4)] == places(out)
    assert 3 == json.loads(out)["files"]
    status, out, _ = lint(capsys, "ok.py")
    assert 0 == status
    assert "Nothing found. 1 file" in out


@pytest.mark.parametrize("folder", [".hidden", "node_modules", "build", "env/lib"])
def test_what_is_not_the_projects_own_is_left_out(
    folder: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hidden folders, environments and what was built are not read, unless they are named."""
    write(project, **{f"{folder.replace('/', '__')}__wrong": BROKEN.format(comment="")})
    (project / "env").mkdir(exist_ok=True)
    (project / "env" / "pyvenv.cfg").touch()
    assert 0 == lint(capsys)[0]
    assert 1 == lint(capsys, f"{folder}/wrong.py")[0]


def test_a_text_is_linted_under_a_name(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor passes a text that is not saved."""
    monkeypatch.setattr("sys.stdin", io.StringIO(BROKEN.format(comment="")))
    status, out, _ = lint(capsys, "-", "--stdin-filename", "model.py", "--format", "short")

    assert 1 == status
    assert out.startswith("model.py:4:1: warning: ")
    assert out.endswith(f"[{DROPPED}]\n")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_files_that_import_each_other_are_read_together(
    jobs: str, project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one file defines is known in the other, in one process and in several."""
    monkeypatch.setattr("jaxtutor.linting.lint_run.FEW", 1)
    write(
        project,
        walls="import jax.numpy as jnp\n\n\ndef hold(new):\n    new = new.at[0].set(0)\n"
        "    return new\n",
        steps="import jax.numpy as jnp\nfrom walls import hold\n\n\ndef step(new):\n"
        "    hold(new)\n    return new\n\n\nprint(step(jnp.ones(3)))\n",
        other=RIGHT,
    )
    status, out, _ = lint(capsys, "--json", "--jobs", jobs)

    assert 1 == status
    assert [("steps.py", 6)] == places(out)


def test_what_was_read_is_not_read_again(project: Path) -> None:
    """A text that is known is looked up; one that changed is read."""
    library, folder = Library(), project / "cache"
    text = BROKEN.format(comment="")
    (first,) = find_mistakes({"a.py": text}, library, folder, 1).found
    (file,) = [path for path in folder.iterdir() if path.suffix]
    file.write_bytes(b"\x80")  # a group in which nothing was found

    assert DROPPED == first.cause
    assert () == find_mistakes({"a.py": text}, library, folder, 1).found
    assert 1 == len(find_mistakes({"a.py": "\n" + text}, library, folder, 1).found)
    file.write_bytes(b"\xc1")
    assert 1 == len(find_mistakes({"a.py": text}, library, folder, 1).found)


def test_groups_follow_the_imports() -> None:
    """Files that import each other are in one group; a large one is cut."""
    texts = {"a.py": "import b", "b.py": "", "c.py": "from .d import (x)", "d.py": "", "e.py": ""}
    assert [["a.py", "b.py"], ["c.py", "d.py"], ["e.py"]] == groups(texts)
    large = {f"{name}.py": f"import {name}\n".ljust(1 << 19) for name in "xyz"}
    large = {file: "import x\n" + text for file, text in large.items()}
    assert [["x.py"], ["y.py"], ["z.py"]] == groups(large)


# ---------------------------------------------------------------- bad input


def test_files_that_cannot_be_read_are_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are linted, and the status says that some were not."""
    write(project, ok=RIGHT, half="def f(:\n")
    (project / "bytes.py").write_bytes(b"\xff\xfe\x00x")
    (project / "loop.py").symlink_to("loop.py")
    status, out, _ = lint(capsys)

    assert 2 == status
    assert "bytes.py: not read." in out
    assert "loop.py: not read." in out
    reason = r"half\.py: not read\. Python 3\.\d+ cannot parse line 1: .+\."
    assert re.search(reason, " ".join(out.split()))


def test_what_cannot_be_parsed_does_not_count_as_read(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line says what was read, and does not count as success where something was not."""
    write(project, half="def f(:\n", other="x = (\n")
    status, out, _ = lint(capsys)
    assert 2 == status
    assert "✗ Nothing was read." == out.splitlines()[-1]

    write(project, ok=RIGHT)
    status, out, _ = lint(capsys)
    assert 2 == status
    said = " ".join(out.split())
    assert f"✗ Nothing found. 1 file, {len(RIGHT.splitlines())} lines read" in said
    assert said.endswith("2 files not read.")
    _, out, _ = lint(capsys, "--json")
    assert (1, 2) == (json.loads(out)["files"], len(json.loads(out)["unread"]))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing"], "missing does not exist"),
        (["--select", "at-set-result-droped"], f"Did you mean `{DROPPED}`"),
        (["-", "x.py"], "Standard input is linted alone"),
    ],
)
def test_a_wrong_call_is_refused(
    arguments: list[str], says: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says what to give."""
    status, _, err = lint(capsys, *arguments)
    assert 2 == status
    assert says in " ".join(err.split())


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("table", "status"),
    [
        ("", 1),
        (f'ignore = ["{DROPPED}"]', 0),
        ('select = ["prng-key-reuse"]', 0),
        (f'select = ["{DROPPED}"]', 1),
        (f'[tool.jaxtutor.per-file-ignores]\n"wrong.py" = ["{DROPPED}"]', 0),
        (f'[tool.jaxtutor.per-file-ignores]\n"tests/*" = ["{DROPPED}"]', 1),
        ('exclude = ["wrong.py"]', 0),
    ],
)
def test_the_settings_of_a_project_are_kept(
    table: str, status: int, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are found upwards from each file."""
    write(project, src__wrong=BROKEN.format(comment=""))
    (project / "pyproject.toml").write_text(f"[tool.jaxtutor]\n{table}\n")

    assert status == lint(capsys, "src")[0]


def test_an_option_comes_before_the_settings(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is selected is reported even if the project ignores it."""
    write(project, wrong=BROKEN.format(comment=""))
    (project / "pyproject.toml").write_text(f'[tool.jaxtutor]\nignore = ["{DROPPED}"]\n')

    assert 1 == lint(capsys, "--select", DROPPED)[0]
    assert 0 == lint(capsys, "--select", DROPPED, "--exit-zero")[0]
    (project / "pyproject.toml").unlink()
    assert 0 == lint(capsys, "--ignore", DROPPED)[0]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[tool.jaxtutor]\nignore = 3", "ignore is not a list of texts"),
        ('[tool.jaxtutor]\nignore = ["prng-key-resue"]', "Did you mean `prng-key-reuse`"),
        ("[tool.jaxtutor]\nignored = []", "Did you mean `ignore`"),
        ("[tool.jaxtutor]\ntimeout = true", "timeout is not a number of seconds"),
        ('[tool.jaxtutor]\ndevice = ""', "device is not a text"),
        ("[tool.jaxtutor]\nper-file-ignores = []", "per-file-ignores is not a table"),
        ('[tool]\njaxtutor = "x"', "`tool.jaxtutor` is not a table"),
        ("[tool.jaxtutor", "is not valid"),
    ],
)
def test_settings_that_cannot_be_read_are_an_error(
    text: str, says: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file, the key and the remedy are named; nothing is linted with other settings."""
    write(project, ok=RIGHT)
    (project / "pyproject.toml").write_text(text)
    status, _, err = lint(capsys)

    assert 3 == status
    assert "pyproject.toml" in err
    assert says in " ".join(err.split())


@pytest.mark.parametrize(
    ("path", "pattern", "is_match"),
    [
        ("tests/a.py", "tests", True),
        ("src/tests/a.py", "tests", True),
        ("src/tests/a.py", "tests/*", False),
        ("tests/deep/a.py", "tests/*", True),
        ("tests/deep/a.py", "tests/*.py", False),
        ("tests/deep/a.py", "tests/**/a.py", True),
        ("tests/a.py", "tests/**/a.py", True),
        ("a+b.py", "a+b.py", True),
        ("aab.py", "a+b.py", False),
    ],
)
def test_patterns_are_globs_of_paths(path: str, pattern: str, is_match: bool) -> None:
    """A pattern without a slash is that of a name, and one of a folder is for all in it."""
    assert is_match == is_matched(path, pattern)


def test_settings_of_a_run_are_read() -> None:
    """The entry point, the device and the limit are for what runs the program."""
    table = {"entry-point": "train.py", "device": "cpu", "timeout": 60}
    settings = read_settings(table, KNOWN)
    assert ("train.py", "cpu", 60.0) == (
        settings.entry_point,
        settings.device,
        settings.seconds,
    )
    with pytest.raises(ProjectFault, match="seconds"):
        read_settings({"timeout": 0}, KNOWN)


# ---------------------------------------------------------------- comments


@pytest.mark.parametrize(
    ("comment", "status"),
    [
        (f"  # jaxtutor: ignore[{DROPPED}]", 0),
        ("  # jaxtutor: ignore", 0),
        (f"  # kept on purpose  # jaxtutor: ignore[prng-key-reuse, {DROPPED}]", 0),
        ("  # jaxtutor: ignore[integer-overflow]", 1),
        ("  # the words jaxtutor and ignore", 1),
        (f"\n# jaxtutor: ignore-file[{DROPPED}]", 0),
        (f"\n# jaxtutor: ignore[{DROPPED}]", 1),
    ],
)
def test_a_comment_allows_a_finding(
    comment: str, status: int, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands in the line of the finding, or allows it in the whole file."""
    write(project, wrong=BROKEN.format(comment=comment))
    assert status == lint(capsys)[0]


def test_a_comment_behind_a_long_statement_allows_all_of_it() -> None:
    """The lines are those of the statement that ends there."""
    text = "x = f(\n    1,\n    2,\n)  # jaxtutor: ignore[prng-key-reuse]\ny = 1\n"
    (directive,), faults = read_directives("a.py", text, KNOWN)
    assert ((1, 4), ()) == ((directive.first, directive.last), faults)


def test_a_comment_that_allows_nothing_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One of a cause that the source cannot show is not: `lint` does not know."""
    fixed = RIGHT.replace("print", f"# jaxtutor: ignore-file[{DROPPED}]\nprint")
    write(project, ok=fixed, run=RIGHT + "# jaxtutor: ignore-file[integer-overflow]\n")
    status, out, _ = lint(capsys)

    assert 1 == status
    assert f"ok.py:5: This comment allows {DROPPED}, which was not found." in " ".join(out.split())
    assert "run.py" not in out


@pytest.mark.parametrize(
    ("comment", "says"),
    [
        ("# jaxtutor: ignore[", "The list of causes has no end"),
        ("# jaxtutor: ignore[]", "The list of causes is empty"),
        ("# jaxtutor: ignroe", "ignroe is not a directive"),
        ("# jaxtutor: ignore[prng-key-resue]", "There is no cause `prng-key-resue`"),
    ],
)
def test_a_comment_that_cannot_be_obeyed_is_reported(comment: str, says: str) -> None:
    """A half-written comment allows nothing, and the report says what is missing."""
    directives, (fault,) = read_directives("a.py", f"x = 1  {comment}\n", KNOWN)
    assert ((), (1, says)) == (directives, (fault.line, fault.says))
    assert isinstance(fault, DirectiveFault)
    assert fault.remedy


def test_an_exception_is_reported_whatever_is_allowed() -> None:
    """A comment cannot make a program run."""
    settings = ProjectSettings(ignore=("traced-bool-in-if",))
    allowances = Allowances(lambda file: (settings, file), KNOWN)
    allowances.read("a.py", "f()  # jaxtutor: ignore\n")
    raised = Diagnosis("TypeError", "", "traced-bool-in-if", "a.py", Span(1, 0, 1, 3), "", "", "")

    assert allowances.is_reported(raised)


def test_texts_inside_strings_are_no_comments() -> None:
    """Only a comment is one."""
    assert ((), ()) == read_directives("a.py", 's = "# jaxtutor: ignore"\n', KNOWN)
