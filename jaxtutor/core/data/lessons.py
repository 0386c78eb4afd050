"""Parses a lesson's files: `lesson.toml`, the page, the mistakes."""

from __future__ import annotations

import re
from typing import Annotated, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.predictions import Question
from jaxtutor.core.data.sanitize import visible

T = TypeVar("T")
Difficulty = Literal["easy", "medium", "hard"]
MOST_HINTS = 100
LONGEST_INFO = 1 << 16
INFO = "lesson.toml"
PROJECT = "project.toml"
_DEEP = r"(?:\.[^.\n]{1,40}){200}"
"""A key of 200 parts: tomllib takes time quadratic in the number of parts."""
Rate = Annotated[float, Meta(ge=0)]


class LessonError(ValueError):
    """A lesson's file is invalid; the message says how and, if known, in which line."""

    def __init__(self, file: str, line: int | None, says: str) -> None:
        super().__init__(f"{file}, line {line}: {says}" if line else f"{file}: {says}")
        self.file = file
        self.line = line


Requirement = Annotated[
    str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(>=[0-9]+(\.[0-9]+)*)?$", max_length=100)
]
"""The name of a package, with the oldest version that will do, if that matters."""


class Needs(Struct, frozen=True, forbid_unknown_fields=True):
    """What a lesson requires of the worker: CPU devices, MiB of memory, seconds, packages.

    `disk` is the space in MiB for temporary files that a confined submission gets.
    """

    devices: Annotated[int, Meta(ge=1, le=512)] = 1
    memory: Annotated[int, Meta(ge=1024, le=1 << 20)] = 4096
    seconds: Annotated[float, Meta(gt=0, le=3600)] = 10.0
    disk: Annotated[int, Meta(ge=0, le=1 << 16)] = 0
    packages: Annotated[tuple[Requirement, ...], Meta(max_length=20)] = ()


class Hint(Struct, frozen=True, forbid_unknown_fields=True):
    """A hint for one kind of failure: `when` names a check, a cause, an error class or a reason.

    `past` is how many of the general hints such a failure leaves behind: the learner has done
    already what they say.
    """

    when: Annotated[str, Meta(min_length=1)]
    text: Annotated[str, Meta(min_length=1)]
    past: Annotated[int, Meta(ge=0)] = 0


class LessonInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `lesson.toml`. `tolerance` is (rtol, atol)."""

    title: str
    function: str
    difficulty: Difficulty
    minutes: Annotated[int, Meta(ge=1, le=10_000)]
    hints: Annotated[tuple[str, ...], Meta(max_length=MOST_HINTS)]
    new: str
    tags: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    docs: tuple[str, ...] = ()
    tolerance: tuple[Rate, Rate] | None = None
    needs: Needs = Needs()
    predict: tuple[Question, ...] = ()
    hint: Annotated[tuple[Hint, ...], Meta(max_length=MOST_HINTS)] = ()


class ProjectInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of `project.toml`."""

    title: str
    summary: str


def read_project(text: str) -> ProjectInfo:
    """Parse a `project.toml`. Raises LessonError."""
    info = _convert(text, PROJECT, ProjectInfo)
    return ProjectInfo(visible(info.title), visible(info.summary))


def read_info(text: str) -> LessonInfo:
    """Parse a `lesson.toml`. Raises LessonError."""
    info = _convert(text, INFO, LessonInfo)
    if not info.function.isidentifier():
        line = _line_of_key(text, "function", 0)
        raise LessonError(INFO, line, f"{info.function!r} is not the name of a function")
    return replace(
        info,
        title=visible(info.title),
        new=visible(info.new),
        hints=tuple(map(visible, info.hints)),
        hint=tuple(Hint(visible(hint.when), visible(hint.text)) for hint in info.hint),
    )


def _convert(text: str, file: str, kind: type[T]) -> T:
    """Parse a file of TOML. Raises LessonError."""
    import tomllib

    if len(text) > LONGEST_INFO or re.search(_DEEP, text):
        raise LessonError(file, None, "it is too long or too deeply nested")
    try:
        return msgspec.convert(tomllib.loads(text), kind)
    # int() raises ValueError above 4,300 digits; msgspec's error is one only since 0.21.
    except (ValueError, msgspec.ValidationError, RecursionError) as error:
        raise LessonError(file, _line_at_fault(text, str(error)), str(error)) from error


_TOML_LINE = r"\(at line (\d+),"
_TOML_PATH = r" - at `\$\.?(\w+)(?:\[(?:(\d+)|\.\.\.)\])?(?:\.(\w+))?"
_UNKNOWN_KEY = r"unknown field `(\w+)`"


def _line_at_fault(text: str, message: str) -> int | None:
    """Return the line that an error of tomllib or msgspec is about, as far as it says."""
    if at := re.search(_TOML_LINE, message):
        return int(at[1])
    if message.endswith("(at end of document)"):
        return max(1, len(split_lines(text)))
    unknown, path = re.search(_UNKNOWN_KEY, message), re.search(_TOML_PATH, message)
    if path is None:
        return _line_of_key(text, unknown[1], 0) if unknown else None
    key, index, inner = path[1], int(path[2] or 0), path[3] or (unknown[1] if unknown else None)
    tables = [m.start() for m in re.finditer(rf"^[ \t]*\[\[?{key}\]", text, re.M)]
    if not tables:
        return _line_of_key(text, key, 0)
    start = tables[min(index, len(tables) - 1)]
    within = _line_of_key(text, inner, start) if inner else None
    return within or text.count("\n", 0, start) + 1


