"""Tries fixes that are called verified, by comparing their results in another way.

The edited and the original script run as `python FILE`, without jaxtutor.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from math import isnan
from pathlib import Path

import msgspec

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.processes.runner import Runner
from jaxtutor.scripts.fix_trials import fix_script
from jaxtutor.scripts.script_check import diagnose_script
from trials import Figure
from trials.fuzz.mutate import LAYOUTS, Random, mutate, parse

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60.0
_PLAINLY = """
import contextlib, io, json, runpy, sys
import jax, numpy as np
jax.config.update("jax_disable_jit", sys.argv[2] == "without")
said = io.StringIO()
with contextlib.redirect_stdout(said):
    names = runpy.run_path(sys.argv[1], run_name="__main__")
found = {}
kinds = jax.Array, np.ndarray, int, float
for name, value in names.items():
    leaves = jax.tree.leaves(value)
    if name[:1] != "_" and leaves and all(isinstance(leaf, kinds) for leaf in leaves):
        with contextlib.suppress(TypeError):
            found[name] = [np.asarray(leaf, float).ravel().tolist() for leaf in leaves]
print(json.dumps([said.getvalue(), found]).replace("NaN", '"nan"').replace("Infinity", '"inf"'))
"""
Answers = tuple[str, dict[str, list[list[float | str]]]]


def run(count: int, first: int = 0) -> Iterator[Figure]:
    """Fix a number of mutated scripts, and compare the results of the verified fixes."""
    runner, causes = Runner(), Library()
    verified, wrong = 0, []
    try:
        for seed in range(first, first + count):
            for made, is_finding in _fixed(seed, runner, causes):
                verified += 1
                problem = _compare(made, without_jit=not is_finding)
                if problem:
                    wrong.append(f"seed {seed}, {made.cause}: {problem}")
    finally:
        runner.close()
    yield Figure(
        promise="a fix called verified gives the answers that the script gives without it",
        tried=verified,
        held=verified - len(wrong),
        detail=f"verified in {count:,} mutated scripts",
        failures=tuple(wrong),
    )


def source_of(seed: int) -> str:
    """Return a script with a mistake, in another layout or mutated."""
    chance = Random(seed)
    paths = sorted(
        [*(ROOT / "tests" / "programs").glob("*.py"), *(ROOT / "tests" / "fixable").glob("*.py")]
    )
    source = chance.choice(paths).read_text()
    if chance.random() < 0.3:
        return mutate(source, chance)
    laid_out = chance.choice(LAYOUTS)(source, chance)
    return laid_out if parse(laid_out) is not None else source


def _fixed(seed: int, runner: Runner, causes: Library) -> Iterator[tuple[Diagnosis, bool]]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "script.py"
        file.write_bytes(source_of(seed).encode())
        made = diagnose_script(runner, causes, file, device="cpu", seconds=20, captured=True)
        if made.status not in ("raised", "found") or not made.sources:
            return
        made = fix_script(made, runner, causes, "cpu")
        for one in (made.diagnosis, *made.findings):
            if one is not None and one.fix is not None and one.fix.verified:
                yield (
                    msgspec.structs.replace(one, file=file.read_bytes().decode()),
                    one is not made.diagnosis,
                )


def _compare(made: Diagnosis, without_jit: bool) -> str:
    """Compare the results of the original script, kept in the diagnosis, with the edited one's."""
    assert made.fix is not None
    wanted = _run_plainly(made.file, "without" if without_jit else "with")
    given = _run_plainly(made.fix.source, "with")
    if isinstance(wanted, str) or isinstance(given, str):
        return f"it ended as {wanted!r:.300} and {given!r:.300}"
    for name, values in wanted[1].items():
        if not _alike(values, given[1].get(name)):
            return f"{name} is {given[1].get(name)!r:.200} and not {values!r:.200}"
    return ""


def _run_plainly(source: str, how: str) -> Answers | str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "script.py"
        file.write_bytes(source.encode())
        command = [sys.executable, "-W", "ignore", "-c", _PLAINLY, str(file), how]
        environ = {**os.environ, "JAX_PLATFORMS": "cpu"}
        ended = subprocess.run(
            command, capture_output=True, timeout=SECONDS, env=environ, check=False, text=True
        )
    if ended.returncode:
        return ended.stderr[-300:]
    answers: Answers = msgspec.json.decode(ended.stdout.splitlines()[-1], type=Answers)
    return answers


def _alike(wanted: list[list[float | str]], given: list[list[float | str]] | None) -> bool:
    if given is None or list(map(len, wanted)) != list(map(len, given)):
        return False
    pairs = [
        (float(a), float(b))
        for x, y in zip(wanted, given, strict=True)
        for a, b in zip(x, y, strict=True)
    ]
    return all(
        a == b or (isnan(a) and isnan(b)) or abs(a - b) <= 1e-3 * abs(a) + 1e-4 for a, b in pairs
    )
