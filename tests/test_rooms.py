"""Tests the import rules of the core, the worker and the shell by reading the sources."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "jaxtutor"
# The template of a lesson is data: `lesson new` copies it, and no module imports it. The wheel has
# the course in the package too.
DATA = frozenset({"template", "lessons"})
MODULES = sorted(
    path.relative_to(ROOT)
    for path in PACKAGE.rglob("*.py")
    if path.relative_to(PACKAGE).parts[0] not in DATA
)

# Modules of the standard library that only compute. A module that is missing here uses files, the
# clock, the environment, processes or the screen, or the core has not needed it yet.
# (`warnings` is here because compiling a learner's source must not print warnings.)
PURE = frozenset(
    """
    __future__ abc ast base64 bisect builtins cmath codeop collections contextlib copy csv
    dataclasses datetime decimal difflib enum fractions functools graphlib hashlib heapq html
    itertools json keyword math numbers operator re stat statistics string struct textwrap token
    tokenize tomllib types typing unicodedata warnings weakref xml zlib
    """.split()
)
CLOCKS = frozenset({"now", "today", "utcnow"})  # datetime: its types are data
SIDE_EFFECTS = frozenset({"breakpoint", "eval", "exec", "input", "open", "print", "__import__"})
JAX = frozenset({"jax", "jaxlib", "numpy"})
SHELL_LIBRARIES = frozenset(
    {
        "distributed",
        "fsrs",
        "lsprotocol",
        "msgspec",
        "platformdirs",
        "prompt_toolkit",
        "psutil",
        "pygls",
        "pygments",
        "rich",
        "tomlkit",
        "typer",
        "yaml",
    }
)
INTERNALS = Path("jaxtutor/worker/internals")


@dataclass(frozen=True)
class Room:
    """What a part of the package may import: top-level names, and our own modules."""

    standard: frozenset[str]
    libraries: frozenset[str]
    own: tuple[str, ...]  # dotted prefixes
    barred: tuple[str, ...] = ()  # dotted prefixes, excluded from `own`

    def admits(self, name: str) -> bool:
        if name.partition(".")[0] == "jaxtutor":
            return is_below(name, self.own) and not is_below(name, self.barred)
        return name.partition(".")[0] in self.standard | self.libraries


STANDARD = frozenset(sys.stdlib_module_names)
CORE = Room(PURE, frozenset({"msgspec"}), ("jaxtutor.core",))
# msgspec, because the core's data classes are its structs
WORKER = Room(STANDARD, JAX | {"msgspec"}, ("jaxtutor.core", "jaxtutor.worker"))
SHELL = Room(STANDARD, SHELL_LIBRARIES, ("jaxtutor",), barred=("jaxtutor.worker",))
# The library runs in the user's own process, which has imported jax already, so it describes
# failures there with the worker's modules. It must not need the command line's libraries.
LIBRARY = Room(
    STANDARD,
    frozenset({"msgspec"}),
    (
        "jaxtutor.core",
        "jaxtutor.content",
        "jaxtutor.errors",
        "jaxtutor.linting",
        "jaxtutor.worker",
    ),
)
INTEGRATIONS = Room(
    STANDARD,
    frozenset({"IPython", "markdown_it", "pytest"}),  # markdown_it: where it is installed
    ("jaxtutor.core", "jaxtutor.diagnosis", "jaxtutor.integrations"),
)


# The rules of a cause are imported when it can match: their index has been checked by a test.
REGISTRY = Path("jaxtutor/core/diagnosis/engine/registry.py")
IMPORTER = Room(PURE | {"importlib"}, frozenset({"msgspec"}), ("jaxtutor.core",))


def room_of(path: Path) -> Room:
    if path == REGISTRY:
        return IMPORTER
    if path == Path("jaxtutor/diagnosis.py"):
        return LIBRARY
    rooms = {"core": CORE, "worker": WORKER, "integrations": INTEGRATIONS}
    return rooms.get(path.parts[1], SHELL)


def is_below(name: str, prefixes: tuple[str, ...]) -> bool:
    return any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)


# ---------------------------------------------------------------- reading the source


def imports(path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and full name of every import, also inside functions."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, level=level, names=names):
                home = ".".join(filter(None, [package(path, level), module]))
                yield from ((node.lineno, imported(home, alias.name)) for alias in names)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]) if called(node) in (
                "import_module",
                "__import__",
            ):
                yield node.lineno, name


def package(path: Path, level: int) -> str:
    """Return the package that a relative import starts from, or an empty string."""
    return ".".join(path.parts[:-level]) if level else ""


def imported(home: str, name: str) -> str:
    """Return the module meant by `from home import name`, where `name` may be a module of ours."""
    inner = ROOT.joinpath(*home.split("."), name)
    is_module = inner.is_dir() or inner.with_suffix(".py").is_file()
    # Names in other packages cannot be resolved here, and the rules only need `jax._src`.
    return f"{home}.{name}" if is_module or home == "jax" else home


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def internals(path: Path, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield every use of jax's internals: imported, as an attribute, or by name at run time."""
    for line, name in imports(path, tree):
        if is_below(name, ("jax._src",)):
            yield line, name
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr="_src"):
                yield node.lineno, ast.unparse(node)
            case ast.Call(args=[_, ast.Constant(value="_src"), *_]) if called(node) == "getattr":
                yield node.lineno, ast.unparse(node)
            case ast.Subscript(slice=ast.Constant(value=str(key))) if is_below(key, ("jax._src",)):
                yield node.lineno, key


