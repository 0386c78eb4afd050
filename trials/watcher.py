"""Owns the trial of the watch: thousands of saves in every way there is, odd files, and its cost.

Each text says which save it is of, and each look that the watch takes is noted. So it can be told
afterwards which saves stood still for two looks and had to be told, and whether what was told was
ever a whole text.
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

from jaxtutor.checking import file_watcher as module
from jaxtutor.checking.file_watcher import FileWatcher
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
from trials import Figure
from trials.saving import SUDDEN, WAYS

SEED = 3
SAVES = 10_000
PROCESSES, DESKS = 4, 5
"""How many processes watch, and how many files each."""
PATIENCE = 30.0
SPACING = (0.005, 0.3)
STILL = 0.1
"""Seconds for which a text must stand to be told on a machine that is not busy."""
STARVED = 0.05
"""A pause between two looks that only a busy machine makes."""
TICKS = {"whole seconds": 1, "two seconds": 2}
FROZEN = "stamps that stand still"
"""A file system that answers from memory: only a look every two seconds reads, so less is seen."""
NOBODY = 65534


@dataclass(frozen=True)
class Save:
    """One save: how, what the file held afterwards, and from when until when it was under way."""

    way: str
    data: bytes
    begun: float
    ended: float


@dataclass(frozen=True)
class Read:
    """A look in which the bytes were read, over at this time."""

    begun: float
    ended: float


@dataclass
class Desk:
    """One file, saved and watched."""

    scene: str
    path: Path
    saves: list[Save] = field(default_factory=list)
    told: list[tuple[float, FileEvent]] = field(default_factory=list)
    reads: list[Read] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def take(self, path: Path, event: FileEvent) -> None:
        """Note what the watch tells."""
        assert path == self.path
        with self.changed:
            self.told.append((time.monotonic(), event))
            self.changed.notify_all()

    def await_(self, is_so: Callable[[list[FileEvent]], bool]) -> bool:
        """Wait until what was told is so."""
        with self.changed:
            return self.changed.wait_for(lambda: is_so([event for _, event in self.told]), PATIENCE)

    def await_last(self, event: FileEvent) -> bool:
        """Wait until this was told last."""
        return self.await_(lambda told: told[-1:] == [event])

    def save(self, way: str, data: bytes) -> None:
        """Save in one of the ways, and note it."""
        begun = time.monotonic()
        data = WAYS[way](self.path, data)
        self.saves.append(Save(way, data, begun, time.monotonic()))


@dataclass
class Seen:
    """What came of a desk's saves, or of many desks'."""

    saves: Counter[str] = field(default_factory=Counter)
    must: int = 0  # stood still for two looks
    still: int = 0  # stood still for STILL
    starved: int = 0  # of those, not told, for the watch got no time to look
    told: int = 0
    torn: int = 0  # pieces that stood still for as long as the design waits
    late: list[float] = field(default_factory=list)  # from the end of a save to its being told
    failures: list[str] = field(default_factory=list)

    def add(self, other: Seen) -> None:
        """Take in what another saw."""
        self.saves += other.saves
        self.must += other.must
        self.still += other.still
        self.starved += other.starved
        self.told += other.told
        self.torn += other.torn
        self.late += other.late
        self.failures += other.failures


def text_of(number: int, chance: random.Random) -> bytes:
    """Return a text of one save, each line of which says which it is."""
    return b"".join(b"x = %06d\n" % number for _ in range(chance.randrange(4, 12)))


# ---------------------------------------------------------------- what is right


def judge(desk: Desk) -> Seen:
    """Say what was told of the desk's saves, and what should have been or should not."""
    seen = Seen()
    seen.saves.update(save.way for save in desk.saves)
    last = {save.data: number for number, save in enumerate(desk.saves)}
    done: set[int] = set()
    newest, before = -1, None
    for when, event in desk.told:
        if isinstance(event, Missing | ReadFailed):
            before = None
            continue
        seen.told += 1
        if event == before:
            seen.failures.append(f"{desk.scene}: told twice in a row: {event.data[:20]!r}")
        before = event
        number = last.get(event.data)
        if number is None:
            if isinstance(event, Saved):
                _judge_torn(desk, seen, when, event.data)
            continue
        first = next(n for n in range(number + 1) if desk.saves[n].data == event.data)
        if number < newest:
            seen.failures.append(f"{desk.scene}: save {number} told after save {newest}")
        newest = max(newest, first)
        done |= set(range(first, number + 1))
        if desk.scene != FROZEN:
            seen.late.append(when - desk.saves[first].ended)
    _judge_untold(desk, seen, done)
    if not desk.told or getattr(desk.told[-1][1], "data", None) != desk.saves[-1].data:
        seen.failures.append(f"{desk.scene}: the last save was not told last")
    return seen


