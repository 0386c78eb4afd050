"""Tests shell completion: what is offered, and that it does not import jax."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtutor.cli.completion import matching
from jaxtutor.storage import clock
from jaxtutor.storage.store import Store
from jaxtutor.system.accelerators import Accelerators, look
from trials.sample_lessons import INFO, make_lesson

EVIL = r"Ann's \\$(touch pwned) `touch pwned` \\' ; touch pwned"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Return a course of two lessons, the second with shell syntax in its title."""
    for name, title in (("01_first", "First"), ("02_second", EVIL)):
        info = {"lesson.toml": INFO.replace("Double it", title)}
        make_lesson(tmp_path / "course" / "01_basics" / name, info)
    return tmp_path / "course"


def ask(shell: str, *words: str, code: str = "", **environ: str) -> list[str]:
    """Return the completions for these words."""
    asked = {
        "_JAXTUTOR_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": "\n".join(["jaxtutor", *words]),
        "COMP_CWORD": str(len(words)),
        "_TYPER_COMPLETE_ARGS": " ".join(["jaxtutor", *words]),
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **environ,
    }
    program = f"import sys; from jaxtutor.__main__ import main\n{code}\nmain()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "" == done.stderr
    return [line for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_lessons_are_offered_by_name(course: Path, shell: str) -> None:
    """The lessons of the given course are offered by name."""
    offered = ask(shell, "hint", "--course", str(course), "f")
    assert ["first"] == [line.partition("\t")[0] for line in offered]


def test_lessons_are_offered_by_number(course: Path) -> None:
    """After a digit, lesson numbers are offered."""
    assert ["1.1", "1.2"] == ask("bash", "show", "--course", str(course), "1")


def test_titles_stand_beside_the_names(course: Path) -> None:
    """A shell that shows descriptions gets the titles."""
    assert ["first\tFirst"] == ask("fish", "hint", "--course", str(course), "fi")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("hi",), ["hint", "history"]),
        (("explain", "traced-bool-in-if"), ["traced-bool-in-if"]),
        (("explain", "TracerB"), ["TracerBoolConversionError"]),
        (("check", "--device", "c"), ["cpu"]),
        (("start", "--layout", "p"), ["panes", "plain"]),
        (("diff", "--against", "s"), ["starter", "solution"]),
        (("hint", "--course", "/nowhere", ""), []),
        (("config", "set", "lay"), ["layout"]),
        (("config", "get", "limits.t"), ["limits.time"]),
        (("config", "set", "layout", "p"), ["panes", "plain"]),
        (("config", "un"), ["unset"]),
        (("repl", "--keys", "v"), ["vi"]),
        (("list", "13"), ["13"]),
        (("list", "error"), ["error_clinic"]),
        (("lesson", "test", "safe-c"), ["safe-clip-positive"]),
        (("diagnose", ""), []),
    ],
    ids=" ".join,
)
def test_what_is_offered(words: tuple[str, ...], expected: list[str]) -> None:
    """Commands, causes, classes, devices and choices are offered; files are left to the shell."""
    assert expected == ask("bash", *words, JAX_PLATFORMS="cpu")


def test_attempts_are_offered_with_their_status(tmp_path: Path) -> None:
    """`restore` and `diff --against` offer the attempts at the current lesson, and saved copies."""
    home = {"JAXTUTOR_HOME": str(tmp_path)}
    assert [] == ask("bash", "restore", "", **home)
    with Store(tmp_path / "data" / "progress.sqlite3", "jaxtutor", clock.now, print) as store:
        for status in ("raised", "passed"):
            store.record_attempt(
                "traced-axis",
                source=status,
                status=status,
                verdict="{}",
                device="cpu:0",
                jax="0.12.0",
                python="3.13.0",
                seconds=0.1,
                starter="s",
            )
        store.keep_source("traced-axis", b"x", "before reset")

    assert ["2\tpassed", "1\traised", "k1\tbefore reset"] == ask("fish", "restore", "", **home)
    assert ["k1"] == ask("bash", "diff", "--against", "k", **home)


def test_questions_are_offered(tmp_path: Path) -> None:
    """`predict --question` offers the numbers of the lesson's questions."""
    question = """
[[predict]]
asks = "count"
of = "f"
code = "def f(): ..."
answer = "1"
why = "Once."
"""
    make_lesson(tmp_path / "01_a" / "01_asks", {"lesson.toml": INFO + 2 * question})

    found = ask("bash", "predict", "asks", "--course", str(tmp_path), "--question", "")
    assert ["1", "2"] == found


