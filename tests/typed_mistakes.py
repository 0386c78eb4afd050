"""Reads the mistakes that users of NumPy and PyTorch type in lessons, and what each of them met.

A paragraph of a chapter's file is one mistake: the lesson's slug, with `starter` where that is
edited and not the solution; the edit; and what the first screen has to name.

    immutable-update
    - return x.at[i].set(v)
    + x[i] = v
    ? x[i] || x
    ! .at[i].set

`-` and `+` are lines, `~ old => new` replaces a part of one. One of the expressions behind `?`
has to be in the text of the screen, and one of the actions behind `!`. Modules that the edit uses
are imported. `mistakes/records.jsonl` has the verdict on each, and on each starter, before it was
diagnosed, so that the tests can diagnose them all without running any.
"""

from __future__ import annotations

import hashlib
import io
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec.structs import replace
from rich.console import Console

from jaxtutor.checks.lesson_check import Checker, Trial, explain
from jaxtutor.content.cause_pages import Library
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.outcomes import observations
from jaxtutor.core.learning.todos import say_todo
from jaxtutor.core.learning.verdict_hints import hint_on, known_causes
from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import FANCY
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.templates import Templates
from recordings import compact, portable

MISTAKES = Path(__file__).with_name("mistakes")
RECORDS = MISTAKES / "records.jsonl"
WIDTH = 92
"""Columns of a screen: as wide as text is drawn."""

IMPORTS = {
    "jax": "import jax",
    "jnp": "import jax.numpy as jnp",
    "lax": "from jax import lax",
    "math": "import math",
    "np": "import numpy as np",
    "partial": "from functools import partial",
    "scipy": "import scipy.special",
}
"""What a learner imports with a name; other names stay undefined."""


class Mistake(msgspec.Struct, frozen=True):
    """A learner's file, and what its first screen has to name: one of each of the texts."""

    name: str
    lesson: str
    source: str
    expressions: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()


class Record(msgspec.Struct, frozen=True):
    """The verdict on a file before it was diagnosed, and what was observed while it ran."""

    name: str
    digest: str
    verdict: Verdict
    seen: tuple[Observation, ...] = ()


# ---------------------------------------------------------------- the files


@cache
def lessons() -> Mapping[str, Lesson]:
    """Return the lessons by their slugs."""
    return {lesson.slug: lesson for lesson in load_course(None).every_lesson}


@cache
def typed_mistakes() -> tuple[Mistake, ...]:
    """Return all mistakes, in the order of the files."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(MISTAKES.glob("[0-9]*.txt"))]
    paragraphs = [part.splitlines() for text in texts for part in text.strip().split("\n\n")]
    count: dict[str, int] = {}
    made = []
    for head, *lines in paragraphs:
        slug = head.split()[0]
        count[slug] = count.get(slug, 0) + 1
        made.append(_mistake(f"{slug}-{count[slug]}", head, lines))
    return tuple(made)


@cache
def starters() -> tuple[Mistake, ...]:
    """Return the starters of all lessons, as they are."""
    return tuple(Mistake(f"{slug}-0", slug, it.starter) for slug, it in lessons().items())


def is_starter(mistake: Mistake) -> bool:
    """Return whether a file is the starter of its lesson."""
    return mistake.name.endswith("-0")


def _mistake(name: str, head: str, lines: Sequence[str]) -> Mistake:
    slug, *words = head.split()
    lesson = lessons()[slug]
    source = lesson.starter if words == ["starter"] else lesson.solution
    edited = import_used(edit(source, [line for line in lines if line[0] in "-+~"]))
    return Mistake(name, slug, edited, _alternatives(lines, "?"), _alternatives(lines, "!"))


def _alternatives(lines: Sequence[str], mark: str) -> tuple[str, ...]:
    (line,) = (it[2:] for it in lines if it.startswith(mark))
    return tuple(line.split(" || "))


def edit(source: str, changes: Sequence[str]) -> str:
    """Return a source after the changes of a paragraph."""
    for change in changes:
        if change.startswith("~"):
            old, new = change[2:].split(" => ")
            in_body = source.find(old, source.index("def "))
            place = in_body if in_body >= 0 else source.index(old)
            source = source[:place] + new + source[place + len(old) :]
    removed = [it[2:].strip() for it in changes if it.startswith("-")]
    added = [it[2:] for it in changes if it.startswith("+")]
    return _replace_lines(source, removed, added) if removed else source


def _replace_lines(source: str, removed: Sequence[str], added: Sequence[str]) -> str:
    """Replace lines by others, which get the indent of the first."""
    lines = source.split("\n")
    stripped = [line.strip() for line in lines]
    first = next(i for i in range(len(lines)) if stripped[i : i + len(removed)] == [*removed])
    indent = " " * (len(lines[first]) - len(lines[first].lstrip()))
    lines[first : first + len(removed)] = [indent + line for line in added]
    return "\n".join(lines)


def import_used(source: str) -> str:
    """Import the modules that a source uses, below its docstring."""
    used = set(re.findall(r"(?<![\w.])(\w+)(?=[.(])", source))
    missing = [
        line
        for name, line in IMPORTS.items()
        if name in used and not re.search(rf"import.*\b{name}$", source, re.MULTILINE)
    ]
    docstring, end, rest = source.partition('"""\n')
    return f"{docstring}{end}\n" + "\n".join(missing) + rest if missing else source


