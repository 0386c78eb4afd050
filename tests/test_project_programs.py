"""Tests the programs that a learner keeps after a project."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtutor.content.loading import load_course

COURSE = load_course(None)

Ran = subprocess.CompletedProcess[str]


def program_of(project: str) -> str:
    """Return the whole program: our solution of a project's last step."""
    found = COURSE.find_project(f"project:{project}")
    assert found is not None
    return found.lessons[-1].solution


def run(folder: Path, name: str, *arguments: str, program: str = "") -> Ran:
    """Write a project's program to a folder, and run it there, or Python with arguments."""
    file = folder / f"{name.replace('-', '_')}.py"
    file.write_text(program or program_of(name))
    command = [sys.executable, *(arguments or [file.name])]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


GPT_TRIALS = """
import importlib.util, resource, sys
from pathlib import Path
import numpy as np

spec = importlib.util.spec_from_file_location("tiny_gpt", "tiny_gpt.py")
gpt = importlib.util.module_from_spec(spec)
spec.loader.exec_module(gpt)
params = gpt.init(gpt.jax.random.key(0))
kept = Path("kept.npz")
print(gpt.save(kept, params))
size = kept.stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 15, 1 << 15))
print(gpt.save(kept, params))
print("kept", kept.stat().st_size == size, [it.name for it in Path().glob("*.part")])
gpt.train = lambda *_: (params, np.array([3.7, 3.5, np.nan, np.nan]))
gpt.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of a file")
def test_tiny_gpt_reports_a_full_disk_and_a_loss_that_is_not_finite(
    tmp_path: Path,
) -> None:
    """An earlier checkpoint survives a full disk, and a training that diverges names the step."""
    done = run(tmp_path, "tiny-gpt", "-c", GPT_TRIALS)
    first, second, third = done.stdout.splitlines()

    assert "The parameters are in kept.npz." == first
    assert re.fullmatch(r"The parameters were not saved: .*too large.*", second)
    assert "kept True []" == third
    says = "The training diverged: the loss is not finite at step 3."
    assert (1, says) == (done.returncode, done.stderr.strip().splitlines()[-1])


@pytest.mark.slow
def test_tiny_gpt_trains_within_a_minute(tmp_path: Path) -> None:
    """`python tiny_gpt.py` draws the loss, says how long it took, and writes."""
    done = run(tmp_path, "tiny-gpt")
    found = re.search(r"400 steps in (\d+) s, loss (\d\.\d\d)", done.stdout)

    assert found is not None, done.stderr
    assert int(found[1]) < 60
    assert float(found[2]) < 0.6
    assert 12 == sum(" |" in line for line in done.stdout.splitlines())
    assert "- Alice" in done.stdout
    assert (tmp_path / "tiny_gpt.npz").exists()


POLICY_SEEDS = """
import functools, jax, policy
train = jax.jit(policy.train, static_argnums=(1, 2, 3))
for seed in (1, 2, 3):
    params, _ = train(jax.random.key(seed), 300, 128, 500)
    act = functools.partial(policy.sample, params)
    print(policy.play(act, jax.random.key(9), 200, 500)[2].sum(axis=1).mean())
"""


@pytest.mark.slow
def test_policy_balances_the_pole_within_a_minute(tmp_path: Path) -> None:
    """`python policy.py` draws the learning curve and two episodes, and reports the mean."""
    done = run(tmp_path, "policy")
    seconds = re.search(r"300 updates with 128 episodes each, in (\d+)\.\d s", done.stdout)
    mean = re.search(r"balanced for (\d+) of 500 steps", done.stdout)

    assert seconds is not None, done.stderr
    assert mean is not None, done.stdout
    assert int(seconds[1]) < 60
    assert int(mean[1]) > 470
    assert 10 == sum(" |" in line[:8] for line in done.stdout.split("Before")[0].splitlines())
    assert 12 == done.stdout.count("[===]")


@pytest.mark.slow
def test_policy_balances_the_pole_with_other_keys(tmp_path: Path) -> None:
    """Trained with three other keys, the policy balances for 470 of 500 steps on average."""
    done = run(tmp_path, "policy", "-c", POLICY_SEEDS)

    assert [] == [line for line in done.stdout.splitlines() if float(line) < 470], done.stderr
    assert 3 == len(done.stdout.splitlines())


def decibels(done: Ran) -> dict[str, str]:
    """Return what the program says of each step that it reports."""
    return dict(re.findall(r"step (\d+): (.*) dB", done.stdout))


@pytest.mark.slow
def test_neural_field_trains_continues_and_refuses_a_cut_file(tmp_path: Path) -> None:
    """The fit reaches 36 dB; a run that was stopped continues with the same numbers."""
    whole = run(tmp_path, "neural-field")
    assert 0 == whole.returncode, whole.stderr
    assert float(decibels(whole)["3000"]) > 36
    assert 19 == sum(len(line) == 78 for line in whole.stdout.splitlines())

    checkpoint = tmp_path / "neural_field.npz"
    checkpoint.unlink()
    program = program_of("neural-field")
    stopped = program.replace("STEPS, EVERY = 96, 3000", "STEPS, EVERY = 96, 1000")
    assert stopped != program
    run(tmp_path, "neural-field", program=stopped)
    rest = decibels(run(tmp_path, "neural-field"))
    assert ["1500", "2000", "2500", "3000"] == list(rest)
    assert rest == {step: decibels(whole)[step] for step in rest}

    checkpoint.write_bytes(checkpoint.read_bytes()[:1000])
    refused = run(tmp_path, "neural-field")
    assert (1, "") == (refused.returncode, refused.stdout)
    assert "Delete the file to start again." in refused.stderr
    assert 1000 == checkpoint.stat().st_size
