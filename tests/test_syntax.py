"""Tests the check for syntax errors, which needs no worker."""

from __future__ import annotations

import warnings

import pytest

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.positions import Span
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error


def failure_of(source: str) -> Failure:
    """Return the failure of compiling a source."""
    failure = find_syntax_error(source, "lesson.py")
    assert failure is not None
    return failure


def span_of(source: str) -> Span:
    """Return the span at which the compiler stopped."""
    return failure_of(source).frames[0].span


@pytest.mark.parametrize("source", ["", "\n", "x = 1\n", "# just a comment", "x = 1\r\n"])
def test_python_is_python(source: str) -> None:
    """An empty file and all line ends are valid Python."""
    assert find_syntax_error(source, "lesson.py") is None


@pytest.mark.parametrize(
    ("source", "error_class", "line"),
    [
        ("def f(x):\n    return x +\n", "SyntaxError", 2),
        ("def f(:\n", "SyntaxError", 1),
        ("def f(x):\nreturn x\n", "IndentationError", 2),
        ("if 1:\n\tx\n        y\n", "TabError", 3),
        ("x = (1,\n2", "SyntaxError", 1),
        ("x = 1\nreturn x\n", "SyntaxError", 2),
        ("s = 'never closed\n", "SyntaxError", 1),
    ],
)
def test_an_error_has_its_class_and_its_line(source: str, error_class: str, line: int) -> None:
    """A syntax error is described like an exception in the learner's file."""
    failure = failure_of(source)

    assert error_class == failure.error_class
    assert ("lesson.py", line) == (failure.frames[0].file, failure.frames[0].span.line)
    assert "SyntaxError" in failure.bases


def test_a_span_is_what_the_compiler_marks() -> None:
    """A span has columns in characters from 0, with an exclusive end."""
    assert Span(1, 9, 1, 10) == span_of("x = 'ä'; = 2")


@pytest.mark.parametrize("source", ["f(", "x = \n", "(", "\f=", "if 1:\n", "'''", "x = {\n\n\n"])
def test_a_span_is_never_empty(source: str) -> None:
    """A span is never empty, wherever the compiler points."""
    span = span_of(source)

    assert (span.line, span.column) < (span.end_line, span.end_column)


@pytest.mark.parametrize(
    "source",
    ["-" * 100_000 + "1", "x" + ".a" * 100_000, "(" * 1000 + ")" * 1000, "x = " + "9" * 10_000],
)
def test_monstrous_sources_are_refused(source: str) -> None:
    """Sources that exceed the compiler's limits are a failure with a message."""
    assert failure_of(source).message


@pytest.mark.parametrize("source", ["-" * 100_000 + "1", "x" + ".a" * 100_000, "lambda: " * 10_000])
def test_what_is_nested_too_deeply_is_reported_in_words(source: str) -> None:
    """Excessive nesting is reported in plain words, whichever part of the compiler raises."""
    assert "the source is nested too deeply for Python's compiler" == failure_of(source).message


@pytest.mark.parametrize("source", ["x = '\ud800'", "x = 1\0"])
def test_what_no_file_can_hold_is_refused(source: str) -> None:
    """Lone surrogates and null bytes are refused."""
    assert failure_of(source).message


def test_warnings_of_the_compiler_are_kept_from_the_screen() -> None:
    """An invalid escape is not an error, and the compiler's warning is not printed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find_syntax_error("x = '\\d'\ny = x is 1\n", "lesson.py") is None


def test_nothing_is_run() -> None:
    """Checking a source does not run it."""
    assert find_syntax_error("raise SystemExit\nprint('loud')", "lesson.py") is None


def test_an_error_is_diagnosed_with_its_line() -> None:
    """A diagnosis shows the line as it was written and names its number."""
    source = "x = 1\n    y = 2\n"
    diagnosis = diagnose_syntax(failure_of(source), source)

    assert diagnosis is not None
    assert "y = 2" == diagnosis.expression
    assert "Python cannot read line 2: unexpected indent." == diagnosis.summary


def test_an_error_past_the_end_is_diagnosed() -> None:
    """An error that the compiler reports past the last line is diagnosed."""
    source = "if 1:\n"
    diagnosis = diagnose_syntax(failure_of(source), source)

    assert diagnosis is not None
    assert diagnosis.summary.startswith("Python cannot read line")


def test_an_error_without_a_place_is_not_diagnosed() -> None:
    """Excessive nesting has no line, so it is not diagnosed."""
    assert diagnose_syntax(failure_of("-" * 100_000 + "1"), "") is None
