"""Tests jaxprs as text: printing, counting, and naming the variables of two jaxprs alike."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from builders import equation, jaxpr, var
from jaxtutor.core.data.jaxprs import Equation, Jaxpr, Var
from jaxtutor.core.judging.jaxprs import Line, count, lines_alike, primitives, text


def unlike(first: Jaxpr, second: Jaxpr) -> tuple[list[str], list[str]]:
    """Return the lines that only the first jaxpr has, and those that only the second has."""
    ours, theirs = ([line.text.strip() for line in lines] for lines in lines_alike(first, second))
    return [it for it in ours if it not in theirs], [it for it in theirs if it not in ours]


CHAIN = jaxpr(1, 3, equation("sin", 1, 0), equation("cos", 2, 1), equation("exp", 3, 2))


# ---------------------------------------------------------------- printing


def test_a_jaxpr_is_printed_as_jax_does() -> None:
    """Binders have types, each equation is on its own line, and operands are names."""
    assert text(CHAIN).splitlines() == [
        "{ lambda ; a:f32[3]. let",
        "    b:f32[3] = sin a",
        "    c:f32[3] = cos b",
        "    d:f32[3] = exp c",
        "  in (d) }",
    ]


def test_literals_constants_and_weak_types_are_shown() -> None:
    """A captured constant is printed before the semicolon, and a weak type has a `~`."""
    weak = Jaxpr(
        (Var(0, "int32", (), True),),
        (Var(2, "int32", ()),),
        (
            Equation(
                "add", (Var(2, "int32", ()),), (Var(0, "int32", ()), *equation("", 9, "1").ins)
            ),
        ),
        consts=(Var(1, "uint8", (4,)),),
    )

    assert text(weak).splitlines()[:2] == [
        "{ lambda a:u8[4]; b:~i32[]. let",
        "    c:i32[] = add b 1",
    ]


def test_an_equation_without_operands_ends_at_its_name() -> None:
    """An equation without operands has no trailing space."""
    made = jaxpr(0, 0, equation("iota", 0, params=(("dimension", "0"), ("sharding", "None"))))

    assert "    a:f32[3] = iota[dimension=0]" == text(made).splitlines()[1]


def test_lines_know_the_source() -> None:
    """A printed line has the number of the learner's line that it came from."""
    made = jaxpr(1, 1, equation("sin", 1, 0, line=7))

    assert Line("    b:f32[3] = sin a", 7) == lines_alike(made)[0][1]


def test_names_go_on_after_z() -> None:
    """The twenty-seventh variable is called aa, as in JAX."""
    long = jaxpr(1, 30, *(equation("sin", i + 1, i) for i in range(30)))

    assert "    z:f32[3] = sin y" in text(long).splitlines()
    assert "    aa:f32[3] = sin z" in text(long).splitlines()


def scan(body: Jaxpr, out: int = 9, *ins: int) -> Equation:
    """Return an equation that contains a jaxpr."""
    return equation(
        "scan", out, *(ins or (0,)), inner=(("jaxpr", body),), params=(("length", "4"),)
    )


INNER = Jaxpr((var(20),), (var(21),), (equation("sin", 21, 20),))
OTHER = Jaxpr((var(20),), (var(21),), (equation("cos", 21, 20),))


def test_inner_jaxprs_are_indented() -> None:
    """The body of a loop is indented inside its equation."""
    assert text(jaxpr(1, 9, scan(INNER))).splitlines() == [
        "{ lambda ; a:f32[3]. let",
        "    b:f32[3] = scan[length=4",
        "      jaxpr={ lambda ; c:f32[3]. let",
        "          d:f32[3] = sin c",
        "        in (d) }",
        "    ] a",
        "  in (b) }",
    ]


def test_nested_equations_count() -> None:
    """The equations and primitives of nested jaxprs are counted and named."""
    nested = jaxpr(1, 9, scan(jaxpr(1, 9, scan(INNER))))

    assert 3 == count(nested)
    assert {"scan", "sin"} == primitives(nested)


# ---------------------------------------------------------------- naming alike


def test_equal_jaxprs_print_equal() -> None:
    """Two traces of one program print the same, although their variables have other numbers."""
    other = Jaxpr(
        (var(50),),
        (var(53),),
        (equation("sin", 51, 50), equation("cos", 52, 51), equation("exp", 53, 52)),
    )
    ours, theirs = lines_alike(CHAIN, other)

    assert ours == theirs


def test_an_equation_beside_the_others_renames_nothing() -> None:
    """An unused additional equation shows as one additional line."""
    more = jaxpr(1, 3, equation("neg", 7, 0), *CHAIN.equations)

    assert ([], ["e:f32[3] = neg a"]) == unlike(CHAIN, more)


def test_an_equation_on_the_way_renames_nothing_that_follows() -> None:
    """One more step before a value changes only that step and its reader."""
    more = jaxpr(
        1,
        3,
        equation("sin", 1, 0),
        equation("mul", 7, 1, "1.0"),
        equation("cos", 2, 7),
        equation("exp", 3, 2),
    )

    assert (["c:f32[3] = cos b"], ["e:f32[3] = mul b 1.0", "c:f32[3] = cos e"]) == unlike(
        CHAIN, more
    )