def _judge_torn(desk: Desk, seen: Seen, when: float, data: bytes) -> None:
    """Look whether a part of a text stood still for long enough to be taken for a save."""
    settle = SETTLE if data else SETTLE_EMPTY
    for save in desk.saves:
        is_then = save.begun < when and when - 1.0 < save.ended
        if is_then and save.way not in SUDDEN and save.ended - save.begun >= settle:
            seen.torn += 1
            return
    seen.failures.append(f"{desk.scene}: a text that nobody saved was told: {data[:40]!r}")


def _judge_untold(desk: Desk, seen: Seen, done: set[int]) -> None:
    """Look for saves that were not told though they stood still for two looks."""
    ends = [save.begun for save in desk.saves[1:]] + [float("inf")]
    for number, (save, end) in enumerate(zip(desk.saves, ends, strict=True)):
        reads = [it.ended for it in desk.reads if save.ended <= it.begun and it.ended <= end]
        stood = end - save.ended
        must = bool(reads) and reads[-1] - reads[0] > SETTLE + 0.002
        is_still = stood >= STILL and desk.scene != FROZEN
        seen.must += must
        seen.still += is_still
        if number in done:
            continue
        if must:
            what = f"{save.way}, stood {stood * 1e3:.0f} ms, {len(reads)} looks"
            seen.failures.append(f"{desk.scene}: save {number} ({what}) was not told")
        elif is_still:
            points = [save.ended, *reads, end]
            gaps = [after - before for before, after in pairwise(points)]
            if max(gaps) >= STARVED:
                seen.starved += 1
            else:
                seen.failures.append(f"{desk.scene}: save {number} stood {stood:.3f} s, untold")


# ---------------------------------------------------------------- saves by the thousand


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


