"""Tests the benchmarks' tables, order and profile, without measuring times."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import PARTS, ROOT, Columns, Options, Row, gates, page, profile, table
from benchmarks.__main__ import _parse, _record, main
from benchmarks.bare.watched import OFF, class_at
from benchmarks.interleave import instructions, surroundings, take_turns
from benchmarks.lessons import by_chapter, choose
from benchmarks.page import Figure
from jaxtutor.content.loading import load_course
from jaxtutor.errors import UsageError

BARE = ROOT / "benchmarks" / "bare" / "calls.py"


def test_each_side_begins_in_its_turn() -> None:
    """The order of the sides rotates, and the first round is discarded."""
    asked: list[str] = []

    def side(name: str) -> float:
        asked.append(name)
        return float(len(asked))

    taken = take_turns(2, {name: lambda name=name: side(name) for name in "abc"})  # type: ignore[misc]
    assert "abc bca cab".replace(" ", "") == "".join(asked)
    assert {"a": [6.0, 8.0], "b": [4.0, 9.0], "c": [5.0, 7.0]} == taken


def test_ratios_are_by_round() -> None:
    """Ratios are computed within a round, so that load affects both sides."""
    row = Row(name="x", ours=[10.0, 100.0, 12.0], floor=[5.0, 50.0, 6.0])
    assert ([2.0, 2.0, 2.0], []) == (row.ratios(row.floor), row.ratios(row.rival))


def test_a_row_says_what_was_aimed_at_and_whether_it_holds() -> None:
    """A row shows median, quartiles, target and result, and no target if nothing is compared."""
    row = Row(
        name="check", ours=[90.0, 100.0, 130.0], floor=[100.0] * 3, aim=150, of_floor=0.9, unit="ms"
    )
    expected = "check                  100 ms (95.0–115) ≤150 ✓   1.00 (0.95–1.15) ≤0.9 ✗"
    assert expected == table.line(row)


def test_no_line_is_wider_than_the_table() -> None:
    """The longest name, the largest numbers and every target fit the table's width."""
    values = [12345.0, 23456.0, 34567.0]
    row = Row(
        name="a-lesson-with-a-very-long-name",
        ours=values,
        floor=[0.01] * 3,
        rival=[99.0] * 3,
        of_floor=1.25,
        of_rival=1.0,
    )
    columns = Columns("x" * 60, floor="the calls, warm", rival="a warm kernel")
    lines = [table.line(row), *table.head(columns)]
    assert [] == [line for line in lines if len(line) > table.WIDTH + 20]


def test_what_is_kept_has_every_value() -> None:
    """The JSON keeps every value."""
    kept = table.as_json(Row(name="x", ours=[1.0, 3.0], floor=[1.0, 1.0], of_floor=1.5))
    assert {"values": [1.0, 1.0], "ratio": 2.0, "aim": 1.5} == kept["floor"]
    assert ([1.0, 3.0], 2.0) == (kept["ours"], kept["median"])


