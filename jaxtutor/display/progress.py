"""Draws progress, as bars and marks or in words: the course, and statistics of attempts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from rich.cells import cell_len, set_cell_size
from rich.text import Span, Text

from jaxtutor.content.course import Chapter, Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.learning import activity
from jaxtutor.core.learning.activity import ChapterCount
from jaxtutor.core.learning.drills import CauseRecord
from jaxtutor.core.learning.progress import Progress
from jaxtutor.display.theme import ASCII, WORDS, Marks, visible
from jaxtutor.system.packages import brief

SHADES, ASCII_SHADES = "·░▒▓█", ".:+*#"
BAR, WIDEST_BAR = 12, 40
YEAR = 53
"""Weeks that a year can touch."""
CURSOR = ">"
"""What the line with the cursor begins with."""
WEEKDAYS = ("Mon", "", "Wed", "", "Fri", "", "Sun")


class Canvas(Struct, frozen=True):
    """What a drawing has available: its width in cells, and the symbols that can be shown."""

    width: int
    marks: Marks

    @property
    def in_words(self) -> bool:
        """Return whether to write words instead of drawing."""
        return self.marks == WORDS

    @property
    def shades(self) -> str:
        """The characters of a heat map, from none to most."""
        return ASCII_SHADES if self.marks == ASCII else SHADES

    def bar(self, part: int, whole: int, width: int = BAR) -> Text:
        """Draw a bar; only nothing done is drawn empty, and only everything done is drawn full."""
        filled = round(width * part / whole) if whole else 0
        filled = min(max(filled, part > 0), width - (part < whole))
        full, empty = self.marks.full * filled, self.marks.empty * (width - filled)
        return Text.assemble((full, "passed"), (empty, "quiet"))


# ---------------------------------------------------------------- the course


def course_lines(
    course: Course,
    progress: Mapping[str, Progress],
    current: str | None,
    canvas: Canvas,
    opened: Sequence[Chapter],
    only: Collection[str] | None = None,
    cursor: str = "",
) -> Iterator[Text]:
    """Draw one line per chapter, followed by the lessons of the opened ones; then the projects.

    With `only`, draw the lessons of these slugs, and only chapters that have one. The lesson with
    the cursor is reversed and begins with CURSOR.
    """
    label = max(cell_len(_heading(chapter, canvas)) for chapter in course.parts)
    shown = [lesson for chapter in opened for lesson in chapter.lessons]
    slugs = max((len(lesson.slug) for lesson in shown), default=0)
    tried = any(progress.get(lesson.slug, Progress()).attempts > 1 for lesson in shown)
    columns = Columns(slugs, len("  00 tries") if tried else 0)
    has_heading = False
    for chapter in course.parts:
        lessons = [it for it in chapter.lessons if only is None or it.slug in only]
        if only is not None and (chapter not in opened or not lessons):
            continue
        if chapter.is_project and not has_heading:
            has_heading = True
            yield Text("Projects: programs in steps", style="title")
        yield _chapter_line(chapter, progress, canvas, label)
        if chapter in opened:
            for lesson, line in zip(
                lessons, _lesson_lines(lessons, progress, current, canvas, columns), strict=True
            ):
                yield mark_cursor(line) if lesson.slug == cursor else line
            if not canvas.in_words:
                yield Text()


def mark_cursor(line: Text) -> Text:
    """Mark the line that has the cursor, also where nothing can be reversed."""
    marked = Text.assemble(CURSOR, line[1:] if line.plain.startswith(" ") else line)
    marked.stylize("reverse")
    return marked


def place_text(course: Course, lesson: Lesson) -> str:
    """Describe where a lesson stands in the course, and how long it takes."""
    chapter, info = course.chapter_of(lesson), lesson.info
    lessons = chapter.lessons if lesson.is_step else course.lessons
    kind = "Step" if lesson.is_step else "Lesson"
    minutes = "a minute" if info.minutes == 1 else f"{info.minutes} minutes"
    return visible(
        f"{kind} {lesson.number}, {lessons.index(lesson) + 1} of {len(lessons)}. "
        f"{chapter.kind} {chapter.label}: {chapter.title}. "
        f"{info.difficulty.capitalize()}, about {minutes}."
    )


def chapter_standing(chapter: Chapter, progress: Mapping[str, Progress], canvas: Canvas) -> Text:
    """Draw how many lessons of a chapter are passed."""
    total = len(chapter.lessons)
    passed = sum(_status(progress, lesson) == "passed" for lesson in chapter.lessons)
    count = f"{passed} of {total}"
    title = f"{chapter.kind} {chapter.label}, {visible(chapter.title)}"
    if canvas.in_words:
        what = "steps of project" if chapter.is_project else "lessons of chapter"
        return Text(f"{count} {what} {chapter.label} passed.", overflow="fold")
    line = canvas.bar(passed, total).append(f"  {count}", style="title")
    room = canvas.width - line.cell_len - 2
    return line.append(f"  {_cut(title, room, canvas)}", style="quiet") if room > 8 else line


def pass_lines(
    course: Course,
    progress: Mapping[str, Progress],
    lesson: Lesson,
    is_first: bool,
    canvas: Canvas,
    prose: Callable[[str], Text],
) -> Iterator[Text]:
    """Draw what a pass adds to the chapter; the end of a chapter or the course is shown once."""
    chapter = course.chapter_of(lesson)
    yield chapter_standing(chapter, progress, canvas)
    if not is_first or not _is_complete(chapter, progress):
        return
    yield Text()
    heading = f"{chapter.kind} {chapter.label} is complete. What you learned:"
    yield Text(heading, style="title")
    for each in chapter.lessons:
        if not each.fault and each.info.new:
            mark = (f"{canvas.marks.lesson_passed} ", "passed")
            yield Text.assemble(*([] if canvas.in_words else [mark]), prose(visible(each.info.new)))
    if not chapter.is_project and all(_is_complete(each, progress) for each in course.chapters):
        yield Text()
        count = len(course.lessons)
        yield Text(f"The course is complete: you passed all {count} lessons.", style="passed")
        yield prose(f"You worked through {_join([visible(it.title) for it in course.chapters])}.")
        yield Text("Keep what you learned: jaxtutor review")


def _is_complete(chapter: Chapter, progress: Mapping[str, Progress]) -> bool:
    """Return whether every lesson of a chapter that can be passed is passed."""
    return all(_status(progress, it) == "passed" or it.fault for it in chapter.lessons)


def _join(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _heading(chapter: Chapter, canvas: Canvas) -> str:
    title = visible(chapter.title)
    if canvas.in_words:
        return f"{chapter.kind} {chapter.label}: {title}"
    return f"{chapter.label:>2}  {title}"


def _chapter_line(
    chapter: Chapter, progress: Mapping[str, Progress], canvas: Canvas, label: int
) -> Text:
    total = len(chapter.lessons)
    passed = sum(_status(progress, lesson) == "passed" for lesson in chapter.lessons)
    count = f"{passed} of {total}"
    heading = _heading(chapter, canvas)
    if canvas.in_words:
        return Text(f"{heading}, {count} passed.", overflow="fold")
    room = canvas.width - BAR - len("  00 of 00  ")
    if room < 16:
        return Text.assemble((_cut(heading, canvas.width - 10, canvas), "title"), f"  {count}")
    text = Text(_cut(heading, min(label, room), canvas, pad=True), style="title")
    return Text.assemble(text, "  ", canvas.bar(passed, total), f"  {count}")


def _status(progress: Mapping[str, Progress], lesson: Lesson) -> str:
    return progress.get(lesson.slug, Progress()).status


def _cut(text: str, width: int, canvas: Canvas, pad: bool = False) -> str:
    """Cut a text to a number of cells, or pad it."""
    if text.isascii() and len(text) <= width:  # counting cells takes ten times as long
        return text.ljust(width) if pad else text
    if cell_len(text) <= width:
        return set_cell_size(text, width) if pad else text
    gap = canvas.marks.gap
    cut = set_cell_size(text, max(width - cell_len(gap), 0)).rstrip() + gap
    return set_cell_size(cut, width) if pad else cut


class Columns(Struct, frozen=True):
    """Widths in cells of the columns of lessons: slugs, and numbers of tries."""

    slugs: int
    tries: int


def _lesson_lines(
    lessons: Sequence[Lesson],
    progress: Mapping[str, Progress],
    current: str | None,
    canvas: Canvas,
    columns: Columns,
) -> Iterator[Text]:
    for lesson in lessons:
        done = progress.get(lesson.slug, Progress())
        if canvas.in_words:
            yield _lesson_sentence(lesson, done, lesson.slug == current)
        else:
            yield _lesson_line(lesson, done, lesson.slug == current, canvas, columns)


def _lesson_sentence(lesson: Lesson, done: Progress, current: bool) -> Text:
    parts = [f"{lesson.number} {lesson.slug}"]
    if lesson.fault:
        parts.append(f"broken: {lesson.fault}")
    else:
        needs = [f"needs {brief(lesson.missing)}"] if lesson.missing else []
        parts += [lesson.info.title, lesson.info.difficulty, done.status, *needs]
    if done.attempts > 1:
        parts.append(f"{done.attempts} attempts")
    if current:
        parts.append("current")
    return Text(visible(", ".join(parts)) + ".", overflow="fold")


def _lesson_line(
    lesson: Lesson, done: Progress, current: bool, canvas: Canvas, columns: Columns
) -> Text:
    """Draw a lesson with as many details as fit."""
    parts = _lesson_head(lesson, done, current, canvas)
    room = canvas.width - sum(len(text) for text, _ in parts)
    if lesson.fault:
        broken = f"{lesson.slug}  broken: {visible(lesson.fault)}"
        return _one_line(*parts, (_cut(broken, room, canvas), "failed"))
    slugs = min(columns.slugs, room)
    parts.append((_cut(lesson.slug, slugs, canvas, pad=True), "title" if current else ""))
    tries = f"{done.attempts} tries" if done.attempts > 1 else ""
    details = f"  {lesson.info.difficulty:<6}" + (f"  {tries:<8}" if columns.tries else "")
    rest = room - slugs - len(details)
    if rest >= 0:
        parts.append((details, "quiet"))
    if rest > 16:
        says = f"needs {brief(lesson.missing)}" if lesson.missing else visible(lesson.info.title)
        parts.append(("  " + _cut(says, rest - 2, canvas), "mark" if lesson.missing else ""))
    return _one_line(*parts)


def _one_line(*parts: tuple[str, str]) -> Text:
    """Make a line that fits of texts and their styles.

    Appending them to a Text, and looking for places to break it, takes three times as long, which
    is felt in a list of a whole course.
    """
    plain = "".join(text for text, _ in parts).rstrip()
    spans, begins = [], 0
    for text, style in parts:
        ends = min(begins + len(text), len(plain))
        if style and begins < ends:
            spans.append(Span(begins, ends, style))
        begins += len(text)
    return Text(plain, spans=spans, no_wrap=True, overflow="ignore")


def _lesson_head(
    lesson: Lesson, done: Progress, current: bool, canvas: Canvas
) -> list[tuple[str, str]]:
    marks = canvas.marks
    mark, style = {
        "passed": (marks.lesson_passed, "passed"),
        "started": (marks.lesson_started, "mark"),
        "new": (marks.lesson_new, "skipped"),
    }[done.status]
    here = marks.here if current else ""
    return [
        (f" {here:<{len(marks.here)}} ", "mark"),
        (mark, style),
        (f" {lesson.number:<5} ", "quiet"),
    ]


# ---------------------------------------------------------------- statistics


class Sums(Struct, frozen=True):
    """The statistics of a learner's attempts."""

    chapters: tuple[ChapterCount, ...]
    attempts: int
    hints: int
    tries: Mapping[str, int]
    days: Mapping[date, int]
    causes: Sequence[tuple[str, int]]
    today: date
    records: Sequence[CauseRecord] = ()


