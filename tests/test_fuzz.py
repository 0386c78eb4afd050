"""Runs a short part of the fuzzing, and every input that once broke one of its promises."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data import wire
from jaxtutor.core.data.facts import Event, PropertyFacts, ScriptFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lines import Offsets, line_end, split_lines, unified, whole_lines
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.diagnosis.editing.draft import Draft, show_diff
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.fallback_summaries import summarise
from jaxtutor.core.diagnosis.engine.propose import Edit, Patch, propose
from jaxtutor.core.diagnosis.engine.source import read_module
from jaxtutor.core.repl.cells import split_cells
from jaxtutor.core.repl.context import read_context
from jaxtutor.core.repl.merging import merge
from jaxtutor.core.terminal.keys import decode
from jaxtutor.core.terminal.output_filter import Filter
from jaxtutor.storage.workspace import decode as decode_file
from trials.fuzz import cells, drawings, edits, laws, loading, reports, streams
from trials.fuzz.mutate import Random, mutate, parse
from trials.fuzz.target import Target

MODULES = (loading, edits, drawings, cells, streams, reports)
TARGETS = [target for module in MODULES for target in module.TARGETS]
FEW = 8


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.promise)
def test_a_promise_holds(target: Target) -> None:
    """Each promise holds for a few inputs, the same in every run."""

    @settings(
        max_examples=FEW,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(target.inputs)
    def holds(value: object) -> None:
        target.check(value)

    holds()


def test_a_broken_promise_is_reported() -> None:
    """A broken promise is reported with the input that breaks it."""
    from hypothesis import strategies as st

    def refuse(number: int) -> None:
        assert number < 10

    figure = Target("numbers are small", st.integers(0, 1000), refuse, 200).attempt(200)
    assert (False, True) == (figure.holds, "for 10" in figure.failures[0])


def test_a_mutation_is_the_same_for_a_seed() -> None:
    """A mutation depends only on its seed, and is valid Python."""
    source = edits.sources()[0]
    made = [mutate(source, Random(7)) for _ in range(2)]
    assert made[0] == made[1]
    assert parse(made[0]) is not None
    assert any(mutate(source, random.Random(seed)) != source for seed in range(5))


@pytest.mark.slow
def test_mutated_programs_are_diagnosed() -> None:
    """A few mutated programs are diagnosed in worker processes."""
    from trials.fuzz import programs

    figures = programs.run(24, first=programs.FIRST)
    assert [] == [failure for figure in figures for failure in figure.failures]


# ---------------------------------------------------------------- lines

ODD = "a = 'é\u2028\x1c'\x0c\n\x0cb = 1\r\nc = 2\rd = 3"


def test_a_line_ends_where_python_ends_it() -> None:
    """A carriage return ends a line; form feeds and Unicode separators do not."""
    tree = read_module("f.py", ODD)
    assert tree is not None
    assert ["a = 'é\u2028\x1c'\x0c", "\x0cb = 1", "c = 2", "d = 3"] == split_lines(ODD)
    assert [1, 2, 3, 4] == [node.lineno for node in tree.tree.body]
    assert ["a = 'é\u2028\x1c'", "b = 1", "c = 2", "d = 3"] == [
        tree.text(n) for n in tree.tree.body
    ]
    assert ODD == "".join(whole_lines(ODD))


def test_a_place_past_a_line_is_its_end() -> None:
    """A location past a line's end moves to its end, and past the last line to the text's end."""
    places = Offsets("ab\r\nc")
    assert [0, 2, 2, 4, 5, 5] == [
        places.offset(*place) for place in ((1, 0), (1, 2), (1, 9), (2, 0), (2, 9), (5, 3))
    ]


def test_an_edit_takes_on_the_line_ends_of_its_file() -> None:
    """An edit uses its file's line ends, and begins a new line after an unterminated last one."""
    edit = Patch("f.py", (Edit(Span(2, 0, 2, 0), "new = 1\n"),))
    assert "a = 1\r\nnew = 1\r\nb = 2\r\n" == edit.apply("a = 1\r\nb = 2\r\n")
    assert "a = 1\rnew = 1\rb = 2" == edit.apply("a = 1\rb = 2")
    assert "a = 1\nnew = 1" == edit.apply("a = 1")
    assert ("\n", "\r\n") == (line_end("a"), line_end("a\r\nb\n"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\r\nb\r\n", "a\r\nc\r\n"),
        ("a\x0cb\n", "a\x0cc\n"),
        ("a\u2028b", "a\u2028c"),
        ("a\n", "a"),
        ("a", "a\nb"),
        ("", "a"),
    ],
)
def test_a_diff_is_one_that_patch_reads(before: str, after: str) -> None:
    """`patch` accepts a diff of any line ends, also without a final newline."""
    assert after == laws.apply_diff(unified(before, after, ("a", "b")), before)
    assert after == laws.apply_diff(show_diff("f.py", before, after), before)


