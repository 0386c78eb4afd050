"""Tries damaged progress files: no loss is silent, and the next command works."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path

from trials import Figure, Share
from trials.store import learner
from trials.store.apart import count_held

Spoil = Callable[[Path, random.Random], None]

LOOKING = (
    ("history", learner.LESSON),
    ("stats",),
    ("list",),
    ("review",),
    ("hint", learner.LESSON),
)
"""Commands of which one reads the damaged file first. A check follows."""
PATIENCE = 15.0
"""Seconds after which a command counts as hanging."""


# ---------------------------------------------------------------- kinds of damage


def change_bytes(path: Path, dice: random.Random) -> None:
    """Change bytes at random positions."""
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice([1, 1, 3, 10, 100, 1000])):
        data[dice.randrange(len(data))] = dice.randrange(256)
    path.write_bytes(data)


def change_header(path: Path, dice: random.Random) -> None:
    """Flip a bit of the header, except in the version, because a newer file is refused."""
    data = bytearray(path.read_bytes())
    place = dice.randrange(96)
    data[place if place < 60 else place + 4] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def zero(path: Path, dice: random.Random) -> None:
    """Overwrite a part with zeros, as file systems do after a crash."""
    data = bytearray(path.read_bytes())
    begin = dice.randrange(len(data))
    end = min(len(data), begin + dice.choice([100, 4096, 50_000]))
    data[begin:end] = bytes(end - begin)
    path.write_bytes(data)


def cut(path: Path, dice: random.Random) -> None:
    """Truncate the file."""
    os.truncate(path, dice.randrange(path.stat().st_size))


def swap(path: Path, dice: random.Random) -> None:
    """Swap two pages."""
    data = bytearray(path.read_bytes())
    one, two = dice.sample(range(len(data) // 4096), 2)
    a, b = slice(one * 4096, one * 4096 + 4096), slice(two * 4096, two * 4096 + 4096)
    data[a], data[b] = data[b], data[a]
    path.write_bytes(data)


RANDOM: tuple[Spoil, ...] = (change_bytes, change_bytes, change_header, zero, cut, swap)


def empty(path: Path, _: random.Random) -> None:
    """Leave an empty file, old enough not to be one that is being created."""
    path.write_bytes(b"")
    os.utime(path, (0, 0))


def text(path: Path, dice: random.Random) -> None:
    """Replace the file by text."""
    path.write_bytes(dice.choice([b"x", b"dear diary\n" * 500, b"SQLite format 3\0", b"\0" * 9000]))


def stranger(path: Path, _: random.Random) -> None:
    """Replace the file by another program's database."""
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE attempts (theirs)")
        db.execute("INSERT INTO attempts VALUES (1)")


def folder(path: Path, _: random.Random) -> None:
    """Replace the file by a folder."""
    path.unlink()
    path.mkdir()


def fifo(path: Path, _: random.Random) -> None:
    """Replace the file by a pipe, which blocks a process that opens it to read."""
    path.unlink()
    os.mkfifo(path)


def plug(path: Path, _: random.Random) -> None:
    """Replace the file by a socket."""
    path.unlink()
    with socket.socket(socket.AF_UNIX) as made, suppress(OSError):
        made.bind(str(path))


def device(path: Path, _: random.Random) -> None:
    """Replace the file by a device."""
    path.unlink()
    path.symlink_to("/dev/null")


def circle(path: Path, _: random.Random) -> None:
    """Replace the file by a link to itself."""
    path.unlink()
    path.symlink_to(path.name)


def garbage_ahead(path: Path, dice: random.Random) -> None:
    """Overwrite SQLite's write-ahead log with noise."""
    path.with_name(path.name + "-wal").write_bytes(dice.randbytes(dice.choice([10, 5000, 90_000])))


def garbage_memory(path: Path, dice: random.Random) -> None:
    """Overwrite SQLite's shared-memory file with noise."""
    path.with_name(path.name + "-shm").write_bytes(dice.randbytes(32_768))


def garbage_journal(path: Path, dice: random.Random) -> None:
    """Overwrite SQLite's rollback journal with noise."""
    path.with_name(path.name + "-journal").write_bytes(dice.randbytes(5000))


def foreign_ahead(path: Path, _: random.Random) -> None:
    """Put another file's write-ahead log next to it."""
    with tempfile.TemporaryDirectory() as elsewhere:
        other = Path(elsewhere) / path.name
        written_ahead(other, "theirs", 40)
        shutil.copy(f"{other}-wal", f"{path}-wal")


SPECIAL: tuple[Spoil, ...] = (
    *(empty, text, stranger, folder, fifo, plug, device, circle),
    *(garbage_ahead, garbage_memory, garbage_journal, foreign_ahead),
)

