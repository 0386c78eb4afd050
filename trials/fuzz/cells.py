"""Fuzzes typed and pasted text: cells, commands, completion contexts, and invalid Python."""

from __future__ import annotations

import ast
import contextlib
import warnings

from hypothesis import strategies as st

from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.core.repl import cells
from jaxtutor.core.repl.annotated_jaxpr import Row, beside_page
from jaxtutor.core.repl.commands import read_entry, read_subject
from jaxtutor.core.repl.context import read_context
from jaxtutor.core.repl.merging import merge
from jaxtutor.core.repl.messages import PageStyle
from jaxtutor.core.repl.transcript import Transcript
from trials.fuzz.target import Target
from trials.fuzz.texts import line, nasty, widths

STATEMENTS = (
    *(
        "x = 1",
        "y = 2; z = 3",
        "import jax",
        "import a.b as c",
        "from m import (a,\n    b)",
        "X = 9",
    ),
    *("X = 1; Y = 2", "def f(a):\n    return a", "@d\ndef f(a, *, b=1):\n\treturn a", "x", "f(x);"),
    *("class C:\n    A = 1\n\n    def m(self): ...", "for i in r:\n    pass\nelse:\n    pass"),
    *('"""doc"""', "s = '''a\n# %% not\n:jaxpr f(x)\n'''", "t = f'{x!r:>{y}}'", "if x: y = 1"),
    *(
        "# a comment",
        "",
        "   ",
        ":jaxpr f(x)",
        "?f",
        "f??",
        "# %% two",
        "x = (\n    1,\n)",
        "x = \\\n  1",
    ),
    *(
        "a = 'é\u2028'",
        "\x0cdef g(): pass",
        "b = '\x1c'",
        "é = 1",
        "lambda x: x",
        "while True: break",
    ),
    *(
        "try:\n    x\nexcept* E:\n    y\nfinally:\n    z",
        "match x:\n    case 1: pass",
        "X: int = 3",
    ),
    *(
        "async def f(): await x",
        "x = 1  # note",
        "return 1",
        "def f(",
        "  indented = 1",
        ">>> x",
        "... y",
    ),
    *("X = 1  # kept", "def f(): return 1; Z = 2", "(" * 300, "-" * 5000 + "1", "x" + ".a" * 5000),
    *("9" * 5000, "\0", "\ud800", "x = '\ud800'", "\\", "'''", '"', "(", "[", "{", "}", ")"),
)
_statements = st.one_of(st.sampled_from(STATEMENTS), st.sampled_from(STATEMENTS), nasty)
_ends = st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r", "; "])
programs = st.lists(st.tuples(_statements, _ends), max_size=7).map(
    lambda parts: "".join(text + end for text, end in parts)
)


def parse(text: str) -> ast.Module | None:
    """Parse a text. Return None if it is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def cells_read(given: tuple[str, int]) -> None:
    """Any typed text is judged complete or not, in limited time."""
    text, cursor = given
    for ask in (cells.is_complete, cells.is_broken, cells.is_block, cells.is_command):
        ask(text)
    cells.runs_on_enter(text, min(cursor, len(text)))
    cells.indent_after(text[:cursor])
    assert cells.dedent_width(text[:cursor]) >= 1
    pasted = cells.clean_paste(text)
    assert "\r" not in pasted
    read_context(text[:cursor])
    entry = read_entry(text)
    if entry.kind == "command" and entry.text and parse(f"({entry.text.strip()}\n)"):
        with contextlib.suppress(SyntaxError):
            read_subject(entry.text)


def cells_cut(text: str) -> None:
    """A program that is split into cells is the same program, and each cell has its line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    last = 0
    transcript = Transcript(is_text=True)
    found = list(cells.split_cells(text))
    for first, cell in found:
        assert first > last, "cells overlap"
        shown = lines[first - 1 : first + cell.count("\n")]
        assert [given.strip() for given in cell.split("\n")] == [given.strip() for given in shown]
        last = first + cell.count("\n")
        transcript.add(cell, first)
    whole = parse(text)
    if whole is not None and not any(cells.is_command(cell) for _, cell in found):
        together = ast.parse("\n".join(cell for _, cell in found) + "\n\n")
        with contextlib.suppress(RecursionError):  # from the dump itself, not from its input
            assert ast.dump(together) == ast.dump(whole)
    for kept in transcript.cells:
        assert transcript.cell_at(kept.line) is kept
    assert transcript.text().count("\n") >= last - 1
    transcript.source([1, last])
    transcript.last_alone()
    transcript.forget()


def merged(given: tuple[str, str]) -> None:
    """`:save` of a cell into valid Python gives valid Python with every name that was bound."""
    file, cell = given
    result = merge(file, cell)
    before, theirs = parse(file), parse(cell)
    if theirs is None:
        assert result.source == file
    if before is None or theirs is None:
        return
    after = parse(result.source)
    assert after is not None, result.source
    assert _bound(before) <= _bound(after), (_bound(before) - _bound(after), result.source)
    assert set(result.names) <= _bound(after) | {"*"} | {
        name for name in result.names if "." in name
    }
    assert _comments(file) <= _comments(result.source) | _comments_of_replaced(
        before, file, result.names
    )


def _bound(tree: ast.Module) -> set[str]:
    found: set[str] = set()
    for node in tree.body:
        match node:
            case ast.Assign(targets=targets):
                found |= {name.id for name in targets if isinstance(name, ast.Name)}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {alias.asname or alias.name for alias in names}
    return found


def _comments(text: str) -> set[str]:
    return {text.strip() for text in split_lines(text) if text.startswith("#")}


def _comments_of_replaced(tree: ast.Module, text: str, names: tuple[str, ...]) -> set[str]:
    lines = split_lines(text)
    found: set[str] = set()
    for node in tree.body:
        inside = lines[node.lineno - 1 : node.end_lineno]
        found |= {text.strip() for text in inside if text.startswith("#")}
    return found


def syntax_said(text: str) -> None:
    """Text that Python cannot parse is reported at a location in the text."""
    failure = find_syntax_error(text, "file.py")
    if failure is None:
        assert parse(text) is not None
        return
    diagnosis = diagnose_syntax(failure, text)
    if diagnosis is not None and diagnosis.span is not None:
        span = diagnosis.span
        assert span.line >= 1, span
        assert span.column >= 0, span
        assert (span.line, span.column) < (span.end_line, span.end_column), span
        assert span.line <= len(split_lines(text)) + 1, span


_rows = st.builds(
    Row,
    text=line,
    source=st.text(max_size=30),
    number=st.integers(0, 9),
    file=st.sampled_from("ab"),
)


def laid_beside(given: tuple[list[Row], int, bool]) -> None:
    """An annotated jaxpr is drawn completely at any width."""
    rows, width, plain = given
    page = beside_page(rows, PageStyle(width=width, plain=plain))
    drawn = "".join(text for part in page for text, _ in part)
    for row in rows:
        assert "".join(row.text.split()) in "".join(drawn.split()) or not row.text.strip()


_cursor = st.integers(0, 80)
TARGETS = (
    Target("what is typed is read", st.tuples(programs, _cursor), cells_read, 5_000),
    Target("cut into cells it is the same program", programs, cells_cut, 5_000),
    Target(
        "a cell saved into a file costs it nothing", st.tuples(programs, programs), merged, 5_000
    ),
    Target("what Python cannot read has a place", programs, syntax_said, 5_000),
    Target(
        "a jaxpr beside its source",
        st.tuples(st.lists(_rows, max_size=6), widths, st.booleans()),
        laid_beside,
        1_500,
    ),
)
