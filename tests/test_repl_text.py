"""Tests the text typed at the prompt: cells, Enter, commands, pastes, and the session as a file."""

from __future__ import annotations

import pytest

from jaxtutor.core.repl.cells import (
    clean_paste,
    dedent_width,
    indent_after,
    is_command,
    runs_on_enter,
    split_cells,
)
from jaxtutor.core.repl.commands import COMMANDS, ParsedInput, read_entry
from jaxtutor.core.repl.context import Context, read_context
from jaxtutor.core.repl.merging import merge
from jaxtutor.core.repl.transcript import PRELUDE, Transcript

# ---------------------------------------------------------------- Enter


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "f(x)",
        ":jaxpr f(x)",
        "jnp.sum?",
        "def f():\n    return 1\n",
        "x = [1,\n2]",
        "1 +* 2",
        "while True: pass\n",
    ],
)
def test_enter_runs_what_is_complete(text: str) -> None:
    """Enter runs a complete line, a block after an empty line, and text with a syntax error."""
    assert runs_on_enter(text, len(text))


@pytest.mark.parametrize(
    "text",
    ["def f():", "x = (1,", "def f():\n    return 1", "for i in x: print(i)", "'''a", "@jax.jit"],
)
def test_enter_goes_on_with_what_is_not(text: str) -> None:
    """Enter adds a line to an unfinished block or an open bracket."""
    assert not runs_on_enter(text, len(text))


def test_enter_within_a_cell_begins_a_line() -> None:
    """Enter runs the cell only at the end of the text."""
    assert not runs_on_enter("x = 1\ny = 2", 5)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("def f(x):", 4),
        ("    if x:", 8),
        ("    return x", 0),
        ("        y = 1", 8),
        ("x = f(", 4),
        ("x = 1  # so:", 0),
    ],
)
def test_a_new_line_is_indented(before: str, expected: int) -> None:
    """A new line is indented after a block or bracket opens, and dedented after `return`."""
    assert " " * expected == indent_after(before)


@pytest.mark.parametrize(
    ("before", "expected"), [("        ", 4), ("      ", 2), ("  x", 1), ("", 1)]
)
def test_backspace_takes_a_step_of_indentation(before: str, expected: int) -> None:
    """Backspace in the indentation removes the spaces back to the previous step."""
    assert expected == dedent_width(before)


# ---------------------------------------------------------------- texts


def test_a_text_is_cut_into_statements_and_commands() -> None:
    """Each statement and command has its first line; a colon of a slice is not a command."""
    text = "x = 1\n\n# a note\n@jax.jit\ndef f():\n    return 1\n\n:jaxpr f()\ny = x[\n:3]\n"
    assert [
        (1, "x = 1"),
        (3, "# a note\n@jax.jit\ndef f():\n    return 1"),
        (8, ":jaxpr f()"),
        (9, "y = x[\n:3]"),
    ] == list(split_cells(text))


def test_a_broken_statement_spoils_no_other() -> None:
    """Text that is not all Python is split at lines that begin at the margin."""
    text = "x = 1\ny = = 2\nif x:\n    a\nelse:\n    b\nz = 3\n"
    expected = [(1, "x = 1"), (2, "y = = 2"), (3, "if x:\n    a\nelse:\n    b"), (7, "z = 3")]
    assert expected == list(split_cells(text))


def test_marks_make_the_cells() -> None:
    """Lines with `# %%` separate cells."""
    assert [(2, "x = 1\nx"), (5, "y = 2")] == list(split_cells("# %% a\nx = 1\nx\n# %%\ny = 2\n"))


@pytest.mark.parametrize(
    ("pasted", "expected"),
    [
        (">>> x = 1\n1\n>>> def f():\n...     pass\n", "x = 1\ndef f():\n    pass"),
        ("In [3]: x = 1\n   ...: y = 2", "x = 1\ny = 2"),
        ("    a\n      b", "a\n  b"),
        ("a\r\n\tb", "a\n    b"),
    ],
)
def test_a_paste_loses_other_prompts(pasted: str, expected: str) -> None:
    """Prompts, their output, common indentation and tabs are removed from a paste."""
    assert expected == clean_paste(pasted)


# ---------------------------------------------------------------- commands


def test_a_command_is_taken_apart() -> None:
    """A command is split into its name and the rest."""
    assert ParsedInput("command", "f(x, n=3)", "jaxpr") == read_entry(":jaxpr f(x, n=3)")


@pytest.mark.parametrize("text", ["exit", "quit()", ":q", ":quit"])
def test_ways_to_leave(text: str) -> None:
    """The usual ways to leave a Python prompt work."""
    assert "quit" == read_entry(text).command


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (":jxpr f(x)", "Did you mean `:jaxpr`?"),
        (":tim f(x)", "`:time`"),
        (":xyzzy", "`:help` lists the commands."),
        (":", "`:help` lists the commands."),
        (":cost", "`:cost` needs a call: `:cost f(x)`."),
        (":why now", "`:why` takes no argument."),
        (":jaxpr f(x", "Invalid Python, `f(x`"),
        ("?1 +", "takes a name"),
    ],
)
def test_a_command_that_cannot_be_says_what_can(text: str, says: str) -> None:
    """An unknown name gets a suggestion, and an invalid argument the valid form."""
    entry = read_entry(text)
    assert ("problem", True) == (entry.kind, says in entry.problem)


