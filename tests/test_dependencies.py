"""Tests that docs/dependencies.md explains every dependency, and that each one is used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGE = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
HEADINGS = " ".join(re.findall(r"^### (.*)$", PAGE, re.MULTILINE)).replace(",", "").split()


def name_of(requirement: str) -> str:
    return re.split(r"[<>=!~\[; ]", requirement)[0]


EXTRAS = PROJECT["optional-dependencies"]
MODULES = {"pyyaml": "yaml"}  # where the module has another name
PROGRAMS = ["bubblewrap"]  # found at run time, not installed from a package index
DECLARED = [name_of(requirement) for requirement in [*PROJECT["dependencies"], *EXTRAS["dask"]]]
TOOLS = [*EXTRAS["dev"], *EXTRAS["bench"], *EXTRAS["libraries"], *EXTRAS["site"]]
FOR_DEVELOPMENT = [name_of(item) for item in TOOLS if name_of(item) != "jaxtutor"]


@cache
def imported() -> set[str]:
    """Return the top-level modules that the package imports."""
    names: set[str] = set()
    for path in (ROOT / "jaxtutor").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module.partition(".")[0])
    return names


def test_every_dependency_has_its_reasons() -> None:
    """The page explains exactly the declared dependencies."""
    assert sorted([*DECLARED, *PROGRAMS]) == sorted(HEADINGS)


@pytest.mark.parametrize("name", DECLARED)
def test_every_dependency_is_used(name: str) -> None:
    """Every declared dependency is imported by the package."""
    assert MODULES.get(name, name) in imported()


@pytest.mark.parametrize("name", FOR_DEVELOPMENT)
def test_every_tool_is_named(name: str) -> None:
    """The page names every tool for development."""
    assert f"**{name}**" in PAGE


def test_no_dependency_is_bound_from_above() -> None:
    """What is installed beside other packages must not hold them back."""
    every = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    bound = [name_of(requirement) for requirement in every if re.search("<|==|~", requirement)]
    assert [] == bound


WITHOUT_COMMAND_LINE = """
import sys

MISSING = "fsrs platformdirs prompt_toolkit psutil tomlkit typer".split()

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in MISSING:
            raise ImportError(name)

sys.meta_path.insert(0, Missing())
import jax, jaxtutor.diagnosis, jaxtutor.integrations.notebook
try:
    jax.jit(lambda x: 1 if x > 0 else 2)(1.0)
except jax.errors.JAXTypeError as error:
    print(jaxtutor.diagnosis.diagnose(error).cause)
"""


def test_the_engine_needs_nothing_of_the_command_line(tmp_path: Path) -> None:
    """A notebook diagnoses where the requirements of the command line are not installed."""
    script = tmp_path / "script.py"
    script.write_text(WITHOUT_COMMAND_LINE, encoding="utf-8")
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)

    assert ran.stdout.strip().startswith("traced-bool-in-"), ran.stderr
