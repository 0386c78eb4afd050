"""Tries the file watcher: thousands of saves in every way, unusual files, and the cost of waiting.

Each text says which save it belongs to, and each read of the watcher is recorded. This decides
afterwards which saves were visible for two reads and had to be reported, and whether every
reported text was complete.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import stat
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

from jaxtutor.core.debounce import (
    SETTLE,
    SETTLE_EMPTY,
    Content,
    FileEvent,
    FileState,
    InitialContent,
    Missing,
    ReadFailed,
    Saved,
    Stamp,
)
from jaxtutor.storage.workspace import LARGEST
from jaxtutor.watch import file_watcher as module
from jaxtutor.watch.file_watcher import FileWatcher
from trials import Figure, Share
from trials.saving import SUDDEN, WAYS

SEED = 3
SAVES = 10_000
PROCESSES, FILES = 4, 5
"""The number of processes that watch, and of files for each."""
PATIENCE = 30.0
SPACING = (0.005, 0.3)
STILL = 0.1
"""Seconds for which a text must be visible to be reported on an idle machine."""
STARVED = 0.05
"""Seconds between two reads that only a busy machine exceeds."""
TICKS = {"whole seconds": 1, "two seconds": 2}
FROZEN = "stamps that stand still"
"""A file system with cached stamps, where only a read every two seconds finds changes."""
NOBODY = 65534


@dataclass(frozen=True)
class Save:
    """One save: the way, the resulting bytes, and when it began and ended."""

    way: str
    data: bytes
    begun: float
    ended: float


@dataclass(frozen=True)
class Read:
    """One read of the file's bytes by the watcher."""

    begun: float
    ended: float


@dataclass
class WatchedFile:
    """One file with its saves, the watcher's reads and its events."""

    scene: str
    path: Path
    saves: list[Save] = field(default_factory=list)
    events: list[tuple[float, FileEvent]] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def take(self, path: Path, event: FileEvent) -> None:
        """Record an event of the watcher."""
        assert path == self.path
        with self.changed:
            self.events.append((time.monotonic(), event))
            self.changed.notify_all()

    def await_(self, is_so: Callable[[list[FileEvent]], bool]) -> bool:
        """Wait until a condition on the events holds."""
        with self.changed:
            return self.changed.wait_for(
                lambda: is_so([event for _, event in self.events]), PATIENCE
            )

    def await_last(self, event: FileEvent) -> bool:
        """Wait until this is the last event."""
        return self.await_(lambda events: events[-1:] == [event])

    def save(self, way: str, data: bytes) -> None:
        """Save in one of the ways, and record it."""
        begun = time.monotonic()
        data = WAYS[way](self.path, data)
        self.saves.append(Save(way, data, begun, time.monotonic()))


@dataclass
class Tally:
    """The results of the saves of one file or of several."""

    saves: Counter[str] = field(default_factory=Counter)
    must: int = 0  # visible for two reads
    still: int = 0  # visible for STILL
    starved: int = 0  # of those, not reported because the watcher had no time to read
    reported: int = 0
    torn: int = 0  # parts of a text that were visible for as long as the design waits
    late: list[float] = field(default_factory=list)  # seconds from the end of a save to its event
    failures: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the results of another tally."""
        self.saves += other.saves
        self.must += other.must
        self.still += other.still
        self.starved += other.starved
        self.reported += other.reported
        self.torn += other.torn
        self.late += other.late
        self.failures += other.failures


def text_of(number: int, chance: random.Random) -> bytes:
    """Return a text for one save, with the save's number on each line."""
    return b"".join(b"x = %06d\n" % number for _ in range(chance.randrange(4, 12)))


# ---------------------------------------------------------------- judging


def judge(watched: WatchedFile) -> Tally:
    """Compare a file's events with its saves."""
    tally = Tally()
    tally.saves.update(save.way for save in watched.saves)
    last = {save.data: number for number, save in enumerate(watched.saves)}
    done: set[int] = set()
    newest, before = -1, None
    for when, event in watched.events:
        if isinstance(event, Missing | ReadFailed):
            before = None
            continue
        tally.reported += 1
        if event == before:
            tally.failures.append(f"{watched.scene}: reported twice in a row: {event.data[:20]!r}")
        before = event
        number = last.get(event.data)
        if number is None:
            if isinstance(event, Saved):
                _judge_torn(watched, tally, when, event.data)
            continue
        first = next(n for n in range(number + 1) if watched.saves[n].data == event.data)
        if number < newest:
            tally.failures.append(f"{watched.scene}: save {number} reported after save {newest}")
        newest = max(newest, first)
        done |= set(range(first, number + 1))
        if watched.scene != FROZEN:
            tally.late.append(when - watched.saves[first].ended)
    _judge_unreported(watched, tally, done)
    if not watched.events or getattr(watched.events[-1][1], "data", None) != watched.saves[-1].data:
        tally.failures.append(f"{watched.scene}: the last save was not reported last")
    return tally


