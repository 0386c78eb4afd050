"""Owns the tests of the workflows: they try what pyproject.toml promises, as contributors would."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CI = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def listed(key: str) -> list[str]:
    """Read a list of the matrix."""
    (line,) = re.findall(rf"^ +{key}: \[(.*)\]$", CI, re.MULTILINE)
    return [item.strip().strip('"') for item in line.split(",")]


def test_every_python_is_tried() -> None:
    """The Pythons of the workflow are those that the package says it is for."""
    said = [
        item.rpartition(" ")[2]
        for item in PROJECT["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", item)
    ]
    assert said == listed("python")


def test_every_system_is_tried() -> None:
    """Linux and macOS, as the package says."""
    assert ["ubuntu", "macos"] == [name.partition("-")[0] for name in listed("os")]


@pytest.mark.parametrize("name", ["jax", "jaxlib"])
def test_the_oldest_jax_is_tried(name: str) -> None:
    """What is pinned is the lower bound of what is declared."""
    (bound,) = (
        it.partition(">=")[2] for it in PROJECT["dependencies"] if it.startswith(f"{name}>")
    )
    assert f'"{name}=={bound}.0"' in CI


def test_what_is_run_is_what_a_contributor_runs() -> None:
    """Nothing is checked in one place only."""
    assert {"./dev test -n auto", "./dev test --slow", "pipx run nox"} <= set(
        re.findall(r"run: (.+)", CI)
    )
