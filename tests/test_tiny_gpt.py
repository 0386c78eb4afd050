"""Tests the program that a learner keeps after the project tiny-gpt."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from jaxtutor.content.loading import load_course

PROJECT = load_course(None).find_project("project:tiny-gpt")
assert PROJECT is not None
PROGRAM = PROJECT.lessons[-1].solution

TRIALS = """
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


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Write the program to a folder, and run Python there."""
    (folder / "tiny_gpt.py").write_text(PROGRAM)
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of a file")
def test_a_full_disk_and_a_loss_that_is_not_finite_are_reported(tmp_path: Path) -> None:
    """An earlier checkpoint survives a full disk, and a training that diverges names the step."""
    done = run(tmp_path, "-c", TRIALS)
    first, second, third = done.stdout.splitlines()

    assert "The parameters are in kept.npz." == first
    assert re.fullmatch(r"The parameters were not saved: .*too large.*", second)
    assert "kept True []" == third
    says = "The training diverged: the loss is not finite at step 3."
    assert (1, says) == (done.returncode, done.stderr.strip().splitlines()[-1])


@pytest.mark.slow
def test_the_program_trains_within_a_minute(tmp_path: Path) -> None:
    """`python tiny_gpt.py` draws the loss, says how long it took, and writes."""
    done = run(tmp_path, "tiny_gpt.py")
    found = re.search(r"400 steps in (\d+) s, loss (\d\.\d\d)", done.stdout)

    assert found is not None, done.stderr
    assert int(found[1]) < 60
    assert float(found[2]) < 0.6
    assert 12 == sum(" |" in line for line in done.stdout.splitlines())
    assert "- Alice" in done.stdout
    assert (tmp_path / "tiny_gpt.npz").exists()