def stats_lines(sums: Sums, canvas: Canvas) -> Iterator[Text]:
    """Draw progress, attempts per lesson, active days and frequent mistakes."""
    yield from _totals(sums, canvas)
    yield Text()
    yield Text("Chapters", style="title")
    yield from _chapter_bars(sums.chapters, canvas)
    if sums.tries:
        yield Text()
        yield Text("Attempts until a lesson passed", style="title")
        yield from _bars(activity.spread(sums.tries.values()), "lesson", canvas)
    if sums.days:
        yield Text()
        yield from _year(sums, canvas)
    if sums.causes:
        yield Text()
        yield Text("Most frequent mistakes", style="title")
        yield from _bars(sums.causes, "time", canvas)
        yield Text("Explain one: jaxtutor explain NAME", style="quiet", overflow="fold")
    yield from _cause_lists(sums.records, canvas)


def _cause_lists(records: Sequence[CauseRecord], canvas: Canvas) -> Iterator[Text]:
    """List the causes that are mastered, and those that come back."""
    lists = (
        ("Causes mastered", [record.cause for record in records if record.is_mastered]),
        ("Causes that come back", [record.cause for record in records if record.is_recurring]),
    )
    for title, causes in lists:
        if causes:
            yield Text()
            yield Text(title, style="title")
            yield from (Text(f"  {_cut(cause, canvas.width - 2, canvas)}") for cause in causes)
    if any(record.is_recurring for record in records):
        yield Text("Drill one: jaxtutor drill --cause NAME", style="quiet", overflow="fold")


