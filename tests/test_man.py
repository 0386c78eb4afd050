"""Tests that the man pages describe all commands, options, variables and formats, and no others."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

import command_tree
from jaxtutor.cli.parameters import SHARED
from jaxtutor.content.cause_pages import Library
from jaxtutor.core import vocabulary
from jaxtutor.core.data.lessons import SECTIONS, LessonInfo, Needs
from jaxtutor.core.data.predictions import Question
from jaxtutor.core.repl.commands import COMMANDS
from jaxtutor.grading import text_gates

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "man").glob("*.[1-8]"))
OWN_PAGES = sorted(path.stem for path in PAGES if path.suffix == ".1" and "-" in path.stem)
FLAG = re.compile(r"\bFl -?([\w-]+)")


# ---------------------------------------------------------------- the program


def options(command: Any) -> set[str]:
    """Return the options of a command, without their dashes."""
    opts = [opt for parameter in command.params for opt in parameter.opts]
    return {opt.lstrip("-") for opt in opts if opt.startswith("-")}


# ---------------------------------------------------------------- the pages


def text(name: str) -> str:
    return (ROOT / "man" / name).read_text(encoding="utf-8")


def section(page: str, title: str) -> list[str]:
    """Return the lines of a section or a subsection."""
    found = re.search(rf"^\.S[hs] {re.escape(title)}\n(.*?)(?=^\.Sh |\Z)", page, re.M | re.S)
    assert found, title
    return found[1].splitlines()


def entries() -> dict[str, set[str]]:
    """Return each command that jaxtutor(1) describes, with the options in its heading."""
    heads = [line for line in section(text("jaxtutor.1"), "COMMANDS") if line.startswith(".It Cm")]
    found = {}
    for head in heads:
        name = re.match(r"\.It Cm ([a-z ]+)", head)
        assert name
        found[name[1].strip()] = set(FLAG.findall(head))
    return found


def items(lines: list[str]) -> dict[str, set[str]]:
    """Return each listed option with the commands named below it."""
    found: dict[str, set[str]] = {}
    below: set[str] = set()
    for line in lines:
        if line.startswith(".It Fl"):
            names = FLAG.findall(line.replace(", -", " Fl -"))
            below = set()
            found |= dict.fromkeys(names, below)
        elif match := re.match(r"\.Cm ([a-z ]+?)(?: [,.])?$", line):
            below.add(match[1])
    return found


def synopsis(page: str) -> set[str]:
    return set(FLAG.findall("\n".join(section(page, "SYNOPSIS"))))


# ---------------------------------------------------------------- agreement


def test_every_command_is_described_and_no_other() -> None:
    """jaxtutor(1) has an entry for every command."""
    assert set(command_tree.commands()) == set(entries())


@pytest.mark.parametrize("name", sorted(command_tree.commands()))
def test_an_entry_has_the_options_of_its_command(name: str) -> None:
    """The heading of an entry shows each option of its command."""
    assert options(command_tree.commands()[name]) - set(SHARED) == entries().get(name)


@pytest.mark.parametrize("option", sorted(SHARED))
def test_a_shared_option_names_the_commands_that_take_it(option: str) -> None:
    """A shared option is described once, with every command that takes it."""
    takers = {
        name for name, command in command_tree.commands().items() if option in options(command)
    }
    assert takers == items(section(text("jaxtutor.1"), "OPTIONS"))[option]


def test_the_program_s_own_options_are_described() -> None:
    """Exactly the options that precede a command are described as global."""
    own = options(command_tree.program()) | {"h", "help"}
    assert own | set(SHARED) == set(items(section(text("jaxtutor.1"), "OPTIONS")))


@pytest.mark.parametrize("page", OWN_PAGES)
def test_a_command_s_own_page_has_its_options(page: str) -> None:
    """A command's own page lists exactly its options, in the synopsis and below."""
    words = page.removeprefix("jaxtutor-")
    wanted = {
        option
        for name, command in command_tree.commands().items()
        if name == words or name.startswith(f"{words} ")
        for option in options(command)
    }
    source = text(f"{page}.1")
    assert (wanted, wanted) == (synopsis(source), set(items(section(source, "DESCRIPTION"))))


