"""Tries a small disk that is really full, which faults.c only imitates."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trials import Figure, Share
from trials.store import learner
from trials.store.apart import count_held

BLOCK, MOST = 4096, 40
"""Bytes of a block, and a number of blocks that suffices for every command."""


@contextmanager
def small_disk(folder: Path) -> Iterator[Path | None]:
    """Mount a disk in memory. Yield None if that is not permitted."""
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "jaxtutor-trial", str(folder)]
    if not sys.platform.startswith("linux") or shutil.which("mount") is None:
        yield None
        return
    if subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def rooms(share: Share, seed: int) -> Iterator[Figure]:
    """Run each command with no free block, with one, and so on, until it succeeds."""
    del seed
    promise = "a real disk has so many blocks left, from none on, for each command"
    tried, failures, refused = 0, [], 0
    succeeded = set()
    with tempfile.TemporaryDirectory() as folder, small_disk(Path(folder)) as disk:
        if disk is None:
            problem = "a disk cannot be mounted here"
            yield Figure(promise=promise, tried=0, held=0, not_tried=problem)
            return
        home, ballast = disk / "home", disk / "ballast"
        learner.furnish(home)
        before = learner.look(home)
        names = learner.commands(home)
        with tempfile.TemporaryDirectory() as elsewhere:
            furnished = Path(elsewhere) / "furnished"
            shutil.copytree(home, furnished)
            for blocks, name in share.of([(n, name) for n in range(MOST) for name in names]):
                if name in succeeded:
                    continue
                shutil.rmtree(home)
                shutil.copytree(furnished, home)
                free = shutil.disk_usage(disk).free
                ballast.write_bytes(bytes(max(free - blocks * BLOCK, 0)))
                ran = learner.carry_out(home, *names[name])
                ballast.unlink()
                tried += 1
                refused += ran.status == 3
                problems = [ran.problem(), *learner.losses(before, home)]
                again = learner.carry_out(home, *names[name])
                problems.append(again.said if again.status == 3 else again.problem())
                where = f"{name}, {blocks} blocks left"
                failures += [f"{where}: {problem}" for problem in problems if problem]
                if ran.status != 3 and "disk is full" not in ran.said:
                    succeeded.add(name)
    yield Figure(
        promise=promise,
        tried=tried,
        held=count_held(tried, failures),
        detail=f"{refused} ended with status 3",
        failures=tuple(failures[:40]),
    )