@pytest.mark.parametrize("words", [("hint", ""), ("check", "--device", ""), ("explain", "")])
@pytest.mark.parametrize("heavy", ["jax", "rich.console", "sqlite3"])
def test_completion_imports_nothing_heavy(words: tuple[str, ...], heavy: str) -> None:
    """Completion imports neither jax nor the display and storage libraries."""
    code = (
        "import atexit\n"
        f"atexit.register(lambda: print('heavy' if {heavy!r} in sys.modules else 'light'))"
    )
    assert "light" == ask("zsh", *words, code=code)[-1]


def test_a_title_brings_nothing_into_a_shell(course: Path) -> None:
    """Characters of a title that zsh would evaluate, such as quotes and dollars, are removed."""
    (candidate,) = ask("fish", "hint", "--course", str(course), "s")
    assert "second\tAnns (touch pwned) touch pwned  ; touch pwned" == candidate


def test_names_that_begin_so() -> None:
    """Completions keep the order of the course."""
    assert ["ab", "aa"] == matching("a", ["ab", "ba", "aa"])


# ---------------------------------------------------------------- devices


def machine(root: Path, *files: str) -> Path:
    """Create a root folder with these files. `path=text` sets a file's text."""
    for file in files:
        name, _, text = file.partition("=")
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def names(root: Path, places: Path, platforms: str = "") -> list[str]:
    """Return the names of the devices offered on such a machine."""
    return look({"JAX_PLATFORMS": platforms}, root, [str(places)]).names()


def test_one_gpu_with_its_plugin(tmp_path: Path) -> None:
    """One GPU with its plugin is offered under both of its names."""
    root = machine(
        tmp_path, "dev/nvidia0", "dev/nvidiactl", "py/jax_plugins/xla_cuda13/__init__.py"
    )
    assert ["cpu", "gpu", "cuda"] == names(root, root / "py")


def test_two_gpus_are_numbered(tmp_path: Path) -> None:
    """Two GPUs are offered with numbers."""
    root = machine(tmp_path, "dev/nvidia0", "dev/nvidia1", "py/jax_plugins/xla_cuda12/__init__.py")
    assert ["cpu", "gpu", "cuda", "cuda:0", "cuda:1"] == names(root, root / "py")


def test_a_gpu_without_a_plugin_is_not_offered(tmp_path: Path) -> None:
    """A GPU without a plugin is not offered, because JAX does not find it."""
    assert ["cpu"] == names(machine(tmp_path, "dev/nvidia0"), tmp_path / "py")


def test_a_plugin_without_a_driver_is_not_offered(tmp_path: Path) -> None:
    """A plugin without a driver is not offered."""
    root = machine(tmp_path, "py/jax_plugins/xla_cuda13/__init__.py")
    assert ["cpu"] == names(root, root / "py")


def test_a_tpu(tmp_path: Path) -> None:
    """A TPU is offered if its library and its device file exist."""
    root = machine(tmp_path, "dev/accel0", "py/libtpu/__init__.py")
    assert ["cpu", "tpu"] == names(root, root / "py")


@pytest.mark.parametrize(
    ("platforms", "expected"),
    [("cpu", ["cpu"]), ("cuda", ["gpu", "cuda"]), ("cpu,cuda", ["cpu", "gpu", "cuda"])],
)
def test_what_jax_may_not_use_is_not_offered(
    tmp_path: Path, platforms: str, expected: list[str]
) -> None:
    """Devices that JAX_PLATFORMS excludes are not offered."""
    root = machine(tmp_path, "dev/nvidia0", "py/jax_plugins/xla_cuda13/__init__.py")
    assert expected == names(root, root / "py", platforms)


def test_cards_are_counted_without_a_driver(tmp_path: Path) -> None:
    """Without a driver, GPUs are counted on the bus, without sound devices of the same vendor."""
    bus = "sys/bus/pci/devices"
    root = machine(
        tmp_path,
        f"{bus}/0/vendor=0x10de\n",
        f"{bus}/0/class=0x030200\n",
        f"{bus}/1/vendor=0x10de\n",
        f"{bus}/1/class=0x040300\n",
    )
    found = look({}, root, [])
    assert Accelerators({"nvidia": 1}, {}, (), ()) == found