def test_an_import_does_not_go_into_a_text() -> None:
    """An import is not inserted into a multi-line string that follows the last import."""
    module = read_module("f.py", "import jax; s = '''\ntext\n'''\nx = 1\n")
    assert module is not None
    draft = Draft(module)
    draft.name("numpy.sin")
    draft.replace(Span(4, 4, 4, 5), "2")
    patch = draft.patch()
    assert patch is not None
    assert "'''\ntext\n'''\nimport numpy as np\nx = 2\n" in patch.apply(module.source)


def test_a_statement_beside_another_is_not_dropped_with_it() -> None:
    """Removing a statement that shares its line replaces it with `pass`."""
    module = read_module("f.py", "x = 1; y = 2\n")
    assert module is not None
    patch = Draft(module).drop(module.tree.body[0]).patch()
    assert patch is not None
    assert "pass; y = 2\n" == patch.apply(module.source)


def test_an_edit_that_would_not_compile_is_none() -> None:
    """An edit that `ast` parses but Python does not compile is discarded."""
    module = read_module("f.py", "f(a=1)\n")
    assert module is not None
    assert Draft(module).replace(Span(1, 5, 1, 5), ", a=1").patch() is None


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbfx = 1\r\n", b"# coding: latin-1\nx = '\xe9'\n", b"x = '\xc3\xa9'"]
)
def test_a_file_is_written_as_it_was_spelled(data: bytes) -> None:
    """An applied edit keeps the file's byte order mark and encoding."""
    file = decode_file(Path("f.py"), data)
    assert data == file.encode(file.text)


# ---------------------------------------------------------------- diagnoses

DEEP = "def f(x):\n    if " + "not " * 900 + "x > 0:\n        return x\n"


def failure_at(span: Span, message: str = "", error: str = "TracerBoolConversionError") -> Failure:
    """Return a failure of one frame."""
    return Failure(error, (error,), message, frames=(Frame("f.py", "f", span),))


def test_code_nested_too_deeply_to_walk_is_diagnosed() -> None:
    """Code that is nested too deeply to walk is diagnosed without edits."""
    module = read_module("f.py", DEEP)
    assert module is not None
    span = module.span(module.tree.body[0].body[0].test)  # type: ignore[attr-defined]
    causes, sources = Library(), {"f.py": DEEP}
    found = diagnose(failure_at(span), sources, causes)
    assert found is not None
    assert [] == list(propose(found))


def test_columns_of_a_long_line_are_found_once() -> None:
    """Columns of a long line are computed once, not for every expression on it."""
    module = read_module("f.py", "T = ['é', " + "1, " * 20_000 + "x]\n")
    assert module is not None
    last = module.tree.body[0].value.elts[-1]  # type: ignore[attr-defined]
    assert last is module.node_at(Span(1, 60_010, 1, 60_011))


def test_a_key_used_again_where_no_call_is() -> None:
    """A reused key is diagnosed even if the location is a whole function."""
    source = "def f(key):\n    return key\n"
    failure = failure_at(Span(1, 0, 2, 14), "PRNG key reuse", "KeyReuseError")
    assert diagnose(failure, {"f.py": source}, Library()) is not None