def _judge_torn(watched: WatchedFile, tally: Tally, when: float, data: bytes) -> None:
    """Check whether a part of a text was visible for long enough to count as a save."""
    settle = SETTLE if data else SETTLE_EMPTY
    for save in watched.saves:
        is_then = save.begun < when and when - 1.0 < save.ended
        if is_then and save.way not in SUDDEN and save.ended - save.begun >= settle:
            tally.torn += 1
            return
    tally.failures.append(
        f"{watched.scene}: a text that was never saved was reported: {data[:40]!r}"
    )


def _judge_unreported(watched: WatchedFile, tally: Tally, done: set[int]) -> None:
    """Find saves that were not reported although they were visible for two reads."""
    ends = [save.begun for save in watched.saves[1:]] + [float("inf")]
    for number, (save, end) in enumerate(zip(watched.saves, ends, strict=True)):
        reads = [it.ended for it in watched.reads if save.ended <= it.begun and it.ended <= end]
        stood = end - save.ended
        must = bool(reads) and reads[-1] - reads[0] > SETTLE + 0.002
        is_still = stood >= STILL and watched.scene != FROZEN
        tally.must += must
        tally.still += is_still
        if number in done:
            continue
        if must:
            what = f"{save.way}, stood {stood * 1e3:.0f} ms, {len(reads)} looks"
            tally.failures.append(f"{watched.scene}: save {number} ({what}) was not reported")
        elif is_still:
            points = [save.ended, *reads, end]
            gaps = [after - before for before, after in pairwise(points)]
            if max(gaps) >= STARVED:
                tally.starved += 1
            else:
                tally.failures.append(
                    f"{watched.scene}: save {number} stood {stood:.3f} s, unreported"
                )


# ---------------------------------------------------------------- thousands of saves


def _plain(folder: Path) -> Path:
    return folder / "lesson.py"


def _link(folder: Path) -> Path:
    (folder / "link.py").symlink_to(folder / "lesson.py")
    return folder / "link.py"


def _linked_folder(folder: Path) -> Path:
    (folder / "real").mkdir()
    (folder / "linked").symlink_to(folder / "real")
    return folder / "linked" / "lesson.py"


SCENES: dict[str, Callable[[Path], Path]] = {
    "a file": _plain,
    "a link": _link,
    "a linked folder": _linked_folder,
    "whole seconds": _plain,
    "two seconds": _plain,
    FROZEN: _plain,
}


