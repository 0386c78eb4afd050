"""Reads the frames of a traceback, one function for each form in which they are written.

A reader gets plain lines and the index of one of them. It returns the frame that begins there and
the index of the first line after it, or None for lines of another form.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from jaxtutor.core.data.positions import Span

UNKNOWN_FILE = "<pasted>"
"""The file of a frame that does not name one."""


class QuotedFrame(Struct, frozen=True):
    """A frame as a text shows it.

    `excerpt` has the lines that the text quotes, by their numbers, with the indentation that it
    shows. The columns of `span` count from the first character of the line that failed; it is the
    whole line where nothing is marked.
    """

    file: str
    function: str
    line: int
    excerpt: Mapping[int, str]
    span: Span


Reader = Callable[[Sequence[str], int], tuple[QuotedFrame, int] | None]

# ---------------------------------------------------------------- Python

_PYTHON = re.compile(
    r'^(?P<indent>\s*)(?:File )?"(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>.+))?$'
)
_MARKS = re.compile(r"^[\s~^]*[\^~][\s~^]*$")
_LEFT_OUT = re.compile(r"^\s*\.\.\.<(\d+) lines?>\.\.\.$")
_EXCEPTION = re.compile(r"^(?:\w+\.)*\w+(?:Error|Exception|Warning|StackTrace|Interrupt)\b")
MOST_QUOTED = 40
"""Lines of one frame that are read."""


def python_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame of Python, of one line up to 3.12 and of several from 3.13 on.

    >>> text = ['  File "a.py", line 2, in f', '    g(x)', '    ~^^^']
    >>> frame, end = python_frame(text, 0)
    >>> frame.file, frame.function, frame.line, frame.excerpt, frame.span.end_column, end
    ('a.py', 'f', 2, {2: 'g(x)'}, 4, 3)
    """
    found = _PYTHON.match(lines[at])
    if found is None:
        return None
    line, indent = int(found["line"]), len(found["indent"])
    code: dict[int, str] = {}
    marks: dict[int, str] = {}
    number, index = line, at + 1
    while index < len(lines) and index <= at + MOST_QUOTED:
        text = lines[index]
        if left_out := _LEFT_OUT.match(text):
            number += int(left_out[1])
        elif _MARKS.match(text) and code:
            marks[number - 1] = text
        elif _is_code(text, indent, is_first=not code):
            code[number] = text
            number += 1
        else:
            break
        index += 1
    frame = QuotedFrame(
        found["file"],
        function_name(found["name"]),
        line,
        _dedented(code),
        _marked(line, code, marks),
    )
    return frame, index


def _is_code(text: str, indent: int, *, is_first: bool) -> bool:
    """Return whether a line below a frame is its source; some texts lose their indentation."""
    if not text.strip() or _PYTHON.match(text):
        return False
    is_deeper = len(text) - len(text.lstrip()) > indent
    return is_deeper or (is_first and indent == 0 and _EXCEPTION.match(text) is None)


def _marked(line: int, code: Mapping[int, str], marks: Mapping[int, str]) -> Span:
    """Return the part of the code that carets or tildes mark, or the whole line."""
    first = code.get(line, "")
    if line not in marks:
        return Span(line, 0, line, len(first.strip()))
    last = max(marks)
    indent = len(first) - len(first.lstrip())
    begin = len(marks[line]) - len(marks[line].lstrip()) - indent
    return Span(line, max(begin, 0), last, max(len(marks[last].rstrip()) - indent, 0))


def _dedented(code: Mapping[int, str]) -> dict[int, str]:
    """Remove the indentation that all lines share."""
    common = min((len(t) - len(t.lstrip()) for t in code.values() if t.strip()), default=0)
    return {number: text[common:].rstrip() for number, text in code.items() if number > 0}


_SIGNATURE = re.compile(r"\(.*$", re.S)


def function_name(written: str | None) -> str:
    """Return the name that Python records for a function.

    >>> function_name("wrap.<locals>.inner(*args)"), function_name("<cell line: 3>()")
    ('inner', '<module>')
    """
    name = _SIGNATURE.sub("", written or "").strip()
    if not name or name.startswith("<cell"):
        return "<module>"
    inner = re.search(r"<\w+>$", name)  # <lambda>, <listcomp>
    return inner[0] if inner is not None else name.rpartition(".")[2]


# ---------------------------------------------------------------- IPython

