"""Tests the reading of tracebacks from logs."""

from __future__ import annotations

import doctest
import io
import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from catalogue import catalogue
from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.diagnosis.logs.explaining import diagnose_log
from jaxtutor.core.diagnosis.logs.placing import place_in_sources, quoted_text
from jaxtutor.core.diagnosis.logs.reading import LoggedFailure, read_log
from recordings import diagnoses, records
from written_logs import FORMS

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
CAUSES = Library()


def read(text: str) -> LoggedFailure:
    """Return the failure that a text holds."""
    found = read_log(text)
    assert found is not None
    return found


def explain(text: str) -> Diagnosis:
    """Return the diagnosis of a text."""
    found = diagnose_log(read(text), {}, CAUSES)
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
    found = explain(text)
    assert ("traced-bool-in-if", "x.sum() > 0") == (found.cause, found.expression)


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
    failure, _ = place_in_sources(read(PYTEST), {})
    assert [("test_it.py", "test_f", 8), ("test_it.py", "f", 4)] == [
        (frame.file, frame.function, frame.span.line) for frame in failure.frames
    ]
    found = explain(PYTEST)
    assert ("traced-bool-in-if", "x > 0") == (found.cause, found.expression)


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


# ---------------------------------------------------------------- what people paste

PASTED = sorted((Path(__file__).parent / "pasted").glob("*.txt"))
_EXPECTED = re.compile(r"# expects: (\S+) (\S+)(?: at (.*):(\d+))?\n# like: .*\n")


class Pasted(NamedTuple):
    """What a text that somebody could paste must give: class, cause and place."""

    error_class: str
    cause: str | None
    file: str
    line: int | None


def pasted(path: Path) -> tuple[Pasted, str]:
    """Read a text and what it must give, which its first line says."""
    text = path.read_text(encoding="utf-8")
    head = _EXPECTED.match(text)
    assert head is not None, path
    name, cause, file, line = head.groups()
    made = Pasted(name, None if cause == "-" else cause, file or "", int(line) if line else None)
    return made, text[head.end() :]


@pytest.mark.parametrize("path", PASTED, ids=lambda path: path.stem)
def test_a_pasted_text_gets_its_class_cause_and_line(path: Path) -> None:
    """Frames of all forms, old messages and messages alone give what their text decides."""
    wanted, text = pasted(path)
    logged = read(text)
    found = diagnose_log(logged, {}, CAUSES)
    span = found.span if found is not None else None
    assert (wanted.error_class, wanted.cause, wanted.line) == (
        logged.failure.error_class,
        found.cause if found is not None else None,
        span.line if span is not None else None,
    )
    assert found is None or found.file.endswith(wanted.file)


@pytest.mark.parametrize("path", PASTED, ids=lambda path: path.stem)
def test_a_text_that_is_cut_anywhere_is_read(path: Path) -> None:
    """A text without its head or its foot gives less, and no error of ours."""
    lines = pasted(path)[1].splitlines()
    for at in range(len(lines)):
        for part in (lines[:at], lines[at:], [*lines[at:], *lines[:at]]):
            logged = read_log("\n".join(part))
            if logged is not None:
                diagnose_log(logged, {}, CAUSES)


@pytest.mark.parametrize(
    "text",
    [
        "x.py in a:>(\n---> 3 y",
        "x.py in <a\n---> 0 y\n---> 0 z",
        '  File "a.py", line 99999999999, in f\n    x\nTypeError: no',
        '  File "a.py", line 1, in f\n    g("\\d", x)\nTypeError: no',
        "x.py in f\n      1 def f():\n----> 3     g()\n\nx.py in g\n----> 2 h()\n\nTypeError: no",
    ],
    ids=["no name", "line 0", "line too large", "a warning of Python", "frames within a gap"],
)
def test_odd_frames_are_read_without_an_error(text: str) -> None:
    """Numbers and names that no frame has, and lines that overlap, are left out."""
    logged = read_log(text)
    if logged is not None:
        diagnose_log(logged, {}, CAUSES)


@pytest.mark.parametrize("name", ["plain", "frames", "exceptions", "placing"])
def test_the_examples_of_the_readers_are_true(name: str) -> None:
    """The docstring of a reader shows the form that it reads."""
    tried = doctest.testmod(import_module(f"jaxtutor.core.diagnosis.logs.{name}"))
    assert tried.attempted > 0
    assert tried.failed == 0


def test_a_message_that_decides_is_explained_without_a_place() -> None:
    """The facts in the message fill the sentences, and no file or line is made up."""
    found = explain(
        'ModifyScopeVariableError: Cannot update variable "mean" in "/bn" because collection'
        ' "batch_stats" is immutable.'
    )
    assert ("linen-immutable-collection", "", None) == (found.cause, found.file, found.span)
    assert "`mean` in the collection `batch_stats`" in found.summary


