"""Fuzzes what authors write: a course's files, lesson pages, and cause pages."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path

from hypothesis import strategies as st

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from jaxtutor.core.data.lessons import (
    LessonError,
    read_blocks,
    read_expectation,
    read_info,
    read_sections,
    suggest,
)
from jaxtutor.core.data.lines import split_lines, with_line_feeds
from jaxtutor.core.data.predictions import FORMS, read_answer
from jaxtutor.core.diagnosis.engine.pages import (
    FACTS,
    PageError,
    explain,
    fill,
    read_cause,
    read_class_page,
)
from jaxtutor.display.markdown import make_page
from jaxtutor.display.pages import lesson_page
from jaxtutor.errors import TutorError
from jaxtutor.storage.workspace import decode
from trials.fuzz import laws
from trials.fuzz.target import Target
from trials.fuzz.texts import nasty

LESSON = next(Path(__file__).resolve().parents[2].glob("lessons/*/*safe_clip_positive"))
FILES = {path.name: path.read_bytes() for path in sorted(LESSON.iterdir()) if path.is_file()}
_CAUSES = Library()
_PAGES = [(_CAUSES.folder / f"{slug}.md").read_text() for slug in _CAUSES.slugs[:12]]
SLOW = 5.0

_VALUES = (
    *(
        '""',
        "'a'",
        "0",
        "-1",
        "1e400",
        "nan",
        "inf",
        "true",
        "[]",
        "[[]]",
        "{}",
        "1979-05-27",
        "07:32:00",
    ),
    *(
        "9" * 5000,
        "0x" + "f" * 4000,
        "[" * 900 + "]" * 900,
        "{a=" * 200 + "1" + "}" * 200,
        '"\\u0000"',
    ),
    *(
        '"""\n"""',
        '["a", 1]',
        '[""]',
        '"\x1b[2J"',
        '"{expression}"',
        "1_000",
        "+1",
        "1e3",
        "[0.1, -0.1]",
    ),
    *('"os.system"', '"../../etc"', '"def"', '"\u202e"', "[1e-3]", "[nan, inf]", "{seconds = inf}"),
    *(
        "{devices = 513}",
        "{memory = 9223372036854775808}",
        "{seconds = -0.0}",
        '["a"]\n[[predict]]\nasks = 1',
    ),
)
_KEYS = (
    *"title function difficulty minutes hints new".split(),
    *"tags requires docs tolerance needs predict".split(),
    *(
        "unknown",
        '""',
        '"é"',
        "a.b.c",
        ".".join("k" * 300),
        "needs.seconds",
        "raises",
        "advice",
        "see",
    ),
)
_assignments = st.builds("{} = {}\n".format, st.sampled_from(_KEYS), st.sampled_from(_VALUES))


@st.composite
def _mutated(draw: st.DrawFn, texts: st.SearchStrategy[str], toml: bool) -> str:
    """Generate a text with lines removed, repeated, swapped or inserted."""
    lines = draw(texts).splitlines(keepends=True)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(lines)))
        match draw(st.sampled_from(["take", "twice", "put", "cut", "value"])):
            case "take":
                del lines[at : at + draw(st.integers(1, 3))]
            case "twice":
                lines[at:at] = lines[at : at + 2]
            case "put":
                lines.insert(at, draw(_assignments if toml else nasty) + "\n")
            case "cut":
                lines[at : at + 1] = [
                    line[: draw(st.integers(0, 30))] for line in lines[at : at + 1]
                ]
            case _ if at < len(lines) and "=" in lines[at]:
                lines[at] = lines[at].split("=")[0] + f"= {draw(st.sampled_from(_VALUES))}\n"
    return "".join(lines)


_infos = st.one_of(nasty, _mutated(st.just(FILES["lesson.toml"].decode()), toml=True))
_markdown = st.one_of(nasty, _mutated(st.just(FILES["lesson.md"].decode()), toml=False))
_causes = st.one_of(nasty, _mutated(st.sampled_from(_PAGES), toml=True))


def info_read(text: str) -> None:
    """A lesson.toml is read, or its fault is reported."""
    began = time.process_time()
    with contextlib.suppress(LessonError):
        info = read_info(text)
        assert info.function.isidentifier()
        assert 0 < info.needs.seconds < 1e9
        for question in info.predict:
            assert question.sentence
    assert time.process_time() - began < SLOW


def page_read(text: str) -> None:
    """A lesson's page is split into its parts, and every block is at its reported line."""
    began, text = time.process_time(), with_line_feeds(text)  # as the files of a course are read
    lines = split_lines(text)
    for block in read_blocks(text):
        assert (
            split_lines(block.source)[:1] == lines[block.line - 1 : block.line][: len(block.source)]
        )
    sections = read_sections(text)
    assert all(body in text for body in sections.values())
    with contextlib.suppress(LessonError):
        read_expectation(text)
    assert time.process_time() - began < SLOW


def cause_read(given: tuple[str, dict[str, str]]) -> None:
    """A cause's page is read with every fact filled in, or its fault is reported."""
    text, facts = given
    with contextlib.suppress(PageError):
        read_class_page("Name", text)
    with contextlib.suppress(PageError):
        cause = read_cause("slug", text)
        explain(cause)
        for sentence in (cause.summary, cause.advice):
            filled = fill(sentence, {name: value.replace("{", "") for name, value in facts.items()})
            assert not laws._BRACES.search(filled), filled