def run_desks(seed: int, saves: int, scenes: tuple[str, ...]) -> Seen:
    """Save and watch some files at once, in this process; say what was seen."""
    desks: dict[Path, Desk] = {}
    real_look, real_stamp = module.look, module._stamp

    def look(path: Path, expected: Stamp | None) -> FileState:
        begun = time.monotonic()
        _coarse.scene = desks[path].scene
        seen = real_look(path, expected)
        if isinstance(seen, Content):
            desks[path].reads.append(Read(begun, time.monotonic()))
        return seen

    def stamp(status: os.stat_result) -> Stamp:
        """Tell of a file what a file system with coarse times tells."""
        if _coarse.scene == FROZEN:
            return Stamp(1)
        if step := TICKS.get(_coarse.scene):
            return Stamp(status.st_mtime_ns // (step * 10**9), (status.st_size,))
        return real_stamp(status)

    module.look, module._stamp = look, stamp
    seen = Seen()
    try:
        with (
            tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top,
            ThreadPoolExecutor(len(scenes)) as pool,
        ):
            for number, scene in enumerate(scenes):
                (folder := Path(top, str(number))).mkdir()
                desk = Desk(scene, SCENES[scene](folder))
                desk.path.write_bytes(b"as it was found\n")
                desks[desk.path] = desk
            work = [
                pool.submit(_work_at, desk, random.Random(f"{seed} {number}"), saves)
                for number, desk in enumerate(desks.values())
            ]
            for each in work:
                seen.add(each.result())
    finally:
        module.look, module._stamp = real_look, real_stamp
    return seen


_coarse = threading.local()


def _work_at(desk: Desk, chance: random.Random, saves: int) -> Seen:
    ways = [way for way in WAYS if way != "by_sed"]
    with FileWatcher(desk.path, desk.take):
        assert desk.await_last(InitialContent(b"as it was found\n")), desk.told
        for number in range(saves):
            time.sleep(chance.uniform(*SPACING))
            kind = chance.random()
            if number and chance.random() < 0.05:
                os.utime(desk.path)  # not a save
                time.sleep(chance.uniform(*SPACING))
            if number and kind < 0.05:
                desk.save(chance.choice(["in_place", "rename_over"]), desk.saves[-1].data)
            else:
                way = "by_sed" if kind > 0.98 else chance.choice(ways)
                desk.save(way, text_of(number, chance))
        last = Saved(desk.saves[-1].data)
        desk.await_last(last)
    return judge(desk)


def run_writers(seed: int, saves: int) -> tuple[int, list[str]]:
    """Let two write to one file; count how often the last text told is the one on the disk."""
    chance = random.Random(seed)
    failures = []
    rounds = max(saves // 20, 1)
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top:
        for turn in range(rounds):
            desk = Desk("two writers", Path(top, f"lesson{turn}.py"))
            desk.path.write_bytes(b"as it was found\n")
            with FileWatcher(desk.path, desk.take):
                ways = ("in_place", "rename_over", "emptied_and_slow", "without_truncating")
                pair = chance.choices(ways, k=2)
                writers = [
                    threading.Thread(target=_scribble, args=(desk, way, number * 1000, seed))
                    for number, way in enumerate(pair)
                ]
                for writer in writers:
                    writer.start()
                for writer in writers:
                    writer.join()
                on_disk = desk.path.read_bytes()
                if not desk.await_last(Saved(on_disk)):
                    failures.append(f"{pair}: on the disk {on_disk!r}, told {desk.told[-1:]}")
            told = [event for _, event in desk.told]
            if any(one == other for one, other in pairwise(told)):
                failures.append(f"{pair}: a text was told twice in a row")
    return rounds, failures


def _scribble(desk: Desk, way: str, start: int, seed: int) -> None:
    chance = random.Random(seed + start)
    for number in range(start, start + 10):
        try:
            desk.save(way, text_of(number, chance))
        except FileNotFoundError:  # the other had it away for a moment
            continue
        time.sleep(chance.uniform(0.0, 0.05))


# ---------------------------------------------------------------- what is no file


def _has(is_told: Callable[[FileEvent], bool], told: list[FileEvent]) -> bool:
    return any(map(is_told, told))


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
    """Give up the right to read everything, where this process has it."""
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def run_odd() -> list[str]:
    """Put odd things in the file's place, then a file again; return what went wrong."""
    failures = []
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top:
        for number, (what, (make, is_told)) in enumerate(ODD.items()):
            folder = Path(top, str(number))
            folder.mkdir()
            desk = Desk(what, folder / "lesson.py")
            desk.path.write_bytes(b"as it was found\n")
            with FileWatcher(desk.path, desk.take):
                desk.await_(bool)
                desk.path.unlink()
                make(desk.path)
                if not desk.await_(partial(_has, is_told)):
                    failures.append(f"{what}: told only {desk.told}")
                is_folder = stat.S_ISDIR(desk.path.lstat().st_mode)
                desk.path.rmdir() if is_folder else desk.path.unlink()
                desk.path.write_bytes(b"a file again\n")
                if not desk.await_last(Saved(b"a file again\n")):
                    failures.append(f"{what}: the file that followed was not told: {desk.told}")
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
    """Take the folders away from under the file, and put new ones there."""
    failures = []
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watcher-") as top:
        for number, (what, go) in enumerate(GOING.items()):
            folder = Path(top, str(number), "workspace", "03_error_clinic")
            folder.mkdir(parents=True)
            desk = Desk(what, folder / "lesson.py")
            desk.path.write_bytes(b"as it was found\n")
            with FileWatcher(desk.path, desk.take):
                desk.await_(bool)
                go(desk.path)
                if not desk.await_last(Missing()):
                    failures.append(f"{what}: told {desk.told}")
                folder.mkdir(parents=True)
                desk.path.write_bytes(b"as it was found\n")
                if not desk.await_last(Saved(b"as it was found\n")):
                    failures.append(f"{what}: its return was not told: {desk.told}")
                desk.save("in_place", b"and saved\n")
                if not desk.await_last(Saved(b"and saved\n")):
                    failures.append(f"{what}: a later save was not told: {desk.told}")
    return failures


# ---------------------------------------------------------------- all of it


def run(size: float) -> Iterator[Figure]:
    """Try ten thousand saves times `size`, the odd files, real sessions, and what waiting costs."""
    yield from try_saves(size)
    rounds, failures = run_writers(SEED, round(1000 * size))
    yield _figure("of two writers, what is on the disk is told last", rounds, failures)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), become_nobody) as pool:
        failures = pool.submit(run_odd).result()
    yield _figure("what is no file is said, and a file again is told", len(ODD), failures)
    yield _figure("folders that go and return", len(GOING), run_going())
    from trials import watched_sessions

    yield from watched_sessions.run(size)


def try_saves(size: float) -> Iterator[Figure]:
    """Save in all ways, many files at once."""
    each = max(round(SAVES * size / (PROCESSES * DESKS)), 5)
    names = list(SCENES)
    shares = [
        tuple(names[(process + desk * PROCESSES) % len(names)] for desk in range(DESKS))
        for process in range(PROCESSES)
    ]
    seen = Seen()
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        seeds = range(SEED * 100, SEED * 100 + PROCESSES)
        for found in pool.map(run_desks, seeds, [each] * PROCESSES, shares):
            seen.add(found)
    yield from figures_of(seen)


def figures_of(seen: Seen) -> Iterator[Figure]:
    """Say what the saves came to."""
    late = sorted(seen.late)
    wrong = Counter(_kind(failure) for failure in seen.failures)
    ways = ", ".join(f"{way} {count}" for way, count in sorted(seen.saves.items()))
    yield _figure(
        "a save that stood still for two looks is told, whole, once, in order",
        sum(seen.saves.values()),
        seen.failures,
        f"seed {SEED}; {seen.told} told, {seen.must} had to be; {seen.torn} parts that stood still"
        f" for {SETTLE * 1e3:.0f} ms; {dict(wrong) or 'nothing wrong'}; {ways}",
    )
    yield Figure(
        promise=f"what stands for {STILL:g} s is told",
        tried=seen.still,
        held=seen.still - seen.starved,
        detail=f"{seen.starved} not, as the machine gave the watch no time; from save to told"
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