WRITER = """
import os, signal, sys
from datetime import UTC, datetime
from pathlib import Path
from jaxtutor.storage.store import Store
store = Store(Path(sys.argv[1]), "jaxtutor", lambda: datetime.now(UTC), print)
for n in range(int(sys.argv[3])):
    store.record_attempt("safe-clip-positive", source=f"{sys.argv[2]} {n}" * 50, status="failed",
        verdict="{}", device="cpu", jax="0", python="3", seconds=0.1, starter="v")
os.kill(os.getpid(), signal.SIGKILL)
"""


def written_ahead(path: Path, name: str, count: int) -> None:
    """Record attempts in a process that is killed, so that they are only in the write-ahead log."""
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    ran = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False
    )
    assert ran.returncode == -signal.SIGKILL


# ---------------------------------------------------------------- the trials


def damage(share: Share, seed: int) -> Iterator[Figure]:
    """Damage the file in every way, at random positions, and continue."""
    with tempfile.TemporaryDirectory() as place:
        furnished = Path(place) / "furnished"
        furnish(furnished)
        random_ways = {n: RANDOM[n % len(RANDOM)] for n in share.numbers(200)}
        promise = (
            "progress is damaged at random bytes: reported, set aside, and a new one is started"
        )
        yield try_ways(promise, furnished, random_ways, seed)
        special = dict(share.of([*enumerate(it for it in SPECIAL for _ in range(5))]))
        yield try_ways("something else is where progress was", furnished, special, seed)


def furnish(home: Path) -> None:
    """Create a home with enough attempts for several pages."""
    learner.furnish(home)
    with learner.opened(home) as app:
        for n in range(60):
            learner.record(app, learner.LESSON, f"# {n}\n" * 200, "failed")


def try_ways(promise: str, furnished: Path, ways: Mapping[int, Spoil], seed: int) -> Figure:
    """Damage the file in each way and continue. The same seed and number give the same damage."""
    failures, said, rescued = [], 0, []
    before = learner.look(furnished)
    for n, spoil in ways.items():
        home = furnished.with_name("home")
        shutil.copytree(furnished, home)
        spoil(home / "data" / "progress.sqlite3", random.Random(seed * 1000 + n))
        problems, notice, share = meet(home, before, LOOKING[n % len(LOOKING)])
        said += notice
        rescued += [share] if notice else []
        failures += [f"{spoil.__name__} {seed}/{n}: {problem}" for problem in problems]
        shutil.rmtree(home)
    detail = f"{said} noticed and set aside"
    if rescued:
        detail += f", {sum(rescued) / len(rescued):.0%} of their attempts rescued"
    return Figure(
        promise=promise,
        tried=len(ways),
        held=count_held(len(ways), failures),
        detail=detail,
        failures=tuple(failures[:40]),
    )


def meet(home: Path, before: learner.Held, first: tuple[str, ...]) -> tuple[list[str], bool, float]:
    """Run a command on the damage, then a check. Return the faults, reports and remaining data."""
    progress = home / "data" / "progress.sqlite3"
    ran = [carry_out_limited(home, *first), carry_out_limited(home, "check", learner.LESSON)]
    problems = [one.problem() for one in ran]
    notice = any("was damaged" in one.err for one in ran)
    refused = any("annot be" in one.said for one in ran)
    files = {name: data for name, data in learner.own_files(home).items() if name.endswith(".py")}
    if files != {name: data for name, data in before.files.items() if name.endswith(".py")}:
        problems.append("a file of the learner's changed")
    left = 0.0
    if not refused:
        asides = list(progress.parent.glob("progress.damaged-*.sqlite3"))
        if notice != bool(asides):
            problems.append(
                "it was reported, and not set aside" if notice else "it was not reported"
            )
        recorded = _count(progress)
        left = max(recorded - 1, 0) / len(before.rows["attempt"])
        if left < 1 and not notice:
            problems.append(f"{recorded} attempts are left, and it was not reported")
        if recorded == 0:
            problems.append("the next attempt was not recorded")
    return [problem for problem in problems if problem], notice, min(left, 1.0)


def carry_out_limited(home: Path, *arguments: str) -> learner.Ran:
    """Run a command. One that hangs is killed and gets a status that no command has."""

    def stop(*_: object) -> None:
        raise TimeoutError("it hangs")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        return learner.carry_out(home, *arguments)
    except TimeoutError:
        return learner.Ran(-1, "", "it hangs")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _count(progress: Path) -> int:
    with closing(sqlite3.connect(progress)) as db:
        count: int = db.execute("SELECT COUNT(*) FROM attempts").fetchone()[0]
    return count
