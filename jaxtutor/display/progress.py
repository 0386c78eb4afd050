"""Owns pictures of progress: the course, and what attempts add up to; in words where asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from jaxtutor.content.course import Chapter, Course, Lesson
from jaxtutor.core.learning import activity
from jaxtutor.core.learning.activity import ChapterCount
from jaxtutor.core.learning.progress import Progress
from jaxtutor.display.theme import ASCII, WORDS, Marks, visible

SHADES, ASCII_SHADES = "·░▒▓█", ".:+*#"
BAR, WIDEST_BAR = 12, 40
YEAR = 53
"""Weeks that a year touches."""
WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")


@dataclass(frozen=True)
class Canvas:
    """What is drawn on: how wide it is, and the signs that it can show."""

    width: int
    marks: Marks

    @property
    def in_words(self) -> bool:
        """Tell whether words take the place of pictures."""
        return self.marks == WORDS

    @property
    def shades(self) -> str:
        """The signs from nothing to most."""
        return ASCII_SHADES if self.marks == ASCII else SHADES

    def bar(self, part: int, whole: int, width: int = BAR) -> Text:
        """Draw how much is done; nothing is empty but nothing, and nothing full but all."""
        filled = round(width * part / whole) if whole else 0
        filled = min(max(filled, part > 0), width - (part < whole))
        full, empty = self.marks.full * filled, self.marks.empty * (width - filled)
        return Text.assemble((full, "passed"), (empty, "quiet"))


# ---------------------------------------------------------------- the course


def course_lines(
    course: Course,
    progress: Mapping[str, Progress],
    current: str | None,
    paper: Canvas,
    opened: Sequence[Chapter],
) -> Iterator[Text]:
    """Draw every chapter in a line, and below it the lessons of those that are opened."""
    label = max(cell_len(_heading(chapter, paper)) for chapter in course.chapters)
    shown = [lesson for chapter in opened for lesson in chapter.lessons]
    slugs = max((len(lesson.slug) for lesson in shown), default=0)
    tried = any(progress.get(lesson.slug, Progress()).attempts > 1 for lesson in shown)
    columns = Columns(slugs, len("  00 tries") if tried else 0)
    for chapter in course.chapters:
        yield _chapter_line(chapter, progress, paper, label)
        if chapter in opened:
            yield from _lesson_lines(chapter, progress, current, paper, columns)
            if not paper.in_words:
                yield Text()


def _heading(chapter: Chapter, paper: Canvas) -> str:
    title = visible(chapter.title)
    if paper.in_words:
        return f"Chapter {chapter.number}: {title}"
    return f"{chapter.number:>2}  {title}"


def _chapter_line(
    chapter: Chapter, progress: Mapping[str, Progress], paper: Canvas, label: int
) -> Text:
    total = len(chapter.lessons)
    passed = sum(_status(progress, lesson) == "passed" for lesson in chapter.lessons)
    count = f"{passed} of {total}"
    heading = _heading(chapter, paper)
    if paper.in_words:
        return Text(f"{heading}, {count} passed.", overflow="fold")
    room = paper.width - BAR - len("  00 of 00  ")
    if room < 16:
        return Text.assemble((_cut(heading, paper.width - 10, paper), "title"), f"  {count}")
    text = Text(_cut(heading, min(label, room), paper, pad=True), style="title")
    return Text.assemble(text, "  ", paper.bar(passed, total), f"  {count}")


def _status(progress: Mapping[str, Progress], lesson: Lesson) -> str:
    return progress.get(lesson.slug, Progress()).status


def _cut(text: str, width: int, paper: Canvas, pad: bool = False) -> str:
    """Cut a text to so many cells, or fill it up to them."""
    if cell_len(text) <= width:
        return set_cell_size(text, width) if pad else text
    gap = paper.marks.gap
    cut = set_cell_size(text, max(width - cell_len(gap), 0)).rstrip() + gap
    return set_cell_size(cut, width) if pad else cut


@dataclass(frozen=True)
class Columns:
    """How wide the columns of lessons are: their names, and how often they were tried."""

    slugs: int
    tries: int


def _lesson_lines(
    chapter: Chapter,
    progress: Mapping[str, Progress],
    current: str | None,
    paper: Canvas,
    columns: Columns,
) -> Iterator[Text]:
    for lesson in chapter.lessons:
        done = progress.get(lesson.slug, Progress())
        if paper.in_words:
            yield _lesson_sentence(lesson, done, lesson.slug == current)
        else:
            yield _lesson_line(lesson, done, lesson.slug == current, paper, columns)


def _lesson_sentence(lesson: Lesson, done: Progress, current: bool) -> Text:
    parts = [f"{lesson.number} {lesson.slug}"]
    if lesson.fault:
        parts.append(f"broken: {lesson.fault}")
    else:
        parts += [lesson.info.title, lesson.info.difficulty, done.status]
    if done.attempts > 1:
        parts.append(f"{done.attempts} attempts")
    if current:
        parts.append("current")
    return Text(visible(", ".join(parts)) + ".", overflow="fold")


def _lesson_line(
    lesson: Lesson, done: Progress, current: bool, paper: Canvas, columns: Columns
) -> Text:
    """Draw a lesson with as much of what is known as there is room for."""
    head = _lesson_head(lesson, done, current, paper)
    room = paper.width - head.cell_len
    if lesson.fault:
        broken = f"{lesson.slug}  broken: {visible(lesson.fault)}"
        return head + Text(_cut(broken, room, paper), "failed")
    slugs = min(columns.slugs, room)
    line = head + Text(_cut(lesson.slug, slugs, paper, pad=True), "title" if current else "")
    tries = f"{done.attempts} tries" if done.attempts > 1 else ""
    details = f"  {lesson.info.difficulty:<6}" + (f"  {tries:<8}" if columns.tries else "")
    rest = room - slugs - len(details)
    if rest >= 0:
        line.append(details, style="quiet")
    if rest > 16:
        line.append("  " + _cut(visible(lesson.info.title), rest - 2, paper))
    line.rstrip()
    return line


def _lesson_head(lesson: Lesson, done: Progress, current: bool, paper: Canvas) -> Text:
    marks = paper.marks
    mark, style = {
        "passed": (marks.lesson_passed, "passed"),
        "started": (marks.lesson_started, "mark"),
        "new": (marks.lesson_new, "skipped"),
    }[done.status]
    here = marks.here if current else ""
    head = Text.assemble((f" {here:<{len(marks.here)}} ", "mark"), (mark, style))
    return head.append(f" {lesson.number:<5}", style="quiet")


# ---------------------------------------------------------------- what it adds up to


@dataclass(frozen=True)
class Sums:
    """What is drawn of a learner's attempts."""

    chapters: tuple[ChapterCount, ...]
    attempts: int
    hints: int
    tries: Mapping[str, int]
    days: Mapping[date, int]
    causes: Sequence[tuple[str, int]]
    today: date