_CELL = re.compile(r"^(?:Cell|Input) In ?\[(?P<cell>\d+)\](?P<rest>.*)$")
_CELL_PLACE = re.compile(r"^(?:, line (?P<line>\d+))?(?:, in (?P<name>.+))?$")
_NEW = re.compile(r"^File (?P<file>\S.*?):(?P<line>\d+)(?:, in (?P<name>.+))?$")
_PLACE = re.compile(
    r"^(?P<file>[^\s:]*[\\/.<][^:]*|[A-Za-z]:\\[^:]+):(?P<line>\d+),? in (?P<name>\S+)$"
)
_NOTEBOOK = re.compile(
    r"^(?P<file>\S.*\.ipynb) Cell (?P<cell>\d+)'?(?: line (?P<line>\d+)| in (?P<name>.+))$"
)
_OLD = re.compile(r"^(?P<file>[\w.~/\\<:-].*?) in (?P<name><cell line: \d+>.*|[\w<][^:]*)$")
_NUMBERED = re.compile(r"^\s*(?P<arrow>-+>|❱|>)?\s*(?P<number>\d+)(?: (?P<code>.*))?$")
_GUIDES = re.compile(r"^[\s│]+")


def cell_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame in a cell of IPython 8 and newer.

    >>> text = ["Cell In[7], line 5, in f(x)", "      4 def f(x):", "----> 5     if x > 0:"]
    >>> frame, end = cell_frame(text, 0)
    >>> frame.file, frame.function, frame.line, frame.excerpt, end
    ('In[7]', 'f', 5, {4: 'def f(x):', 5: '    if x > 0:'}, 3)
    """
    found = _CELL.match(lines[at])
    place = _CELL_PLACE.match(found["rest"]) if found is not None else None
    if found is None or place is None:
        return None
    return _with_numbered(lines, at, f"In[{found['cell']}]", place["name"], place["line"])


def file_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame in a file, of IPython 8 and newer, of rich, or shortened to its place.

    >>> file_frame(["File ~/a.py:12, in g(x)", "---> 12 return x[0]"], 0)[0].excerpt
    {12: 'return x[0]'}
    >>> file_frame(["/home/u/a.py:12 in g", "", "❱ 12 │   return x[0]"], 0)[0].function
    'g'
    >>> file_frame(["a.py:12, in g", "    return x[0]"], 0)[0].excerpt
    {12: 'return x[0]'}
    """
    found = _NEW.match(lines[at]) or _PLACE.match(lines[at])
    if found is None:
        return None
    frame = _with_numbered(lines, at, found["file"], found["name"], found["line"])
    if frame is not None and frame[0].excerpt:
        return frame
    return _with_code(lines, at, found["file"], found["name"], int(found["line"]))


def notebook_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame in a notebook of VS Code.

    >>> text = ["/home/u/a.ipynb Cell 2 line 3", "      2 y = 1", "----> 3 f(y)"]
    >>> notebook_frame(text, 0)[0].file
    '/home/u/a.ipynb Cell 2'
    """
    found = _NOTEBOOK.match(lines[at])
    if found is None:
        return None
    name = f"{found['file']} Cell {found['cell']}"
    return _with_numbered(lines, at, name, found["name"], found["line"])


def old_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame of IPython 7 and of Colab, whose line is the one with the arrow.

    >>> text = ["<ipython-input-3-ab> in f(x)", "      1 def f(x):", "----> 2   return x[0]"]
    >>> frame, end = old_frame(text, 0)
    >>> frame.file, frame.function, frame.line
    ('<ipython-input-3-ab>', 'f', 2)
    """
    found = _OLD.match(lines[at])
    if found is None or " " in found["file"].removeprefix("<timed exec>").removesuffix(
        " internals>"
    ):
        return None
    return _with_numbered(lines, at, found["file"], found["name"], None)


