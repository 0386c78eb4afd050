"""Tests `doctor`: what it reports as wrong, why a GPU is not visible, and the remedies."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jaxtutor.app import App
from jaxtutor.cli import run
from jaxtutor.commands import doctor
from jaxtutor.commands.doctor import (
    look_at_course,
    look_at_folders,
    look_at_programs,
    look_at_store,
    look_for_editor,
    try_watch,
)
from jaxtutor.core.reporting.health import (
    Hardware,
    Package,
    Screen,
    judge_accelerators,
    judge_jax,
    judge_jaxlib,
    judge_limits,
    judge_plugins,
    judge_python,
    judge_sandbox,
    judge_screen,
    meets,
)
from jaxtutor.options import Options
from jaxtutor.storage import caches
from jaxtutor.storage.workspace import Workspace
from json_page import broken_promises

NOTHING: Mapping[str, int] = {}


# ---------------------------------------------------------------- packages


@pytest.mark.parametrize(
    ("version", "standing"), [("3.11.7", "well"), ("3.13.0", "well"), ("3.15.1", "note")]
)
def test_pythons(version: str, standing: str) -> None:
    """A Python that was not tested is reported as such."""
    assert standing == judge_python(version).standing


@pytest.mark.parametrize(
    ("version", "standing"),
    [("", "wrong"), ("0.9.2", "wrong"), ("0.10.0", "well"), ("0.12.0.1", "well"), ("0.13", "note")],
)
def test_jaxes(version: str, standing: str) -> None:
    """A jax that is missing or too old is wrong, and one that is newer is only mentioned."""
    assert standing == judge_jax(Package("jax", version)).standing


@pytest.mark.parametrize(
    ("version", "requirement", "expected"),
    [
        ("0.12.0.1", "jaxlib<=0.12.0.1,>=0.11.2", True),
        ("0.12.0.2", "jaxlib<=0.12.0.1,>=0.11.2", False),
        ("0.11.1", "jaxlib<=0.12.0.1,>=0.11.2", False),
        ("0.12", "jaxlib==0.12.0", True),
        ("0.12.1", "jaxlib <0.12.1", False),
        ("0.12.1", "jaxlib", True),
    ],
)
def test_versions_within_bounds(version: str, requirement: str, expected: bool) -> None:
    """Versions are compared number by number, with missing numbers as zeros."""
    assert expected == meets(version, requirement)


def test_a_jaxlib_that_does_not_fit() -> None:
    """A jaxlib that does not match is reported with both versions and the command that helps."""
    jax = Package("jax", "0.12.0", ("numpy>=2", "jaxlib<=0.12.0,>=0.11.2"))
    point = judge_jaxlib(jax, Package("jaxlib", "0.10.1"))

    assert (
        "wrong",
        "jaxlib 0.10.1 is incompatible with jax 0.12.0, which requires <=0.12.0,>=0.11.2",
    ) == (
        point.standing,
        point.says,
    )


def test_a_requirement_of_an_extra_does_not_count() -> None:
    """jax's narrower requirements of jaxlib in its extras are ignored."""
    jax = Package("jax", "0.12.0", ('jaxlib<=0.12.0,>=0.12.0; extra == "cuda"',))
    assert "well" == judge_jaxlib(jax, Package("jaxlib", "0.11.9")).standing


def test_a_plugin_of_another_version() -> None:
    """A plugin of another version is reported with the extra that installs the right one."""
    (point,) = judge_plugins(Package("jax", "0.12.0"), [Package("jax-cuda13-plugin", "0.10.2")])
    assert ("wrong", True) == (point.standing, "jax[cuda13]" in point.remedy)


# ---------------------------------------------------------------- invisible GPUs


