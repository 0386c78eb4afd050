"""Tries older progress files, which migrate under any fault, and newer ones, which are refused."""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from trials import Figure, Share
from trials.store import faults, kills, learner
from trials.store.apart import count_held
from trials.store.faults import FULL, FULL_ONCE, ILL, KILL, Fault

FIXTURES = Path(__file__).resolve().parents[2] / "tests" / "data" / "store"
VERSIONS = tuple(sorted(FIXTURES.glob("version-*.sql")))
COMMAND = ("history", learner.LESSON, "--json")


def lay_down(home: Path, fixture: Path) -> learner.Held:
    """Put an older progress file into a home, and return its data."""
    data = home / "data"
    data.mkdir(parents=True)
    with closing(sqlite3.connect(data / "progress.sqlite3", isolation_level=None)) as db:
        db.executescript(fixture.read_text(encoding="utf-8"))
    return read(home)


def read(home: Path) -> learner.Held:
    """Read the data of a home, of any version."""
    with closing(sqlite3.connect(home / "data" / "progress.sqlite3")) as db:
        tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
    missing = frozenset({"reviews", "predictions"}) - tables
    return learner.look(home, missing)


def check_migrated(home: Path, before: learner.Held) -> list[str]:
    """Return the faults after a migration. An interrupted one continues with the next command."""
    from jaxtutor.storage.schema import VERSION

    again = learner.carry_out(home, *COMMAND)
    problems = [again.problem(), again.err, *learner.losses(before, home)]
    with closing(sqlite3.connect(home / "data" / "progress.sqlite3")) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION:
        problems.append(f"it is of version {version}")
    return [problem for problem in problems if problem]


def versions(share: Share, seed: int) -> Iterator[Figure]:
    """Migrate each version: without faults, with each fault at each call, and killed at random."""
    for fault in (None, FULL, FULL_ONCE, ILL, KILL):
        yield _migrate_with(fault, share)
    yield _kill_at_random(share.numbers(100), seed)


def _migrate_with(fault: Fault | None, share: Share) -> Figure:
    tried, failures = 0, []
    exhausted = set()
    calls = range(1, faults.MOST if fault else 2)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        for nth, fixture in share.of([(nth, fixture) for nth in calls for fixture in VERSIONS]):
            if fixture in exhausted:
                continue
            before = lay_down(home, fixture)
            if fault is not None:
                ran, met = faults.carry_out(fault, nth, home, *COMMAND)
            else:
                ran, met = learner.carry_out(home, *COMMAND), True
            if met:
                tried += 1
                problems = [ran.problem() if ran else "", *check_migrated(home, before)]
                where = f"{fixture.stem}, call {nth}"
                failures += [f"{where}: {problem}" for problem in problems if problem]
            else:
                exhausted.add(fixture)
            shutil.rmtree(home)
    name = f"{fault.name} at each call" if fault else "undisturbed"
    return Figure(
        promise=f"an older progress file migrates, {name}",
        tried=tried,
        held=count_held(tried, failures),
        detail=f"{len(VERSIONS)} older versions",
        failures=tuple(failures[:40]),
    )


def _kill_at_random(rounds: Sequence[int], seed: int) -> Figure:
    failures, unfinished = [], 0
    for n in rounds:
        dice = random.Random(f"{seed}-{n}")
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder) / "home"
            before = lay_down(home, VERSIONS[n % len(VERSIONS)])
            ran = kills.kill_within(partial(learner.carry_out, home, *COMMAND), dice)
            unfinished += ran is None
            failures += [f"round {n}: {problem}" for problem in check_migrated(home, before)]
    return Figure(
        promise="an older progress file migrates, killed at a random moment",
        tried=len(rounds),
        held=count_held(len(rounds), failures),
        detail=f"{unfinished} were killed before they had ended; seed {seed}",
        failures=tuple(failures[:40]),
    )


def newer(share: Share, seed: int) -> Iterator[Figure]:
    """Run each command on a file of a newer version. Each must refuse it and leave it unchanged."""
    del seed
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        learner.furnish(home)
        progress = home / "data" / "progress.sqlite3"
        with closing(sqlite3.connect(progress)) as db:
            db.execute("PRAGMA user_version = 99")
            db.execute("CREATE TABLE later (x)")

        def look() -> tuple[bytes, list[Path]]:
            return progress.read_bytes(), sorted(progress.parent.glob("progress*"))

        before = look()
        names = learner.commands(home)
        tried = share.of([*names])
        for name in tried:
            ran = learner.carry_out(home, *names[name])
            if look() != before:
                failures.append(f"{name}: it was touched")
            if problem := ran.problem():
                failures.append(f"{name}: {problem}")
    yield Figure(
        promise="a newer progress file is refused by each command, untouched",
        tried=len(tried),
        held=count_held(len(tried), failures),
        failures=tuple(failures),
    )
