"""Tests the drills: their pages, and that their fixed programs print what the pages say.

`test_recorded` diagnoses both programs of each.
"""

from __future__ import annotations

import ast
import io
import random
import re
import tokenize
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.drill_pages import DrillPages
from jaxtutor.core.data.drills import Drill, DrillError, read_drills
from jaxtutor.core.judging.equivalence import same_text
from program_pool import of_cause, run_programs, selected

CAUSES = Library()
PAGES = DrillPages()
DRILLS = tuple(drill for drills in PAGES.by_cause.values() for drill in drills)
SAMPLE = frozenset(random.Random(19).sample([drill.name for drill in DRILLS], 6))
"""The drills that run with the fast tests; the seed is arbitrary."""
SHORTEST, LONGEST = 5, 24
"""Lines: fewer leave nothing to read, more do not fit a small terminal with the questions."""
FEWEST = 4
"""Programs of a cause: with fewer, a program that was seen lately would come again."""

PAGE = """+++
level = 1
+++

## roof

```diff
 import jax
-x = 1
!y = 2
+y = 3

 print(y)
```

```text
3
```
"""

# ---------------------------------------------------------------- pages


def test_a_diff_becomes_two_programs() -> None:
    """The first column says to which program a line belongs, and which line is diagnosed."""
    (drill,) = read_drills("a-cause", PAGE)

    assert ("roof", "a-cause", 1, "3\n") == (drill.name, drill.cause, drill.level, drill.expected)
    assert "import jax\nx = 1\ny = 2\n\nprint(y)\n" == drill.broken
    assert "import jax\ny = 3\n\nprint(y)\n" == drill.fixed
    assert (3, (2, 3)) == (drill.line, drill.lines)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+++\nlevel", "level"),
        ("level = 1", "level = 4"),
        ("!y = 2", "-y = 2"),
        ("-x = 1", "!x = 1"),
        ("-x = 1", "x = 1"),
        ("```diff", "```python"),
    ],
)
def test_a_page_that_cannot_be_read_is_refused(old: str, new: str) -> None:
    """A page without a header, a level, a diff or exactly one diagnosed line is an error."""
    with pytest.raises(DrillError, match="a-cause"):
        read_drills("a-cause", PAGE.replace(old, new))


def test_names_are_unique_and_do_not_reveal_the_cause() -> None:
    """A drill is found by its name, which is shown before the questions."""
    assert [] == [name for name, count in Counter(it.name for it in DRILLS).items() if count > 1]
    assert [] == [it.name for it in DRILLS if it.name in CAUSES.slugs]


@pytest.mark.parametrize("cause", PAGES.causes)
def test_a_page_has_programs_of_a_cause_that_jax_alone_can_show(cause: str) -> None:
    """Every page is of a cause whose programs need no library, and has several programs."""
    assert () == CAUSES[cause].needs
    assert len(PAGES.of(cause)) >= FEWEST


def comments(source: str) -> list[str]:
    """List the comments of a program."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


@pytest.mark.parametrize("drill", DRILLS, ids=lambda drill: drill.name)
def test_a_program_is_short_and_says_nothing_of_its_mistake(drill: Drill) -> None:
    """A program fits the screen, has no comments, and differs from its fix."""
    assert SHORTEST <= drill.size <= LONGEST
    assert all(drill.broken.splitlines()[line - 1].strip() for line in drill.lines)
    assert [] == comments(drill.broken)
    assert drill.broken != drill.fixed
    assert drill.expected.strip()
    assert drill.level == 3 or CAUSES[drill.cause].raises


def test_other_lines_that_fix_it_count_and_blank_ones_do_not() -> None:
    """A line marked `~` is in both programs and counts; a blank line that goes does not."""
    rows = ("~import jax", "-x = 1", "-", "!y = 2", "+y = 3", " ", " print(y)", "")
    (drill,) = read_drills(
        "cause", re.sub(r" import jax.*print\(y\)\n", "\n".join(rows), PAGE, flags=re.S)
    )

    assert "import jax\ny = 3\n\nprint(y)\n" == drill.fixed
    assert (4, (1, 2, 4)) == (drill.line, drill.lines)


# ---------------------------------------------------------------- running them


@pytest.fixture(scope="module")
def printed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """Run the fixed programs of the selected drills, and return what each printed."""
    folder = tmp_path_factory.mktemp("drills")
    files = {drill.name: folder / f"{drill.name}.py" for drill in selected(request, "drill")}
    for drill in selected(request, "drill"):
        files[drill.name].write_text(drill.fixed)
    ran = run_programs([str(path) for path in files.values()])
    return {name: ran[str(path)].printed for name, path in files.items()}


@pytest.mark.parametrize(
    "drill",
    [of_cause(it.cause, it, slow=it.name not in SAMPLE) for it in DRILLS],
    ids=lambda drill: drill.name,
)
def test_the_fixed_program_prints_what_its_page_says(drill: Drill, printed: dict[str, str]) -> None:
    """The fixed program of a drill prints the text beside it."""
    assert drill.expected == printed[drill.name]


def compiling_lines(drill: Drill) -> list[tuple[int, list[str]]]:
    """Return the lines `@jax.jit` that its page marks with `~`, and the parameters."""
    page = (PAGES.folder / f"{drill.cause}.md").read_text(encoding="utf-8")
    body = page.partition(f"## {drill.name}\n\n```diff\n")[2].partition("\n```")[0]
    rows = [row for row in body.split("\n") if row[:1] != "+"]
    return [
        (mark.lineno, [it.arg for it in (*node.args.args, *node.args.kwonlyargs)])
        for node in ast.walk(ast.parse(drill.broken))
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if rows[mark.lineno - 1].startswith("~@jax.jit")
    ]


COMPILED = {drill.name: found for drill in DRILLS if (found := compiling_lines(drill))}


@pytest.mark.slow
def test_a_line_that_compiles_counts_where_static_arguments_fix_the_program(tmp_path: Path) -> None:
    """Each `@jax.jit` that counts beside the page's own fix mends the program, if it is edited."""
    wanted, files = {}, {}
    for name, found in COMPILED.items():
        drill = PAGES.find(name)
        for line, parameters in found:
            wanted[name, line] = drill.expected
            for size in (1, 2):
                for names in combinations(parameters, size):
                    path = tmp_path / f"{name}-{line}-{'-'.join(names)}.py"
                    rows = drill.broken.splitlines()
                    rows[line - 1] = f"@partial(jax.jit, static_argnames={names})"
                    path.write_text("\n".join(["from functools import partial", *rows, ""]))
                    files[str(path)] = (name, line)
    ran = run_programs(list(files))
    right = {key for path, key in files.items() if same_text(wanted[key], ran[path].printed)}

    assert len(wanted) > 20
    assert set() == wanted.keys() - right