def stats_lines(sums: Sums, paper: Canvas) -> Iterator[Text]:
    """Draw what was done: how far, in how many attempts, on which days, with which mistakes."""
    yield from _totals(sums, paper)
    yield Text()
    yield Text("Chapters", style="title")
    yield from _chapter_bars(sums.chapters, paper)
    if sums.tries:
        yield Text()
        yield Text("Attempts until a lesson passed", style="title")
        yield from _bars(activity.spread(sums.tries.values()), "lesson", paper)
    if sums.days:
        yield Text()
        yield from _year(sums, paper)
    if sums.causes:
        yield Text()
        yield Text("Mistakes met most", style="title")
        yield from _bars(sums.causes, "time", paper)
        yield Text("Read about one: jaxtutor explain NAME", style="quiet", overflow="fold")


def _totals(sums: Sums, paper: Canvas) -> Iterator[Text]:
    passed = sum(chapter.passed for chapter in sums.chapters)
    lessons = sum(chapter.lessons for chapter in sums.chapters)
    line = Text(f"{passed} of {lessons} lessons passed", style="title")
    room = paper.width - line.cell_len - 2
    if not paper.in_words and room >= BAR:
        line = Text.assemble(line, "  ", paper.bar(passed, lessons, min(room, 2 * BAR)))
    yield line + Text("." if paper.in_words else "")
    if not sums.attempts:
        yield Text("No attempts yet. Begin: jaxtutor start")
        return
    days = len(sums.days)
    says = f"{_count(sums.attempts, 'attempt')} on {_count(days, 'day')}"
    says += f", {_count(sums.hints, 'hint')}."
    run = activity.streak(sums.days, sums.today)
    yield Text(says + (f" {run} days in a row." if run > 1 else ""))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _chapter_bars(chapters: Sequence[ChapterCount], paper: Canvas) -> Iterator[Text]:
    label = max((cell_len(chapter.title) for chapter in chapters), default=0)
    for chapter in chapters:
        count = f"{chapter.passed} of {chapter.lessons}"
        tried = _count(chapter.attempts, "attempt") if chapter.attempts else ""
        if paper.in_words:
            more = f", {tried}" if tried else ""
            says = f"Chapter {chapter.number}, {visible(chapter.title)}: {count}{more}."
            yield Text(says, overflow="fold")
            continue
        room = paper.width - len("00  ") - BAR - len("  00 of 00  ")
        wide = room >= BAR // 2
        space = min(label, room if wide else room + BAR + 2)
        title = _cut(visible(chapter.title), space, paper, pad=True)
        line = Text.assemble((f"{chapter.number:>2}  ", "quiet"), title, "  ")
        line += paper.bar(chapter.passed, chapter.lessons) + Text("  ") if wide else Text()
        line.append(f"{count:<8}")
        if line.cell_len + 2 + len(tried) <= paper.width:
            line.append(f"  {tried}", style="quiet")
        line.rstrip()
        yield line