def test_a_class_of_jax_is_explained_where_the_text_shows_no_cause(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The report explains what an exception of the class means, and names the page."""
    from jaxtutor.cli import run

    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    text = "UnexpectedTracerError: Encountered an unexpected tracer."
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert 0 == run(["explain", "--plain", "-"])
    said = " ".join(capsys.readouterr().out.split())
    assert "A tracer escaped from the function that created it, and was used later." in said
    assert said.endswith("jaxtutor explain UnexpectedTracerError")


def test_the_message_of_a_deep_raise_in_a_report_of_pytest_is_read() -> None:
    """Pytest indents a message as deeply as the statement that raised, which goes over lines."""
    failure = read(
        pasted(Path(__file__).parent / "pasted" / "pytest_raise_over_lines.txt")[1]
    ).failure
    expected = "Cannot find valid initial parameters. Please check your model again."
    assert failure.message == expected


def test_a_rule_that_needs_whole_files_is_not_asked_of_quoted_lines() -> None:
    """Quoted lines do not show whose field an object is, so no argument is blamed."""
    found = explain(
        """Traceback (most recent call last):
  File "a.py", line 9, in <module>
    step(model)
TypeError: Error interpreting argument to <function step at 0x0> as an abstract array. The \
problematic value is of type <class 'a.Model'> and was passed to the function at path model.
"""
    )
    assert found.cause is None


def test_the_message_of_a_callback_keeps_the_traceback_in_it() -> None:
    """A traceback that a message announces is a part of it, and not another exception."""
    text = """Traceback (most recent call last):
  File "a.py", line 4, in <module>
    f(x)
jax.errors.JaxRuntimeError: INTERNAL: CpuCallback error calling callback: Traceback (most \
recent call last):
  File "a.py", line 2, in host
    raise ValueError("no")
ValueError: no
"""
    failure = read(text).failure
    assert failure.error_class == "JaxRuntimeError"
    assert failure.message.endswith("ValueError: no")
    assert [frame.span.line for frame in failure.frames] == [4]


def test_an_exception_in_a_chain_is_linked_to_the_one_before() -> None:
    """What an exception was raised from is known, and JAX's note on frames does not count."""
    text = LOG + "\nDuring handling of the above exception, another exception occurred:\n\n"
    failure = read(text + LOG.replace("TracerBoolConversionError", "JaxError")).failure
    assert failure.linked is not None
    assert ("JaxError", "TracerBoolConversionError") == (
        failure.error_class,
        failure.linked.error_class,
    )


def test_the_command_says_what_it_looked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A text without an exception is answered with the forms that are read."""
    from jaxtutor.cli import run

    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO("step 1 loss 0.5\n"))
    assert 2 == run(["explain", "--plain", "-"])
    said = " ".join(capsys.readouterr().err.split())
    assert "a traceback of Python, IPython, Colab, pytest or rich" in said


def test_the_report_of_a_message_alone_has_no_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`explain --json -` of a message alone has a cause, an empty file and no line."""
    from jaxtutor.cli import run

    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path))
    text = "AttributeError: module 'jax' has no attribute 'tree_multimap'"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert 0 == run(["explain", "--json", "-"])
    report = json.loads(capsys.readouterr().out)
    found = report["diagnosis"]
    assert ("AttributeError", "removed-api", "", None) == (
        report["error_class"],
        found["cause"],
        found["file"],
        found["line"],
    )


# ---------------------------------------------------------------- recorded failures as texts

CORNER = "python-3.13-jax-0.12"
MOST_UNRELATED = 0.03
"""The share of texts that may get a page that neither the right page names nor that names it."""
FEWEST_RIGHT = {"python_39": 140, "python_312": 150, "ipython": 130, "rich": 130, "message": 84}
"""Of the failing programs of the pages, those whose text alone gives the cause. May only grow."""


@cache
def recorded() -> tuple[tuple[str, Failure, str], ...]:
    """Return the failures of the pages' programs: the source, the failure and the cause."""
    known = records(CORNER)
    found = []
    for name, program in catalogue().items():
        record = known.get(name)
        if name.startswith("pages/") and record is not None and record.failure is not None:
            cause = (diagnoses(record, program, CAUSES)[0] or _NOTHING).cause
            if cause is not None and record.failure.frames:
                found.append((program.source, record.failure, cause))
    return tuple(found)


_NOTHING = Diagnosis(None, "", None, "", None, "", "", "")


@pytest.mark.parametrize("form", FORMS)
def test_a_recorded_failure_is_read_back_from_every_form(form: str) -> None:
    """No form hides the class or the message, and the lines that it shows are not misread."""
    for source, failure, _ in recorded():
        read_back = read("\n".join(FORMS[form](failure, source))).failure
        assert failure.error_class == read_back.error_class
        assert failure.message.split() == read_back.message.split()
        if form != "message":
            assert [frame.span.line for frame in failure.frames] == [
                frame.span.line for frame in read_back.frames
            ]


@pytest.mark.parametrize("form", FORMS)
def test_what_a_text_does_not_show_is_not_made_up(form: str) -> None:
    """A text gives the cause, a more general page beside it, or none."""
    unrelated, right = [], 0
    for source, failure, cause in recorded():
        found = diagnose_log(read("\n".join(FORMS[form](failure, source))), {}, CAUSES)
        given = found.cause if found is not None else None
        right += given == cause
        if given is not None and given != cause and not is_beside(given, cause):
            unrelated.append((cause, given))
    assert len(unrelated) <= MOST_UNRELATED * len(recorded()), unrelated
    assert FEWEST_RIGHT[form] <= right


def is_beside(one: str, other: str) -> bool:
    """Return whether one of two pages names the other."""
    return one in CAUSES[other].see or other in CAUSES[one].see


@pytest.mark.parametrize("slug", [slug for slug in CAUSES.slugs if CAUSES[slug].alone])
def test_a_message_that_a_page_claims_was_raised(slug: str) -> None:
    """A page that explains a message alone has a recorded failure with that message."""
    alone = CAUSES[slug].alone
    assert alone is not None
    said = [it.failure.message for it in records(CORNER).values() if it.failure is not None]
    assert any(re.search(alone.message, message) for message in said)