@pytest.mark.parametrize(
    ("hardware", "environ", "expected"),
    [
        (Hardware(NOTHING, NOTHING, ()), {}, []),
        (Hardware({"nvidia": 1}, NOTHING, ()), {}, ["no working driver"]),
        (Hardware({"amd": 1}, NOTHING, ()), {}, ["no working driver"]),
        (Hardware({"nvidia": 1}, {"nvidia": 1}, ()), {}, ["JAX has no plugin"]),
        (Hardware(NOTHING, NOTHING, ("cuda13",)), {}, ["no NVIDIA device"]),
        (
            Hardware(NOTHING, {"nvidia": 1}, ("cuda13",)),
            {"JAX_PLATFORMS": "cpu"},
            ["JAX_PLATFORMS is 'cpu'"],
        ),
        (
            Hardware(NOTHING, {"nvidia": 1}, ("cuda13",)),
            {"CUDA_VISIBLE_DEVICES": ""},
            ["CUDA_VISIBLE_DEVICES is ''"],
        ),
        (Hardware(NOTHING, {"nvidia": 1}, ("cuda13",)), {}, ["JAX uses neither"]),
        (Hardware(NOTHING, {"tpu": 4}, ()), {}, ["JAX has no plugin"]),
    ],
)
def test_why_an_accelerator_is_not_seen(
    hardware: Hardware, environ: dict[str, str], expected: list[str]
) -> None:
    """The first obstacle is reported, and only if the machine has an accelerator."""
    points = judge_accelerators(hardware, ["cpu:0"], environ)

    assert len(expected) == len(points)
    assert all(text in point.says for text, point in zip(expected, points, strict=True))
    assert all(point.remedy and point.standing == "note" for point in points)


def test_an_accelerator_that_is_seen_is_not_explained() -> None:
    """A visible accelerator is listed as a device."""
    hardware = Hardware({"nvidia": 1}, {"nvidia": 1}, ("cuda13",))
    assert [] == judge_accelerators(hardware, ["cuda:0", "cpu:0"], {})


# ---------------------------------------------------------------- the terminal


@pytest.mark.parametrize(
    ("screen", "expected"),
    [
        (Screen(True, 80, 24, "xterm", "utf-8", "256 colours"), ["80 columns, 24 rows"]),
        (Screen(False, 80, 24, "xterm", "utf-8", ""), ["output is not a terminal"]),
        (Screen(True, 39, 24, "xterm", "UTF-8", ""), ["too small"]),
        (Screen(True, 80, 15, "xterm", "UTF-8", ""), ["too small"]),
        (Screen(True, 80, 24, "dumb", "utf-8", ""), ["TERM is 'dumb'"]),
        (Screen(True, 80, 24, "xterm", "ascii", ""), ["80 columns", "drawn in ASCII"]),
    ],
)
def test_terminals(screen: Screen, expected: list[str]) -> None:
    """Features that the session uses and the terminal lacks are listed."""
    points = list(judge_screen(screen))
    assert all(text in point.says for text, point in zip(expected, points, strict=True))


# ---------------------------------------------------------------- real examinations


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """Return the environment of a command, in its own home."""
    environ = {"JAXTUTOR_HOME": str(tmp_path / "home"), "VISUAL": "no-such-editor -w"}
    made = App(Options(), environ=environ)
    yield made
    made.close()


def test_an_editor_that_is_not_there(app: App) -> None:
    """A missing editor is reported with its variable and its name."""
    (point,) = look_for_editor(app)
    assert ("wrong", True) == (point.standing, "no-such-editor" in point.says)