def _totals(sums: Sums, canvas: Canvas) -> Iterator[Text]:
    passed = sum(chapter.passed for chapter in sums.chapters)
    lessons = sum(chapter.lessons for chapter in sums.chapters)
    line = Text(f"{passed} of {lessons} lessons passed", style="title")
    room = canvas.width - line.cell_len - 2
    if not canvas.in_words and room >= BAR:
        line = Text.assemble(line, "  ", canvas.bar(passed, lessons, min(room, 2 * BAR)))
    yield line + Text("." if canvas.in_words else "")
    if not sums.attempts:
        yield Text("No attempts yet. Start: jaxtutor start")
        return
    days = len(sums.days)
    summary = f"{_count(sums.attempts, 'attempt')} on {_count(days, 'day')}"
    summary += f", {_count(sums.hints, 'hint')}."
    run = activity.streak(sums.days, sums.today)
    yield Text(summary + (f" {run} days in a row." if run > 1 else ""))


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _chapter_bars(chapters: Sequence[ChapterCount], canvas: Canvas) -> Iterator[Text]:
    label = max((cell_len(chapter.title) for chapter in chapters), default=0)
    for chapter in chapters:
        count = f"{chapter.passed} of {chapter.lessons}"
        tried = _count(chapter.attempts, "attempt") if chapter.attempts else ""
        if canvas.in_words:
            more = f", {tried}" if tried else ""
            line_text = f"Chapter {chapter.number}, {visible(chapter.title)}: {count}{more}."
            yield Text(line_text, overflow="fold")
            continue
        room = canvas.width - len("00  ") - BAR - len("  00 of 00  ")
        wide = room >= BAR // 2
        space = min(label, room if wide else room + BAR + 2)
        title = _cut(visible(chapter.title), space, canvas, pad=True)
        line = Text.assemble((f"{chapter.number:>2}  ", "quiet"), title, "  ")
        line += canvas.bar(chapter.passed, chapter.lessons) + Text("  ") if wide else Text()
        line.append(f"{count:<8}")
        if line.cell_len + 2 + len(tried) <= canvas.width:
            line.append(f"  {tried}", style="quiet")
        line.rstrip()
        yield line


