"""Tests the program that a learner keeps after the project policy."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtutor.content.loading import load_course

PROJECT = load_course(None).find_project("project:policy")
assert PROJECT is not None
PROGRAM = PROJECT.lessons[-1].solution

SEEDS = """
import functools, jax, policy
train = jax.jit(policy.train, static_argnums=(1, 2, 3))
for seed in (1, 2, 3):
    params, _ = train(jax.random.key(seed), 300, 128, 500)
    act = functools.partial(policy.sample, params)
    print(policy.play(act, jax.random.key(9), 200, 500)[2].sum(axis=1).mean())
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Write the program to a folder, and run Python there."""
    (folder / "policy.py").write_text(PROGRAM)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_program_balances_the_pole_within_a_minute(tmp_path: Path) -> None:
    """`python policy.py` draws the learning curve and two episodes, and reports the mean."""
    done = run(tmp_path, "policy.py")
    seconds = re.search(r"300 updates with 128 episodes each, in (\d+)\.\d s", done.stdout)
    mean = re.search(r"balanced for (\d+) of 500 steps", done.stdout)

    assert seconds is not None, done.stderr
    assert mean is not None, done.stdout
    assert int(seconds[1]) < 60
    assert int(mean[1]) > 470
    assert 10 == sum(" |" in line[:8] for line in done.stdout.split("Before")[0].splitlines())
    assert 12 == done.stdout.count("[===]")


@pytest.mark.slow
def test_other_keys_balance_the_pole_too(tmp_path: Path) -> None:
    """Trained with three other keys, the policy balances for 470 of 500 steps on average."""
    done = run(tmp_path, "-c", SEEDS)

    assert [] == [line for line in done.stdout.splitlines() if float(line) < 470], done.stderr
    assert 3 == len(done.stdout.splitlines())
