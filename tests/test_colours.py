"""Tests that the colours are readable on black and white, also with colour blindness.

Contrast is WCAG 2's ratio of relative luminances. Colour blindness is simulated with the matrices
of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
Deficiency" (2009), at full severity; differences are distances in CIELAB (CIE 1976).
"""

from __future__ import annotations

import io
import itertools
import os
import re
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.color import Color

from jaxtutor.display.code import highlight
from jaxtutor.display.theme import (
    ASCII,
    BLUE,
    COLOUR_SETS,
    FANCY,
    GREEN,
    ON_DARK,
    ON_LIGHT,
    PURPLE,
    RED,
    make_console,
    make_theme,
)

Triple = tuple[float, float, float]

NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
VISIONS = {
    "normal": NORMAL,
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
COLOURS = {"green": GREEN, "red": RED, "purple": PURPLE, "blue": BLUE}
GROUNDS: dict[str, Triple] = {"black": (0.0, 0.0, 0.0), "white": (1.0, 1.0, 1.0)}
GUIDE = Path(__file__).parent.parent / "docs" / "styleguide.md"


def linear(name: str) -> Triple:
    """Return the linear red, green and blue of a colour."""
    red, green, blue = (part / 255 for part in Color.parse(name).get_truecolor())
    return _light(red), _light(green), _light(blue)


def _light(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: Triple) -> float:
    """Return a colour's relative luminance, from 0 to 1."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: Triple, other: Triple) -> float:
    """Return WCAG's contrast ratio, from 1 to 21."""
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


def perceived(colour: Triple, vision: tuple[Triple, ...]) -> Triple:
    """Return a colour in CIELAB as a given kind of colour vision sees it."""
    red, green, blue = (
        min(max(sum(a * b for a, b in zip(row, colour, strict=True)), 0.0), 1.0) for row in vision
    )
    x = _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


def difference(one: str, other: str, vision: str) -> float:
    """Return the distance of two colours for a kind of vision. Distance 2 is barely visible."""
    pair = zip(
        perceived(linear(one), VISIONS[vision]),
        perceived(linear(other), VISIONS[vision]),
        strict=True,
    )
    return float(sum((a - b) ** 2 for a, b in pair) ** 0.5)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("name", COLOURS)
def test_a_colour_can_be_read(name: str, ground: str) -> None:
    """Every colour has a contrast of at least 3.8 on black and on white."""
    assert contrast(linear(COLOURS[name]), GROUNDS[ground]) >= 3.8


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(COLOURS, 2)))
def test_two_colours_can_be_distinguished(one: str, other: str, vision: str) -> None:
    """Any two colours are at least 20 apart, ten times a visible difference, for every vision."""
    assert difference(COLOURS[one], COLOURS[other], vision) >= 20


CHOSEN = {"black": ON_DARK, "white": ON_LIGHT}


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_colour_for_one_background_is_easier_to_read(ground: str) -> None:
    """The dark and the light set have a contrast of at least 6 on their own background."""
    assert min(contrast(linear(colour), GROUNDS[ground]) for colour in CHOSEN[ground]) >= 6


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("ground", GROUNDS)
def test_two_colours_of_a_set_can_be_distinguished(ground: str, vision: str) -> None:
    """Any two colours of the dark and of the light set are at least 29 apart."""
    pairs = itertools.combinations(CHOSEN[ground], 2)

    assert min(difference(one, other, vision) for one, other in pairs) >= 29


@pytest.mark.parametrize("colours", COLOUR_SETS)
def test_a_set_is_what_is_drawn(colours: str) -> None:
    """Each set changes the colour of marks and of code; `none` sends no colour at all."""
    out = io.StringIO()
    environ = {"FORCE_COLOR": "1", "COLUMNS": "40"}
    with patch.dict(os.environ, {**environ, "TERM": "xterm-256color"}, clear=True):
        console = make_console(out, False, environ, colours)
    console.print("passed", style="passed")
    console.print(highlight("if 1: pass"))

    drawn = out.getvalue()
    expected = {"auto": [29, 27], "dark": [40, 69], "light": [23, 21], "none": []}[colours]
    assert "\x1b[" in drawn
    assert [str(number) in drawn for number in expected] == [True] * len(expected)
    assert bool(re.search(r"\x1b\[[\d;]*\b3[0-8]\b", drawn)) == bool(expected)


def test_the_usual_red_and_green_would_fail() -> None:
    """The usual green is close to red for some vision, so the test can fail."""
    assert difference("color(28)", RED, "deuteranopia") < 20


def test_the_yellow_of_xterm_would_fail() -> None:
    """The yellow of many terminals is hardly readable on white, so the test can fail."""
    assert contrast(linear("#cdcd00"), GROUNDS["white"]) < 2


def test_no_other_colours() -> None:
    """Every style has one of the four colours, or none."""
    ours = set(re.findall(r"^\| `(\w+)` \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE))
    allowed = {Color.parse(colour).number for colour in COLOURS.values()}
    styles = {name: make_theme().styles[name].color for name in ours}
    others = {n: c for n, c in styles.items() if c and not c.is_default and c.number not in allowed}

    assert {"passed", "failed", "mark", "code", "key", "quiet", "title"} <= ours
    assert {} == others


def test_the_styleguide_has_the_figures() -> None:
    """The numbers in the styleguide are those computed here."""
    guide = GUIDE.read_text(encoding="utf-8")
    for name, colour in COLOURS.items():
        light = linear(colour)
        ratios = [f"{contrast(light, ground):.1f}" for ground in GROUNDS.values()]
        number = Color.parse(colour).number
        row = f"| {name} | {number} | {Color.parse(colour).get_truecolor().hex} | "

        assert f"{row}{' | '.join(ratios)} |" in guide
    for one, other in itertools.combinations(COLOURS, 2):
        apart = [f"{difference(COLOURS[one], COLOURS[other], vision):.0f}" for vision in VISIONS]

        assert f"| {one}, {other} | {' | '.join(apart)} |" in guide
    names = {"black": "dark", "white": "light"}
    for ground, colours in CHOSEN.items():
        parts = [
            f"{Color.parse(it).number} ({contrast(linear(it), GROUNDS[ground]):.1f})"
            for it in colours
        ]

        assert f"| {names[ground]} | {' | '.join(parts)} |" in guide


@pytest.mark.parametrize("marks", [FANCY, ASCII], ids=["fancy", "ascii"])
def test_a_mark_says_it_without_colour(marks: object) -> None:
    """The marks for passed, failed, skipped and current differ without colour."""
    signs = [getattr(marks, name) for name in ("passed", "failed", "skipped", "here", "note")]

    assert len(signs) == len(set(signs))
