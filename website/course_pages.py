"""Writes the catalogue of the course: chapters, projects, lessons and terms, without solutions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jaxtutor.content.course import Chapter, Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.addresses import anchor
from jaxtutor.core.learning.terms import Term
from website.reference import DOCS
from website.sources import Names, SourcePage, bare_links, link

_ITALIC = re.compile(r"(?<![*\w])\*([A-Za-z][\w' -]{3,40})\*(?![*\w])")
_CODE = re.compile(r"^```.*?^```", re.M | re.S)
_AFTERWARDS = re.compile(r"^## After you pass\n.*?(?=^## |\Z)", re.M | re.S)
"""The part of a lesson that speaks of its solution."""
_HEADING = re.compile(r"\A\s*# [^\n]*\n")


def course_pages(course: Course, terms: Sequence[Term], names: Names) -> Iterator[SourcePage]:
    """Write the catalogue, and a page for each part of the course, each lesson and the terms."""
    yield _catalogue(course)
    for part in course.parts:
        yield _part_page(part, names)
        for lesson in part.lessons:
            yield _lesson_page(lesson, part, course, names)
    yield _terms_page(course, terms)


def _catalogue(course: Course) -> SourcePage:
    count = f"{len(course.lessons)} lessons and {len(course.projects)} projects"
    minutes = sum(lesson.info.minutes for lesson in course.every_lesson)
    parts = [
        f"{count}, about {round(minutes / 60)} hours. A lesson is a page of text and one function "
        "to write in your own editor; `jaxtutor start` checks it on each save. These pages have "
        "the texts, and no solutions."
    ]
    for head, some in (("Chapters", course.chapters), ("Projects", course.projects)):
        rows = [_part_row(part) for part in some]
        parts.append("\n".join([f"## {head}", "", *rows]))
    return SourcePage("course/index", "The course", "\n\n".join(parts), parts[0])


def _part_row(part: Chapter) -> str:
    minutes = sum(lesson.info.minutes for lesson in part.lessons)
    what = "steps" if part.is_project else "lessons"
    count = f"{len(part.lessons)} {what if len(part.lessons) > 1 else what[:-1]}"
    return f"- {part.label} {link(part.title, f'course/{part.name}')}: {count}, {minutes} minutes"


def _part_page(part: Chapter, names: Names) -> SourcePage:
    rows = [
        f"| {it.number} | {link(it.info.title, f'lessons/{it.slug}')} | {it.info.difficulty} "
        f"| {it.info.minutes} |"
        for it in part.lessons
    ]
    table = ["| | | difficulty | minutes |", "|---|---|---|---|", *rows]
    text = names.linked(_HEADING.sub("", part.page))
    says = part.info.summary if part.is_project else part.introduction
    about = f"{part.kind} {part.number} of the course, in {link('the course', 'course/index')}."
    parts = [about, bare_links(text), _picture(part), "\n".join(["## Lessons", "", *table])]
    text = "\n\n".join(filter(None, parts))
    return SourcePage(f"course/{part.name}", part.title, text, says)


def _picture(part: Chapter) -> str:
    """Show the picture that the finished program of a project saves, if it is stored."""
    file = f"pictures/projects/{part.name}.png"
    if not part.is_project or not (DOCS / file).is_file():
        return ""
    return f"![What the finished program of {part.title} draws](/guides/{file})"


def _lesson_page(lesson: Lesson, part: Chapter, course: Course, names: Names) -> SourcePage:
    info = lesson.info
    known = {it.slug: it for it in course.every_lesson}
    before = [
        link(known[slug].info.title, f"lessons/{slug}") for slug in info.requires if slug in known
    ]
    facts = [
        f"{'Step' if part.is_project else 'Lesson'} {lesson.number}, in "
        f"{link(part.title, f'course/{part.name}')} · {info.difficulty}, {info.minutes} minutes",
        f"Builds on {', '.join(before)}." if before else "",
        f"Needs `{'`, `'.join(info.needs.packages)}`." if info.needs.packages else "",
    ]
    parts = [
        "  \n".join(filter(None, facts)),
        info.new,
        bare_links(names.linked(_without_answer(lesson.page), f"lessons/{lesson.slug}")),
        f"Write it with `jaxtutor start {lesson.slug}`.",
        "\n".join(["## Read on", "", *(f"- <{it}>" for it in info.docs)]) if info.docs else "",
    ]
    return SourcePage(
        f"lessons/{lesson.slug}", info.title, "\n\n".join(filter(None, parts)), info.new
    )


def _without_answer(text: str) -> str:
    """Return a lesson's text without its heading, and without what is read after a pass."""
    return _AFTERWARDS.sub("", _HEADING.sub("", text))


def _terms_page(course: Course, terms: Sequence[Term]) -> SourcePage:
    """Write what each term means, and which pages introduce a word of the field in italics."""
    known = {it.slug: it for it in course.every_lesson}
    rows = []
    for term in sorted(terms, key=lambda it: it.name.lower()):
        it = known.get(term.lesson)
        where = f" Lesson: {link(it.info.title, f'lessons/{it.slug}')}." if it else ""
        rows.append(f"({anchor(term.name)})=\n## {term.name}\n\n{term.says}{where}")
    words = [
        f"- *{word}*: {link(it.info.title, f'lessons/{it.slug}')}"
        for word, it in sorted(_words(course).items(), key=lambda pair: pair[0].lower())
    ]
    more = ["## Words that lessons introduce", "", *words]
    text = "\n\n".join([*rows, "\n".join(more)])
    return SourcePage(
        "terms/index", "Terms", text, "What the words of JAX mean, in a sentence each."
    )


def _words(course: Course) -> dict[str, Lesson]:
    """Return the words in italics, with the first lesson that has each; steps have most of them."""
    found: dict[str, Lesson] = {}
    for lesson in course.steps:
        for word in _ITALIC.findall(_CODE.sub("", lesson.page)):
            if " " in word or "-" in word:
                found.setdefault(word.strip(), lesson)
    return found