def asked(given: tuple[str, list[str]]) -> None:
    """Any answer or question is parsed or refused."""
    text, known = given
    for asks in FORMS:
        read_answer(asks, text)
    assert set(suggest(text, known)) <= set(known)


_codings = st.sampled_from(
    ["", "# coding: latin-1\n", "#!/x\n# -*- coding: cp1252 -*-\r\n", "# coding: utf-8\n"]
)
_marks = st.sampled_from([b"", b"", b"\xef\xbb\xbf"])


def spelled_again(given: tuple[bytes, str, bytes]) -> None:
    """A learner's file that is decoded and encoded again is the same, byte for byte."""
    mark, coding, rest = given
    data = mark + coding.encode() + rest
    with contextlib.suppress(TutorError):
        file = decode(Path("f.py"), data)
        assert file.encode(file.text) == data
        assert (
            decode(Path("f.py"), file.encode(file.text + "x = 1\n")).text == file.text + "x = 1\n"
        )


# ---------------------------------------------------------------- whole courses

_contents = st.one_of(
    st.binary(max_size=30),
    nasty.map(lambda text: text.encode(errors="replace")),
    st.sampled_from([b"", b"\xff\xfe", b"\0", b"\xef\xbb\xbf", b"x" * (1 << 21), *FILES.values()]),
)
_links = st.sampled_from(
    ["/etc/passwd", "..", ".", "/", "nowhere", "lesson.toml", "../../course.toml", "/dev/zero"]
)
_names = st.one_of(
    st.sampled_from(
        [*FILES, *FILES, "mistakes/a.py", "also/b.py", "../chapter.md", "../../course.toml"]
    ),
    st.sampled_from(
        ["x" * 200, "\x1b[2J", "a\nb", "é", "mistakes", "also", "-rf", "lesson.toml/a"]
    ),
)
_changes = st.lists(
    st.tuples(
        _names, st.one_of(_contents, _links, st.sampled_from(["<folder>", "<gone>", "<pipe>"]))
    ),
    max_size=5,
)
_folders = st.lists(
    st.sampled_from(
        [
            "01_a/01_b",
            "01_a/01_b",
            "01_a/1_b",
            "01_a/02_b",
            "00_é/01_x",
            "01_A/01_B",
            "９_a/01_b",  # noqa: RUF001
            "99999999999999999999_a/07_c",
            "02_c/٣_d",
            "a/b",
            "01_a/01_b/01_c",
            "course",
            "01_\x1b/01_y",
        ]
    ),
    min_size=1,
    max_size=4,
)


def course_loaded(given: tuple[list[str], list[tuple[str, bytes | str]]]) -> None:
    """A course with any files is loaded, or its fault is reported with a remedy."""
    folders, changes = given
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "course"
        for folder in folders:
            _make(root / folder)
        for name, change in changes:
            with contextlib.suppress(OSError):
                _change(root / folders[0] / name, change, Path(place))
        began = time.process_time()
        try:
            _use(load_course(root), any(name == "lesson.md" for name, _ in changes))
        except TutorError as error:
            _hold_said(error)
        assert time.process_time() - began < SLOW


def _hold_said(error: TutorError) -> None:
    assert error.message
    assert error.remedy


def _make(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(data)


def _change(path: Path, change: bytes | str, inside: Path) -> None:
    assert path.parent.resolve().is_relative_to(inside.resolve())
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    if isinstance(change, bytes):
        path.write_bytes(change)
    elif change == "<folder>":
        path.mkdir()
    elif change == "<pipe>":
        os.mkfifo(path)
    elif change != "<gone>":
        path.symlink_to(change)


def _use(course: Course, draws: bool) -> None:
    """Use everything that a course offers. A broken lesson raises a TutorError."""
    for chapter in course.chapters:
        assert chapter.title.isprintable(), chapter.title
        with contextlib.suppress(TutorError):
            course.find_chapter(str(chapter.number))
    course.first()
    for lesson in course.lessons:
        for ask in (lesson.slug, lesson.number, lesson.slug[:2]):
            with contextlib.suppress(TutorError):
                course.find(ask)
        course.after(lesson)
        course.after(lesson, -1)
        assert isinstance(lesson.fault, str)
        for name in (*FILES, "mistakes/a.py"):
            with contextlib.suppress(TutorError):
                lesson.read(name)
        with contextlib.suppress(TutorError):
            list(lesson.mistakes())
        lesson.alternatives()
        if not draws:
            continue
        with contextlib.suppress(TutorError):
            drawn = laws.draw(
                [lesson_page(lesson, course, "f.py", lambda text: make_page(text, False))], 60
            )
            wrong = list(laws.wrong_in_drawing(drawn, 60))
            assert not wrong, wrong


_facts = st.dictionaries(st.sampled_from(FACTS), nasty, max_size=4)
TARGETS = (
    Target("lesson.toml is read", _infos, info_read, 5_000),
    Target("a lesson's page is read", _markdown, page_read, 3_000),
    Target("a cause's page is read", st.tuples(_causes, _facts), cause_read, 3_000),
    Target(
        "answers and names are understood or not",
        st.tuples(st.one_of(nasty, st.sampled_from(_VALUES)), st.lists(nasty, max_size=5)),
        asked,
        3_000,
    ),
    Target(
        "a file spelled again is the same",
        st.tuples(_marks, _codings, st.one_of(st.binary(max_size=40), nasty.map(str.encode))),
        spelled_again,
        3_000,
    ),
    Target("a course is loaded", st.tuples(_folders, _changes), course_loaded, 1_000),
)
