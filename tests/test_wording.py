"""Checks that strings and comments are plain English, without the constructions listed here."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

CHECKED = (
    "benchmarks",
    "jaxtutor/*.py",
    "jaxtutor/checking",
    "jaxtutor/commands",
    "jaxtutor/content",
    "jaxtutor/core",
    "jaxtutor/display",
    "jaxtutor/grading",
    "jaxtutor/processes",
    "jaxtutor/repl",
    "jaxtutor/session",
    "jaxtutor/storage",
    "jaxtutor/system",
    "jaxtutor/worker",
    "tests/*.py",
    "trials",
)
"""The files and folders that are checked, relative to the root; add a folder to extend the test."""

EXEMPT = frozenset(
    {
        "jaxtutor/core/diagnosis/engine/index.py",  # quotes messages of jax
        "jaxtutor/storage/schema.py",  # its comments are stored in existing databases
        "tests/test_style.py",  # quotes what it forbids
        "tests/test_wording.py",
    }
)
"""Files in CHECKED that may contain such constructions."""

CONSTRUCTIONS = {
    r"(?-i:Owns)\b": "say what it does: Manages, Parses, Draws, …",
    r"(?:tell|tells|told|telling) (?:of|whether|from|which|where|when|why)": "return, report",
    r"(?:is|are|was|were|been) (?:said|told)": "is reported, is shown",
    r"what is (?:said|told)": "the message",
    r"whoever": "name the actor",
    r"(?<!here )(?:is|are|was) no (?!longer\b|more\b|less\b|later\b|such\b)[a-z]+": "is not a …",
    r"asked for": "expected, requested",
    r"anew": "again, new",
    r"besides": "also, in addition to",
    r"shall": "should, must, will",
    r"(?:gives?|given|gave|giving) (?:it |them )?up": "cancel",
    r"fore(?:tell|tells|told|telling)": "predict",
    r"(?:bury|buries|buried)": "reap",
    r"graves?": "end",
    r"have (?:it|them|everything|all) (?:run|drawn|shown|put|\w+ed)": "run it, draw it, …",
    r"(?:make|makes|made|making) (?:\w+ )?(?:of|from) (?:it|them|what)": "turn X into Y",
    r"none of \w+, ": "Invalid value 'x'. Choose a, b or c.",
    r"(?:came|comes|come|becomes?|became) of": "the result of",
    r"amiss": "wrong",
    r"is to be (?:seen|said|told|shown|done|run)": "name the actor, use the active voice",
    r"(?:is|are) (?:not )?there(?: already)?(?=[.,;:]|$)": "exists, does not exist",
    r"there is room": "fits",
    r"puts? away": "save a copy of",
    r"puts? back": "restore",
    r"let(?:s|ting)? go of": "release, close",
    r"takes? it that": "assume that",
    r"zero bytes?": "null byte",
    r"keeps? account": "track",
    r"be it": "whether",
    r"but for (?:the|a|an|those|what|its)": "except",
    r"for there (?:is|are)": "because there is",
    r"(?:those|one|he|somebody|someone) who": "name the actor",
    r"(?:scribe|desk|pen|wish|wishes)": "use the technical term",
    r"(?:don't|can't|isn't|won't|it's|doesn't|didn't|you're)": "no contractions",
    r"(?:simply|of course)": "leave it out",
    r"(?:hitherto|thereof|therein|whence|upon)": "use a plainer word",
}
"""Regular expressions for whole words, each with better wording."""

METAPHORS = frozenset(
    "amiss bench desk eye eyes glass grave is_well mend mended paper papers pen scribe told wish"
    " wishes".split()
)
"""Words that no identifier consists of, leading underscores aside."""
_METAPHOR = re.compile(rf"\b_*(?:{'|'.join(METAPHORS)})\b")

_PATTERNS = {
    re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.I): better
    for pattern, better in CONSTRUCTIONS.items()
}
_TEXTS, _BETWEEN = (
    {getattr(tokenize, name) for name in names.split() if hasattr(tokenize, name)}
    for names in ("STRING COMMENT FSTRING_MIDDLE", "NL FSTRING_START FSTRING_END")
)
"""Types of tokens with text, and of those between parts of a text; FSTRING exists from 3.12 on."""


def prose(source: str) -> Iterator[tuple[int, str]]:
    """Yield strings and comments with their first lines; adjacent ones are joined into one text."""
    line, parts = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _TEXTS:
            line = line if parts else token.start[0]
            parts += token.string.strip("#\"'").split()
        elif token.type not in _BETWEEN and parts:
            yield line, " ".join(parts)
            parts = []


def complaints(source: str) -> list[str]:
    """List the bad constructions in a module's strings and comments, with better wording."""
    return [
        f"line {line}: {found[0]!r}: {better}"
        for line, text in prose(source)
        for pattern, better in _PATTERNS.items()
        if (found := pattern.search(text))
    ]


def metaphors(source: str) -> list[str]:
    """List the identifiers of a module that are metaphors."""
    if not _METAPHOR.search(source):  # as in most modules; parsing takes longer
        return []
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        for field in ("id", "attr", "arg", "name"):
            if isinstance(name := getattr(node, field, None), str):
                names.add(name)
    return sorted(name for name in names if name.lstrip("_") in METAPHORS)


def _files() -> list[Path]:
    found: set[Path] = set()
    for name in CHECKED:
        found |= set(ROOT.glob(name) if name.endswith(".py") else (ROOT / name).rglob("*.py"))
    return sorted(path for path in found if str(path.relative_to(ROOT)) not in EXEMPT)


@pytest.mark.parametrize("path", _files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_strings_and_comments_are_plain_english(path: Path) -> None:
    """No string or comment contains a construction from the list."""
    assert [] == complaints(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", _files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_identifiers_are_not_metaphors(path: Path) -> None:
    """No identifier is one of the metaphors on the list."""
    assert [] == metaphors(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(EXEMPT))
def test_an_exempt_file_exists(name: str) -> None:
    """Every exempt file exists and still needs its exemption."""
    source = (ROOT / name).read_text(encoding="utf-8")
    assert complaints(source) or metaphors(source)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('"""Owns the store."""', "Owns"),
        ("x = 1  # whoever reads this", "whoever"),
        ('raise E(f"{name} is no array")', "is no array"),
        (
            'def f():\n    """Run it.\n\n    What was asked\n    for comes back.\n    """',
            "asked for",
        ),
        ('say("The review of", "a lesson is given up.")', "given up"),
        ("# Work on one that\n# shall end", "shall"),
    ],
)
def test_a_bad_construction_is_reported(source: str, found: str) -> None:
    """A planted construction is reported, also across lines and in f-strings."""
    assert [found] == [it.split("'")[1] for it in complaints(source)]


@pytest.mark.parametrize(
    "source",
    [
        'x = "no such file"',
        'x = "There is no fix to apply."',
        'x = "It is no longer there at all"',
        "owns = shall = 1  # identifiers are not searched",
        'x = "--give-up"',
    ],
)
def test_plain_english_is_not_reported(source: str) -> None:
    """Correct sentences, and code, are not reported."""
    assert [] == complaints(source)


def test_a_metaphor_is_reported() -> None:
    """Metaphors are found in names of variables, attributes, parameters and functions."""
    source = "def _told(pen): return self._desk.papers\nwish = f(eye=1)"
    assert ["_desk", "_told", "eye", "papers", "pen", "wish"] == metaphors(source)
