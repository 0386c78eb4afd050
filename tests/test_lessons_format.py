"""Tests the format of lessons: `lesson.toml`, the first lines of mistakes, and pages."""

from __future__ import annotations

import pytest

from jaxtutor.core.data.lessons import (
    Block,
    Expectation,
    Hint,
    LessonError,
    Needs,
    put_task_first,
    read_blocks,
    read_expectation,
    read_info,
    read_sections,
    suggest,
)

WHOLE = """
title = "Double it"
function = "double"
difficulty = "easy"
minutes = 5
new = "You can double."
hints = ["one", "two", "three"]
"""


# ---------------------------------------------------------------- lesson.toml


def test_a_whole_lesson_is_read() -> None:
    """Keys that are missing from a lesson have defaults."""
    info = read_info(WHOLE)

    assert ("Double it", "double", "easy", 5) == (
        info.title,
        info.function,
        info.difficulty,
        info.minutes,
    )
    assert ("one", "two", "three") == info.hints
    assert (Needs(), None, ()) == (info.needs, info.tolerance, info.requires)


def test_a_hint_may_be_for_one_kind_of_failure() -> None:
    """A `[[hint]]` table names the check, cause or reason that it is for."""
    info = read_info(WHOLE + '[[hint]]\nwhen = "gradient"\ntext = "Differentiate it."\n')

    assert (Hint("gradient", "Differentiate it."),) == info.hint


def test_a_mistake_may_carry_a_sentence_for_learners() -> None:
    """`# says:` follows the expectation and may continue over several lines."""
    source = "# expects: check values\n# says: You averaged;\n#     add instead.\n# A comment.\n"

    assert Expectation(check="values", says="You averaged; add instead.") == read_expectation(
        source
    )


def test_needs_and_tolerance_are_read() -> None:
    """A lesson may set devices, memory, time and tolerance."""
    info = read_info(
        WHOLE + "tolerance = [1e-3, 0]\n"
        "needs = { devices = 8, seconds = 20, packages = ['optax>=0.2.8'] }\n"
    )

    assert (0.001, 0.0) == info.tolerance
    assert Needs(8, 4096, 20.0, 0, ("optax>=0.2.8",)) == info.needs


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("title = ", "Invalid value"),
        (WHOLE.replace('function = "double"', ""), "missing required field `function`"),
        (WHOLE.replace('"easy"', '"simple"'), "$.difficulty"),
        (WHOLE.replace("minutes = 5", 'minutes = "5"'), "$.minutes"),
        (WHOLE.replace("minutes = 5", f"minutes = {'5' * 5000}"), "limit"),
        (WHOLE + ".".join(["a"] * 20_000) + " = 1", "too deeply nested"),
        (WHOLE + "# " + "long" * 20_000, "too long"),
        (WHOLE.replace('["one"', f"[{'[' * 5000}"), "recursion"),
        (WHOLE.replace('"one",', '"one",' * 101), "$.hints"),
        (WHOLE.replace('"double"', '"\\u001b[31m"'), r"'\x1b[31m' is not the name of a function"),
        (WHOLE + "needs = { seconds = inf }", "$.needs.seconds"),
        (WHOLE + "needs = { memory = 9000000 }", "$.needs.memory"),
        (WHOLE.replace("minutes = 5", "minutes = 0"), "$.minutes"),
        (WHOLE.replace('"two"', "2"), "$.hints"),
        (WHOLE + "reqires = []", "unknown field `reqires`"),
        (WHOLE + "needs = { gpus = 1 }", "unknown field `gpus`"),
        (WHOLE + "needs = { devices = 0 }", "$.needs.devices"),
        (WHOLE + "needs = { seconds = 0 }", "$.needs.seconds"),
        (WHOLE + "needs = { memory = 4 }", "$.needs.memory"),
        (WHOLE + "needs = { packages = ['optax ; x'] }", "$.needs.packages"),
        (WHOLE + "needs = { packages = ['optax==1'] }", "$.needs.packages"),
        (WHOLE + "tolerance = 0.1", "$.tolerance"),
        (WHOLE + "tolerance = [0.1, -1]", "$.tolerance"),
        (WHOLE + "title = 'again'", "Cannot overwrite"),
    ],
)
def test_a_broken_lesson_says_what_is_wrong(text: str, says: str) -> None:
    """A missing, misspelled or mistyped key is named."""
    with pytest.raises(LessonError) as raised:
        read_info(text)

    assert str(raised.value).startswith(("lesson.toml: ", "lesson.toml, line "))
    assert says in str(raised.value)


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("line", "expectation"),
    [
        ("# expects: traced-bool-in-if at 6", Expectation("traced-bool-in-if", 6)),
        ("#expects:traced-bool-in-if at 12  ", Expectation("traced-bool-in-if", 12)),
        ("# expects: check values", Expectation(check="values")),
        ("# expects: check traces-once\r", Expectation(check="traces-once")),
    ],
)
def test_a_mistake_says_what_it_must_get(line: str, expectation: Expectation) -> None:
    """A mistake expects a cause at a line, or a check by name."""
    assert expectation == read_expectation(f"{line}\nimport jax\n")


@pytest.mark.parametrize(
    "source",
    [
        "",
        "import jax\n# expects: check values\n",
        "# expects: traced-bool-in-if",
        "# expects: traced-bool-in-if at six",
        "# expects: check",
        "# expects: check values and more",
        "# expect: check values",
    ],
)
def test_another_first_line_is_refused(source: str) -> None:
    """Any other first line is refused."""
    with pytest.raises(LessonError, match="line 1: it must be"):
        read_expectation(source)


