"""Reads the page of a cause and fills facts into its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from jaxtutor.core.data.counterparts import Group
from jaxtutor.core.data.lines import split_lines


class PageError(ValueError):
    """A cause's page that does not have the form of one."""


class Example(Struct, frozen=True):
    """A Python block of a page: `failing` or `fixed`, its source, and its first line there."""

    kind: str
    source: str
    line: int
    error_line: int | None = None  # within the source, counted from 1


class Form(Struct, frozen=True):
    """How one form of a cause is explained, where the sentences of its page do not fit."""

    summary: str
    advice: str


class Alone(Struct, frozen=True):
    """A message that decides a cause without the program, and how it is explained then.

    The named groups of the pattern are facts.
    """

    message: str
    form: Form


class Cause(Struct, frozen=True):
    """One explained mistake, as its page has it; `summary` and `advice` may hold facts."""

    slug: str
    title: str
    raises: tuple[str, ...]  # empty: it raises nothing
    summary: str
    advice: str
    see: tuple[str, ...]
    docs: str
    body: str
    examples: tuple[Example, ...]
    message: str = ""  # a pattern that the exception's message has to match, if the page gives one
    needs: tuple[str, ...] = ()  # libraries that the page's programs import
    forms: Mapping[str, Form] = {}
    proof: str = ""  # of a mistake that is observed: what a run without it shows
    seen: tuple[str, ...] = ()  # addresses of public reports of the mistake
    costs: bool = False  # it takes time or memory, and changes no result
    line: bool = False  # its advice begins with the line that its fix makes
    alone: Alone | None = None
    example: Mapping[str, str] = {}  # facts of its own example, where no run of it shows them
    counterparts: tuple[Group, ...] = ()  # of other libraries, for a page with that form

    def form(self, name: str) -> Form:
        """Return the sentences for one form of the cause, or those of the page."""
        return self.forms.get(name) or Form(self.summary, self.advice)


COUNTERPART = "counterpart"
"""The form of a page for an expression that the table of other libraries has, or JAX by name."""
FACTS = (
    "expression",
    "condition",
    "function",
    "argument",
    "aval",
    "class",
    "name",
    "container",
    "line",
    "detail",
    "instead",
)

# What a sentence says where a fact is not known. Pages write a fact between backticks, which go
# with it: "`{expression}` is traced" becomes "this value is traced".
UNKNOWN: Mapping[str, str] = {
    "expression": "this expression",
    "condition": "this condition",
    "function": "this function",
    "argument": "an argument",
    "aval": "a traced value",
    "class": "this exception",
    "name": "this name",
    "container": "a container",
    "line": "this line",
    "detail": "the message of the library",
    "instead": "`jaxtutor explain numpy` and `explain pytorch` list what JAX has.",
}

_BRACE = re.compile(r"(`?)\{(" + "|".join(FACTS) + r")\}(`?)")
_FACT = re.compile(r"\{(" + "|".join(FACTS) + r")\}")
_TITLE = re.compile(r'\+\+\+\ntitle = "([^"\\\n]+)"\n')
_CODE_OR_FACT = re.compile(r"`[^`\n]*`|" + _FACT.pattern)
_BLOCK = re.compile(r"^```python ?(\w*)[^\n]*\n(.*?)^```", re.M | re.S)


def read_cause(slug: str, text: str) -> Cause:
    """Read a cause's page.

    Raises PageError with what is missing.
    """
    header, body = _split(slug, text)
    summary, _, _ = body.partition("\n\n")
    return Cause(
        slug=slug,
        title=_string(slug, header, "title"),
        raises=_raises(slug, header.get("raises")),
        message=_pattern(slug, header.get("message", "")),
        summary=" ".join(summary.split()),
        advice=" ".join(_string(slug, header, "advice").split()),
        see=_strings(header.get("see")),
        docs=str(header.get("docs", "")),
        body=body,
        examples=_examples(text),
        needs=_strings(header.get("needs")),
        forms=dict(_forms(slug, header.get("forms", {}), " ".join(summary.split()))),
        proof=str(header.get("proof", "")),
        seen=_strings(header.get("seen")),
        costs=header.get("costs") is True,
        line=header.get("line") is True,
        alone=_alone(slug, header.get("alone")),
        example=_facts(slug, header.get("example", {})),
    )


def read_class_page(name: str, text: str) -> tuple[str, str]:
    """Read an error class's page: its title, with the class's name, and its body."""
    header, body = _split(name, text)
    title = f"{name}: {_string(name, header, 'title')}"
    see = header.get("see", [])
    return title, body + _see_also(tuple(map(str, see)) if isinstance(see, list) else ())


def read_title(name: str, text: str) -> str:
    """Return the title of a page, without parsing a header that has it in the usual form."""
    found = _TITLE.match(text)
    return found[1] if found else _string(name, _split(name, text)[0], "title")


def explain(cause: Cause, summary: str = "") -> str:
    """Return a cause's page for reading, with what it says of a program in place of the summary."""
    _, gap, rest = cause.body.partition("\n\n")
    return (summary or fill(cause.summary, {})) + gap + rest + _see_also(cause.see)


