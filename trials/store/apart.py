"""Runs trials that fork, change user, or load faults.c, each in its own process.

python -m trials.store.apart MODULE TRIAL SEED SIZE SHARD SHARDS
"""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, astuple
from pathlib import Path

from trials import Figure, Share
from trials.store.learner import Ran

HERE = Path(__file__).parent


def find_compiler() -> str | None:
    """Return a compiler for faults.c, which works on Linux only, or None."""
    if not sys.platform.startswith("linux"):
        return None
    return shutil.which("cc") or shutil.which("gcc")


def run_apart(
    module: str, trial: str, share: Share, seed: int, faulty: bool = False
) -> Iterator[Figure]:
    """Run a module's trial in its own process, with faults.c loaded if requested.

    If faults.c cannot be compiled, the figure says so and counts no tries.
    """
    compiler = find_compiler()
    if faulty and compiler is None:
        yield Figure(promise=trial, tried=0, held=0, not_tried="no C compiler, or no Linux")
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # a trial may continue as another user
        environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": folder}
        if faulty and compiler is not None:
            library = Path(folder) / "faults.so"
            flags = ["-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "faults.c"), "-ldl"]
            subprocess.run([compiler, *flags], check=True)
            environ["LD_PRELOAD"] = str(library)
        words = [module, trial, str(seed), *map(str, astuple(share))]
        command = [sys.executable, "-m", __name__, *words]
        ran = subprocess.run(command, env=environ, stdout=subprocess.PIPE, check=False, text=True)
    if ran.returncode:
        raise RuntimeError(f"the trial `{trial}` ended with status {ran.returncode}")
    for line in ran.stdout.splitlines():
        figure = json.loads(line)
        yield Figure(**{**figure, "failures": tuple(figure["failures"])})


def in_child(work: Callable[[], Ran]) -> Ran | None:
    """Call a function in a child process. Return None if the child was killed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            ran = work()
            with os.fdopen(write, "w") as pipe:
                json.dump(asdict(ran), pipe)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return Ran(**json.loads(text)) if text else None


def count_held(tried: int, failures: list[str]) -> int:
    """Count the tries that held. A failure starts with the name of its try and a colon."""
    return tried - len({failure.partition(": ")[0] for failure in failures})


def main(arguments: list[str]) -> None:
    """Run a trial and print its figures, one JSON object a line."""
    module, trial, seed, size, shard, shards = arguments
    share = Share(float(size), int(shard), int(shards))
    run = getattr(importlib.import_module(f"trials.store.{module}"), trial)
    for figure in run(share, int(seed)):
        sys.stdout.write(json.dumps(asdict(figure)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
