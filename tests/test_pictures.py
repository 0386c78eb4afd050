"""Owns the tests of every screen: each looks as its picture in the styleguide does."""

from __future__ import annotations

import re

import pytest

from pictures import ALL, PICTURES, Picture, Records, draw_svg, page, read_records

REDRAW = "If the change is meant, draw them anew, and look at them: python tests/pictures.py"


@pytest.fixture(scope="module")
def records() -> Records:
    """Read what was checked for the pictures."""
    return read_records()


def words(svg: str) -> list[str]:
    """Return the rows of a picture as text, in which a difference is easily seen."""
    rows: dict[str, str] = {}
    for x, y, text in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', svg):
        rows[y] = rows.get(y, "").ljust(round((float(x) - 12) / 8.4)) + text
    return list(rows.values())


@pytest.mark.parametrize("picture", ALL, ids=lambda picture: picture.name)
def test_a_screen_looks_as_its_picture(picture: Picture, records: Records) -> None:
    """The text, the colours and the places on a screen are those of its picture."""
    drawn = draw_svg(picture.draw(records), picture.says)
    expected = (PICTURES / f"{picture.name}.svg").read_text(encoding="utf-8")

    assert words(expected) == words(drawn), REDRAW
    assert expected == drawn, f"{picture.name} has other colours. {REDRAW}"


def test_every_picture_is_in_the_styleguide() -> None:
    """The styleguide shows every picture that there is, each once."""
    guide = (PICTURES.parent / "styleguide.md").read_text(encoding="utf-8")
    names = sorted(picture.name for picture in ALL)

    assert page() in guide
    assert names == sorted(path.stem for path in PICTURES.glob("*.svg"))


def test_a_picture_notices(records: Records) -> None:
    """The comparison can fail: another colour is another picture, and so is another letter."""
    screen = ALL[0].draw(records)
    svg = draw_svg(screen, "")

    assert svg != svg.replace("c27", "c28")
    assert words(svg) != words(svg.replace("brighten", "frighten"))