def _see_also(slugs: tuple[str, ...]) -> str:
    """Name the pages that belong beside this one."""
    names = ", ".join(f"`{slug}`" for slug in slugs)
    return f"\n\n## See also\n\n{names}\n" if names else ""


def _split(slug: str, text: str) -> tuple[dict[str, object], str]:
    parts = re.split(r"^\+\+\+\s*$", text.lstrip("\n"), maxsplit=2, flags=re.M)
    if len(parts) != 3 or parts[0].strip():
        raise PageError(f"{slug}: the page does not begin with a header between two +++ lines")
    import tomllib

    try:
        return tomllib.loads(parts[1]), parts[2].strip() + "\n"
    except tomllib.TOMLDecodeError as wrong:
        raise PageError(f"{slug}: its header is not TOML: {wrong}") from wrong


def _string(slug: str, header: Mapping[str, object], key: str) -> str:
    value = header.get(key)
    if not isinstance(value, str) or not value.strip():
        raise PageError(f"{slug}: its header has no {key}")
    return value


def _strings(value: object) -> tuple[str, ...]:
    return tuple(str(v) for v in value) if isinstance(value, list) else ()


def _forms(slug: str, value: object, usual: str = "") -> Iterator[tuple[str, Form]]:
    """Yield the forms of a page. One without a summary has the usual one, that of the page."""
    if not isinstance(value, Mapping):
        raise PageError(f"{slug}: the forms in its header are not tables")
    for name, table in value.items():
        texts = {"summary": usual, **table} if isinstance(table, Mapping) else {}
        summary, advice = (" ".join(_string(slug, texts, k).split()) for k in ("summary", "advice"))
        yield name, Form(summary, advice)


def _facts(slug: str, value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping) or not value.keys() <= set(FACTS):
        raise PageError(f"{slug}: the example in its header is not a table of facts")
    return {str(name): str(text) for name, text in value.items()}


def _alone(slug: str, value: object) -> Alone | None:
    if value is None:
        return None
    ((_, form),) = _forms(slug, {"alone": value})
    assert isinstance(value, Mapping)
    return Alone(_pattern(slug, _string(slug, value, "message")), form)


def _raises(slug: str, value: object) -> tuple[str, ...]:
    if value == "none":
        return ()
    if isinstance(value, str) and value:
        return (value,)
    if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
        return tuple(v for v in value if v != "none")
    raise PageError(f'{slug}: its header has no raises (a class, a list of classes, or "none")')


def _pattern(slug: str, value: object) -> str:
    try:
        return re.compile(str(value)).pattern
    except re.error as wrong:
        raise PageError(f"{slug}: the message in its header is not a pattern: {wrong}") from wrong


def _examples(text: str) -> tuple[Example, ...]:
    found = []
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(2)) + 1
        found.append(Example(block[1], block[2], line, _error_line(block[2])))
    return tuple(found)


def _error_line(source: str) -> int | None:
    marked = (n for n, line in enumerate(split_lines(source), 1) if line.endswith("# error"))
    return next(marked, None)


# ---------------------------------------------------------------- filling


def fill(text: str, facts: Mapping[str, str]) -> str:
    """Put facts into a sentence's braces; an unknown one falls back to plain words.

    Inside a longer piece of code an unknown fact is an ellipsis. Code of more than one line is
    joined, so that a sentence stays one.
    """
    known = {name: _one_line(value) for name, value in facts.items() if value}

    def put(part: re.Match[str]) -> str:
        is_code = part[0].startswith("`")
        return _fill_code(part[0], known) if is_code else _fill_bare(part[1], known)

    return _capital(_ONE_OF_MANY.sub(_in_singular, _CODE_OR_FACT.sub(put, text)))


_ONE_OF_MANY = re.compile(
    r"`[^`\n]*`|(?<![\w.,-])1 (axe|channel|device|element|example|feature|row|step|value)s\b"
)


def _in_singular(part: re.Match[str]) -> str:
    """Write "one row" for "1 rows", as a fact may be any number; code stays as it is."""
    if part[1] is None:
        return part[0]
    return f"one {'axis' if part[1] == 'axe' else part[1]}"


def _fill_code(code: str, known: Mapping[str, str]) -> str:
    whole = _BRACE.fullmatch(code)
    if whole is not None:
        value = known.get(whole[2])
        return UNKNOWN[whole[2]] if value is None else _quoted(value)
    return _FACT.sub(lambda fact: known.get(fact[1], "…"), code)


def _fill_bare(name: str, known: Mapping[str, str]) -> str:
    return known.get(name, UNKNOWN[name])


def _quoted(value: str) -> str:
    return f"`` {value} ``" if "`" in value else f"`{value}`"


def _one_line(value: str) -> str:
    return re.sub(r"([(\[{]) | ([)\]}])", r"\1\2", " ".join(value.split()))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:1].islower() else text
