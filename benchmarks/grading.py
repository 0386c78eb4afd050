"""Owns the figure of `grade`: many submissions side by side against one after another.

    python benchmarks/grading.py [COUNT] [ROUNDS] [local|cluster]

Rounds of both kinds take turns, since other work on the machine comes and goes. The load at the
start of each round is printed with it.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Print each round and the medians."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    kind = sys.argv[3] if len(sys.argv) > 3 else "local"
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder, cluster(kind) as address:
        pile = Path(folder) / "pile"
        fill(pile, count)
        environ = {**os.environ, "JAXTUTOR_HOME": str(Path(folder) / "home")}
        together = ["--scheduler", address] if address else ["--jobs", str(cores)]
        grade(pile, environ, together)  # finds out what the solutions answer, for both
        pairs = []
        for _ in range(rounds):
            load = os.getloadavg()[0]
            one, many = grade(pile, environ, ["--jobs", "1"]), grade(pile, environ, together)
            pairs.append((one, many))
            say(f"one {one:6.1f} s  together {many:6.1f} s  {one / many:.2f} x  load {load:.1f}")
        ratio = statistics.median(one / many for one, many in pairs)
        say(f"{count} submissions, {cores} cores, median {ratio:.2f} x, aim {cores * 0.85:.2f}")


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@contextmanager
def cluster(kind: str) -> Iterator[str]:
    """Run a local cluster of two workers, if that is what is measured."""
    if kind != "cluster":
        yield ""
        return
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield str(made.scheduler_address)


def fill(pile: Path, count: int) -> None:
    """Hand in solutions and mistakes of every lesson in turn, each by another learner."""
    lessons = [path.parent for path in sorted(ROOT.glob("lessons/*/*/solution.py"))]
    sources = [
        (lesson.name, path)
        for lesson in lessons
        for path in (lesson / "solution.py", *sorted(lesson.glob("mistakes/*.py"))[:2])
    ]
    for index in range(count):
        name, path = sources[index % len(sources)]
        place = pile / f"learner{index:03d}" / f"{name}.py"
        place.parent.mkdir(parents=True)
        shutil.copy(path, place)


def grade(pile: Path, environ: dict[str, str], options: list[str]) -> float:
    """Return the seconds that one call takes."""
    started = time.perf_counter()
    command = [sys.executable, "-P", "-m", "jaxtutor", "grade", str(pile), "--plain", *options]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
