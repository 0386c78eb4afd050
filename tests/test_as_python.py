"""Tests that `diagnose` runs a program as Python does: the same output and the same exit status."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.processes.runner import Runner
from jaxtutor.scripts import programs
from jaxtutor.scripts.script_check import diagnose_program
from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis
from sampling import sampled

PROGRAMS = {
    "devices by XLA_FLAGS": """
        import os
        os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
        import jax
        print(len(jax.devices()))
        """,
    "x64 by the environment": """
        import os
        os.environ["JAX_ENABLE_X64"] = "1"
        import jax.numpy as jnp
        print(jnp.zeros(2).dtype)
        """,
    "devices by an option": """
        import jax
        jax.config.update("jax_num_cpu_devices", 4)
        print(len(jax.devices()))
        """,
    "options as they were": """
        import jax
        names = "numpy_rank_promotion explain_cache_misses traceback_filtering disable_jit"
        print([getattr(jax.config, "jax_" + name) for name in names.split()])
        """,
    "the environment": """
        import os
        tags = {"JAXTUTOR_RUN"}
        print(*sorted(os.environ.keys() - tags), sep="\n")
        """,
    "modules that are loaded": """
        import sys
        print(sys.argv, sys.path[0], sys.flags, [m for m in ("jax", "numpy") if m in sys.modules])
        """,
    "the names of main": """
        import sys
        print({k: type(v).__name__ for k, v in sorted(globals().items())}, __file__, __spec__)
        print(__builtins__.__name__, type(__loader__).__name__, __loader__.path, __cached__)
        print(sys.modules["__main__"].__dict__ is globals())
        """,
    "a status": "import sys, jax\nsys.exit(3)\n",
    "a status as text": "import sys\nsys.exit('no data')\n",
    "exit hooks": """
        import atexit, threading, time, jax
        atexit.register(print, "hook")
        threading.Thread(target=lambda: (time.sleep(0.2), print("thread"))).start()
        """,
    "os._exit": "import os, jax\nprint('on', flush=True)\nos._exit(4)\n",
    "a fork": """
        import os, sys
        child = os.fork()
        if not child:
            sys.exit(5)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """,
    "spawned processes": """
        import multiprocessing

        def double(x):
            return 2 * x

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(pool.map(double, [1, 2]))
        """,
    "a caught traceback": """
        import traceback
        import jax

        @jax.jit
        def f(x):
            return int(x)

        try:
            f(1)
        except Exception:
            text = traceback.format_exc()
            print(text.count("File "), "removed its internal frames" in text)
        """,
    "pickled exceptions": """
        import pickle
        import jax, jax.numpy as jnp

        try:
            jnp.ones(2) + jnp.ones(3)
        except Exception as error:
            print(pickle.loads(pickle.dumps(error)))
        """,
    "an exit after a handled exception": """
        import sys
        import jax

        try:
            jax.jit(lambda x: int(x))(1)
        except Exception:
            sys.exit(7)
        """,
    "sources": "import inspect\n\ndef f():\n    return 1\n\nprint(inspect.getsource(f))\n",
    "the end by a signal": "import os, signal, jax\nos.kill(os.getpid(), signal.SIGTERM)\n",
    "a file that hides a module of Python's": "import signal\nprint(signal.MINE)\n",
}

NUMPYRO = """
import numpyro
numpyro.set_host_device_count(2)
import jax
print(jax.local_device_count())
"""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """Return a runner that the tests of this file share."""
    made = Runner()
    yield made
    made.close()


def run_both(
    runner: Runner, folder: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[tuple[int, str], ScriptDiagnosis]:
    """Run a program under Python, and diagnose it; return both results."""
    (folder / "mine.py").write_text(dedent(source))
    monkeypatch.chdir(folder)
    plain = subprocess.run(
        [sys.executable, "mine.py", "a", "-b"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    program = programs.script(Path("mine.py"), ("a", "-b"))
    made = diagnose_program(runner, Library(), program, captured=True)
    return (plain.returncode, plain.stdout), made


@pytest.mark.parametrize("name", sampled(PROGRAMS, 2))
def test_a_program_runs_as_under_python(
    runner: Runner, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Output and exit status are those of plain Python."""
    if "hides" in name:
        (tmp_path / "signal.py").write_text("MINE = 'mine'\n")
    plain, made = run_both(runner, tmp_path, PROGRAMS[name], monkeypatch)
    assert plain == (made.exit_status, made.stdout)


@pytest.mark.parametrize(
    ("variable", "value", "source"),
    sampled(
        [
            (
                "JAX_NUMPY_RANK_PROMOTION",
                "raise",
                "import jax.numpy as jnp\nprint((jnp.ones((3, 1)) + jnp.ones(3)).shape)\n",
            ),
            ("JAX_ENABLE_X64", "1", "import jax.numpy as jnp\nprint(jnp.zeros(2).dtype)\n"),
            ("JAX_DISABLE_JIT", "1", "import jax\nprint(jax.config.jax_disable_jit)\n"),
            ("JAX_EXPLAIN_CACHE_MISSES", "1", "import jax\nprint(jax.jit(lambda x: x + 1)(1))\n"),
        ],
        2,
    ),
)
def test_settings_of_the_environment_are_in_force(
    runner: Runner,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str,
    value: str,
    source: str,
) -> None:
    """A setting of jax in the environment has its effect."""
    monkeypatch.setenv(variable, value)
    plain, made = run_both(runner, tmp_path, source, monkeypatch)
    assert plain == (made.exit_status, made.stdout)


@pytest.mark.skipif(find_spec("numpyro") is None, reason="numpyro is not installed")
def test_devices_of_numpyro(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library sets the number of devices before the backend starts."""
    plain, made = run_both(runner, tmp_path, NUMPYRO, monkeypatch)
    assert plain == (made.exit_status, made.stdout) == (0, "2\n")


EXIT = """import atexit, time
import jax

atexit.register(lambda: (time.sleep(2), print("its exit handler")))
print("its output")
jax.jit(lambda x: int(x))(1.0)
"""


def test_the_answer_stands_where_the_traceback_would(tmp_path: Path) -> None:
    """It comes after what the program printed, and does not wait for its exit handlers."""
    file = tmp_path / "mine.py"
    file.write_text(EXIT)
    command = [sys.executable, "-m", "jaxtutor", "diagnose", "--plain", "--once", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    said = ["its output", "ConcretizationTypeError", "its exit handler"]
    assert 1 == ran.returncode
    assert said == sorted(said, key=ran.stdout.index)


TWICE = """import jax.numpy as jnp
import numpy as np

first = jnp.zeros(3, dtype=np.float64)
second = jnp.ones(3, dtype=np.float64)
print(first + second)
"""


def test_one_fix_of_two_mistakes_is_shown_once(tmp_path: Path) -> None:
    """Two findings that the same edit corrects come with one diff."""
    file = tmp_path / "mine.py"
    file.write_text(TWICE)
    command = [sys.executable, "-m", "jaxtutor", "diagnose", "--plain", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)

    assert 2 == ran.stdout.count("Cause: float64-truncated")
    assert 1 == ran.stdout.count("Suggested fix")