def bare_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read the lines around an arrow, of a frame whose first line was cut off.

    >>> bare_frame(["--> 219     y = f(x,", "    220           z)"], 0)[0].excerpt
    {219: 'y = f(x,', 220: '      z)'}
    """
    found = _NUMBERED.match(lines[at])
    if found is None or (found["arrow"] or "").strip("->"):
        return None
    before = _NUMBERED.match(lines[at - 1]) if at else None
    if before is not None:
        return None
    return _with_numbered(lines, at - 1, UNKNOWN_FILE, None, None)


def _with_numbered(
    lines: Sequence[str], at: int, file: str, name: str | None, line: str | None
) -> tuple[QuotedFrame, int] | None:
    """Read the numbered lines below the header of a frame; without a line they need an arrow."""
    code: dict[int, str] = {}
    arrow = int(line) if line is not None else 0
    index = at + 1
    while index < len(lines) and not lines[index].strip() and index <= at + 2:
        index += 1
    while index < len(lines) and (found := _NUMBERED.match(lines[index])) is not None:
        number = int(found["number"])
        code[number] = _without_guides(found["code"] or "")
        arrow = number if found["arrow"] and (line is None or number == arrow) else arrow
        index += 1
        if found["arrow"] and not code[number].strip() and index < len(lines):
            # A blank line raises nothing: its code was moved to a line of its own when pasted.
            code[number], index = lines[index], index + 1
    if not arrow:
        return None
    quoted = _dedented(code)
    text = quoted.get(arrow, "")
    span = Span(arrow, 0, arrow, len(text.strip()))
    return QuotedFrame(file, function_name(name), arrow, quoted, span), index if code else at + 1


def _without_guides(code: str) -> str:
    """Write the guides that rich draws at each level of indentation as spaces."""
    return _GUIDES.sub(lambda found: found[0].replace("│", " "), code)


def _with_code(
    lines: Sequence[str], at: int, file: str, name: str | None, line: int
) -> tuple[QuotedFrame, int]:
    """Read the indented source below a frame, with its marks if it has some."""
    code, index = {}, at + 1
    if index < len(lines) and lines[index].startswith((" ", "\t")):
        code = {line: lines[index]}
        index += 1
    marks = {}
    if code and index < len(lines) and _MARKS.match(lines[index]):
        marks = {line: lines[index]}
        index += 1
    span = _marked(line, code, marks)
    return QuotedFrame(file, function_name(name), line, _dedented(code), span), index


# ---------------------------------------------------------------- pytest

_PYTEST_PLACE = re.compile(
    r"^(?P<file>[^\s:][^\n:]*(?::\\[^\n:]*)?\.py):(?P<line>\d+):(?: [\w.]+)?$"
)
_PYTEST_SHORT = re.compile(r"^(?P<file>[^\s:]\S*):(?P<line>\d+): in (?P<name>\S+)$")
_DEFINITION = re.compile(r"^\s*(?:async )?def (\w+)")


def short_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame of pytest's short form.

    >>> short_frame(["test_a.py:7: in test_f", "    f(x)"], 0)[0].excerpt
    {7: 'f(x)'}
    """
    found = _PYTEST_SHORT.match(lines[at])
    if found is None:
        return None
    return _with_code(lines, at, found["file"], found["name"], int(found["line"]))


def pytest_frame(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read a frame of pytest's long form, which quotes the function up to the line that failed.

    >>> text = ["    def f(x):", ">       return x[0]", "IndexError: no", "", "a.py:4: IndexError"]
    >>> frame, end = pytest_frame(text, 1)
    >>> frame.file, frame.function, frame.line, frame.excerpt, end
    ('a.py', 'f', 4, {3: 'def f(x):', 4: '    return x[0]'}, 2)
    """
    if not lines[at].startswith(">  "):
        return None
    place = next((p for text in lines[at + 1 :] if (p := _place_or_end(text)) is not None), None)
    if place is None or not place["file"]:
        return None
    line = int(place["line"])
    above, below = _source_above(lines, at), _source_below(lines, at)
    source = [*above, " " + lines[at][1:], *below]
    first = line - len(above)
    code = _dedented({first + n: text for n, text in enumerate(source)})
    index = at + 1 + len(below)
    marks = {}
    if index < len(lines) and _MARKS.match(lines[index]):
        marks = {line: " " + lines[index][1:]}
        index += 1
    span = _marked(line, {line: " " + lines[at][1:]}, marks)
    return QuotedFrame(place["file"], _defined(above), line, code, span), index


def _place_or_end(text: str) -> re.Match[str] | None:
    """Return a match of the line that ends a frame; without a file where the next one begins."""
    return _PYTEST_PLACE.match(text) or re.match(r"^>  (?P<file>)(?P<line>)", text)


def _source_above(lines: Sequence[str], at: int) -> list[str]:
    """Return the source that pytest shows before the line that failed."""
    start = at
    while start and (not lines[start - 1] or lines[start - 1].startswith("    ")):
        start -= 1
    while start < at and not lines[start]:
        start += 1
    return list(lines[start:at])


def _source_below(lines: Sequence[str], at: int) -> list[str]:
    """Return the rest of a statement that goes over several lines."""
    end = at + 1
    while end < len(lines) and lines[end].startswith("     ") and not _MARKS.match(lines[end]):
        end += 1
    return list(lines[at + 1 : end])


def _defined(above: Sequence[str]) -> str:
    """Return the name of the function that source lines are in."""
    names = [found[1] for text in above if (found := _DEFINITION.match(text))]
    return names[-1] if names else "<module>"


READERS: tuple[Reader, ...] = (
    python_frame,
    cell_frame,
    notebook_frame,
    short_frame,
    file_frame,
    pytest_frame,
    old_frame,
    bare_frame,
)
MOST_SOURCE_LINES = 1_000_000
"""The last line that a source file is believed to have."""
LONGEST_LINE = 1000
"""Characters of a line that may begin a frame. Messages have longer ones."""


def frame_at(lines: Sequence[str], at: int) -> tuple[QuotedFrame, int] | None:
    """Read the frame that begins at a line, in whichever form; None if none does."""
    if not lines[at] or len(lines[at]) > LONGEST_LINE:
        return None
    found = next((found for reader in READERS if (found := reader(lines, at))), None)
    return found if found is not None and 0 < found[0].line <= MOST_SOURCE_LINES else None