def test_an_exception_without_a_message_is_named() -> None:
    """An exception without a message is described by its class."""
    failure = Failure("AssertionError", (), "")
    assert "It raised AssertionError here, and gave no message." == summarise(failure)


# ---------------------------------------------------------------- display


def test_an_error_class_with_an_escape_in_its_name_is_not_obeyed() -> None:
    """An escape sequence in the name of an error class is shown as text."""
    failure = Failure("Nasty\x1b[2J\u202e", (), "")
    verdict = Verdict("raised", "lesson", "", (), 0.0, "", "", failure=failure)
    drawn = laws.draw([laws.renderer(60).verdict(verdict, "")], 60)
    assert "Nasty␛[2J\\u202e" in drawn
    assert [] == list(laws.wrong_in_drawing(drawn, 60))


def test_carets_stand_below_wide_characters() -> None:
    """Carets are aligned below characters that are two columns wide."""
    drawn = laws.draw(laws.renderer(60, True).excerpt("日本 + x", Span(1, 5, 1, 6), 0), 60, True)
    shown, carets = drawn.split("\n")[:2]
    assert shown.index("x") + 2 == carets.index("^")


# ---------------------------------------------------------------- input and messages


def test_numbers_without_end_are_read() -> None:
    """A number of more than 4,300 digits, which Python refuses to parse, is read."""
    long = b"9" * 5000
    assert b"\x1b[10;80H" == Filter(10, 80).feed(b"\x1b[%b;80H" % long).output
    assert [] == decode(b"\x1b[<0;0;%bM" % long)
    assert isinstance(decode(b"\x1b[%bu" % long), list)


@pytest.mark.parametrize("data", [b"\xc2\x80\x80", b"\xed\xa0\x80", b"\xf5\x80"])
def test_bytes_that_spell_no_character_are_no_key(data: bytes) -> None:
    """Bytes that are not a character are not a key."""
    assert all(len(name) == 1 for name in decode(data))


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python 3.14 decodes any depth")
def test_a_frame_nested_too_deeply_is_garbled() -> None:
    """A message that is nested too deeply is rejected like any malformed message."""
    with pytest.raises(wire.Garbled):
        wire.read_event(streams._nest(20_000))
    kept = msgspec.msgpack.encode(ScriptFacts(0, (), (), None))
    assert isinstance(wire.read_event(kept), ScriptFacts)


def test_a_report_of_more_gradients_than_calls_fails() -> None:
    """A report with a gradient too many fails its check, and does not end the grading of others."""

    def longer(event: Event) -> Event:
        if isinstance(event, PropertyFacts) and event.weighted:
            return msgspec.structs.replace(event, weighted=event.weighted * 2)
        return event

    report = tuple(map(longer, reports.honest_report(None)))
    assert "failed" == reports.verdict_on(report, None)
    assert "passed" == reports.verdict_on(reports.honest_report(None), None)


def test_a_lone_surrogate_may_be_typed() -> None:
    """A typed lone surrogate, which has no UTF-8 encoding, is accepted."""
    assert read_context("\ud800").kind in ("name", "nothing")


def test_carriage_returns_end_the_lines_of_a_text_that_is_run() -> None:
    """Carriage returns end the lines of a text that is run, as in Python."""
    assert [(1, "x = 1"), (2, "y = 2")] == list(split_cells("x = 1\ry = 2\r"))


@pytest.mark.parametrize(
    ("file", "cell", "wanted"),
    [
        ("X = 1; Y = 2\n", "X = 3", "X = 3; Y = 2\n"),
        ("X = 1\r\nY = 2\r\n", "X = (\n    3,\n)", "X = (\r\n    3,\r\n)\r\nY = 2\r\n"),
        ("import a; s = '''\n'''\n", "import b", "import a; s = '''\n'''\nimport b\n"),
        ("import a", "import b", "import a\nimport b"),
        ("X = 1  # one\n", "X = 2  # two", "X = 2  # two\n"),
    ],
)
def test_a_cell_saved_costs_the_file_nothing(file: str, cell: str, wanted: str) -> None:
    """`:save` keeps other statements on the line, line ends and strings."""
    assert wanted == merge(file, cell).source
