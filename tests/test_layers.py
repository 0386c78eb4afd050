"""Tests the order of the package's folders: a folder imports from those below it only.

The order is that of `LAYERS` and, inside `core/`, of `CORE_LAYERS`, the lowest first. An import for
annotations only (`if TYPE_CHECKING`) does not count as a dependency at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "jaxtutor"

LAYERS = (
    "errors options core storage system content processes linting scripts checks watch display"
    " grading app language_server commands session repl cli __main__"
).split()
CORE_LAYERS = (
    "addresses vocabulary data debounce terminal judging diagnosis linting learning reporting"
    " grading repl"
).split()

# `worker` is a program of its own, and `diagnosis` with its `integrations` runs in the user's own
# process. test_rooms.py says what they may import.
APART = ("worker", "diagnosis", "integrations", "__init__")
MOST_IN_ROOT = 8
"""Modules in the package's root: more, and the listing no longer shows the architecture."""


def run_time_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the full name of everything of ours that is imported at run time."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        waiting += ast.iter_child_nodes(node)


def upward(path: Path, source: str) -> list[str]:
    """List the imports of a module, named relative to the package, that go up a layer."""
    parts = path.with_suffix("").parts
    if parts[0] in APART:
        return []
    wrong = []
    for line, name in run_time_imports(ast.parse(source)):
        target = name.split(".")
        if target[0] != "jaxtutor" or len(target) < 2 or target[1].startswith("__version"):
            continue
        within_core = target[1] == parts[0] == "core"
        if is_above(target[1], parts[0], LAYERS) or (
            within_core and is_above(target[2], parts[1], CORE_LAYERS)
        ):
            wrong.append(f"{line}: {name}")
    return wrong


def is_above(target: str, place: str, layers: list[str]) -> bool:
    """Return whether one layer stands above another; a name that is none stands above all."""
    if place not in layers:
        return True
    return target not in layers or layers.index(target) > layers.index(place)


MODULES = sorted(
    inner
    for inner in (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
    if inner.parts[0]
    not in ("template", "lessons")  # data; the wheel has the course in the package
)


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_a_module_imports_from_below(path: Path) -> None:
    """A module imports from its own folder and from those below it only."""
    assert [] == upward(path, (PACKAGE / path).read_text(encoding="utf-8"))


def test_the_root_is_short() -> None:
    """The root holds few modules: the rest is in folders that say what they are."""
    modules = [path for path in MODULES if len(path.parts) == 1 and path.stem != "__init__"]

    assert len(modules) <= MOST_IN_ROOT


@pytest.mark.parametrize(
    ("path", "source", "wrong"),
    [
        ("storage/x.py", "from jaxtutor.display import theme", ["1: jaxtutor.display.theme"]),
        ("checks/x.py", "import jaxtutor.app", ["1: jaxtutor.app"]),
        (
            "core/judging/x.py",
            "from jaxtutor.core.repl import cells",
            ["1: jaxtutor.core.repl.cells"],
        ),
        ("novel/x.py", "from jaxtutor.core.data import wire", ["1: jaxtutor.core.data.wire"]),
        ("commands/x.py", "def f():\n    from jaxtutor import cli", ["2: jaxtutor.cli"]),
        ("commands/x.py", "from jaxtutor.app import App", []),
        ("core/judging/x.py", "from jaxtutor.core.data import wire", []),
        (
            "checks/x.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from jaxtutor.app import App",
            [],
        ),
    ],
)
def test_an_upward_import_is_reported(path: str, source: str, wrong: list[str]) -> None:
    """An import from a folder above is named with its line, wherever it stands."""
    assert wrong == upward(Path(path), source)
