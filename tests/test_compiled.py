"""Owns the tests of what is compiled once: kept between processes, and side by side within one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from jaxtutor.worker import precompile
from jaxtutor.worker.compilation_cache import CompilationCache
from jaxtutor.worker.precompile import PendingProgram, Precompiler

KEY = "jit_" + "a" * 300 + "-0123"


def test_a_program_is_whole_or_not_there(tmp_path: Path) -> None:
    """What was kept comes back; cut short, changed or empty it does not, and can be kept anew."""
    kept = CompilationCache(tmp_path / "programs")
    assert kept.get(KEY) is None
    kept.put(KEY, b"machine code")
    assert b"machine code" == kept.get(KEY)
    (file,) = (tmp_path / "programs").iterdir()
    whole = file.read_bytes()
    for broken in (whole[:-1], whole[:5], b"", whole[:-1] + b"x", b"x" + whole[1:]):
        file.write_bytes(broken)
        assert kept.get(KEY) is None
    kept.put(KEY, b"machine code")
    assert b"machine code" == kept.get(KEY)


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    """A place that is a file is no error: the program is compiled again."""
    (tmp_path / "file").write_text("")
    kept = CompilationCache(tmp_path / "file")
    kept.put(KEY, b"machine code")
    assert kept.get(KEY) is None


def test_another_processor_has_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machines that share a home folder do not run each other's code."""
    CompilationCache(tmp_path).put(KEY, b"machine code")
    monkeypatch.setattr("jaxtutor.worker.compilation_cache._describe_processor", lambda: "another")
    assert CompilationCache(tmp_path).get(KEY) is None


COUNT = """
import sys, jax, jax.numpy as jnp
from jaxtutor.worker import compiled
compiled.keep_in(sys.argv[1])
seen = []
jax.monitoring.register_event_listener(lambda event, **_: seen.append(event))
print(jax.jit(lambda x: jnp.sin(x) * 3)(2.0), seen.count("/jax/compilation_cache/cache_hits"))
"""


def test_a_process_loads_what_another_compiled(tmp_path: Path) -> None:
    """The second finds the program, and its answer is the same."""
    command = [sys.executable, "-c", COUNT, str(tmp_path)]
    environ = {**os.environ, "JAX_PLATFORMS": "cpu"}
    answers = [subprocess.check_output(command, text=True, env=environ).split() for _ in range(2)]
    assert ["0", "1"] == [hits for _, hits in answers]
    assert answers[0][0] == answers[1][0]


# ---------------------------------------------------------------- side by side


class Counted:
    """A function that counts how often it is traced, and the programs that were compiled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.traced = 0
        self.compiled = jax.jit(self.function)
        monkeypatch.setattr(precompile, "_count_processors", lambda: 2)
        self.ahead = Precompiler()

    def function(self, x: jax.Array) -> jax.Array:
        """Refuse arrays of two axes."""
        self.traced += 1
        if x.ndim == 2:
            raise ValueError("two axes")
        return jnp.sum(x) * 2

    def program(self, x: Any) -> PendingProgram:
        """Return the pending program for a call with `x`."""
        return PendingProgram(self.ahead, self.compiled, (x,))


def test_a_program_is_traced_and_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls of one shape share a program; the call that follows finds it."""
    counted = Counted(monkeypatch)
    programs = [counted.program(np.full(n, 1.0, np.float32)) for n in (3, 3, 4)]
    assert [True, True, True] == [program.begin() for program in programs]
    assert 2 == counted.traced == len(counted.ahead._jobs)
    assert [6.0, 6.0, 8.0] == [float(program()) for program in programs]
    assert 2 == counted.traced


def test_what_tracing_raised_is_raised_by_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """The learner's function is not run again to find it out."""
    counted = Counted(monkeypatch)
    program = counted.program(jnp.ones((2, 2)))
    assert not program.begin()
    with pytest.raises(ValueError, match="two axes"):
        program()
    assert 1 == counted.traced


def test_one_processor_compiles_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing to gain, nothing is traced before its turn."""
    counted = Counted(monkeypatch)
    monkeypatch.setattr(precompile, "_count_processors", lambda: 1)
    counted.ahead = Precompiler()
    program = counted.program(jnp.ones(3))
    assert program.begin()
    assert 0 == counted.traced
    assert 6.0 == float(program())