# ---------------------------------------------------------------- pages

PAGE = """# Double it

## Why this matters

Because.

```python
x = 1
```

## Problem

```python show
double(x)
```

```python raises=jax.errors.TracerBoolConversionError
if x: ...
```

```text
not python
```
"""


def test_python_blocks_are_found_with_their_lines() -> None:
    """Python blocks are found with their lines and expected errors, except illustrative ones."""
    assert read_blocks(PAGE) == (
        Block("x = 1\n", 8),
        Block("if x: ...\n", 18, "jax.errors.TracerBoolConversionError"),
    )


def test_an_empty_block_is_a_block() -> None:
    """Two adjacent fences form an empty block."""
    assert (Block("", 2), Block("y\n", 5)) == read_blocks("```python\n```\n\n```python\ny\n```\n")


def test_other_languages_are_passed_over() -> None:
    """A language whose name only begins with python is ignored."""
    assert read_blocks("```pythonic\nx\n```\n\n```pycon\n>>> x\n```\n") == ()


def test_a_page_is_cut_at_its_headings() -> None:
    """A page is split into sections with title and text."""
    sections = read_sections(PAGE)

    assert ["Why this matters", "Problem"] == list(sections)
    assert sections["Why this matters"].startswith("Because.")


def test_a_comment_in_code_is_no_heading() -> None:
    """A comment with two hash signs in code is not a heading."""
    page = "## Problem\n\n```python\n## a comment\n```\n\nMore.\n\n## After you pass\n\nGo.\n"

    assert ["Problem", "After you pass"] == list(read_sections(page))
    assert read_sections(page)["Problem"].endswith("More.")


LONG_PAGE = """# Title

## Why this matters

Because:

- of this.

And because of that.

## Worked example

An example.

## Problem

Write it.

```python show
## no heading
```

## More pitfalls

None.
"""


def test_the_task_comes_first() -> None:
    """The title, the first paragraph with its list and the problem come first, in this order."""
    task, rest = put_task_first(LONG_PAGE)

    assert task == (
        "# Title\n\nBecause:\n\n- of this.\n\n"
        "## Problem\n\nWrite it.\n\n```python show\n## no heading\n```"
    )
    assert rest == (
        "## Why this matters\n\nAnd because of that.\n\n"
        "## Worked example\n\nAn example.\n\n## More pitfalls\n\nNone."
    )


def test_a_reason_of_one_paragraph_is_not_continued() -> None:
    """The rest has no heading of a section whose only paragraph stands above the task."""
    page = "# Title\n\n## Why this matters\n\nBecause.\n\n## Problem\n\nWrite it.\n"

    assert ("# Title\n\nBecause.\n\n## Problem\n\nWrite it.", "") == put_task_first(page)


@pytest.mark.parametrize("page", ["", "# Title\n", LONG_PAGE.replace("## Problem", "## Exercise")])
def test_a_page_without_a_problem_stays_as_it_is(page: str) -> None:
    """A page that has no problem is drawn in its own order."""
    assert (page, "") == put_task_first(page)


def test_a_page_with_two_problems_stays_as_it_is() -> None:
    """Of two problems neither is moved, so the text between them is read where it stands."""
    page = f"{LONG_PAGE}\n## Problem\n\nWrite another.\n"

    assert (page, "") == put_task_first(page)


# ---------------------------------------------------------------- suggestions

KNOWN = ["safe-clip-positive", "jit-with-static-n", "make-it-fast", "traced-axis"]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("safe-clip-postive", "safe-clip-positive"),
        ("cliip", "safe-clip-positive"),
        ("static", "jit-with-static-n"),
        ("traced-axes", "traced-axis"),
        ("fats", "make-it-fast"),
    ],
)
def test_a_misspelt_name_finds_its_lesson(typed: str, first: str) -> None:
    """A misspelled name, or a part of it, finds its lesson."""
    assert first == suggest(typed, KNOWN)[0]


@pytest.mark.parametrize("typed", ["xyzzy", "", "-", "q"])
def test_nonsense_finds_nothing(typed: str) -> None:
    """Without near matches, nothing is suggested."""
    assert suggest(typed, KNOWN) == []


def test_few_are_suggested() -> None:
    """At most three names are suggested."""
    assert 3 >= len(suggest("jit", [f"jit-{word}" for word in ("a", "b", "c", "d", "e")]))


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("minutes = 10", "minutes = ", 4),
        ("minutes = 10", 'minutes = "ten"', 4),
        ("tags = []", "tags = []\nnotes = 1", 7),
        ("", '[[hint]]\nwhen = "values"\ntext = 1\n', 11),
        ("", '[[hint]]\nwhen = "values"\n', 9),
        ('function = "double"', 'function = "a b"', 2),
    ],
)
def test_a_fault_in_the_toml_has_its_line(old: str, new: str, line: int) -> None:
    """The error of an invalid lesson.toml names the line to change."""
    text = """title = "Double"
function = "double"
difficulty = "easy"
minutes = 10
new = "You can double."
tags = []
hints = ["a", "b", "c"]

"""
    with pytest.raises(LessonError) as raised:
        read_info(text.replace(old, new) if old else text + new)

    assert ("lesson.toml", line) == (raised.value.file, raised.value.line)
