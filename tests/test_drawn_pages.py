"""Tests the stored pages: they look like drawn ones, and a file that does not fit is ignored."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import RenderableType

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.loading import load_course
from jaxtutor.display.drawn_pages import StoredPage, markdown_page
from jaxtutor.display.markdown import make_page
from jaxtutor.display.theme import make_console

COLOURED = {"FORCE_COLOR": "1", "COLUMNS": "60", "TERM": "xterm-256color"}
TEXT = "# Title\n\nSome `code`.\n\n```python\ndef f(x): return 2  # two\n```\n\n- one\n- two\n"


def draw(
    page: RenderableType, monkeypatch: pytest.MonkeyPatch, width: int = 60, colours: str = "auto"
) -> str:
    """Return what a page sends to a terminal of 256 colours."""
    for name, value in COLOURED.items():
        monkeypatch.setenv(name, value)
    out = io.StringIO()
    make_console(out, False, {**COLOURED, "COLUMNS": str(width)}, colours).print(page)
    return out.getvalue()


def never() -> RenderableType:
    """Fail, because the page should have been read."""
    pytest.fail("the page was drawn again")


@pytest.mark.parametrize("width", [40, 92])
@pytest.mark.parametrize("plain", [False, True])
def test_a_stored_page_looks_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plain: bool, width: int
) -> None:
    """A lesson's page is the same drawn, stored and read."""
    text = load_course(None).lessons[14].page
    drawn, stored, read = (
        draw(page, monkeypatch, width)
        for page in (
            make_page(text, plain),
            markdown_page(text, plain, tmp_path),
            StoredPage(f"{plain}\n{text}", tmp_path, never),
        )
    )

    assert "\x1b[" in drawn
    assert drawn == stored == read


def test_what_decides_the_look_decides_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another text, width, theme or kind of page is drawn, not read."""
    looks = [
        draw(markdown_page(text, plain, tmp_path), monkeypatch, width, colours)
        for text, plain, width, colours in (
            (TEXT, False, 60, "auto"),
            (TEXT + "more", False, 60, "auto"),
            (TEXT, True, 60, "auto"),
            (TEXT, False, 20, "auto"),
            (TEXT, False, 60, "dark"),
        )
    ]

    assert len(looks) == len(set(looks)) == len(list(tmp_path.glob("*.json")))


@pytest.mark.parametrize("damage", ["", "[]", '[["x"],[],[["y",0]]]', '{"a": 1}', "\x00" * 99])
def test_a_damaged_file_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    """The page is drawn, whatever the file holds."""
    first = draw(markdown_page(TEXT, False, tmp_path), monkeypatch)
    for path in tmp_path.glob("*.json"):
        path.write_text(damage)

    assert first == draw(markdown_page(TEXT, False, tmp_path), monkeypatch)


def test_a_forged_piece_cannot_control_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Control characters in a stored piece are shown, as in any other text."""
    draw(markdown_page(TEXT, False, tmp_path), monkeypatch)
    (path,) = tmp_path.glob("*.json")
    before, _, after = path.read_text().rpartition("Some ")  # the text itself comes first
    path.write_text(f"{before}\\u001b]0;forged\\u0007{after}")

    drawn = draw(StoredPage(f"False\n{TEXT}", tmp_path, never), monkeypatch)
    assert "forged" in drawn
    assert "\x1b]" not in drawn
    assert "\x07" not in drawn


def test_a_page_is_drawn_where_nothing_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be created does not stop the command."""
    (tmp_path / "file").write_text("")

    drawn = draw(markdown_page(TEXT, False, tmp_path / "file" / "pages"), monkeypatch)
    assert draw(make_page(TEXT, False), monkeypatch) == drawn


def test_a_title_is_that_of_the_page() -> None:
    """Reading only the title gives what the whole header says."""
    library = Library()

    for slug in library.slugs:
        assert library[slug].title == library.title(slug)
    for name in library.classes:
        assert library.page(name)[0] == f"{name}: {library.title(name)}"
