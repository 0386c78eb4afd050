"""Tests that the workflows cover what pyproject.toml promises, with the contributors' commands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CI = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def listed(key: str) -> list[str]:
    """Return the distinct values of a key of the matrix, sorted."""
    jobs = re.findall(r"^ +- \{ (.*) \}$", CI, re.MULTILINE)
    values = [re.search(rf"\b{key}: \"?([\w.-]+)", job) for job in jobs]
    return sorted({value[1] for value in values if value})


def test_every_python_is_tried() -> None:
    """The workflow runs the Pythons that the package declares."""
    said = [
        item.rpartition(" ")[2]
        for item in PROJECT["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", item)
    ]
    assert said == listed("python")


def test_every_system_is_tried() -> None:
    """The workflow runs Linux and macOS, which the package declares."""
    assert ["macos", "ubuntu"] == [name.partition("-")[0] for name in listed("os")]


@pytest.mark.parametrize("name", ["jax", "jaxlib"])
def test_the_oldest_jax_is_tried(name: str) -> None:
    """The pinned oldest jax is the declared lower bound."""
    (bound,) = (
        it.partition(";")[0].partition(">=")[2]
        for it in PROJECT["dependencies"]
        if it.startswith(f"{name}>")
    )
    assert f'"{name}=={bound}.0"' in CI


def test_what_is_run_is_what_a_contributor_runs() -> None:
    """The workflow runs the same command as contributors."""
    ours = {"./dev test", "./dev test --slow", "./dev bench --compare", "pipx run nox"}
    assert ours <= set(re.findall(r"run: (.+)", CI))


def test_growth_fails_the_scheduled_run() -> None:
    """A job of the schedule compares the figures, and its failure is one of the workflow."""
    (job,) = (it for it in re.split(r"^  (?=\w+:$)", CI, flags=re.M) if "./dev bench" in it)
    assert "github.event_name == 'schedule'" in job
    assert "- run: ./dev bench --compare\n" in job
    assert "continue-on-error" not in job