def test_an_equation_that_is_missing_renames_nothing() -> None:
    """A missing equation changes no other line."""
    less = jaxpr(1, 3, equation("sin", 1, 0), equation("exp", 3, 1))

    assert (["c:f32[3] = cos b", "d:f32[3] = exp c"], ["d:f32[3] = exp b"]) == unlike(CHAIN, less)


def test_another_literal_is_one_line() -> None:
    """A different literal changes one line."""
    first = jaxpr(1, 2, equation("mul", 1, 0, "2.0"), equation("sin", 2, 1))
    second = jaxpr(1, 2, equation("mul", 1, 0, "3.0"), equation("sin", 2, 1))

    assert (["b:f32[3] = mul a 2.0"], ["b:f32[3] = mul a 3.0"]) == unlike(first, second)


def test_equations_in_another_order_keep_their_names() -> None:
    """Independent equations in another order keep their names."""
    first = jaxpr(1, 3, equation("sin", 1, 0), equation("cos", 2, 0), equation("add", 3, 1, 2))
    second = jaxpr(1, 3, equation("cos", 2, 0), equation("sin", 1, 0), equation("add", 3, 1, 2))

    assert ([], []) == unlike(first, second)


def test_what_computes_the_same_pairs_before_what_looks_the_same() -> None:
    """An equation pairs with its equivalent, even if another of the same primitive comes first."""
    first = jaxpr(1, 2, equation("mul", 1, 0, "2.0"), equation("mul", 2, 0, "3.0"))
    second = jaxpr(1, 2, equation("mul", 2, 0, "3.0"))

    assert (["b:f32[3] = mul a 2.0"], []) == unlike(first, second)


def test_the_same_computation_twice_has_two_names() -> None:
    """Two variables with the same value have different names."""
    twice = jaxpr(1, 3, equation("sin", 1, 0), equation("sin", 2, 0), equation("add", 3, 1, 2))

    assert "    d:f32[3] = add b c" == text(twice).splitlines()[3]


def test_inner_jaxprs_are_named_alike() -> None:
    """A difference in a loop body is reported only inside that body."""
    first = jaxpr(1, 8, scan(INNER, 7), equation("exp", 8, 7))
    second = jaxpr(1, 8, scan(OTHER, 7), equation("exp", 8, 7))

    assert (["d:f32[3] = sin c"], ["d:f32[3] = cos c"]) == unlike(first, second)


def test_another_input_shows_in_the_header_only() -> None:
    """An additional input does not rename the others."""
    more = replace(CHAIN, ins=(var(0), var(40)))
    ours, theirs = unlike(CHAIN, more)

    assert (["{ lambda ; a:f32[3]. let"], ["{ lambda ; a:f32[3] e:f32[3]. let"]) == (ours, theirs)


@pytest.mark.parametrize("first", [CHAIN, jaxpr(1, 9, scan(INNER))])
@pytest.mark.parametrize("second", [CHAIN, jaxpr(1, 9, scan(OTHER)), jaxpr(0, 0)])
def test_no_name_stands_for_two_things(first: Jaxpr, second: Jaxpr) -> None:
    """Within a jaxpr, every binder has a unique name."""
    for lines in lines_alike(first, second):
        names = binders(lines)
        assert sorted(set(names)) == sorted(names)


def binders(lines: Sequence[Line]) -> list[str]:
    """Return the names that lines introduce."""
    words = " ".join(line.text for line in lines).replace("lambda ;", "").split()
    return [word.partition(":")[0] for word in words if ":" in word]


def test_deep_nesting_is_printed() -> None:
    """Printing nested loops takes time proportional to their size."""
    nested = INNER
    for depth in range(40):
        inner = scan(nested, 200 + depth, 100 + depth)
        nested = Jaxpr((var(100 + depth),), (var(200 + depth),), (inner,))
    ours, theirs = lines_alike(nested, nested)

    assert ours == theirs
    assert 3 + 4 * 40 == len(ours)


def test_long_programs_are_named_alike() -> None:
    """Two long unrolled loops with different numbers differ only in those numbers."""
    first = jaxpr(1, 2000, *(equation("add", i + 1, i, "1.0") for i in range(2000)))
    second = jaxpr(1, 2000, *(equation("add", i + 1, i, "2.0") for i in range(2000)))
    ours, theirs = lines_alike(first, second)

    assert [line.text.replace("1.0", "2.0") for line in ours] == [line.text for line in theirs]


def test_names_are_the_same_in_every_process() -> None:
    """Printed names do not depend on Python's hash seed."""
    program = (
        "from builders import equation, jaxpr\n"
        "from jaxtutor.core.judging.jaxprs import text\n"
        "print(text(jaxpr(1, 2, equation('sin', 1, 0), equation('cos', 2, 1))))"
    )
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])  # noqa: PTH120
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert 1 == len(printed)
