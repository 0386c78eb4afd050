"""Tests the reading of tracebacks from logs."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.logs.placing import place_in_sources, quoted_text
from jaxtutor.core.diagnosis.logs.reading import LoggedFailure, read_log

SOURCE = """import jax


@jax.jit
def f(x):
    if x.sum() > 0:
        return x
    return -x
"""
LOG = """step 1 loss 0.5
Traceback (most recent call last):
  File "/home/alice/train.py", line 11, in <module>
    print(f(jnp.ones(3)))
          ~^^^^^^^^^^^^^
  File "/usr/lib/python3.13/site-packages/jax/_src/pjit.py", line 1, in cache_miss
    out = fun()
  File "/home/alice/train.py", line 6, in f
    if x.sum() > 0:
       ^^^^^^^^^^^
jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array with \
shape bool[].
The error occurred while tracing the function f at /home/alice/train.py:4 for jit. This concrete \
value was not available in Python because it depends on the value of the argument x.
--------------------
For simplicity, JAX has removed its internal frames from the traceback.
"""
FILE = "/home/alice/train.py"


def read(text: str) -> LoggedFailure:
    """Return the failure that a text holds."""
    found = read_log(text)
    assert found is not None
    return found


def test_a_traceback_is_read_as_a_failure() -> None:
    """Class, message, the learner's frames and the traced function are those of the text."""
    failure = read(LOG).failure
    assert ("TracerBoolConversionError", "f", "jit", "bool[]") == (
        failure.error_class,
        failure.traced_function,
        failure.transformation,
        failure.tracer,
    )
    assert [(FILE, 11), (FILE, 6)] == [(f.file, f.span.line) for f in failure.frames]
    assert "simplicity" not in failure.message


@pytest.mark.parametrize(
    "text",
    [
        LOG,
        LOG.replace("\n", "\r\n"),
        "".join(f"[rank0]: {line}\n" for line in LOG.splitlines()),
        "".join(f"2026-01-02 10:11:12,345 {line}\n" for line in LOG.splitlines()),
        "".join(f"\x1b[31m{line}\x1b[0m\n" for line in LOG.splitlines()),
        LOG[LOG.index("  File") :],
        LOG[: LOG.index("The error occurred")],
    ],
    ids=["plain", "windows", "rank", "time", "colours", "cut above", "cut below"],
)
def test_the_cause_is_found_without_the_source(text: str) -> None:
    """Prefixes, colours and cuts do not hide the cause, and the source need not be here."""
    failure, sources = place_in_sources(read(text), {})
    found = diagnose(failure, sources, Library())
    assert found is not None
    assert ("traced-bool-in-if", "x.sum() > 0") == (
        found.diagnosis.cause,
        found.diagnosis.expression,
    )


PYTEST = """
=================================== FAILURES ===================================
____________________________________ test_f ____________________________________

    def test_f():
>       assert float(f(jnp.float32(3))) == 3.0
                     ^^^^^^^^^^^^^^^^^

test_it.py:8:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

x = JitTracer(float32[])

    @jax.jit
    def f(x):
>       if x > 0:
           ^^^^^
E       jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array.
E       The error occurred while tracing the function f at test_it.py:2 for jit.

test_it.py:4: TracerBoolConversionError
=========================== short test summary info ============================
FAILED test_it.py::test_f - jax.errors.TracerBoolConversionError: Attempted b...
"""


def test_a_report_of_pytest_is_read() -> None:
    """The frames of pytest's own form of a traceback are placed like those of Python's."""
    failure, sources = place_in_sources(read(PYTEST), {})
    assert [("test_it.py", "test_f", 8), ("test_it.py", "f", 4)] == [
        (frame.file, frame.function, frame.span.line) for frame in failure.frames
    ]
    found = diagnose(failure, sources, Library())
    assert found is not None
    assert ("traced-bool-in-if", "x > 0") == (found.diagnosis.cause, found.diagnosis.expression)


def test_a_source_that_still_fits_is_used() -> None:
    """If the file has the quoted lines, its expression is placed exactly."""
    text = LOG.replace("print(f(jnp.ones(3)))", "return x").replace("line 11", "line 7")
    failure, sources = place_in_sources(read(text), {FILE: SOURCE})
    assert SOURCE == sources[FILE]
    assert (6, 7, 18) == (
        failure.frames[-1].span.line,
        failure.frames[-1].span.column,
        failure.frames[-1].span.end_column,
    )


def test_a_source_that_has_changed_is_not_used() -> None:
    """If the file does not have the quoted lines, only those are known."""
    _, sources = place_in_sources(read(LOG), {FILE: "x = 1\n" * 20})
    assert "x = 1" not in sources[FILE]
    assert "if x.sum() > 0:" == quoted_text(read(LOG), FILE).splitlines()[5]


@pytest.mark.parametrize("text", ["", "loss 1.0\n", "Error\n\x00\xff", "E  " * 1000])
def test_a_text_without_an_exception_has_no_failure(text: str) -> None:
    """A log without an exception gives nothing."""
    assert read_log(text) is None or not read(text).failure.frames


def test_the_command_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`explain -` names the cause of what is piped in."""
    from jaxtutor.cli import run

    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(LOG))
    assert 0 == run(["explain", "--plain", "-"])
    out = capsys.readouterr().out
    assert "Cause: traced-bool-in-if" in out
    assert "if x.sum() > 0:" in out