def run_files(seed: int, saves: int, scenes: tuple[str, ...]) -> Tally:
    """Save and watch several files at once in this process, and return the results."""
    watched_files: dict[Path, WatchedFile] = {}
    real_look, real_stamp = module.look, module._stamp

    def look(path: Path, expected: Stamp | None) -> FileState:
        begun = time.monotonic()
        _coarse.scene = watched_files[path].scene
        tally = real_look(path, expected)
        if isinstance(tally, Content):
            watched_files[path].reads.append(Read(begun, time.monotonic()))
        return tally

    def stamp(status: os.stat_result) -> Stamp:
        """Return a file's stamp as a file system with coarse times gives it."""
        if _coarse.scene == FROZEN:
            return Stamp(1)
        if step := TICKS.get(_coarse.scene):
            return Stamp(status.st_mtime_ns // (step * 10**9), (status.st_size,))
        return real_stamp(status)

    module.look, module._stamp = look, stamp
    tally = Tally()
    try:
        with (
            tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top,
            ThreadPoolExecutor(len(scenes)) as pool,
        ):
            for number, scene in enumerate(scenes):
                (folder := Path(top, str(number))).mkdir()
                watched = WatchedFile(scene, SCENES[scene](folder))
                watched.path.write_bytes(b"as it was found\n")
                watched_files[watched.path] = watched
            work = [
                pool.submit(_work_at, watched, random.Random(f"{seed} {number}"), saves)
                for number, watched in enumerate(watched_files.values())
            ]
            for each in work:
                tally.add(each.result())
    finally:
        module.look, module._stamp = real_look, real_stamp
    return tally


_coarse = threading.local()


def _work_at(watched: WatchedFile, chance: random.Random, saves: int) -> Tally:
    ways = [way for way in WAYS if way != "by_sed"]
    with FileWatcher(watched.path, watched.take):
        assert watched.await_last(InitialContent(b"as it was found\n")), watched.events
        for number in range(saves):
            time.sleep(chance.uniform(*SPACING))
            kind = chance.random()
            if number and chance.random() < 0.05:
                os.utime(watched.path)  # not a save
                time.sleep(chance.uniform(*SPACING))
            if number and kind < 0.05:
                watched.save(chance.choice(["in_place", "rename_over"]), watched.saves[-1].data)
            else:
                way = "by_sed" if kind > 0.98 else chance.choice(ways)
                watched.save(way, text_of(number, chance))
        last = Saved(watched.saves[-1].data)
        watched.await_last(last)
    return judge(watched)


def run_writers(seed: int, saves: int) -> tuple[int, list[str]]:
    """Let two threads write to one file, and count how often its final bytes are the last event."""
    chance = random.Random(seed)
    failures = []
    rounds = max(saves // 20, 1)
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top:
        for turn in range(rounds):
            watched = WatchedFile("two writers", Path(top, f"lesson{turn}.py"))
            watched.path.write_bytes(b"as it was found\n")
            with FileWatcher(watched.path, watched.take):
                ways = ("in_place", "rename_over", "emptied_and_slow", "without_truncating")
                pair = chance.choices(ways, k=2)
                writers = [
                    threading.Thread(target=_scribble, args=(watched, way, number * 1000, seed))
                    for number, way in enumerate(pair)
                ]
                for writer in writers:
                    writer.start()
                for writer in writers:
                    writer.join()
                on_disk = watched.path.read_bytes()
                if not watched.await_last(Saved(on_disk)):
                    failures.append(
                        f"{pair}: on the disk {on_disk!r}, reported {watched.events[-1:]}"
                    )
            events = [event for _, event in watched.events]
            if any(one == other for one, other in pairwise(events)):
                failures.append(f"{pair}: a text was reported twice in a row")
    return rounds, failures


def _scribble(watched: WatchedFile, way: str, start: int, seed: int) -> None:
    chance = random.Random(seed + start)
    for number in range(start, start + 10):
        try:
            watched.save(way, text_of(number, chance))
        except FileNotFoundError:  # the other writer had it moved away
            continue
        time.sleep(chance.uniform(0.0, 0.05))


# ---------------------------------------------------------------- unusual files


def _has(is_expected: Callable[[FileEvent], bool], events: list[FileEvent]) -> bool:
    return any(map(is_expected, events))


def _as_folder(path: Path) -> None:
    path.mkdir()


def _as_pipe(path: Path) -> None:
    os.mkfifo(path)


def _as_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def _as_circle(path: Path) -> None:
    path.symlink_to(path)


def _as_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _as_socket(path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as end:
        end.bind(str(path))


def _as_secret(path: Path) -> None:
    path.write_bytes(b"secret\n")
    path.chmod(0)


def _as_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 30)


ODD: dict[str, tuple[Callable[[Path], None], Callable[[FileEvent], bool]]] = {
    "a folder": (_as_folder, lambda it: it == ReadFailed("it is not a regular file")),
    "a named pipe": (_as_pipe, lambda it: it == ReadFailed("it is not a regular file")),
    "a device": (_as_device, lambda it: it == ReadFailed("it is not a regular file")),
    "a socket": (_as_socket, lambda it: isinstance(it, ReadFailed)),
    "a link to nothing": (_as_nothing, lambda it: it == Missing()),
    "a link to itself": (_as_circle, lambda it: isinstance(it, ReadFailed)),
    "a file that may not be read": (
        _as_secret,
        lambda it: it == ReadFailed("permission denied"),
    ),
    "1 GiB of nothing": (
        _as_large,
        lambda it: isinstance(it, Saved) and len(it.data) == LARGEST + 1,
    ),
}


def become_nobody() -> None:
    """Drop root's right to read everything, if this process has it."""
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def run_odd() -> list[str]:
    """Replace the file by unusual things and then by a file, and return the failures."""
    failures = []
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top:
        for number, (what, (make, is_expected)) in enumerate(ODD.items()):
            folder = Path(top, str(number))
            folder.mkdir()
            watched = WatchedFile(what, folder / "lesson.py")
            watched.path.write_bytes(b"as it was found\n")
            with FileWatcher(watched.path, watched.take):
                watched.await_(bool)
                watched.path.unlink()
                make(watched.path)
                if not watched.await_(partial(_has, is_expected)):
                    failures.append(f"{what}: reported only {watched.events}")
                is_folder = stat.S_ISDIR(watched.path.lstat().st_mode)
                watched.path.rmdir() if is_folder else watched.path.unlink()
                watched.path.write_bytes(b"a file again\n")
                if not watched.await_last(Saved(b"a file again\n")):
                    failures.append(
                        f"{what}: the file that followed was not reported: {watched.events}"
                    )
    return failures


def _take_folder_away(path: Path) -> None:
    shutil.rmtree(path.parent)


def _move_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))