def effects(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield calls with side effects that need no import."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        match call.func:
            case ast.Name(id=name) if name in SIDE_EFFECTS:
                yield call.lineno, f"{name}()"
            case ast.Attribute(value=ast.Name(id="builtins"), attr=name) if name in SIDE_EFFECTS:
                yield call.lineno, f"builtins.{name}()"
            case (
                ast.Attribute(value=ast.Name(id="date" | "datetime"), attr=name)
                | ast.Attribute(value=ast.Attribute(attr="date" | "datetime"), attr=name)
            ) if name in CLOCKS:
                yield call.lineno, f"{ast.unparse(call.func)}()"


def violations(path: Path, source: str) -> list[str]:
    """Return the violations in the module at `path`, relative to the checkout."""
    tree = ast.parse(source)
    room = room_of(path)
    wrong = [(line, name) for line, name in imports(path, tree) if not room.admits(name)]
    if INTERNALS not in path.parents:
        wrong += internals(path, tree)
    if room is CORE:
        wrong += effects(tree)
    return [f"{line}: {name}" for line, name in sorted(set(wrong))]


# ---------------------------------------------------------------- the rules


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_module_keeps_to_its_room(path: Path) -> None:
    """Every module imports only what its part may, and only one folder uses jax's internals."""
    assert [] == violations(path, (ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", ["core", "worker", "display"])
def test_every_room_is_read(room: str) -> None:
    """The rules are applied to modules of every part."""
    assert any(path.parts[1] == room for path in MODULES)


# ---------------------------------------------------------------- the rules can fail

PLANTED = {
    "the core reads the environment": ("core/x.py", "import os", ["1: os"]),
    "the core sees the interpreter": ("core/x.py", "import sys", ["1: sys"]),
    "the core asks the clock": ("core/x.py", "from time import monotonic", ["1: time"]),
    "the core opens paths": ("core/x.py", "from pathlib import Path", ["1: pathlib"]),
    "the core starts a process": ("core/x.py", "import subprocess", ["1: subprocess"]),
    "the core imports a submodule": ("core/x.py", "import os.path", ["1: os.path"]),
    "the core draws": ("core/x.py", "from rich.text import Text", ["1: rich.text"]),
    "the core computes with jax": ("core/x.py", "import jax.numpy as jnp", ["1: jax.numpy"]),
    "the core prints": ("core/x.py", "print(1)", ["1: print()"]),
    "the core opens a file": ("core/x.py", "def f():\n    return open('a')", ["2: open()"]),
    "the core opens a file in disguise": (
        "core/x.py",
        "import builtins\nbuiltins.open('a')",
        ["2: builtins.open()"],
    ),
    "the core asks for the date": (
        "core/x.py",
        "import datetime\ndatetime.datetime.now()",
        ["2: datetime.datetime.now()"],
    ),
    "the core asks for today": (
        "core/x.py",
        "from datetime import date\ndate.today()",
        ["2: date.today()"],
    ),
    "the core knows the shell": (
        "core/x.py",
        "from jaxtutor import errors",
        ["1: jaxtutor.errors"],
    ),
    "the core knows the shell, relatively": (
        "core/judging/x.py",
        "from ... import errors",
        ["1: jaxtutor.errors"],
    ),
    "the shell imports jax": ("cli.py", "import jax", ["1: jax"]),
    "the shell imports jax late": ("cli.py", "def f():\n    import jax.numpy", ["2: jax.numpy"]),
    "the shell imports jax for its types": (
        "ui/x.py",
        "if TYPE_CHECKING:\n    from jax import Array",
        ["2: jax.Array"],
    ),
    "the shell imports numpy by name": (
        "ui/x.py",
        "importlib.import_module('numpy')",
        ["1: numpy"],
    ),
    "the shell imports jaxlib by its dunder": ("cli.py", "__import__('jaxlib')", ["1: jaxlib"]),
    "the shell imports the worker": (
        "runner.py",
        "from jaxtutor.worker import stages",
        ["1: jaxtutor.worker.stages"],
    ),
    "the shell imports the worker, relatively": (
        "ui/x.py",
        "from .. import worker",
        ["1: jaxtutor.worker"],
    ),
    "the shell takes a library that was not chosen": ("cli.py", "import attrs", ["1: attrs"]),
    "the worker knows the shell": (
        "worker/x.py",
        "from jaxtutor.storage.workspace import read",
        ["1: jaxtutor.storage.workspace"],
    ),
    "the worker draws": ("worker/x.py", "import rich", ["1: rich"]),
    "internals are imported": (
        "worker/x.py",
        "from jax._src.core import Tracer",
        ["1: jax._src.core"],
    ),
    "internals are imported from jax": ("worker/x.py", "from jax import _src", ["1: jax._src"]),
    "internals are an attribute": (
        "worker/x.py",
        "import jax\njax._src.core.eval_jaxpr",
        ["2: jax._src"],
    ),
    "internals are looked up by name": (
        "worker/x.py",
        "getattr(jax, '_src')",
        ["1: getattr(jax, '_src')"],
    ),
    "internals come out of sys.modules": (
        "worker/x.py",
        "import sys\nsys.modules['jax._src.core']",
        ["2: jax._src.core"],
    ),
}


@pytest.mark.parametrize(
    ("place", "source", "expected"),
    [pytest.param(*case, id=name) for name, case in PLANTED.items()],
)
def test_a_planted_violation_is_reported(place: str, source: str, expected: list[str]) -> None:
    """A violation of each kind is reported with its line."""
    assert expected == violations(Path("jaxtutor", place), source)


ADMITTED = {
    "the core computes": ("core/x.py", "import ast, math, re\nfrom msgspec import Struct"),
    "the core knows itself": ("core/x.py", "from jaxtutor.core.data.positions import Span"),
    "the core knows itself, relatively": ("core/judging/x.py", "from ..data.positions import Span"),
    "a method may be called open": ("core/x.py", "door.open()"),
    "the worker owns jax": ("worker/x.py", "import jax.numpy, numpy, time\nfrom . import values"),
    "one folder reaches internals": ("worker/internals/x.py", "from jax._src import core"),
    "internals may be mentioned": ("worker/x.py", "name.startswith('jax._src.')"),
    "the shell acts": ("ui/x.py", "import os, time, rich.text\nfrom jaxtutor import errors"),
}


@pytest.mark.parametrize(
    ("place", "source"), [pytest.param(*case, id=name) for name, case in ADMITTED.items()]
)
def test_what_a_room_admits_is_not_reported(place: str, source: str) -> None:
    """Permitted imports and calls are not reported."""
    assert [] == violations(Path("jaxtutor", place), source)


# ---------------------------------------------------------------- at run time

REPORT = "import sys; print(*sorted({'jax', 'jaxlib', 'numpy'} & sys.modules.keys()))"


def dotted(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def jax_after(imported: list[str]) -> list[str]:
    """Import modules in a new interpreter and return the modules of jax that this imported."""
    program = "\n".join([*(f"import {name}" for name in imported), REPORT])
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (0, "") == (ran.returncode, ran.stderr)
    return ran.stdout.split()


def test_the_shell_and_the_core_load_no_jax() -> None:
    """Importing every module of the shell and of the core does not import jax or numpy."""
    assert [] == jax_after([dotted(path) for path in MODULES if room_of(path) is not WORKER])


def test_jax_that_was_loaded_is_reported() -> None:
    """A program that imports numpy is distinguished from one that does not."""
    assert ["numpy"] == jax_after(["jaxtutor", "numpy"])