def test_every_variable_is_described() -> None:
    """Every environment variable that jaxtutor reads is described, except the internal ones."""
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "jaxtutor").rglob("*.py"))
    read = set(re.findall(r'"(JAXTUTOR_\w+)"', sources)) - {
        "JAXTUTOR_RUN",
        "JAXTUTOR_JOINED",
        "JAXTUTOR_STRICT",
    }
    assert read == set(re.findall(r"\.It (?:Li \S+ , )?Ev (JAXTUTOR_\w+)", text("jaxtutor.1")))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_refers_to_pages_that_are_there(path: Path) -> None:
    """Every cross-reference leads to an existing page, and every page is referred to."""
    named = set(re.findall(r"^\.Xr (\S+) (\d)", path.read_text("utf-8"), re.M))
    known = {(page.stem, page.suffix[1:]) for page in PAGES}
    assert (set(), True) == (named - known, path.stem == "jaxtutor" or bool(named))


def test_every_page_is_named_by_the_first() -> None:
    """SEE ALSO of jaxtutor(1) lists the other pages, sorted by section and name."""
    listed = [line.split()[1:3] for line in section(text("jaxtutor.1"), "SEE ALSO")]
    others = sorted((page.suffix[1:], page.stem) for page in PAGES if page.stem != "jaxtutor")
    assert [[name, number] for number, name in others] == listed


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_is_clean(path: Path) -> None:
    """mandoc finds no error or bad style in a page."""
    command = ["mandoc", "-T", "lint", path.name]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    assert (0, "") == (done.returncode, done.stdout)


def test_the_wheel_installs_every_page() -> None:
    """The wheel installs each page where `man` looks for its section."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    wanted = {f"man/{page.name}": f"share/man/man{page.suffix[1:]}/{page.name}" for page in PAGES}
    assert wanted == shared


def test_the_commands_of_the_prompt_are_described() -> None:
    """Exactly the commands that can be typed at the prompt are described."""
    assert list(COMMANDS) == re.findall(r"\.It Ic :(\w+)", text("jaxtutor-repl.1"))


# ---------------------------------------------------------------- lessons(5), diagnosis(7)


def test_the_keys_of_a_lesson_are_described() -> None:
    """Every key of `lesson.toml` and its tables is described, and none that is refused."""
    tables = {"needs": Needs, "predict": Question}
    fields = {f"{name}.{it}" for name, table in tables.items() for it in table.__struct_fields__}
    fields |= set(LessonInfo.__struct_fields__)
    page = text("jaxtutor-lessons.5")
    part = page[page.index(".Ss lesson.toml") : page.index(".Ss lesson.md")]
    assert fields == set(re.findall(r"\.It Va ([\w.]+)", part))


def test_the_words_of_the_vocabulary_are_described() -> None:
    """Every property is described with each of its settings."""
    page = text("jaxtutor-lessons.5")
    described = {
        match[1]: set(re.findall(r"Fa (\w+)", match[2]))
        for match in re.finditer(r"^\.It Ic (\w+)\n(.*?)(?=^\.It |^\.El)", page, re.M | re.S)
    }
    common = {"calls", "name", "says"}
    wanted = {
        word.__name__: set(word.__struct_fields__) - common for word in vocabulary.Property.__args__
    }
    assert wanted == {word: found - common - {"subject"} for word, found in described.items()}


def test_the_headings_of_a_lesson_s_page_are_described() -> None:
    """Every heading of a lesson's page is described, in order."""
    page = text("jaxtutor-lessons.5")
    assert list(SECTIONS) == re.findall(r"^\.Qq ([A-Z][\w ]+?) [,.]$", page, re.M)


def test_the_files_of_a_lesson_are_described() -> None:
    """Every file and folder of a lesson is described."""
    headings = re.findall(r"^\.Ss (\S+)", text("jaxtutor-lessons.5"), re.M)
    wanted = {*text_gates.REQUIRED, *(f"{name}/*.py" for name in text_gates.FOLDERS)}
    assert set() == wanted - set(headings)


def test_the_error_classes_are_listed() -> None:
    """Every error class of JAX that has a page is listed."""
    lines = section(text("jaxtutor-diagnosis.7"), "DESCRIPTION")
    listed = lines[lines.index(".Ss Error classes") :]
    listed = listed[: listed.index(".El")]
    assert list(Library().classes) == [line.split()[1] for line in listed if line[:4] == ".Li "]
