"""Lists the texts of libraries that rules read, each with a recorded failure that has it.

Rules read messages (`"unhashable" in context.message`, `re.search(…, context.message)`) and the
names of a library's functions (`context.passed_through("scan")`). A library may change both in any
release. `library_texts.tsv` names the files that read each text, and proves it by a program of
the catalogue whose recorded failure has it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from catalogue import TESTS, catalogue
from jaxtutor.core import diagnosis
from jaxtutor.core.data.failures import Failure
from recordings import corners, records

TABLE = TESTS / "library_texts.tsv"
HEADER = "text\tkind\tread in\tlibrary\tproved by\n"
UNPROVEN = "unproven"
ROOT = Path(diagnosis.__path__[0])

READ = ("message", "jax_frames", "raised_in", "passed_through")
SEARCHES = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub")
STRIPS = ("strip", "lower", "splitlines")
BINDERS = (ast.Assign, ast.NamedExpr, ast.For, ast.comprehension)
Binding = tuple[str, ast.expr]
PARTS = ("startswith", "endswith", "partition", "rpartition", "split", "removeprefix", "count")

_LETTERS = re.compile(r"(?<![\\<])[A-Za-z]{3}")
"""What a text of a library has; a mark that separates its parts does not."""


class Text(NamedTuple):
    """A text that a rule reads.

    `kind` is `words` or a `pattern` of a message, the name of a `function` that an exception passed
    through, or a `part` of such a name.
    """

    text: str
    kind: str

    def is_in(self, failure: Failure) -> bool:
        """Return whether a failure has the text, without those that it was raised from."""
        match self.kind:
            case "function":
                return any(f".{name}".endswith(f".{self.text}") for name in failure.jax_frames)
            case "part":
                return any(self.text in name for name in failure.jax_frames)
            case "words":
                return self.text in failure.message
        return re.search(self.text, failure.message, re.DOTALL | re.MULTILINE) is not None


# ---------------------------------------------------------------- the source


class Reader:
    """The source of one module, and the texts that it reads."""

    def __init__(self, source: str, namespace: Mapping[str, Any]) -> None:
        self.namespace = namespace
        self.nodes = tuple(ast.walk(ast.parse(source)))
        self._known: dict[tuple[ast.AST | None, str, str], bool] = {}

    def texts(self) -> Iterator[Text]:
        """Yield every text that the module reads."""
        for node in self.nodes:
            if isinstance(node, ast.Compare):
                yield from self._compared(node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                yield from self._called(node, node.func)

    def _compared(self, node: ast.Compare) -> Iterator[Text]:
        left, right = node.left, node.comparators[0]
        if self._is(right, "message"):
            yield from self._listed(left, "words")
        elif self._is(left, "message") and isinstance(node.ops[0], ast.Eq):
            yield from self._listed(right, "words")
        elif self._is(right, "jax_frames"):
            yield from self._listed(left, "part")

    def _called(self, node: ast.Call, func: ast.Attribute) -> Iterator[Text]:
        if func.attr in ("raised_in", "passed_through"):
            for given in node.args:
                yield from self._listed(given, "function")
        elif func.attr in SEARCHES and any(self._is(given, "message") for given in node.args):
            is_module = isinstance(func.value, ast.Name) and func.value.id == "re"
            yield from self._listed(node.args[0] if is_module else func.value, "pattern")
        elif func.attr in PARTS and node.args:
            kinds = {"message": "words", "jax_frames": "part"}
            for attribute, kind in kinds.items():
                if self._is(func.value, attribute):
                    yield from self._listed(node.args[0], kind)

    def _listed(self, node: ast.expr, kind: str) -> Iterator[Text]:
        for value in self._values(node):
            yield from (Text(text, kind) for text in _flat(value) if _LETTERS.search(text))

    # ------------------------------------------------------------ what an expression stands for

    def _is(self, node: ast.expr, attribute: str) -> bool:
        """Return whether an expression is an attribute of a failure, or a part of it."""
        match node:
            case ast.Attribute(attr=name):
                return name == attribute
            case ast.Subscript(value=value) | ast.IfExp(body=value):
                return self._is(value, attribute)
            case ast.Call(func=ast.Attribute(value=value, attr=name)):
                return name in (*STRIPS, *PARTS) and self._is(value, attribute)
            case ast.Name():
                return self._is_name(node, attribute)
        return False

    def _is_name(self, name: ast.Name, attribute: str) -> bool:
        key = (self._function.get(name), name.id, attribute)
        if key not in self._known:
            self._known[key] = False  # a name may be assigned from itself
            is_parameter = name.id == attribute and name.id in self._parameters(name)
            is_bound = any(self._is(value, attribute) for value in self._bound(name))
            self._known[key] = is_parameter or is_bound
        return self._known[key]

    def _values(self, node: ast.expr) -> Iterator[Any]:
        """Yield the values that an expression may have, as far as the module decides them."""
        node = node.value if isinstance(node, ast.Starred) else node
        try:
            yield eval(compile(ast.Expression(node), "<expression>", "eval"), dict(self.namespace))
        except (NameError, AttributeError):  # of a local name
            match node:
                case ast.Name():
                    for value in self._bound(node):
                        yield from self._values(value)
                case (
                    ast.Call(func=ast.Attribute(value=table, attr="get" | "values"))
                    | ast.Subscript(value=table)
                ):
                    for value in self._values(table):
                        yield value.values() if isinstance(value, dict) else value

    def _bound(self, name: ast.Name) -> Iterator[ast.expr]:
        """Yield what a local name or a parameter stands for."""
        function = self._function.get(name)
        if function is None:
            return
        yield from self._bindings.get((function, name.id), ())
        parameters = self._parameters(name)
        if name.id in parameters:
            position = parameters.index(name.id)
            for call in self._calls.get(function.name, ()):
                yield from call.args[position : position + 1]

    def _parameters(self, name: ast.Name) -> list[str]:
        """Return the parameters of the function that a name is read in."""
        function = self._function.get(name)
        return [it.arg for it in function.args.args] if function is not None else []

    @cached_property
    def _function(self) -> dict[ast.AST, ast.FunctionDef]:
        """The function that each node is in."""
        defined = [it for it in self.nodes if isinstance(it, ast.FunctionDef)]
        return {node: function for function in defined for node in ast.walk(function)}

    @cached_property
    def _bindings(self) -> dict[tuple[ast.AST, str], list[ast.expr]]:
        """What assignments and loops give to the names of each function."""
        found: dict[tuple[ast.AST, str], list[ast.expr]] = {}
        for node in self.nodes:
            function = self._function.get(node)
            if function is not None and isinstance(node, BINDERS):
                for name, value in _pairs(node):
                    found.setdefault((function, name), []).append(value)
        return found

    @cached_property
    def _calls(self) -> dict[str, list[ast.Call]]:
        """The calls of each function of the module."""
        found: dict[str, list[ast.Call]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found.setdefault(node.func.id, []).append(node)
        return found


def _pairs(node: ast.Assign | ast.NamedExpr | ast.For | ast.comprehension) -> Iterator[Binding]:
    """Yield each name that an assignment or a loop binds, with what it gives to the name."""
    value = node.iter if isinstance(node, ast.For | ast.comprehension) else node.value
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if isinstance(target, ast.Name):
            yield target.id, value
        elif isinstance(target, ast.Tuple):
            for position, part in enumerate(target.elts):
                if isinstance(part, ast.Name):
                    yield part.id, _part(value, position)


def _part(value: ast.expr, position: int) -> ast.expr:
    """Return the part of a value that is unpacked to a position."""
    match value:
        case ast.Tuple():
            return value.elts[position]
        case ast.Call(func=ast.Attribute(value=table, attr="items")):
            listed = ast.Attribute(table, ("keys", "values")[position], ast.Load())
            call = ast.Call(listed, [], [])
            return ast.fix_missing_locations(ast.copy_location(call, value))
    return value


def _flat(value: object) -> Iterator[str]:
    """Yield the texts of a value: a text, a pattern, or a collection of them."""
    if isinstance(value, re.Pattern):
        yield value.pattern
    elif isinstance(value, str):
        yield value
    elif isinstance(value, Iterable):
        for item in value:
            yield from _flat(item)


# ---------------------------------------------------------------- the table


def read_texts() -> dict[Text, list[str]]:
    """Return every text that rules read, with the files that read it."""
    found: dict[Text, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if any(word in source for word in READ):
            file = path.relative_to(ROOT)
            module = import_module(".".join((diagnosis.__name__, *file.with_suffix("").parts)))
            for text in dict.fromkeys(Reader(source, vars(module)).texts()):
                found.setdefault(text, []).append(file.as_posix())
    return dict(sorted(found.items()))


@cache
def failures() -> tuple[tuple[str, Failure], ...]:
    """Return every recorded failure, and each that one was raised from, with its program."""
    found = []
    for name in catalogue():
        for of in corners():
            link = records(of)[name].failure if name in records(of) else None
            while link is not None:
                found.append((name, link))
                link = link.linked
    return tuple(found)


def proof(text: Text, file: str, known: str) -> tuple[str, str]:
    """Return the library whose recorded failure has a text, and the name of its program.

    The program that is known from the table stays, as long as its failure has the text.
    """
    for name, failure in sorted(failures(), key=lambda it: it[0] != known):
        if text.is_in(failure):
            frames = failure.jax_frames
            return (frames[0].partition(".")[0] if frames else "python"), name
    library = re.match(r"causes/libraries/(\w+)/", file)
    return (library[1] if library is not None else ""), UNPROVEN


def table() -> str:
    """Return the table as it should be."""
    known = _known()
    made = HEADER
    for text, files in read_texts().items():
        cells = (*map(_cell, text), " ".join(files))
        made += "\t".join((*cells, *proof(text, files[0], known.get(cells[:2], "")))) + "\n"
    return made


def _known() -> dict[tuple[str, ...], str]:
    """Return the program that proves each text of the table of today."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    rows = [tuple(line.split("\t")) for line in lines]
    return {row[:2]: row[-1] for row in rows}


def _cell(text: str) -> str:
    return text.replace("\n", "\\n").replace("\t", "\\t")