def _line_of_key(text: str, key: str, start: int) -> int | None:
    match = re.compile(rf"^[ \t]*{key}[ \t]*=", re.M).search(text, start)
    return text.count("\n", 0, match.start()) + 1 if match else None


class Block(Struct, frozen=True):
    """A fenced Python block of a page: its source, first line, and the class it must raise.

    A `shown` block is not run as it stands: its calls and answers are compared with the lesson's.
    """

    source: str
    line: int
    raises: str | None = None
    shown: bool = False


class Expectation(Struct, frozen=True):
    """The expected result of a mistake: a cause or an error class at a line, or a failed check.

    `says` explains the mistake to a learner who gives the same answers; it may be empty.
    """

    cause: str | None = None
    line: int | None = None
    check: str | None = None
    says: str = ""


_EXPECTS = (
    r"#\s*expects:\s*(?:check\s+(?P<check>[\w-]+)|(?P<cause>[\w-]+)\s+at\s+(?P<line>\d+))\s*$"
)

_SAYS = r"#\s*says:[ \t]*(.*(?:\n# {4}.*)*)"


def read_expectation(source: str, file: str = "mistakes") -> Expectation:
    """Parse the header of a mistake.

    The first line is `# expects: CAUSE at LINE` or `# expects: check NAME`; an error class may take
    the place of a cause. It may be followed by a sentence for learners, `# says: TEXT`, continued
    on lines that start with `#` and four or more spaces. Raises LessonError.
    """
    first, _, rest = source.partition("\n")
    found = re.match(_EXPECTS, first)
    if not found:
        raise LessonError(
            file, 1, "it must be '# expects: CAUSE at LINE' or '# expects: check NAME'"
        )
    line = found["line"]
    says = re.match(_SAYS, rest)
    sentence = visible(" ".join(re.sub(r"^#", "", says[1], flags=re.M).split())) if says else ""
    return Expectation(found["cause"], int(line) if line else None, found["check"], sentence)


_FENCE = r"(?ms)^```python(?P<options>(?:[ \t][^\n`]*)?)\n(?P<code>.*?)^```[ \t]*$"
_RAISES = r"raises=([\w.]+)"


def read_blocks(page: str, with_shown: bool = False) -> tuple[Block, ...]:
    """Return the Python blocks of a page, with the exception each must raise.

    A fence is `python`, `python raises=Class`, or `python show` if the block is only shown.
    """
    blocks = []
    for match in re.finditer(_FENCE, page):
        options = match["options"]
        raises = re.search(_RAISES, options)
        line = page.count("\n", 0, match.start("code")) + 1
        shown = "show" in options.split()
        blocks.append(Block(match["code"], line, raises[1] if raises else None, shown))
    return tuple(block for block in blocks if with_shown or not block.shown)


WHY, EXAMPLE, PROBLEM = "Why this matters", "Worked example", "Problem"
AFTER = "After you pass"
SECTIONS = (WHY, EXAMPLE, "Common pitfalls", PROBLEM, AFTER)
SHORT_SECTIONS = (PROBLEM, AFTER)
"""Those of a page that fits one screen, such as that of a course's first lesson."""
MORE_PITFALLS = "More pitfalls"
"""An optional section after the problem."""


def read_sections(page: str) -> dict[str, str]:
    """Split a page at its `## ` headings, ignoring comments in code blocks."""
    return dict(_split_at_headings(page)[1:])


def put_task_first(page: str) -> tuple[str, str]:
    """Divide a page into the task and the rest, which is empty if the page has no problem.

    The task is the title, the first paragraph of the reason and the problem with its examples. The
    rest has everything else, in the order of the page.
    """
    (_, head), *sections = _split_at_headings(page)
    if [title for title, _ in sections].count(PROBLEM) != 1:
        return page, ""
    task = [head]
    rest: list[str] = []
    for title, body in sections:
        reason, more = _first_paragraph(body) if not rest and title == WHY else ("", body)
        if title == PROBLEM:
            task.append(f"## {title}\n\n{body}")
        elif more or not reason:
            rest.append(f"## {title}\n\n{more}")
        task += [reason] if reason else []
    return "\n\n".join(task), "\n\n".join(rest)


def _split_at_headings(page: str) -> list[tuple[str, str]]:
    """List the sections of a page with their titles; the first is what stands above them."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    in_code = False
    for line in split_lines(page):
        in_code ^= line.startswith("```")
        if line.startswith("## ") and not in_code:
            sections.append((line.removeprefix("##").strip(), []))
        else:
            sections[-1][1].append(line)
    return [(title, "\n".join(lines).strip()) for title, lines in sections]


def _first_paragraph(text: str) -> tuple[str, str]:
    """Split a text after its first paragraph and the list that this announces by a colon."""
    first, _, more = text.partition("\n\n")
    if first.endswith(":"):
        announced, _, more = more.partition("\n\n")
        first = f"{first}\n\n{announced}"
    return first, more


SHORTEST_WORD = 3
"""Letters. A part of a name that is as short is close to too many others: `xor` to `or`."""


def suggest(name: str, known: list[str]) -> list[str]:
    """Return the known names closest to a misspelt one, best first.

    Parts of names are compared as well: `cliip` is close to `safe-clip-positive`.
    """
    from difflib import get_close_matches

    parts: dict[str, str] = {}
    for slug in known:
        for part in slug.split("-"):
            parts.setdefault(part, slug)
    close = get_close_matches(name, known, n=3, cutoff=0.5)
    words = [word for word in name.split("-") if len(word) > SHORTEST_WORD]
    for word in words:
        close += [parts[part] for part in get_close_matches(word, list(parts), n=2, cutoff=0.7)]
    return list(dict.fromkeys(close))[:3]
