"""Tests how values, traces and jaxprs are displayed at the prompt."""

from __future__ import annotations

from math import inf, nan, prod
from typing import Any

import pytest

from jaxtutor.core.repl.annotated_jaxpr import Row, beside_page
from jaxtutor.core.repl.array_views import ArrayFacts, Summary, array_page, spark
from jaxtutor.core.repl.messages import PageStyle, page_text
from jaxtutor.core.repl.trace_reasons import ArgumentDescription, TraceRecord, explain

WIDE = PageStyle(80)


def facts(shape: tuple[int, ...], numbers: list[Any], **more: Any) -> ArrayFacts:
    """Describe an array that is shown completely, or only at `picked` indices."""
    picked = more.pop("picked", tuple(tuple(range(extent)) for extent in shape))
    kind = more.pop("type", f"float32[{','.join(map(str, shape))}]")
    return ArrayFacts(kind, shape, "cpu:0", picked, tuple(numbers), **more)


def read(array: ArrayFacts, look: PageStyle = WIDE) -> list[str]:
    return page_text(array_page(array, look)).split("\n")


def test_a_scalar_is_one_line() -> None:
    """A scalar is one line: its value, then type and device."""
    assert ["6.0   float32[]   cpu:0   weakly typed"] == read(facts((), [6.0], is_weak=True))


def test_a_vector_stands_in_brackets() -> None:
    """A vector is shown in brackets below a line with its type and device."""
    assert ["float32[3]   cpu:0", "[0.0, 1.0, 2.5]"] == read(facts((3,), [0.0, 1.0, 2.5]))


def test_a_matrix_is_a_grid() -> None:
    """The columns of a matrix are aligned, with the same number of decimals."""
    expected = ["float32[2,2]   cpu:0", "   1.00  -10.25", "  20.00    3.00"]
    assert expected == read(facts((2, 2), [1.0, -10.25, 20.0, 3.0]))


def test_a_wide_matrix_is_cut_to_the_screen() -> None:
    """A matrix that is too wide loses its middle columns, marked by a gap."""
    rows = read(facts((2, 30), [float(n) for n in range(60)]), PageStyle(40))
    assert all("…" in row and len(row) <= 40 for row in rows[1:])


def test_a_clipped_vector_says_where() -> None:
    """A shortened vector shows its ends with a gap between them."""
    ends = (*range(3), *range(97, 100))
    shown = read(facts((100,), [float(n) for n in ends], picked=(ends,)))[1]
    assert "[0.0, 1.0, 2.0, …, 97.0, 98.0, 99.0]" == shown


def test_nan_stands_out() -> None:
    """NaN has its own style, a count, and the index of the first one."""
    page = array_page(facts((2, 2), [1.0, nan, nan, inf], nans=2, first_nan=(0, 1)), WIDE)
    marked = [text for line in page for text, style in line if style == "failed"]
    assert ["NaN", "NaN", "2 NaN, the first at [0, 1]"] == marked


def test_axes_beyond_two_are_slices() -> None:
    """Of more than two axes, matrices are shown below their indices, with gaps."""
    array = facts((5, 1, 2), [0.0, 1.0, 8.0, 9.0], picked=((0, 4), (0,), (0, 1)))
    assert ["[0]", "  0.0  1.0", "… [4]", "  8.0  9.0"] == read(array)[1:]


def test_no_elements() -> None:
    """An empty array is described as empty."""
    assert "no elements" == read(facts((0, 3), []))[1]


SUMMARY = Summary(-1.0, 1.0, 0.0, 0.5, (-0.5, 0.0, 0.5), (1.0, 8.0, 1.0), False, 200)


def large(**more: Any) -> ArrayFacts:
    ends = ((0, 9), (0, 19))
    return facts((10, 20), [0.0] * 4, picked=ends, summary=SUMMARY, **more)


def test_a_large_array_is_summarised() -> None:
    """A large array is summarised by range, mean, standard deviation and a histogram."""
    assert ["from -1.0 to 1.0   mean 0.0   std 0.5", "▁█▁  how the values are spread"] == (
        read(large())[-2:]
    )


def test_read_aloud_there_are_words() -> None:
    """In plain mode, quartiles replace the histogram, and dots replace the gaps."""
    rows = read(large(), PageStyle(80, plain=True))
    assert ("quartiles -0.5, 0.0, 0.5", True) == (rows[-1], all(row.isascii() for row in rows))


