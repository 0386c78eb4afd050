"""Tests that every screen looks like its picture in the styleguide."""

from __future__ import annotations

import re

import pytest

from pictures import ALL, PICTURES, Picture, Records, draw_svg, page, read_records

REDRAW = "If the change is meant, draw them again, and look at them: python tests/pictures.py"


@pytest.fixture(scope="module")
def records() -> Records:
    """Return the stored results for the pictures."""
    return read_records()


def words(svg: str) -> list[str]:
    """Return the rows of a picture as text, in which differences are easy to see."""
    rows: dict[str, str] = {}
    for x, y, text in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', svg):
        rows[y] = rows.get(y, "").ljust(round((float(x) - 12) / 8.4)) + text
    return list(rows.values())


@pytest.mark.parametrize("picture", ALL, ids=lambda picture: picture.name)
def test_a_screen_looks_as_its_picture(picture: Picture, records: Records) -> None:
    """The text, colours and positions on a screen are those in its picture."""
    drawn = draw_svg(picture.draw(records), picture.says)
    expected = (PICTURES / f"{picture.name}.svg").read_text(encoding="utf-8")

    assert words(expected) == words(drawn), REDRAW
    assert expected == drawn, f"{picture.name} has other colours. {REDRAW}"


def test_every_picture_is_in_the_styleguide() -> None:
    """The styleguide shows every picture exactly once."""
    guide = (PICTURES.parent / "styleguide.md").read_text(encoding="utf-8")
    names = sorted(picture.name for picture in ALL)

    assert page() in guide
    assert names == sorted(path.stem for path in PICTURES.glob("*.svg"))


def test_a_picture_notices(records: Records) -> None:
    """A different colour or letter is a different picture, so the comparison can fail."""
    screen = ALL[0].draw(records)
    svg = draw_svg(screen, "")

    assert svg != svg.replace("c27", "c28")
    assert words(svg) != words(svg.replace("brighten", "frighten"))