def test_lessons_are_chosen_by_name_by_chapter_or_as_a_sample(tmp_path: Path) -> None:
    """A slug selects a lesson, a number a chapter, and a sample one lesson of each chapter."""
    course = load_course(None)
    third = [lesson for lesson in course.lessons if lesson.number.startswith("3.")]
    assert third == choose(Options(tmp_path, lessons=("3",)))
    assert ["make-it-fast"] == [it.slug for it in choose(Options(tmp_path), ("make-it-fast",))]
    assert len(course.chapters) == len(choose(Options(tmp_path, sample=1)))
    assert len(course.chapters) == len(by_chapter(course.lessons))
    with pytest.raises(UsageError):
        choose(Options(tmp_path, lessons=("no-such-lesson",)))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_its_columns(part: str) -> None:
    """Every part is a module with columns and rows."""
    tree = ast.parse((ROOT / "benchmarks" / f"{part}.py").read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    given = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert {"run", "COLUMNS"} <= names | given


def test_an_unknown_part_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown part is reported with the known ones."""
    with pytest.raises(SystemExit, match="2"):
        main(["no-such-part"])
    assert "there are commands, instructions" in capsys.readouterr().err


def test_the_table_is_taken_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Running the quickest part prints a line for each figure and writes all of it to the file."""
    monkeypatch.setattr("benchmarks.commands.LINES", ("--help",))
    monkeypatch.setattr("benchmarks.commands.WORDS", ())
    monkeypatch.setattr("benchmarks.machine.find_load", str)
    assert 0 == main(["commands", "--repeats", "1", "--json", str(tmp_path / "kept.json")])
    assert "--help" in capsys.readouterr().out
    (kept,) = json.loads((tmp_path / "kept.json").read_text())["tables"]
    assert ["--help"] == [row["name"] for row in kept["parts"]["commands"]]
    assert {"load_at_start", "load_at_end", "cores", "versions"} <= set(kept["machine"])


def test_the_bare_calls_are_made_without_jaxtutor(tmp_path: Path) -> None:
    """The baseline of a check imports nothing of jaxtutor, and does what the lesson requires."""
    lesson = load_course(ROOT / "lessons").find("safe-clip-positive")
    program = (
        f"import sys; sys.path[:0] = [{str(BARE.parent)!r}]\n"
        "import calls; from pathlib import Path\n"
        f"folder = Path({str(lesson.folder)!r})\n"
        "steps = list(calls.steps(calls.read(folder), calls.load(folder / 'solution.py'),"
        f" {lesson.info.function!r}))\n"
        "print([name for name, step in steps if step() is not None or 1])\n"
        "print([name for name in sys.modules if name.startswith('jaxtutor') and"
        " getattr(sys.modules[name], '__file__', None)])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    first, second = done.stdout.splitlines() or [done.stderr, ""]
    assert first.startswith("['jaxpr', 'case 0'") and "'Gradient 3'" in first  # noqa: PT018 - one list
    assert "[]" == second


def test_a_profile_puts_each_thing_into_what_it_is_a_part_of() -> None:
    """In a profile, repeated entries are combined into one line with their number and sum."""
    notes: list[list[object]] = [
        [1, 1, "inner", 0.001, 0.002],
        [1, 1, "inner", 0.003, 0.005],
        [1, 1, "outer", 0.0, 0.01],
        [1, 1, "jax: compile f", 0.02, 0.03],
        [1, 1, "before", -1.0, -0.5],
    ]
    lines = [line.split() for line in profile.draw(notes, 0.0, 0.05)]
    assert ["0.0", "10.0", "7.0", "outer"] in lines
    assert ["1.0", "3.0", "3.0", "2", "inner"] in lines
    assert ["1", "of", "compile,", "10.0", "ms", "in", "all"] in lines
    assert not [line for line in lines if "before" in line]


def hooks() -> dict[str, dict[str, str]]:
    """Return the table of the profile's hooks without importing the hooks."""
    source = (ROOT / "benchmarks" / "hooks" / "sitecustomize.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "HOOKS":
            table: dict[str, dict[str, str]] = ast.literal_eval(node.value)
            return table
    raise AssertionError("no HOOKS")


@pytest.mark.parametrize("module", hooks())
def test_every_hook_of_the_profile_is_there(module: str) -> None:
    """Every function that the profile hooks into exists under its name in its module."""
    path = ROOT / Path(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert [] == [name for name in hooks()[module] if name not in set(_names(tree.body))]


def _names(body: list[ast.stmt], prefix: str = "") -> list[str]:
    names = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                names += _names(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.ImportFrom):
            names += [prefix + (alias.asname or alias.name) for alias in node.names]
    return names


@pytest.mark.slow
def test_a_check_is_profiled(capsys: pytest.CaptureFixture[str]) -> None:
    """The profiles of a cold and a warm check contain import, stages, judge and record."""
    assert 0 == main(["profile", "check", "safe-clip-positive"])
    cold, _, warm = capsys.readouterr().out.partition("warm:")
    assert "import jax" in cold
    for said in ("all stages", "property traces-once", "judge", "record", "render"):
        assert said in cold
        assert said in warm


ABOUT = {
    "commit": "0123abcd",
    "python": "3.13.0",
    "versions": {"jax": "0.12.0", "ipykernel": "none"},
    "system": "Linux",
    "cores": 2,
    "memory_gib": 8,
    "load_at_start": 0.2,
}


def test_a_table_is_written_into_the_page_and_read_back(tmp_path: Path) -> None:
    """A part replaces its own block only, in the order of the parts, and its medians are read."""
    path = tmp_path / "performance.md"
    path.write_text(f"# Performance\n\nText.\n\n{page.END}\n\nMore.\n", encoding="utf-8")
    columns = Columns("commands", floor="import typer")
    for part, values in (("cold", [5.0]), ("commands", [9.0]), ("commands", [80.0, 90.0, 100.0])):
        row = table.as_json(Row(name="hint", ours=values, floor=[60.0] * len(values)))
        page.write(path, (part, "3.13.0"), columns, [row], ABOUT)
    text = path.read_text(encoding="utf-8")

    assert {
        ("commands", "3.13.0"): {"hint": Figure(90.0, "ms", 1.5)},
        ("cold", "3.13.0"): {"hint": Figure(5.0, "ms", 0.08)},
    } == (page.read(text))
    assert "| hint | 90.0 ms (85.0 to 95.0) | 1.50 |" in text
    assert "commit 0123abcd, Python 3.13.0, jax 0.12.0; Linux, 2 cores, 8 GiB; load 0.2." in text
    assert text.index("figures: commands") < text.index("figures: cold") < text.index("More.")
    assert (1, 2) == (text.count("Text."), text.count("<!-- end -->"))


def test_a_figure_is_compared_with_the_committed_one() -> None:
    """The change is given in per cent; a figure that is new or has another unit is left out."""
    rows = [table.as_json(Row(name=name, ours=[90.0])) for name in ("hint", "new", "memory")]

    assert ["hint: -10 % of the committed 100 ms"] == page.compare(
        rows, {"hint": Figure(100.0, "ms"), "memory": Figure(100.0, "MB")}
    )


@pytest.mark.parametrize(("ours", "fails"), [(109.0, False), (111.0, True)])
def test_a_ratio_that_grew_by_a_tenth_is_reported(ours: float, fails: bool) -> None:
    """The ratio to the floor is compared, which holds on a slower machine too."""
    row = table.as_json(Row(name="hint", ours=[3 * ours], floor=[300.0]))
    found = page.find_growth([row], {"hint": Figure(50.0, "million", 1.0)})

    assert (["hint: 1.11 of the floor, 1.00 is committed"] if fails else []) == found


def test_a_figure_that_was_never_committed_is_reported() -> None:
    """A comparison with nothing does not pass."""
    row = table.as_json(Row(name="hint", ours=[1.0], floor=[1.0]))

    (line,) = page.find_growth([row], {"list": Figure(1.0, "ms", 1.0)})
    assert line.startswith("hint: no figure is committed")


def test_figures_of_the_same_minor_version_are_compared() -> None:
    """Another patch release of Python has the same figures, and its own ones come first."""
    older, newer = {"hint": Figure(1.0, "ms")}, {"hint": Figure(2.0, "ms")}
    figures = {("cold", "3.13.0"): older, ("cold", "3.13.2"): newer, ("keys", "3.13.0"): older}

    assert newer == page.nearest(figures, "cold", "3.13.2")
    assert older == page.nearest(figures, "cold", "3.13.1")
    assert {} == page.nearest(figures, "cold", "3.11.1")


def test_the_page_has_the_place_of_the_tables() -> None:
    """The page that is written has the line before which the tables stand."""
    assert 1 == page.PAGE.read_text(encoding="utf-8").count(page.END)


def test_a_short_run_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only seven rounds or more of every lesson, of a known commit and machine, change the page."""
    path = tmp_path / "performance.md"
    path.write_text(page.END, encoding="utf-8")
    monkeypatch.setattr("benchmarks.page.PAGE", path)
    monkeypatch.setattr("benchmarks.page.committed", str)
    rows = [table.as_json(Row(name="x", ours=[1.0])) | {"drawn": True}]
    for words, about, written in (
        (["--repeats", "3"], ABOUT, False),
        (["--sample", "1"], ABOUT, False),
        *(([], {**ABOUT, name: ""}, False) for name in ("commit", "python", "system")),
        ([], ABOUT, True),
    ):
        _record(_parse(["commands", *words]), "commands", rows, about, "")
        assert written == ("| x |" in path.read_text(encoding="utf-8"))
    capsys.readouterr()


def test_a_busy_machine_is_reported_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Times from a busy machine are shown but not written, and the exit status says so."""
    path = tmp_path / "performance.md"
    path.write_text(page.END, encoding="utf-8")
    monkeypatch.setattr("benchmarks.page.PAGE", path)
    monkeypatch.setattr("benchmarks.page.committed", str)
    monkeypatch.setattr("benchmarks.machine.find_load", lambda: "the machine is busy")
    monkeypatch.setattr("benchmarks.commands.run", lambda options: [Row(name="x", ours=[1.0])])

    assert 1 == main(["commands"])
    assert "commands: the machine is busy; its figures are not written" in capsys.readouterr().out
    assert page.END == path.read_text(encoding="utf-8")


def test_a_comparison_measures_what_is_counted_and_fails_if_it_grew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--compare` needs no idle machine, compares with the committed page, and writes nothing."""
    path = tmp_path / "performance.md"
    path.write_text(page.END, encoding="utf-8")
    row = Row(name="hint", ours=[60.0], floor=[40.0], unit="million")
    key = "instructions", "{}.{}.{}".format(*sys.version_info)
    page.write(path, key, Columns("counted", floor="an import"), [table.as_json(row)], ABOUT)
    written = path.read_text(encoding="utf-8")
    monkeypatch.setattr("benchmarks.page.PAGE", path)
    monkeypatch.setattr("benchmarks.page.committed", lambda: written)
    monkeypatch.setattr("benchmarks.machine.find_load", lambda: "the machine is busy")
    for ours, status in ((62.0, 0), (70.0, 1)):
        grown = Row(name="hint", ours=[ours], floor=[40.0], unit="million")
        monkeypatch.setattr("benchmarks.instructions.run", lambda options, row=grown: [row])
        assert status == main(["--compare"])

    assert "hint: 1.75 of the floor, 1.50 is committed" in capsys.readouterr().out
    assert written == path.read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_instructions_are_the_same_each_time(tmp_path: Path) -> None:
    """With one seed of hashes, two counts of one process are equal."""
    environ = surroundings(tmp_path, PYTHONHASHSEED="0")
    count = instructions(sys.executable, "-c", "import json", environ=environ)
    assert count() == count()


def test_a_machine_that_cannot_count_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without valgrind, the message names it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="valgrind is not installed"):
        instructions(sys.executable, "-c", "pass", environ={})()


# ---------------------------------------------------------------- the gates of the course


def printed(lesson: str, python: str = "3.13.2", seconds: float = 6.0, **failed: str) -> gates.Run:
    """Return what `lesson test --json` prints for one lesson; `failed` are other statuses."""
    names = ("format", "solution", "starter", "also/other.py", "mistakes/a.py", "mistakes/b.py")
    entries = [
        {"lesson": lesson, "gate": it, "status": failed.get(Path(it).stem, "passed")}
        for it in names
    ]
    versions = {"python": python, "jax_version": "0.12.0"}
    return {"gates": entries, "processor_seconds": seconds, **versions}


def test_a_row_counts_what_shards_found() -> None:
    """Right, wrong and unchanged submissions are counted apart, and a gate may not be checked."""
    runs = [printed("one", b="failed"), printed("two", seconds=9.0, format="skipped")]

    assert (
        "| 3.13.2 | 0.12.0 | 2 | 4 of 4 | 3 of 4 | 2 of 2 | 10 of 11 | 1 | 1.50 | today | 0123 |\n"
    ) == gates.draw_row(("3.13.2", "0.12.0"), runs, ("today", "0123"))


def test_a_lesson_that_was_tested_again_counts_once() -> None:
    """The gates of its last run count, and the processor time is that of all runs."""
    runs = [printed("one", a="failed", seconds=1.0), printed("one", seconds=4.0)]
    row = gates.draw_row(("3.13.2", "0.12.0"), runs, ("today", "0123"))

    assert "| 3.13.2 | 0.12.0 | 1 | 2 of 2 | 2 of 2 | 1 of 1 | 6 of 6 | 0 | 0.50 |" in row


@pytest.fixture
def gates_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a page for the table of a course of two lessons."""
    made = tmp_path / "reliability.md"
    made.write_text(f"# Page\n\n{gates.START}{gates.END}\n\nMore.\n", encoding="utf-8")
    monkeypatch.setattr(gates, "PAGE", made)
    lessons = [SimpleNamespace(slug="one"), SimpleNamespace(slug="two")]
    monkeypatch.setattr(gates, "load_course", lambda _: SimpleNamespace(every_lesson=lessons))
    return made


def keep(folder: Path, *runs: gates.Run) -> list[str]:
    """Write what some runs printed into files, and return their names."""
    files = [folder / f"{number}.json" for number in range(len(runs))]
    for file, run in zip(files, runs, strict=True):
        file.write_text(json.dumps(run), encoding="utf-8")
    return [str(file) for file in files]


def test_each_python_has_one_row(gates_page: Path, tmp_path: Path) -> None:
    """A new result takes the place of the old one of the same minor version, in their order."""
    for python in ("3.13.2", "3.11.9", "3.13.3"):
        files = keep(tmp_path, *(printed(it, python) for it in ("one", "two")))
        assert 0 == gates.main(files)
    rows = [it for it in gates_page.read_text(encoding="utf-8").splitlines() if "| 3." in it]

    assert ["| 3.11.9", "| 3.13.3"] == [row[: len("| 3.11.9")] for row in rows]
    assert gates_page.read_text(encoding="utf-8").endswith(f"\n{gates.END}\n\nMore.\n")


def test_a_part_of_the_course_is_not_written(
    gates_page: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lesson that no run tested is named, and the page stays as it is."""
    before = gates_page.read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        gates.main(keep(tmp_path, printed("two")))

    assert "3.13.2 with jax 0.12.0: not tested: one" in capsys.readouterr().err
    assert before == gates_page.read_text(encoding="utf-8")


def test_the_page_has_the_lines_of_the_table() -> None:
    """The page that is written has both lines between which the table stands."""
    text = gates.PAGE.read_text(encoding="utf-8")
    assert (1, 1) == (text.count(gates.START), text.count(gates.END))


@pytest.mark.parametrize("mechanism", OFF)
def test_the_methods_that_a_mechanism_is_switched_off_by_exist(mechanism: str) -> None:
    """`bench mechanisms` replaces methods by their names."""
    assert [] == [
        (path, name) for path, name, _ in OFF[mechanism] if name not in vars(class_at(path))
    ]