def test_a_sample_says_that_it_is_one() -> None:
    """A summary of a sample says that it is a sample."""
    summary = Summary(0.0, 1.0, 0.0, 0.0, (0.0, 0.0, 0.0), (), False, 50)
    assert (
        "(of 50 of 200 elements)"
        in read(facts((10, 20), [0.0] * 4, picked=((0, 9), (0, 19)), summary=summary))[-1]
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [([0, 1, 2, 3], "▁▃▆█"), ([2, 2], "▁▁"), ([], ""), ([0, nan, 1], "▁ █")],
)
def test_a_spark_line(values: list[float], expected: str) -> None:
    """In a spark line the lowest value is the lowest block, and NaN is a gap."""
    assert expected == spark(values)


def test_a_spark_line_takes_means() -> None:
    """A spark line shows means if there are more values than columns."""
    assert "▁█" == spark([0, 2, 9, 11], width=2)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 2, 3)])
def test_a_whole_array_has_no_gap(shape: tuple[int, ...]) -> None:
    """An array that is shown completely has no gap."""
    assert "…" not in "".join(read(facts(shape, [1.0] * prod(shape))))


# ---------------------------------------------------------------- traces


def trace(*arguments: ArgumentDescription, identity: int = 1) -> TraceRecord:
    return TraceRecord("f", "<prompt>", 2, identity, 5, arguments)


def array(text: str) -> ArgumentDescription:
    return ArgumentDescription("x", text, "array")


@pytest.mark.parametrize(
    ("before", "now", "says"),
    [
        (array("float32[3]"), array("float32[4]"), "x: the shape [3] became [4]"),
        (array("float32[3]"), array("int32[3]"), "x: the dtype float32 became int32"),
        (array("float32[]"), array("~float32[]"), "x: it is now weakly typed"),
        (
            ArgumentDescription("n", "2", "static"),
            ArgumentDescription("n", "3", "static"),
            "n: the static value 2 became 3",
        ),
        (
            ArgumentDescription("p", "{'a': *}", "structure"),
            ArgumentDescription("p", "{'b': *}", "structure"),
            "p: the tree {'a': *} became {'b': *}",
        ),
    ],
)
def test_a_trace_is_explained_by_what_changed(
    before: ArgumentDescription, now: ArgumentDescription, says: str
) -> None:
    """A trace is explained by the changed shape, dtype, weak type, static value or structure."""
    assert ("", says) == explain([trace(before), trace(now)])


def test_a_trace_is_compared_with_the_nearest() -> None:
    """A trace is compared with the most similar one, not with the one before it."""
    traces = [trace(array("float32[3]")), trace(array("int32[8]")), trace(array("float32[4]"))]
    assert "x: the shape [3] became [4]" == explain(traces)[2]


def test_a_new_function_is_reported_from_a_new_type() -> None:
    """A function that is defined again is reported as new, whatever its arguments."""
    traces = [trace(array("float32[3]")), trace(array("float32[3]"), identity=2)]
    assert explain(traces)[1].startswith("a new function object")


# ---------------------------------------------------------------- annotated jaxprs

ROWS = (
    Row("{ lambda ; a:f32[3]. let"),
    Row("    b:f32[3] = sin a", "    y = jnp.sin(x) * 2", 3),
    Row("    c:f32[3] = mul b 2.0", "    y = jnp.sin(x) * 2", 3),
    Row("    d:f32[] = reduce_sum c", "    return y.sum()", 4),
)


def test_equations_stand_beside_their_line() -> None:
    """A source line is shown once next to its equations."""
    assert [
        "                          { lambda ; a:f32[3]. let",
        "  3  y = jnp.sin(x) * 2       b:f32[3] = sin a",
        "                              c:f32[3] = mul b 2.0",
        "  4  return y.sum()           d:f32[] = reduce_sum c",
    ] == page_text(beside_page(ROWS, WIDE)).split("\n")


@pytest.mark.parametrize("look", [PageStyle(40), PageStyle(80, plain=True)])
def test_on_a_narrow_screen_they_stand_below_it(look: PageStyle) -> None:
    """On a narrow screen and in plain mode, source lines are shown above their equations."""
    rows = page_text(beside_page(ROWS, look)).split("\n")
    assert ["  3  y = jnp.sin(x) * 2", "        b:f32[3] = sin a"] == rows[1:3]
