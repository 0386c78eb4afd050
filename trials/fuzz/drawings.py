"""Fuzzes what is drawn: values, jaxprs, code, diffs and prose, at any width."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from itertools import count
from math import prod
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace
from rich.text import Text

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.failures import Failure, Step
from jaxtutor.core.data.jaxprs import Equation, Jaxpr, Lit, Var
from jaxtutor.core.data.lines import unified
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.data.values import ArrayValue, AtomValue, Leaf, Tree
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Verdict
from jaxtutor.core.diagnosis.engine.propose import show_diff
from jaxtutor.core.judging import jaxprs
from jaxtutor.core.judging.arrays import diff_leaf, diff_rows, leaf_text, tree_text
from jaxtutor.core.judging.compare import compare, describe
from jaxtutor.display.code import highlight
from jaxtutor.display.markdown import make_page
from jaxtutor.session.panel import draw_fix, draw_jaxprs
from trials.fuzz import laws
from trials.fuzz.target import Target
from trials.fuzz.texts import line, nasty, widths

# ---------------------------------------------------------------- values

_FORMATS = dict(
    part.split(":")
    for part in (
        "bool:? int8:b uint8:B int16:h uint16:H int32:i uint32:I int64:q uint64:Q float32:f"
        " float64:d float16:f bfloat16:f complex64:f complex128:d float0:? float8_e4m3fn:f"
        " int:q float:d complex:d key<fry>:Q int4:i"
    ).split()
)
_SHAPES = ((), (0,), (1,), (3,), (40,), (2, 3), (3, 0), (1, 1, 1), (2, 2, 2), (5, 30), (0, 0))


@st.composite
def arrays(draw: st.DrawFn, shape: tuple[int, ...] | None = None) -> ArrayValue:
    """Generate an array of any dtype, with NaN, infinities, extreme integers, or without data."""
    dtype = draw(st.sampled_from(sorted(_FORMATS)))
    shape = draw(st.sampled_from(_SHAPES)) if shape is None else shape
    pairs, number = dtype.startswith("complex"), _FORMATS[dtype]
    size = prod(shape) * struct.calcsize(number) * (2 if pairs else 1)
    few = st.sampled_from([b"\0", b"\xff", b"\x7f\xc0", b"\x01", b"\x00\x00\x80\x3f"])
    some = draw(st.lists(st.one_of(few, st.binary(min_size=1, max_size=8)), min_size=1, max_size=9))
    data = (b"".join(some) * (size + 1))[:size]
    if number == "?":
        data = bytes(byte & 1 for byte in data)
    weak = draw(st.booleans())
    return ArrayValue(shape, dtype, weak, number, pairs, draw(st.sampled_from([data, data, None])))


_atoms = st.builds(AtomValue, kind=st.one_of(line, st.just("str")), text=nasty)


@st.composite
def _trees(draw: st.DrawFn) -> tuple[Tree, Tree]:
    """Generate two pytrees, often with one structure and arrays of one shape."""
    many = draw(st.integers(0, 12))
    alone = many == 1 and draw(st.booleans())
    sides: list[Tree] = []
    paths = ["" if alone else draw(line) for _ in range(many)]
    shapes = [draw(st.sampled_from(_SHAPES)) for _ in range(many)]
    structure = "*" if alone else draw(st.one_of(nasty, st.just("{'a': *}")))
    for _ in range(2):
        leaves = tuple(
            Leaf(path, draw(st.one_of(arrays(shape), arrays(shape), arrays(), _atoms)))
            for path, shape in zip(paths, shapes, strict=True)
        )
        other = draw(st.booleans()) and draw(st.booleans())
        sides.append(Tree(draw(nasty) if other else structure, leaves))
    return sides[0], sides[1]


def values_drawn(given: tuple[tuple[Tree, Tree], str, str, int, bool]) -> None:
    """Any two answers are compared and drawn."""
    (expected, actual), inputs, problem, width, plain = given
    difference = compare(expected, actual)
    assert compare(expected, expected) is None or any(
        _is_too_large(leaf) for leaf in expected.leaves
    )
    case = CaseResult(inputs, expected, actual, difference is None, True, problem, difference)
    drawn = laws.draw(laws.renderer(width, plain).case(case), width, plain)
    _hold(drawn, width)
    for tree in given[0]:
        assert len(tree_text(tree)) >= 0
        describe(tree)
        for leaf in tree.leaves:
            leaf_text(leaf.value)
    leaves = diff_leaf(expected, actual, difference) if difference else None
    if leaves and difference and difference.places:
        wanted, got = leaves[0].value, leaves[1].value
        assert isinstance(wanted, ArrayValue)
        assert isinstance(got, ArrayValue)
        for row in diff_rows(wanted, got, difference.places):
            marked = [
                pair
                for *pair, mark in zip(row.expected, row.actual, row.marks, strict=True)
                if mark
            ]
            assert marked, "a row that differs has no mark"
            assert all(a != b for a, b in marked), (marked, "cells that differ look alike")


def _is_too_large(leaf: Leaf) -> bool:
    return isinstance(leaf.value, ArrayValue) and leaf.value.data is None


def _hold(drawn: str, width: int) -> None:
    wrong = list(laws.wrong_in_drawing(drawn, width))
    assert not wrong, wrong


# ---------------------------------------------------------------- jaxprs

_vars = st.builds(
    Var,
    id=st.integers(0, 12),
    dtype=st.one_of(st.sampled_from(sorted(_FORMATS)), line),
    shape=st.lists(st.integers(0, 9), max_size=3).map(tuple),
    weak=st.booleans(),
)
_operands = st.one_of(_vars, st.builds(Lit, text=line))


def _jaxprs(inner: st.SearchStrategy[Jaxpr]) -> st.SearchStrategy[Jaxpr]:
    equations = st.builds(
        Equation,
        primitive=st.one_of(st.sampled_from(["add", "mul", "pjit", "scan"]), line),
        outs=st.lists(_vars, max_size=2).map(tuple),
        ins=st.lists(_operands, max_size=3).map(tuple),
        params=st.lists(st.tuples(line, nasty), max_size=2).map(tuple),
        inner=st.lists(st.tuples(st.sampled_from(["jaxpr", "cond"]), inner), max_size=2).map(tuple),
        line=st.one_of(st.none(), st.integers(0, 99)),
    )
    return st.builds(
        Jaxpr,
        ins=st.lists(_vars, max_size=3).map(tuple),
        outs=st.lists(_operands, max_size=2).map(tuple),
        equations=st.lists(equations, max_size=4).map(tuple),
        consts=st.lists(_vars, max_size=1).map(tuple),
    )


_empty = st.just(Jaxpr((), (), ()))


def _number(jaxpr: Jaxpr, fresh: Iterator[int]) -> Jaxpr:
    """Give every bound variable a unique number, and every body a unique role."""

    def bind(variables: Sequence[Var]) -> tuple[Var, ...]:
        return tuple(replace(variable, id=next(fresh)) for variable in variables)

    equations = tuple(
        replace(
            equation,
            outs=bind(equation.outs),
            inner=tuple(
                (f"{role}{n}", _number(it, fresh)) for n, (role, it) in enumerate(equation.inner)
            ),
        )
        for equation in jaxpr.equations
    )
    return replace(jaxpr, ins=bind(jaxpr.ins), consts=bind(jaxpr.consts), equations=equations)


jaxpr_pairs = st.recursive(_empty, _jaxprs, max_leaves=6).map(lambda made: _number(made, count()))


def jaxprs_drawn(given: tuple[Jaxpr, Jaxpr, int, bool]) -> None:
    """Two jaxprs are named alike and drawn, and equal ones show no difference."""
    mine, ours, width, plain = given
    assert jaxprs.text(mine) == "\n".join(each.text for each in jaxprs.lines_alike(mine)[0])
    first, second = jaxprs.lines_alike(mine, mine)
    assert [each.text for each in first] == [each.text for each in second]
    renderer = laws.renderer(width, plain)
    renderer.console.width = width
    _hold(laws.draw(draw_jaxprs(renderer, mine, ours), width, plain), width)
    _hold(laws.draw(renderer.jaxpr_diff(mine, ours), width, plain), width)


# ---------------------------------------------------------------- code

_ends = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", ""])
_source = st.lists(st.tuples(line, _ends), max_size=9).map(
    lambda parts: "".join(a + b for a, b in parts)
)
sources = st.one_of(
    _source,
    nasty,
    st.sampled_from(["x = 1\n", "x = 1", "def f(x):\n\treturn x\n", "\n", "", "a\r\nb\r\n"]),
)
_spans = st.tuples(*(4 * [st.integers(0, 12)])).map(
    lambda n: Span(max(n[0], 1), n[1], max(n[0], 1) + n[2] // 4, n[3])
)


@st.composite
def _two_sources(draw: st.DrawFn) -> tuple[str, str]:
    """Generate two sources with lines in common."""
    lines = draw(st.lists(st.tuples(line, _ends).map("".join), max_size=12))
    kept = [draw(st.one_of(st.just(text), st.just(text), _source)) for text in lines]
    return "".join(lines), "".join(kept)


def diff_applied(given: tuple[tuple[str, str], int]) -> None:
    """A diff applied to one text gives the other; drawn, it fits and has no escape sequences."""
    (before, after), width = given
    for diff in (unified(before, after, ("a", "b")), show_diff("f.py", before, after)):
        assert laws.apply_diff(diff, before) == after, diff
    renderer = laws.renderer(width)
    _hold(laws.draw(renderer.source_diff(before, after, ("a", "b")), width), width)
    _hold(laws.draw(renderer.line_diff(before.split("\n"), after.split("\n")), width), width)
    verdict = Verdict("failed", "lesson", "head", (), 0.0, "", "")
    fix = Fix(show_diff("f.py", before, after), False, after)
    _hold(laws.draw(draw_fix(renderer, fix, verdict), width), width)


def code_drawn(given: tuple[str, Span, int, bool, int]) -> None:
    """Any span of source is drawn with carets below it."""
    source, span, width, plain, around = given
    _hold(laws.draw(laws.renderer(width, plain).excerpt(source, span, around), width, plain), width)
    _hold(laws.draw([highlight(source)], width, plain), width)


def carets_below(given: tuple[str, str, str, int]) -> None:
    """The carets are below exactly the columns of the marked text."""
    before, marked, after, width = given
    span = Span(1, len(before), 1, len(before) + len(marked))
    drawn = laws.draw(
        laws.renderer(width, True).excerpt(before + marked + after, span, 0), width, True
    )
    shown, carets = [*drawn.split("\n"), ""][:2]
    start, end = carets.find("^"), carets.rfind("^") + 1
    assert start >= 0, drawn
    text, column = "", 0
    for character in shown:
        if start <= column < end:
            text += character
        column += Text(character).cell_len
    assert text.rstrip() == marked or (text and text.rstrip() in marked), (text, marked)


_wide = st.text(st.sampled_from("aé日😀x "), max_size=12)

# ---------------------------------------------------------------- verdicts and prose

_steps = st.builds(
    Step, expression=nasty, aval=nasty, file=st.none(), span=st.one_of(st.none(), _spans)
)
_diagnoses = st.builds(
    Diagnosis,
    error_class=line,
    message=nasty,
    cause=st.one_of(st.none(), st.just("traced-bool-in-if")),
    file=st.just("f.py"),
    span=st.one_of(st.none(), _spans),
    expression=nasty,
    summary=nasty,
    advice=nasty,
    origin=st.lists(_steps, max_size=3).map(tuple),
    raised_at=st.one_of(st.none(), st.builds(Frame, st.just("f.py"), line, _spans)),
)
_checks = st.builds(
    CheckResult,
    name=line,
    says=nasty,
    status=st.sampled_from(["passed", "failed", "skipped"]),
    detail=nasty,
)
_statuses: st.SearchStrategy[Any] = st.sampled_from(
    ["passed", "failed", "raised", "timed_out", "crashed", "lesson_at_fault"]
)


@st.composite
def _verdicts(draw: st.DrawFn) -> Verdict:
    failure = draw(st.one_of(st.none(), st.builds(Failure, line, st.just(()), nasty)))
    found: Any = draw(st.lists(_diagnoses, max_size=2))
    return Verdict(
        draw(_statuses),
        "lesson",
        draw(nasty),
        tuple(draw(st.lists(_checks, max_size=3))),
        1.5,
        draw(line),
        "0.12",
        failure=failure,
        diagnosis=found[0] if failure and found else None,
        findings=() if failure else tuple(found),
        stdout=draw(nasty),
    )


def verdict_drawn(given: tuple[Verdict, str, str, int, bool]) -> None:
    """A verdict is drawn with any text of a learner, a lesson or JAX."""
    verdict, source, new, width, plain = given
    drawn = laws.draw(
        [laws.renderer(width, plain).verdict(verdict, source, new, "after")], width, plain
    )
    _hold(drawn, width)


_MARKDOWN = (
    *(
        "# Title",
        "## Part",
        "- item",
        "1. one",
        "> said",
        "```python\nx = 1\n```",
        "```\n",
        "    code",
    ),
    *(
        "| a | b |\n|---|---|\n| 1 | `2` |",
        "---",
        "[link](http://x)",
        "![i](p.png)",
        "<b>html</b>",
        "*em*",
    ),
    *(
        "`code`",
        "**strong**",
        "&#27;[2J",
        "&#x202e;",
        "&lt;",
        "\\*",
        "https://example.org/a_b",
        "- - - a",
    ),
    *(
        "```\x1b[2J x\ny\n```",
        "> > > a",
        "* a\n  * b\n    * c",
        "[a]: b",
        "Term\n====",
        "~~~ python show\n",
    ),
)
_markdown = st.lists(st.one_of(st.sampled_from(_MARKDOWN), nasty), max_size=6).map("\n\n".join)


def prose_drawn(given: tuple[str, int, bool]) -> None:
    """A page is drawn with any text of its author."""
    text, width, plain = given
    _hold(laws.draw([make_page(text, plain)], width, plain), width)


TARGETS = (
    Target(
        "values are compared and drawn",
        st.tuples(_trees(), nasty, nasty, widths, st.booleans()),
        values_drawn,
        3_000,
    ),
    Target(
        "jaxprs are drawn",
        st.tuples(jaxpr_pairs, jaxpr_pairs, widths, st.booleans()),
        jaxprs_drawn,
        1_500,
    ),
    Target(
        "a diff applied gives the other side",
        st.tuples(_two_sources(), widths),
        diff_applied,
        3_000,
    ),
    Target(
        "code is drawn",
        st.tuples(sources, _spans, widths, st.booleans(), st.integers(0, 3)),
        code_drawn,
        3_000,
    ),
    Target(
        "carets stand below what they mark",
        st.tuples(
            _wide,
            st.text(st.sampled_from("aé日😀"), min_size=1, max_size=6),
            _wide,
            st.integers(30, 92),
        ),
        carets_below,
        1_500,
    ),
    Target(
        "verdicts are drawn",
        st.tuples(_verdicts(), sources, nasty, widths, st.booleans()),
        verdict_drawn,
        2_000,
    ),
    Target("prose is drawn", st.tuples(_markdown, widths, st.booleans()), prose_drawn, 2_000),
)