def _move_everything(path: Path) -> None:
    top = path.parent.parent
    top.rename(top.with_name(top.name + "-moved"))


GOING = {
    "its folder is deleted": _take_folder_away,
    "its folder is moved": _move_folder,
    "the whole workspace is moved": _move_everything,
}


def run_going() -> list[str]:
    """Remove the file's folders and create new ones."""
    failures = []
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top:
        for number, (what, go) in enumerate(GOING.items()):
            folder = Path(top, str(number), "workspace", "03_error_clinic")
            folder.mkdir(parents=True)
            watched = WatchedFile(what, folder / "lesson.py")
            watched.path.write_bytes(b"as it was found\n")
            with FileWatcher(watched.path, watched.take):
                watched.await_(bool)
                go(watched.path)
                if not watched.await_last(Missing()):
                    failures.append(f"{what}: reported {watched.events}")
                folder.mkdir(parents=True)
                watched.path.write_bytes(b"as it was found\n")
                if not watched.await_last(Saved(b"as it was found\n")):
                    failures.append(f"{what}: its return was not reported: {watched.events}")
                watched.save("in_place", b"and saved\n")
                if not watched.await_last(Saved(b"and saved\n")):
                    failures.append(f"{what}: a later save was not reported: {watched.events}")
    return failures


# ---------------------------------------------------------------- everything


def run(share: Share) -> Iterator[Figure]:
    """Try ten thousand saves times `size`, unusual files, real sessions, and waiting."""
    size = share.size
    yield from try_saves(size)
    rounds, failures = run_writers(SEED, round(1000 * size))
    yield _figure("with two writers, the contents on the disk are reported last", rounds, failures)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), become_nobody) as pool:
        failures = pool.submit(run_odd).result()
    yield _figure(
        "something that is not a file is reported, and so is the file that follows",
        len(ODD),
        failures,
    )
    yield _figure("folders that go and return", len(GOING), run_going())
    from trials import watched_sessions

    yield from watched_sessions.run(size)


def try_saves(size: float) -> Iterator[Figure]:
    """Save in all ways, many files at once."""
    each = max(round(SAVES * size / (PROCESSES * FILES)), 5)
    names = list(SCENES)
    shares = [
        tuple(names[(process + watched * PROCESSES) % len(names)] for watched in range(FILES))
        for process in range(PROCESSES)
    ]
    tally = Tally()
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        seeds = range(SEED * 100, SEED * 100 + PROCESSES)
        for found in pool.map(run_files, seeds, [each] * PROCESSES, shares):
            tally.add(found)
    yield from figures_of(tally)


def figures_of(tally: Tally) -> Iterator[Figure]:
    """Return the figures of a tally."""
    late = sorted(tally.late)
    wrong = Counter(_kind(failure) for failure in tally.failures)
    ways = ", ".join(f"{way} {count}" for way, count in sorted(tally.saves.items()))
    yield _figure(
        "a save that is unchanged for two polls is reported whole, once and in order",
        sum(tally.saves.values()),
        tally.failures,
        f"seed {SEED}; {tally.reported} reported, {tally.must} had to be; {tally.torn} parts"
        f" that stood still for {SETTLE * 1e3:.0f} ms; {dict(wrong) or 'nothing wrong'}; {ways}",
    )
    yield Figure(
        promise=f"a save that is unchanged for {STILL:g} s is reported",
        tried=tally.still,
        held=tally.still - tally.starved,
        detail=f"{tally.starved} not, as the machine gave the watch no time; from save to report"
        f" {median(late) * 1e3:.0f} ms, 99 % within {late[len(late) * 99 // 100] * 1e3:.0f} ms,"
        f" at most {late[-1] * 1e3:.0f} ms",
    )


def _kind(failure: str) -> str:
    return failure.partition(": ")[2].rstrip("0123456789 ")[:30]


def _figure(promise: str, tried: int, failures: Iterable[str], detail: str = "") -> Figure:
    found = tuple(failures)
    return Figure(
        promise=promise,
        tried=tried,
        held=max(tried - len(found), 0),
        detail=detail,
        failures=found[:20],
    )