def test_folders_that_are_not_there_yet(tmp_path: Path) -> None:
    """Examining folders that do not exist does not create them."""
    points = list(look_at_folders(Workspace(tmp_path / "a" / "b", tmp_path / "c")))

    assert ["well", "well"] == [point.standing for point in points]
    assert [] == list(tmp_path.iterdir())


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk is reported with its free space."""
    monkeypatch.setattr(doctor, "LEAST_SPACE", 1 << 80)
    points = list(look_at_folders(Workspace(tmp_path, tmp_path)))
    assert ["wrong", "wrong"] == [point.standing for point in points]


def test_a_save_is_seen(tmp_path: Path) -> None:
    """The file watcher is tested in the workspace and leaves nothing there."""
    point = try_watch(tmp_path / "later")

    assert ("well", []) == (point.standing, list(tmp_path.iterdir()))


def test_a_damaged_store_is_reported(app: App) -> None:
    """A damaged store is reported with the file that was set aside."""
    path = app.workspace.progress
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all" * 100)
    points = list(look_at_store(app))

    assert ["well", "note", "note"] == [point.standing for point in points]
    assert "damaged" in points[-1].says


def test_a_broken_lesson_is_reported(tmp_path: Path) -> None:
    """A broken lesson is reported with its name and fault."""
    lesson = tmp_path / "01_basics" / "01_first"
    lesson.mkdir(parents=True)
    (lesson / "lesson.toml").write_text("title = 1\n")
    (point,) = look_at_course(App(Options(course=tmp_path)))

    assert ("wrong", True) == (point.standing, "first is broken" in point.says)


def test_a_course_that_is_not_there(tmp_path: Path) -> None:
    """A missing course is reported with the usual remedy."""
    (point,) = look_at_course(App(Options(course=tmp_path / "none")))
    assert ("wrong", "Name a course's folder with --course.") == (point.standing, point.remedy)


def test_the_command_reports_every_point(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command reports every point, and exits with 1 if an important one is wrong."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setenv("EDITOR", "no-such-editor")
    monkeypatch.delenv("VISUAL", raising=False)
    status = run(["doctor", "--json"])
    report = json.loads(capsys.readouterr().out)

    assert (1, False) == (status, report["healthy"])
    assert [] == broken_promises(report, "doctor")
    names = "Python jax jaxlib devices sandbox limits editor watch progress course".split()
    assert set(names) <= {point["name"] for point in report["points"]}
    assert ["editor"] == [it["name"] for it in report["points"] if it["standing"] == "wrong"]


def test_a_sandbox_that_is_missing_is_a_note() -> None:
    """Lessons work without it; the remedy says what grade needs."""
    missing = judge_sandbox("bubblewrap is not installed", "Install it: apt install bubblewrap")
    unlimited = judge_limits("The number of processes is not limited", False)

    assert ("note", "note") == (missing.standing, unlimited.standing)
    assert "Install it: apt install bubblewrap" == missing.remedy
    assert "well" == judge_sandbox("", "").standing == judge_limits("x", True).standing


def test_a_device_that_is_not_there_is_wrong(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A missing device is wrong only if it was requested."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setenv("EDITOR", "sh")
    status = run(["doctor", "--plain", "--device", "tpu"])

    assert 1 == status
    assert "wrong: devices: Device 'tpu' does not exist on this machine." in capsys.readouterr().out


# ---------------------------------------------------------------- compiled programs


def programs_in(folder: Path) -> list[tuple[str, str]]:
    return [(item.standing, item.says) for item in look_at_programs(folder)]


def test_a_folder_of_compiled_programs_that_is_refused_is_named(tmp_path: Path) -> None:
    """A link, a file in its place and a folder that others can write to get different messages."""
    (folder := tmp_path / "programs").mkdir(mode=0o700)
    (linked := tmp_path / "linked").symlink_to(folder)
    (plain := tmp_path / "plain").write_text("")
    (shared := tmp_path / "shared").mkdir()
    shared.chmod(0o777)

    assert [("well", f"compiled programs are kept in {folder}")] == programs_in(folder)
    assert [] == programs_in(tmp_path / "absent")
    for refused, why in (
        (linked, "it is a symbolic link"),
        (plain, "it is not a folder"),
        (shared, "other users can write to it"),
    ):
        says = f"compiled programs are not kept in {refused}: {why}"
        assert [("note", says)] == programs_in(refused)


def test_files_that_are_refused_among_compiled_programs_are_counted(tmp_path: Path) -> None:
    """A pipe and a file that others can write to are not loaded, which is reported."""
    folder = tmp_path / "programs"
    folder.mkdir(mode=0o700)
    os.mkfifo(folder / "pipe", 0o600)
    (folder / "shared").touch()
    (folder / "shared").chmod(0o666)
    (folder / "good").touch(mode=0o600)
    says = f"2 files in {folder} that others could have written, or not files, are not used"

    assert [("note", says)] == programs_in(folder)


def test_the_stamp_of_a_cache_is_not_taken_for_a_program(tmp_path: Path) -> None:
    """Under umask 002 our own stamp can be written by the group; it is never loaded."""
    folder = tmp_path / "programs"
    folder.mkdir(mode=0o700)
    before = os.umask(0o002)
    try:
        caches.trim([folder])
    finally:
        os.umask(before)

    assert [("well", f"compiled programs are kept in {folder}")] == programs_in(folder)
