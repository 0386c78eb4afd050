"""Tests what is compiled once: kept between processes, and shared within one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src import compilation_cache

from jaxtutor.core.vocabulary import Call
from jaxtutor.worker import devices, precompile, subject
from jaxtutor.worker.compilation_cache import CompilationCache, is_private
from jaxtutor.worker.internals import evaluation
from jaxtutor.worker.precompile import PendingProgram, Precompiler

KEY = "jit_" + "a" * 300 + "-0123"


def test_a_program_is_whole_or_not_there(tmp_path: Path) -> None:
    """An entry is returned; if truncated, changed or empty it is not, and can be stored again."""
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


def test_a_program_of_another_key_is_not_loaded(tmp_path: Path) -> None:
    """Two files that were exchanged fit their names no more."""
    kept = CompilationCache(tmp_path)
    kept.put("right", b"right code")
    kept.put("wrong", b"wrong code")
    right, wrong = kept._file("right"), kept._file("wrong")
    right.rename(tmp_path / "other")
    wrong.rename(right)
    (tmp_path / "other").rename(wrong)

    assert (None, None) == (kept.get("right"), kept.get("wrong"))


@pytest.mark.parametrize("kind", ["pipe", "link", "writable"])
def test_a_file_that_others_may_have_written_is_not_loaded(tmp_path: Path, kind: str) -> None:
    """A pipe is not waited for, a link is not followed, and a writable file is not read."""
    kept = CompilationCache(tmp_path)
    kept.put(KEY, b"machine code")
    file = kept._file(KEY)
    if kind == "writable":
        file.chmod(0o666)
    else:
        file.rename(tmp_path / "moved")
        os.mkfifo(file) if kind == "pipe" else file.symlink_to(tmp_path / "moved")

    assert kept.get(KEY) is None


def test_a_folder_that_others_can_write_to_is_refused(tmp_path: Path) -> None:
    """Its programs would run as machine code; one that is created is the user's alone."""
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path / "mine", target_is_directory=True)
    mask = os.umask(0)
    try:
        made = is_private(str(tmp_path / "mine"))
    finally:
        os.umask(mask)

    assert made
    assert [False, False] == [is_private(str(tmp_path / name)) for name in ("open", "link")]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    """A file in place of the folder causes no error: the program is compiled again."""
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
from jaxtutor.worker import compilation_cache
compilation_cache.keep_in(sys.argv[1])
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


# ---------------------------------------------------------------- of operations


def test_operations_are_kept_and_a_persons_cache_stays(tmp_path: Path) -> None:
    """Only what is compiled in the context is kept; JAX's own state is as before."""
    jax.jit(lambda x: x * 1.25)(2.0)  # JAX decides now whether it has a cache
    kept = CompilationCache(tmp_path / "operations")
    before = [getattr(compilation_cache, name) for name in evaluation._CACHE_STATE]
    with evaluation.compiling_with(kept):
        jax.jit(lambda x: x * 3.25)(2.0)
    files = sorted((tmp_path / "operations").iterdir())
    assert 1 == len(files)

    jax.jit(lambda x: x * 5.25)(2.0)
    with evaluation.compiling_with(kept):
        assert 6.5 == float(jax.jit(lambda x: x * 3.25)(2.0))
    assert files == sorted((tmp_path / "operations").iterdir())
    assert before == [getattr(compilation_cache, name) for name in evaluation._CACHE_STATE]


def test_a_cache_of_ones_own_is_used(tmp_path: Path) -> None:
    """A person who chose a folder for JAX's cache finds everything in it."""
    kept = CompilationCache(tmp_path / "operations")
    own = jax.config.values["jax_compilation_cache_dir"]
    jax.config.update("jax_compilation_cache_dir", str(tmp_path / "own"))
    try:
        with evaluation.compiling_with(kept):
            jax.jit(lambda x: x * 7.25)(2.0)
    finally:
        jax.config.update("jax_compilation_cache_dir", own)
    assert not (tmp_path / "operations").exists()


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


# ---------------------------------------------------------------- exact


PRECISION = "precision=(Precision.HIGHEST, Precision.HIGHEST)"


def product(monkeypatch: pytest.MonkeyPatch, platform: str) -> tuple[str, str]:
    """Return the jaxprs of a product on such a device: of a check, and of the learner's own."""
    monkeypatch.setattr(devices, "_default", lambda: SimpleNamespace(platform=platform))
    tested = subject.TestedFunction(jnp.dot, (), True)
    square = jnp.ones((2, 2))
    jaxpr, _ = tested.jaxpr(Call(square, square))
    assert 2.0 == float(tested.call(Call(square, square))[0, 0])
    return str(jaxpr), str(jax.make_jaxpr(jnp.dot)(square, square))


def test_answers_on_a_gpu_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    """A GPU would round the factors, so that two right programs would differ."""
    on_gpu, own = product(monkeypatch, "gpu")
    assert (True, False) == (PRECISION in on_gpu, PRECISION in own)
    on_cpu, _ = product(monkeypatch, "cpu")
    assert PRECISION not in on_cpu


def test_a_precision_that_is_set_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person set for JAX is not replaced."""
    with jax.default_matmul_precision("tensorfloat32"):
        on_gpu, _ = product(monkeypatch, "gpu")
    assert PRECISION not in on_gpu
