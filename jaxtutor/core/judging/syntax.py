"""Checks that a submission is valid Python, before any process is started."""

from __future__ import annotations

import warnings

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Frame, Span


def find_syntax_error(source: str, file: str) -> Failure | None:
    """Compile the source without running it; return what the compiler says, as a failure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, file, "exec", dont_inherit=True)
    except SyntaxError as error:
        return _describe(error, file)
    except (MemoryError, RecursionError) as error:  # Python's own words speak of its parser
        return _place_unknown(error, "the source is nested too deeply for Python's compiler")
    except (ValueError, OverflowError) as error:
        return _place_unknown(error, str(error))
    return None


def diagnose_syntax(failure: Failure, source: str) -> Diagnosis | None:
    """Return the location that the compiler reported, or None."""
    if not failure.frames:
        return None
    frame = failure.frames[0]
    lines = split_lines(source)
    line = lines[frame.span.line - 1] if frame.span.line <= len(lines) else ""
    return Diagnosis(
        error_class=failure.error_class,
        message=failure.message,
        cause=None,
        file=frame.file,
        span=frame.span,
        expression=line.strip(),
        summary=f"Python cannot read line {frame.span.line}: {failure.message}.",
        advice="",
    )


def _describe(error: SyntaxError, file: str) -> Failure:
    line = error.lineno or 1
    column = max((error.offset or 1) - 1, 0)
    end_line = error.end_lineno or line
    end_column = (error.end_offset or 0) - 1
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    span = Span(line, column, end_line, end_column)
    return Failure(
        type(error).__name__,
        _bases(error),
        error.msg or "invalid syntax",
        frames=(Frame(file, "<module>", span),),
        module="builtins",
    )


def _place_unknown(error: Exception, message: str) -> Failure:
    return Failure(type(error).__name__, _bases(error), message, module="builtins")


def _bases(error: BaseException) -> tuple[str, ...]:
    return tuple(base.__name__ for base in type(error).__mro__)
