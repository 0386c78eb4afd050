"""Measures how the time to a verdict grows with a course, a history, a file or a lesson.

The large case and the small one are interleaved. Courses and histories are generated from the
sample course and from one real attempt.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks import ROOT, Columns, Options, Row
from benchmarks.interleave import TUTOR, compare, process, surroundings
from benchmarks.lessons import file_of, save
from benchmarks.warm import Calls, calm, open_watch, save_to
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course

COLUMNS = Columns(
    "growth: the large case",
    floor="the small case",
    rival="the calls, as large",
    notes=(
        "Courses of 1,000 lessons and 10, records of 100,000 attempts and 1, submissions of 5,000",
        "lines and a few, 200 cases and 2, answers of 10 million elements and 10.",
    ),
)
FLAT = 1.2
LESSONS, ATTEMPTS, LINES, CASES, ELEMENTS = 1_000, 100_000, 5_000, 200, 10_000_000
FEW = 10
PATIENCE = 120
SAMPLE = ROOT / "examples" / "signals" / "01_first_steps"
A_CHAPTER = 20
SOURCES = 500
"""The number of different texts in a large history."""

FILLER = """

def _unused_{0}(x):
    y = x * {0}
    return y + {0}
"""

CHECKS = """import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Traces

EXAMPLES = [Call(np.float32(2.0)).gives({stated}), Call(np.float32(3.0))]


def hidden(rng):
    for value in rng.normal(size={cases}).astype(np.float32):
        yield Call(value)