def _bars(rows: Sequence[tuple[str, int]], noun: str, paper: Canvas) -> Iterator[Text]:
    """Draw counts as bars below one another, the longest as wide as there is room."""
    most = max((count for _, count in rows), default=0)
    label = max((cell_len(name) for name, _ in rows), default=0)
    figure = len(f"{most:,}")
    label = min(label, paper.width - figure - len("    "))
    room = min(paper.width - label - figure - len("     "), WIDEST_BAR)
    for name, count in rows:
        if paper.in_words:
            yield Text(f"{name}: {_count(count, noun)}.", overflow="fold")
            continue
        line = Text(f"  {_cut(name, label, paper, pad=True)}  ", style="quiet")
        if room >= 4 and count:
            line.append(paper.shades[-1] * max(1, round(room * count / most)), style="passed")
            line.append(" ")
        yield line.append(f"{count:,}")


def _year(sums: Sums, paper: Canvas) -> Iterator[Text]:
    if paper.in_words:
        yield Text("Days with attempts", style="title")
        for day, count in sorted(sums.days.items()):
            yield Text(f"{day.isoformat()}: {_count(count, 'attempt')}.")
        return
    margin = 6
    weeks = min(YEAR, paper.width - margin)
    yield Text("The last year" if weeks == YEAR else f"The last {weeks} weeks", style="title")
    months = " " * weeks
    for week, day in activity.month_starts(sums.today, weeks):
        name = f"{day:%b}"
        if week + len(name) <= weeks and not months[max(week - 1, 0) : week + 3].strip():
            months = months[:week] + name + months[week + len(name) :]
    yield Text(" " * margin + months.rstrip(), style="quiet")
    grid = activity.lay_out_weeks(sums.days, sums.today, weeks)
    most = max((count or 0 for row in grid for count in row), default=0)
    for name, row in zip(WEEKDAYS, grid, strict=True):
        line = Text(f"  {name:<{margin - 2}}", style="quiet")
        for attempts in row:
            line += _day(attempts, most, paper)
        line.rstrip()
        yield line


def _day(count: int | None, most: int, paper: Canvas) -> Text:
    if count is None:
        return Text(" ")
    dark = activity.shade(count, most, len(paper.shades))
    return Text(paper.shades[dark], style="passed" if dark else "quiet")
