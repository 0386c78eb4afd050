"""Tests what other repositories call: the hooks of pre-commit, and the action."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from jaxtutor.cli import run

ROOT = Path(__file__).parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WRONG = "import jax.numpy as jnp\n\nx = jnp.ones(3)\nx.at[0].set(1)\nprint(x)\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one wrong file as the current one, with a home of its own."""
    monkeypatch.setenv("JAXTUTOR_HOME", str(tmp_path / "home"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "model.py").write_text(WRONG)
    return folder


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_reports_what_it_finds(hook: dict[str, Any], project: Path) -> None:
    """The entry of each hook is a command that fails in a project with a mistake."""
    program, *words = shlex.split(hook["entry"])
    assert "jaxtutor" == program
    assert 1 == run(words)
    (project / "model.py").write_text(WRONG.replace("x.at", "x = x.at"))
    assert 0 == run(words)


@pytest.mark.slow
def test_the_action_lints(project: Path) -> None:
    """Its last step runs the command with the words of the inputs, and writes the report."""
    program = project / "tools" / "jaxtutor" / "bin" / "jaxtutor"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m jaxtutor "$@"\n')
    program.chmod(0o755)
    step = ACTION["runs"]["steps"][-1]
    inputs = {name: each["default"] for name, each in ACTION["inputs"].items()}
    inputs |= {"options": "--select at-set-result-dropped", "output": "report.txt"}
    assert {f"${{{{ inputs.{name} }}}}" for name in inputs} == set(step["env"].values())
    given = {name.upper(): value for name, value in inputs.items()}
    environ = {**os.environ, **given, "RUNNER_TEMP": str(project / "tools")}
    environ["PYTHONPATH"] = str(ROOT)
    bash = shutil.which(step["shell"]) or "bash"
    done = subprocess.run([bash, "-e", "-c", step["run"]], env=environ, check=False)
    assert 1 == done.returncode
    assert (project / "report.txt").read_text().startswith("::warning file=model.py,line=4,")
