"""Tests the program that a learner keeps after the project neural-field."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtutor.content.loading import load_course

PROJECT = load_course(None).find_project("project:neural-field")
assert PROJECT is not None
PROGRAM = PROJECT.lessons[-1].solution


def run(folder: Path, program: str = PROGRAM) -> subprocess.CompletedProcess[str]:
    """Write the program to a folder, and run it there."""
    (folder / "neural_field.py").write_text(program)
    command = [sys.executable, "neural_field.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def decibels(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Return what the program says of each step that it reports."""
    return dict(re.findall(r"step (\d+): (.*) dB", done.stdout))


@pytest.mark.slow
def test_the_program_trains_continues_and_refuses_a_cut_file(tmp_path: Path) -> None:
    """The fit reaches 36 dB; a run that was stopped continues with the same numbers."""
    whole = run(tmp_path)
    assert 0 == whole.returncode, whole.stderr
    assert float(decibels(whole)["3000"]) > 36
    assert 19 == sum(len(line) == 78 for line in whole.stdout.splitlines())

    checkpoint = tmp_path / "neural_field.npz"
    checkpoint.unlink()
    run(tmp_path, PROGRAM.replace("STEPS, EVERY = 96, 3000", "STEPS, EVERY = 96, 1000"))
    rest = decibels(run(tmp_path))
    assert ["1500", "2000", "2500", "3000"] == list(rest)
    assert rest == {step: decibels(whole)[step] for step in rest}

    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    refused = run(tmp_path)
    assert (1, "") == (refused.returncode, refused.stdout)
    assert "Delete the file to start again." in refused.stderr
    assert 1000 == checkpoint.stat().st_size
