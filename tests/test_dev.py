"""Tests `./dev`: the environment it creates, and its messages when it cannot."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

DEV = Path(__file__).parent.parent / "dev"
ENVIRONMENT = "{}.{}".format(*sys.version_info)


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script as a module, on a machine with an empty PATH."""
    monkeypatch.setenv("PATH", "")
    loader = SourceFileLoader("dev", str(DEV))
    spec = importlib.util.spec_from_loader("dev", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


# ---------------------------------------------------------------- which Python


def test_an_old_python_is_refused(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a Python that is too old, without a newer one, the required version is named."""
    monkeypatch.setattr(dev, "OLDEST", (4, 0))
    assert 3 == dev.main(["start"])
    assert "jaxtutor needs Python 4.0 or newer" in capsys.readouterr().err


def test_an_old_python_can_run_it() -> None:
    """The script parses as Python 3.6, and no annotation fails when Python 3.6 evaluates it."""
    tree = ast.parse(DEV.read_text(encoding="utf-8"), feature_version=(3, 6))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    signatures = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    annotations = [node.returns for node in signatures]
    annotations += [arg.annotation for node in signatures for arg in node.args.args]
    annotations += [node.annotation for node in ast.walk(tree) if isinstance(node, ast.AnnAssign)]

    assert "__future__" not in imported
    assert len(annotations) > 20
    assert all(isinstance(it, ast.Name | ast.Constant) for it in annotations if it is not None)


def test_an_old_python_hands_over(
    dev: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a Python that is too old, the first newer one that really starts is used."""
    became: list[list[str]] = []

    def become(command: list[str]) -> int:
        became.append(command)
        return 7

    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(dev, "OLDEST", (4, 0))
    monkeypatch.setattr(dev, "become", become)
    for name, status in (("python3.13", 127), ("python3.12", 0), ("python3.11", 0)):
        (tmp_path / name).write_text(f"#!/bin/sh\nexit {status}\n")
        (tmp_path / name).chmod(0o755)
    assert 7 == dev.main(["check", "--json"])
    assert [[str(tmp_path / "python3.12"), str(DEV), "check", "--json"]] == became


# ---------------------------------------------------------------- ways to create an environment


def test_an_environment_with_pip_is_made_first(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An environment with its own pip is tried first, then one without, then uv's."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    kinds = [way[-1] if way[0] != "uv" else "uv" for way in dev.creation_commands("/home/x")]
    assert ["/home/x", "--without-pip", "uv"] == kinds


def test_ensurepip_may_be_missing(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `ensurepip`, an environment without pip is tried first."""
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    assert "--without-pip" == dev.creation_commands("/home/x")[0][-1]


@pytest.mark.parametrize(
    ("works", "expected"),
    [
        (["/e/python", "-I"], ["/e/python", "-I", "-m", "pip", "install"]),
        ([sys.executable], [sys.executable, "-I", "-m", "pip", "--python", "/e/python", "install"]),
        (["pip3"], ["pip3", "--python", "/e/python", "install"]),
        (["uv"], ["uv", "pip", "install", "--python", "/e/python"]),
    ],
)
def test_the_first_installer_that_answers_is_used(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, works: list[str], expected: list[str]
) -> None:
    """The environment's pip, another Python's pip, a pip on PATH and uv are tried in this order."""
    monkeypatch.setattr(dev, "try_quietly", lambda command: command[: len(works)] == works)
    assert expected == dev.installer("/e/python")[: len(expected)]


def test_a_machine_without_any_way_is_reported_the_remedy(
    dev: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """If no environment can be created, the message names the command that helps."""
    monkeypatch.setattr(dev, "ROOT", str(tmp_path))
    monkeypatch.setattr(dev, "try_quietly", lambda command: False)
    assert 3 == dev.main(["start"])
    assert f"sudo apt install python{ENVIRONMENT}-venv" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_reported(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A checkout that cannot be written is reported with path and reason, without a traceback."""
    monkeypatch.setattr(dev, "ROOT", "/dev/null")
    assert 3 == dev.main(["start"])
    assert "/dev/null/.venv" in capsys.readouterr().err


# ---------------------------------------------------------------- test


@pytest.fixture
def checks(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Record the commands of the checks. All pass except types, which exits with 5."""
    ran: list[list[str]] = []

    def run(command: list[str]) -> int:
        ran.append(command[2:])
        return 0

    def start(command: list[str]) -> Callable[[], int]:
        run(command)
        return lambda: 5

    monkeypatch.setattr(dev, "run_check", run)
    monkeypatch.setattr(dev, "start_quietly", start)
    return ran


@pytest.mark.parametrize(("cpus", "expected"), [(1, "2"), (2, "3"), (64, "8")])
def test_one_more_process_than_cpus_runs_tests(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, cpus: int, expected: str
) -> None:
    """One may wait for a terminal while the others use every CPU; eight are enough."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(cpus)), raising=False)
    assert expected == dev.count_processes()


def test_the_processes_of_tests_find_bytecode(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Tests write bytecode, also where the environment says that Python writes none."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert 0 == dev.run_check([sys.executable, "-c", "import sys; print(sys.dont_write_bytecode)"])
    assert "False\n" == capfd.readouterr().out


def test_a_silent_check_says_that_it_still_runs(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """While types are waited for, lines say for how long; then comes what the check printed."""
    monkeypatch.setattr(dev, "SIGN_SECONDS", 1)
    code = "import time; print('one error'); time.sleep(1.5); raise SystemExit(7)"
    assert 7 == dev.start_quietly([sys.executable, "-c", code])()
    printed = capsys.readouterr()
    assert ("one error\n", "dev: types, for 1 s\n") == (printed.out, printed.err)


def test_every_check_runs(dev: ModuleType, checks: list[list[str]]) -> None:
    """A failing check does not stop the later ones, and its status is returned."""
    assert 5 == dev.check_all("python", [])
    assert ["mypy", "ruff", "ruff", "pytest"] == [check[0] for check in checks]


def test_arguments_go_to_pytest(dev: ModuleType, checks: list[list[str]]) -> None:
    """Arguments after `test` are passed to pytest, after its own, so that they win."""
    dev.check_all("python", ["--slow", "-n", "0"])
    assert "pytest" == checks[-1][0]
    assert ["--slow", "-n", "0"] == checks[-1][-3:]


@pytest.mark.parametrize(
    ("first", "failed", "second", "expected"),
    [
        (1, 1, 0, 0),
        (1, 1, 1, 1),
        (1, 3, 0, 0),
        (1, 4, None, 1),
        (1, 0, None, 1),
        (2, 1, None, 2),
    ],
)
def test_a_few_tests_that_failed_run_once_more(
    dev: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    first: int,
    failed: int,
    second: int | None,
    expected: int,
) -> None:
    """Up to three failed tests run again, alone, and the second status counts."""
    cache = tmp_path / ".pytest_cache" / "v" / "cache"
    cache.mkdir(parents=True)
    names = {f"tests/test_wait.py::test_{number}": True for number in range(failed)}
    (cache / "lastfailed").write_text(json.dumps(names))
    ran: list[list[str]] = []
    monkeypatch.setattr(dev, "ROOT", str(tmp_path))
    monkeypatch.setattr(dev, "run_check", lambda command: ran.append(command[2:]) or second)  # type: ignore[func-returns-value]

    assert expected == dev.try_again("python", ["--slow"], first)
    once_more = [["pytest", "--slow", "--last-failed", "-n", "0"]]
    assert ran == ([] if second is None else once_more)


@pytest.mark.parametrize(
    ("command", "module", "folder"),
    [("bench", "benchmarks", "."), ("trials", "trials", "."), ("site", "website", ".")],
)
def test_figures_and_trials_run_in_the_checkout(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, command: str, module: str, folder: str
) -> None:
    """`bench`, `trials` and `site` run in the checkout, with the environment's Python."""
    became: list[tuple[list[str], str]] = []
    asked: list[str] = []
    monkeypatch.setattr(dev, "is_ready", lambda home, kind: not asked.append(kind))  # type: ignore[func-returns-value]
    monkeypatch.setattr(dev, "become", lambda line: became.append((line[1:], str(Path.cwd()))))
    monkeypatch.chdir(Path.cwd())
    dev.run(command, ["cold"])
    assert [(["-m", module, "cold"], os.path.realpath(DEV.parent / folder))] == became
    assert [{"bench": "bench", "trials": "test", "site": "site"}[command]] == asked


def test_a_cause_runs_its_own_tests(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """`cause SLUG` selects the tests of one cause, slow ones too; it needs the slug."""
    became: list[list[str]] = []
    monkeypatch.setattr(dev, "become", lambda line: became.append(line[1:]))

    assert 2 == dev.check_cause("python", [])
    dev.check_cause("python", ["key-reuse"])
    assert [["-m", "pytest", "--slow", "--cause", "key-reuse"]] == [line[:5] for line in became]


# ---------------------------------------------------------------- what is shown meanwhile


def test_the_log_of_pip_is_told_in_sizes(dev: ModuleType, tmp_path: Path) -> None:
    """A download is named with its size and its progress, in place of the log."""
    (tmp_path / "log").touch()
    seen = dev.Installation(str(tmp_path / "log"), str(tmp_path / "lib"))
    assert "looking up what is needed" == seen.downloading()

    def log(text: str) -> None:
        with (tmp_path / "log").open("a") as file:
            file.write(text)
        seen.read()

    log(
        "Collecting jaxlib>=0.10\n"
        "  Downloading jaxlib-0.12.0-cp313-cp313-linux.whl.metadata (1 kB)\n"
    )
    assert "looking up what is needed" == seen.downloading()
    log("  Downloading jaxlib-0.12.0-cp313-cp313-linux.whl (85.1 MB)\nProgress 17 of 85\nProg")
    assert "jaxlib (85.1 MB, 20 %), 85 MB with it" == seen.downloading()
    log("ress 34 of 85\n  Using cached https://x.org/ml_dtypes-0.5-py3-none-any.whl (900 kB)\n")
    assert "ml_dtypes (900 kB), 86 MB with it" == seen.downloading()

    log("Downloading scipy (35.2MiB)\n")  # uv
    assert "scipy (35.2 MB), 121 MB with it" == seen.downloading()

    for name in ("old", "jaxlib"):
        (tmp_path / f"lib/python3/site-packages/{name}-1.dist-info").mkdir(parents=True)
    (tmp_path / "lib/python3/site-packages/old-1.dist-info/RECORD").touch()
    log("Installing collected packages: numpy, jaxlib\n")
    assert "0 of 2 packages" == seen.unpacked()
    (tmp_path / "lib/python3/site-packages/jaxlib-1.dist-info/RECORD").touch()
    assert "1 of 2 packages" == seen.unpacked()


def test_a_step_is_shown_at_once_and_then_seldom(
    dev: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside of a terminal a step has a line at its begin, every few seconds, and at its end."""
    step, now = dev.Step("step 2 of 3: download"), 100.0
    step.clock = lambda: now
    for now in (100.0, 101.0, 104.0, 105.5):
        step.show("jaxlib " + "x" * 100 * (now > 105))
    step.end("144 MB")

    lines = capsys.readouterr().err.splitlines()
    assert "dev: step 2 of 3: download, jaxlib , 0 s" == lines[0]
    assert "dev: step 2 of 3: download, 144 MB, 6 s" == lines[-1]
    assert (3, 79) == (len(lines), max(map(len, lines)))


def test_messages_fit_a_terminal(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    """Long messages are broken between words; a command to copy stays whole."""
    dev.say("a word " * 20 + "\n    " + "command " * 12)

    *lines, command = capsys.readouterr().err.splitlines()
    assert max(map(len, lines)) <= 79
    assert "    " + "command " * 12 == command


# ---------------------------------------------------------------- real installations

PYPROJECT = """
    [build-system]
    requires = []
    build-backend = "backend"
    backend-path = ["."]

    [project]
    name = "jaxtutor"
    version = "0.1"
"""

# Enough of a build backend to install the stand-in below without a network.
BACKEND = """
    from pathlib import Path
    from zipfile import ZipFile

    METADATA = "Metadata-Version: 2.1\\nName: jaxtutor\\nVersion: 0.1\\nProvides-Extra: dev\\n"
    SCRIPTS = "[console_scripts]\\njaxtutor = stand_in:main"
    WHEEL = "Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"


    def build_editable(folder, settings=None, metadata=None):
        with open("builds.log", "a") as log:
            print("built", file=log)
        name = "jaxtutor-0.1-py3-none-any.whl"
        info = "jaxtutor-0.1.dist-info/"
        with ZipFile(Path(folder, name), "w") as wheel:
            wheel.writestr("jaxtutor.pth", str(Path.cwd()))
            wheel.writestr(info + "METADATA", METADATA)
            wheel.writestr(info + "WHEEL", WHEEL)
            wheel.writestr(info + "entry_points.txt", SCRIPTS)
            wheel.writestr(info + "RECORD", "")
        return name
"""

STAND_IN = """
    import sys

    def main():
        print(*sys.argv[1:])
        return 7
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout whose jaxtutor prints its arguments and exits with 7."""
    root = tmp_path / "a checkout"
    root.mkdir()
    shutil.copy(DEV, root / "dev")
    for name, text in (
        ("pyproject.toml", PYPROJECT),
        ("backend.py", BACKEND),
        ("stand_in.py", STAND_IN),
    ):
        (root / name).write_text(dedent(text))
    return root


def call(checkout: Path, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """Run the checkout's `dev`, after `before`, from another folder."""
    script = str(checkout / "dev")
    program = f"{before}\nimport runpy, sys\nsys.argv = {[script, *arguments]}\n"
    program += f"runpy.run_path({script!r}, run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=checkout.parent,
        env={**os.environ, "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def builds(checkout: Path) -> int:
    return len((checkout / "builds.log").read_text().splitlines())


@pytest.mark.slow
def test_the_first_call_installs_and_runs(checkout: Path) -> None:
    """The first call installs, and standard output and exit status are the command's own."""
    ran = call(checkout, "check", "two words", "--json")
    assert (7, "check two words --json\n") == (ran.returncode, ran.stdout)
    lines = ran.stderr.splitlines()
    assert f".venv/{ENVIRONMENT}" in next(it for it in lines if "environment, Python" in it)
    assert [] == [it for it in lines if not it.startswith("dev: ") or len(it) > 79]
    assert "step 3 of 3: install, 1 packages" in lines[-2]


@pytest.mark.slow
def test_the_second_call_is_quiet(checkout: Path) -> None:
    """With everything installed, a call prints and installs nothing."""
    call(checkout, "start")
    ran = call(checkout, "start")
    assert (7, "start\n", "", 1) == (ran.returncode, ran.stdout, ran.stderr, builds(checkout))


@pytest.mark.slow
def test_a_changed_pyproject_is_installed_again(checkout: Path) -> None:
    """After a change of pyproject.toml, the next call installs again into the same environment."""
    call(checkout, "start")
    kept = checkout / ".venv" / ENVIRONMENT / "kept"
    kept.touch()
    with (checkout / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    call(checkout, "start")
    assert (2, True) == (builds(checkout), kept.exists())


@pytest.mark.slow
def test_half_an_installation_is_done_again(checkout: Path) -> None:
    """An incomplete environment is created again."""
    remains = checkout / ".venv" / ENVIRONMENT / "lib"
    remains.mkdir(parents=True)
    (remains / "half").touch()
    ran = call(checkout, "start")
    assert (7, False) == (ran.returncode, (remains / "half").exists())


@pytest.mark.slow
def test_an_installation_that_fails_is_not_taken_for_done(checkout: Path) -> None:
    """A failed installation exits with 3 and is tried again by the next call."""
    backend = (checkout / "backend.py").read_text()
    (checkout / "backend.py").write_text("raise SystemExit('no')")
    ran = call(checkout, "start")
    assert (3, True) == (ran.returncode, "the installation failed" in ran.stderr)
    assert "error" in ran.stderr.lower().partition("the installation failed")[0]
    (checkout / "backend.py").write_text(backend)
    assert 7 == call(checkout, "start").returncode


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("pip"), reason="needs a pip outside")
def test_a_python_without_ensurepip_uses_its_pip(checkout: Path) -> None:
    """Without `ensurepip`, as on Debian, a pip from outside installs into the environment."""
    ran = call(checkout, "start", before="import sys; sys.modules['ensurepip'] = None")
    packages = checkout / ".venv" / ENVIRONMENT / "lib" / f"python{ENVIRONMENT}" / "site-packages"
    assert (7, False) == (ran.returncode, (packages / "pip").exists())


@pytest.mark.slow
def test_an_installer_that_outlives_its_caller_is_waited_for(checkout: Path) -> None:
    """After a kill, the next call waits for the orphaned installer, then installs for itself."""
    backend = checkout / "backend.py"
    text = backend.read_text()
    begun = checkout / "begun"
    backend.write_text(text + f"\nimport time; open({str(begun)!r}, 'w'); time.sleep(2)\n")
    command = [sys.executable, str(checkout / "dev"), "start"]
    env = {**os.environ, "PIP_NO_INDEX": "1"}
    with subprocess.Popen(command, stdout=-3, stderr=-3, env=env) as first:
        while not begun.exists() and first.poll() is None:
            time.sleep(0.05)
        first.kill()
    backend.write_text(text)
    ran = call(checkout, "start")
    assert (7, True) == (ran.returncode, "dev: waiting for another" in ran.stderr)


@pytest.mark.slow
def test_two_first_calls_install_once(checkout: Path) -> None:
    """Of two first calls at once, one installs, the other waits, and both run."""
    command = [sys.executable, str(checkout / "dev"), "start"]
    env = {**os.environ, "PIP_NO_INDEX": "1"}
    both = [subprocess.Popen(command, stdout=-1, stderr=-1, env=env) for _ in range(2)]
    outputs = [process.communicate()[0] for process in both]
    assert ([b"start\n"] * 2, 1) == (outputs, builds(checkout))
    assert [7, 7] == [process.returncode for process in both]