def _bars(rows: Sequence[tuple[str, int]], noun: str, canvas: Canvas) -> Iterator[Text]:
    """Draw counts as horizontal bars, the longest as wide as fits."""
    most = max((count for _, count in rows), default=0)
    label = max((cell_len(name) for name, _ in rows), default=0)
    figure = len(f"{most:,}")
    label = min(label, canvas.width - figure - len("    "))
    room = min(canvas.width - label - figure - len("     "), WIDEST_BAR)
    for name, count in rows:
        if canvas.in_words:
            yield Text(f"{name}: {_count(count, noun)}.", overflow="fold")
            continue
        line = Text(f"  {_cut(name, label, canvas, pad=True)}  ", style="quiet")
        if room >= 4 and count:
            line.append(canvas.shades[-1] * max(1, round(room * count / most)), style="passed")
            line.append(" ")
        yield line.append(f"{count:,}")


def _year(sums: Sums, canvas: Canvas) -> Iterator[Text]:
    if canvas.in_words:
        yield Text("Days with attempts", style="title")
        for day, count in sorted(sums.days.items()):
            yield Text(f"{day.isoformat()}: {_count(count, 'attempt')}.")
        return
    margin = 6
    weeks = min(YEAR, canvas.width - margin)
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
            line += _day(attempts, most, canvas)
        line.rstrip()
        yield line


def _day(count: int | None, most: int, canvas: Canvas) -> Text:
    if count is None:
        return Text(" ")
    dark = activity.shade(count, most, len(canvas.shades))
    return Text(canvas.shades[dark], style="passed" if dark else "quiet")
