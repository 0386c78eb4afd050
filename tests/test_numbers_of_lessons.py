"""Tests that texts name lessons by their slugs: any lesson may get another number or chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtutor.content.loading import load_course

ROOT = Path(__file__).resolve().parents[1]
COURSE = load_course(ROOT / "lessons")
SLUGS = {lesson.slug for lesson in COURSE.every_lesson}
PLACES = {f"{it.chapter_folder}/{it.folder.name}" for it in COURSE.lessons}
CHAPTERS = {chapter.folder.name[3:] for chapter in COURSE.chapters}

NUMBER = r"(?:P?\d{1,2}\.\d{1,2})\b(?!\.\d)"
BY_NUMBER = re.compile(
    rf"\b(?:[Ll]essons?|[Aa]s in|In) {NUMBER}|(?<!\w)\({NUMBER}\)|\b[Cc]hapters? \d"
)
BY_SLUG = re.compile(r"\b[Ll]essons? `([a-z0-9-]+)`(?: (?:and|or|to) `([a-z0-9-]+)`)?")
HYPHENATED = re.compile(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`")
PLACE = re.compile(r"\b\d\d_[a-z0-9_]+/\d\d_[a-z0-9_]+")


def prose(path: Path) -> str:
    """Return a text without the code of its examples."""
    text = path.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def pages() -> Iterator[Path]:
    yield from sorted((ROOT / "lessons").rglob("*.md"))
    yield from sorted((ROOT / "lessons").rglob("*.toml"))


def documents() -> Iterator[Path]:
    yield from (ROOT / "README.md", ROOT / "CONTRIBUTING.md")
    yield from sorted((ROOT / "docs").glob("*.md"))
    yield from sorted((ROOT / "docs").glob("*.yml"))
    yield from sorted((ROOT / "man").iterdir())


def test_pages_name_no_lesson_by_its_number() -> None:
    """A page says "lesson `stop-the-leak`", which stays true when a lesson is inserted."""
    found = {
        str(page.relative_to(ROOT)): numbers
        for page in pages()
        if (numbers := BY_NUMBER.findall(re.sub(r"`[^`\n]*`", "", prose(page))))
    }
    assert {} == found


@pytest.mark.parametrize(
    "text", ["See lesson 3.1.", "as in 12.4, and", "In 10.1 you", "(15.11)", "chapter 8"]
)
def test_a_number_is_noticed(text: str) -> None:
    """Each way in which a page may name a number is found."""
    assert BY_NUMBER.search(text)
    assert not BY_NUMBER.search("(0.125) as in 1e3 or In 2026, by 1.5")


def test_pages_name_lessons_that_exist() -> None:
    """Each slug after "lesson", and each in the introduction of a chapter, is that of a lesson."""
    named = {slug for page in pages() for it in BY_SLUG.findall(prose(page)) for slug in it if slug}
    for chapter in COURSE.chapters:
        named |= set(HYPHENATED.findall(chapter.page))
    assert "stop-the-leak" in named
    assert set() == named - SLUGS


def test_documents_name_places_that_exist() -> None:
    """A path such as `03_error_clinic/01_safe_clip_positive` in a document is that of a lesson."""
    texts = [page.read_text(encoding="utf-8") for page in documents()]
    named = {it for text in texts for it in PLACE.findall(text) if it.split("/")[0][3:] in CHAPTERS}
    assert named & PLACES
    assert set() == named - PLACES