# ---------------------------------------------------------------- what was recorded


def digest(mistake: Mistake) -> str:
    """Return a short digest of a file and of how it is checked."""
    parts = [mistake.source, lessons()[mistake.lesson].read("checks.py")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


@cache
def records() -> Mapping[str, Record]:
    """Return the records by the names of their mistakes."""
    lines = RECORDS.read_bytes().splitlines() if RECORDS.exists() else []
    found = [msgspec.json.decode(line, type=Record) for line in lines]
    return {record.name: record for record in found}


def run(mistakes: Sequence[Mistake], jobs: int = 2) -> Iterator[Record]:
    """Run mistakes, with workers that are forked from one that has imported jax."""
    with (
        TemporaryDirectory() as folder,
        closing(Runner(templates=Templates())) as runner,
        ThreadPoolExecutor(jobs) as pool,
    ):
        checker = Checker(runner, {}, Path(folder), "cpu")
        yield from pool.map(lambda mistake: _record(checker, mistake), mistakes)


def _record(checker: Checker, mistake: Mistake) -> Record:
    lesson = lessons()[mistake.lesson]
    tried = checker.run(lesson, mistake.source, Path(f"{mistake.name}.py"))
    assert tried is not None, "nothing cancels it"
    if not isinstance(tried, Trial):
        return Record(mistake.name, digest(mistake), replace(tried, checks=(), headline=""))
    verdict = checker.judge(tried)
    seen = observations(tried.outcome) if verdict.failure is None else ()
    return Record(mistake.name, digest(mistake), _without_measures(verdict), seen)


def _without_measures(verdict: Verdict) -> Verdict:
    """Keep of a verdict what a diagnosis needs: nothing that another run measures otherwise."""
    failed = tuple(
        replace(check, seconds=0.0, case=None, answers=())
        for check in verdict.checks
        if check.status == "failed"
    )
    if verdict.failure is not None:
        failed = tuple(replace(check, title="", detail="") for check in failed)
    return Verdict(
        verdict.status,
        verdict.lesson,
        "",
        failed,
        0.0,
        "",
        "",
        failure=verdict.failure,
        relation=verdict.relation,
        failed_call=verdict.failed_call,
        works_without_jit=verdict.works_without_jit,
    )


def write(made: Sequence[Record]) -> None:
    """Write records, in the order of their mistakes, in place of those of the same names."""
    kept = {**records(), **{record.name: record for record in made}}
    names = [it.name for it in (*starters(), *typed_mistakes()) if it.name in kept]
    lines = [portable(msgspec.json.encode(compact(kept[name])).decode()) for name in names]
    RECORDS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    records.cache_clear()


# ---------------------------------------------------------------- the screen


@cache
def _causes() -> Library:
    return Library()


def first_verdict(record: Record, mistake: Mistake) -> Verdict:
    """Return the verdict that the learner gets, with its diagnosis and the lesson's hint."""
    if record.verdict.diagnosis is not None:  # the file is not Python
        return record.verdict
    file = f"{mistake.name}.py"
    verdict = explain(record.verdict, record.seen, {file: mistake.source}, _causes())
    if not is_starter(mistake):
        return replace(verdict, hint=hint_on(lessons()[mistake.lesson].info, verdict))
    return verdict if known_causes(verdict) else replace(verdict, hint=say_todo(mistake.source))


def screen(verdict: Verdict, source: str) -> str:
    """Return the text that the first screen shows of a verdict."""
    console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
    with console.capture() as captured:
        console.print(Renderer(console, FANCY).verdict(verdict, source))
    return captured.get()


def main(names: Sequence[str]) -> None:
    """Record the mistakes that have no record of their present text, or those named."""
    every = [it for it in (*starters(), *typed_mistakes()) if not lessons()[it.lesson].missing]
    known = {record.name: record.digest for record in records().values()}
    wanted = [it for it in every if it.name in names or it.lesson in names]
    stale = [it for it in every if known.get(it.name) != digest(it)]
    made = []
    for number, record in enumerate(run(wanted if names else stale), 1):
        made.append(record)
        if number % 50 == 0:
            sys.stderr.write(f"{number}\n")
            write(made)
    write(made)


if __name__ == "__main__":
    main(sys.argv[1:])