PROPERTIES = [Traces([Call(np.float32(1.0)), Call(np.float32(2.0))])]
"""
SOLUTION = '''"""Spread a number."""

import jax.numpy as jnp


def spread(x):
    """Return the array."""
    return {answer}
'''


def run(options: Options) -> Iterator[Row]:
    """Measure each kind of growth."""
    yield from _course(options)
    yield from _record(options)
    yield from _submission(options)
    yield from _work(options, "200 cases", "x * 2", "x * 2", "4.0", (CASES, 2))
    large, small = (f"jnp.full(({size},), x)" for size in (ELEMENTS, FEW))
    yield from _work(options, "10 million elements", large, small, "None", (0, 0))


# ---------------------------------------------------------------- a large course


def _course(options: Options) -> Iterator[Row]:
    large, small = (options.home / name for name in ("large_course", "small_course"))
    names = {large: make_course(large, LESSONS), small: make_course(small, FEW)}
    for line in ("list", "list --json", "hint --again", "show", "history", "stats"):
        sides = {}
        for side, folder in (("ours", large), ("floor", small)):
            words = [*line.split(), "--course", str(folder)]
            if words[0] in ("hint", "show", "history"):
                words.insert(1, names[folder])
            sides[side] = process(*TUTOR, *words, environ=_trusting(options.home / folder.name))
        yield Row(name=f"lessons: {line}", **compare(options.repeats, sides), of_floor=FLAT)


def _trusting(home: Path) -> dict[str, str]:
    return surroundings(home, JAXTUTOR_TRUST_COURSE="yes")


def make_course(folder: Path, count: int) -> str:
    """Generate a course of a number of lessons. Return the name of the middle one."""
    sample = SAMPLE / "01_difference"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE.parent / "course.toml", folder)
    for index in range(count):
        chapter = folder / f"{index // A_CHAPTER + 1:02d}_chapter_{index // A_CHAPTER + 1}"
        if not chapter.exists():
            chapter.mkdir()
            shutil.copy(SAMPLE / "chapter.md", chapter)
        shutil.copytree(sample, chapter / f"{index % A_CHAPTER + 1:02d}_difference_{index}")
    return f"difference-{count // 2}"


# ---------------------------------------------------------------- a large history


def _record(options: Options) -> Iterator[Row]:
    slug = "safe-clip-positive"
    lesson = load_course(None).find(slug)
    homes = {"ours": options.home / "large_record", "floor": options.home / "small_record"}
    for side, home in homes.items():
        save(file_of(home, lesson), lesson.solution)
        process(*TUTOR, "check", slug, environ=surroundings(home))()
        if side == "ours":
            (path,) = home.rglob("progress.sqlite3")
            fill_record(path, [each.slug for each in load_course(None).lessons], ATTEMPTS)
    for line in ("list", f"hint {slug} --again", f"history {slug}", "stats", "review"):
        sides = {
            side: process(*TUTOR, *line.split(), environ=surroundings(home))
            for side, home in homes.items()
        }
        name = f"attempts: {line.partition(' ')[0]}"
        yield Row(name=name, **compare(options.repeats, sides), of_floor=FLAT)
    with (
        closing(open_watch(homes["ours"], lesson)) as large,
        closing(open_watch(homes["floor"], lesson)) as small,
    ):
        screens = {"ours": large, "floor": small}
        files = {side: file_of(home, lesson) for side, home in homes.items()}
        taken = compare(
            options.repeats,
            {
                side: lambda side=side: save_to(  # type: ignore[misc]
                    screens[side], files[side], lesson.solution, b"passed"
                )
                for side in homes
            },
            before=lambda: calm(large, small),
        )
    yield Row(name="attempts: a save", **taken, of_floor=FLAT)


def fill_record(path: Path, slugs: list[str], count: int) -> None:
    """Multiply one attempt over all lessons and a year, with many texts."""
    with closing(sqlite3.connect(path)) as db, db:
        db.executemany(
            "INSERT OR IGNORE INTO lessons (course, slug) SELECT id, ? FROM courses",
            [(slug,) for slug in slugs],
        )
        db.execute(
            "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ?)"
            " INSERT INTO sources (sha256, body)"
            " SELECT randomblob(32), body FROM k, (SELECT body FROM sources LIMIT 1)",
            (SOURCES,),
        )
        db.execute(
            "WITH RECURSIVE k(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM k WHERE i < ?)"
            " INSERT INTO attempts (lesson, n, source, made_at, status, verdict, device, jax,"
            " python, seconds, starter)"
            " SELECT lessons.id, 1 + i, 1 + i % ?,"
            " strftime('%Y-%m-%dT%H:%M:%S+00:00', first.made_at, '-' || (i % 365) || ' days'),"
            " CASE i % 3 WHEN 0 THEN 'passed' ELSE 'failed' END, verdict, device, jax, python,"
            " seconds, starter FROM k, lessons, (SELECT * FROM attempts LIMIT 1) AS first",
            (count // len(slugs), SOURCES),
        )


# ---------------------------------------------------------------- a large submission


def _submission(options: Options) -> Iterator[Row]:
    lesson = load_course(None).find("safe-clip-positive")
    filler = "".join(FILLER.format(index) for index in range(LINES // FILLER.count("\n")))
    large = lesson.solution + filler + "\n"
    yield _saves(options, "5,000 lines: a save", (lesson, large), (lesson, lesson.solution), ())


# ---------------------------------------------------------------- a large lesson


def _work(
    options: Options, name: str, large: str, small: str, stated: str, cases: tuple[int, int]
) -> Iterator[Row]:
    """Measure a save of a lesson with many or large cases."""
    folder = options.home / name.replace(" ", "_").replace(",", "")
    made = []
    make_course(folder, 2)
    for place, answer, count in zip(("0", "1"), (large, small), cases, strict=True):
        (lesson_folder,) = folder.glob(f"*/*_difference_{place}")
        (lesson_folder / "checks.py").write_text(CHECKS.format(stated=stated, cases=count))
        (lesson_folder / "solution.py").write_text(SOLUTION.format(answer=answer))
        info = lesson_folder / "lesson.toml"
        lines = info.read_text().splitlines()
        lines[[line.startswith("function") for line in lines].index(True)] = 'function = "spread"'
        lines += ["", "[needs]", f"seconds = {PATIENCE}", ""]
        info.write_text("\n".join(lines))
    both = load_course(folder)
    made = [(both.find(f"difference-{place}"), "") for place in "01"]
    made = [(lesson, lesson.solution) for lesson, _ in made]
    yield _saves(options, f"{name}: a save", made[0], made[1], ("--course", str(folder)))


def _saves(
    options: Options,
    name: str,
    large: tuple[Lesson, str],
    small: tuple[Lesson, str],
    more: tuple[str, ...],
) -> Row:
    homes = [options.home / f"{name} {side}" for side in ("large", "small")]
    files = []
    for home, (lesson, text) in zip(homes, (large, small), strict=True):
        files.append(file_of(home, lesson))
        save(files[-1], text)
    with (
        closing(open_watch(homes[0], large[0], *more)) as first,
        closing(open_watch(homes[1], small[0], *more)) as second,
        closing(Calls(large[0], files[0])) as calls,
    ):
        taken = compare(
            options.repeats,
            {
                "ours": lambda: save_to(first, files[0], large[1], b"passed"),
                "floor": lambda: save_to(second, files[1], small[1], b"passed"),
                "rival": calls.take,
            },
            before=lambda: calm(first, second, calls),
        )
    return Row(name=name, **taken)