@pytest.mark.parametrize(("text", "deeply"), [("?jnp.sum", False), ("x.at??", True)])
def test_a_question(text: str, deeply: bool) -> None:
    """A question mark before or after a name is an inspection, and two also show the source."""
    entry = read_entry(text)
    assert ("question", deeply, True) == (entry.kind, entry.deeply, is_command(text))


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("jn", Context("name", "", "jn")),
        ("x = 1\nif x:\n    jn", Context("name", "", "jn")),
        ("x.at[0].s", Context("attribute", "x.at[0]", "s")),
        ('d["a"].', Context("attribute", 'd["a"]')),
        ("d['al", Context("key", "d", "al")),
        ("f(x, ke", Context("name", "", "ke", "f", 1)),
        ("f(g(1, 2), key=k", Context("name", "", "k", "f", 1, "key")),
        ("jnp.zeros((3, 4)).", Context("attribute", "jnp.zeros((3,4))")),
        ("jax.grad(f)(", Context("name", "", "", "jax.grad(f)")),
        ("import ja", Context("module", "", "ja")),
        ("from jax import nu", Context("member", "jax", "nu")),
        (":ja", Context("command", "", "ja")),
        (":jaxpr f(x", Context("name", "", "x", "f")),
        (":explain tra", Context("argument", "explain", "tra")),
        ("# jn", Context()),
        ("'jn", Context()),
        ("3", Context()),
    ],
)
def test_what_stands_at_the_cursor(before: str, expected: Context) -> None:
    """The completion context is the kind of name, its object, and the innermost open call."""
    assert expected == read_context(before)


# ---------------------------------------------------------------- the session as one file


def session(*cells: str) -> Transcript:
    made = Transcript()
    for cell in cells:
        made.add(cell)
    return made


def test_cells_have_lines_of_their_own() -> None:
    """The next cell starts at the next line number."""
    made = session("def f():\n    return 1\n", "f()")
    assert ([1, 2, 5], 6) == ([cell.line for cell in made.cells], made.next_line)


def test_the_program_leaves_out_what_is_past() -> None:
    """Redefined code and inspections are blank in the program, and line numbers are kept."""
    made = session("def f(): 1", "f()", "def f(): 2", "f()")
    assert f"{PRELUDE}\n\n\ndef f(): 2\nf()\n\n" == made.source()


def test_what_is_mentioned_stays() -> None:
    """A cell whose line a failure mentions is kept in the program."""
    assert "def f(): 1" in session("def f(): 1", "def f(): 2", "f()").source([2])


def test_lost_names_are_no_part_of_the_program() -> None:
    """After a worker is lost, the program has only the prelude, and line numbers continue."""
    made = session("x = 1", "y = 2\nz = 3")
    made.forget()
    assert (5, f"{PRELUDE}\n\n\n\n\n") == (made.next_line, made.source())


def test_a_text_keeps_its_lines() -> None:
    """The cells of a text keep its line numbers, with the prelude after them."""
    made = Transcript(is_text=True)
    made.add("x = 1", 3)
    assert f"\n\nx = 1\n{PRELUDE}\n" == made.source()


# ---------------------------------------------------------------- :save

FILE = (
    '"""Doc."""\n\nimport jax\n\n\n@jax.jit\ndef f(x):\n    return x\n\n\ndef g():\n    return 1\n'
)


def test_a_definition_takes_the_place_of_its_namesake() -> None:
    """A definition replaces its namesake with its decorators, and nothing around it."""
    made = merge(FILE, "def f(x):\n    return 2 * x")
    assert FILE.replace("@jax.jit\ndef f(x):\n    return x", "def f(x):\n    return 2 * x") == (
        made.source
    )


def test_what_is_new_is_added() -> None:
    """New imports follow the imports, new definitions go to the end, inspections are left out."""
    made = merge(FILE, "import math\nimport jax\nN = 3\nx = 1\nf(x)\ndef h():\n    pass")
    assert (("math", "jax", "N", "h"), True, True) == (
        made.names,
        "import jax\nimport math\n" in made.source,
        made.source.endswith("return 1\n\n\nN = 3\n\n\ndef h():\n    pass\n"),
    )


def test_a_file_that_is_no_python_is_added_to() -> None:
    """A file with a syntax error keeps its text, and the cell is appended."""
    assert "def f(:\n\n\ndef f(x): 1\n" == merge("def f(:\n", "def f(x): 1").source


def test_every_command_says_what_it_does() -> None:
    """Every command has a short description in `:help`."""
    assert all(0 < len(command.says) < 60 for command in COMMANDS.values())
