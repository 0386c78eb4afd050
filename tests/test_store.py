"""Tests the progress file: what is recorded, and what survives damage, kills and full disks."""

from __future__ import annotations

import hashlib
import os
import random
import resource
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import astuple

from jaxtutor.core.learning.progress import Progress
from jaxtutor.errors import StoreError
from jaxtutor.storage import database, schema
from jaxtutor.storage import store as store_module
from jaxtutor.storage.store import Attempt, SavedFile, Store

START = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


class Ticking:
    """A clock that advances one second each time it is read."""

    def __init__(self) -> None:
        self.now = START - timedelta(seconds=1)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a progress file whose folder does not exist yet."""
    return tmp_path / "data" / "progress.sqlite3"


@pytest.fixture
def notices() -> list[str]:
    """Collect the notices of the store."""
    return []


@pytest.fixture
def store(path: Path, notices: list[str]) -> Iterator[Store]:
    """Open a new store."""
    with Store(path, "jax", Ticking(), notices.append) as opened:
        yield opened


def reopen(path: Path, notices: list[str], course: str = "jax", patience: float = 5.0) -> Store:
    """Open the file again, as another process would."""
    return Store(path, course, Ticking(), notices.append, patience)


def record(store: Store, lesson: str, source: str = "x = 1\n", status: str = "failed") -> int:
    """Record an attempt with default values."""
    return store.record_attempt(
        lesson,
        source=source,
        status=status,
        verdict=f'{{"status": "{status}"}}',
        device="cpu:0",
        jax="0.12.0",
        python="3.13.1",
        seconds=0.25,
        starter="v1",
    )


# ---------------------------------------------------------------- what is recorded


def test_attempts_are_counted_in_each_lesson(store: Store) -> None:
    """Attempt numbers begin at 1 in every lesson."""
    assert [1, 2, 1, 3] == [record(store, lesson) for lesson in ("a", "a", "b", "a")]


def test_an_attempt_keeps_its_facts(store: Store) -> None:
    """An attempt is read back as it was recorded, with its time in UTC."""
    record(store, "a", status="raised")
    found = store.attempt("a", 1)

    assert found is not None
    assert (
        Attempt("a", 1, START, "raised", "cpu:0", "0.12.0", "3.13.1", 0.25, "v1", found.sha256)
        == found
    )
    assert '{"status": "raised"}' == store.verdict(found)


def test_attempts_are_listed_in_order(store: Store) -> None:
    """The attempts of a lesson are listed oldest first, without those of other lessons."""
    for lesson in ("a", "b", "a"):
        record(store, lesson)

    assert [1, 2] == [attempt.n for attempt in store.attempts("a")]


def test_the_first_pass_of_a_lesson_is_reported(store: Store) -> None:
    """The store returns the number of the first attempt that passed, or none."""
    for lesson, status in (
        ("a", "failed"),
        ("b", "raised"),
        ("a", "passed"),
        ("a", "failed"),
        ("a", "passed"),
        ("c", "passed"),
    ):
        record(store, lesson, status=status)
    second = store.attempt("a", 2)
    assert second is not None

    found = store.first_passes()
    assert {"a": 2, "c": 1} == {lesson: n for lesson, (n, _) in found.items()}
    assert second.when == found["a"][1]


def test_an_attempt_that_is_not_there_is_none(store: Store) -> None:
    """An unknown attempt number returns None."""
    record(store, "a")

    assert [None, None, None] == [
        store.attempt("a", 0),
        store.attempt("a", 2),
        store.attempt("b", 1),
    ]


@pytest.mark.parametrize("text", ["x = 1\r\n", "", "é\n", "\ud800", "x" * 100_000])
def test_a_source_comes_back_exactly(store: Store, text: str) -> None:
    """Every source is read back character by character."""
    record(store, "a", text)

    assert text == store.source(store.attempts("a")[0])


def test_a_text_is_kept_once(store: Store, path: Path) -> None:
    """A text that occurs in many attempts and lessons is stored once."""
    for lesson in ("a", "a", "b"):
        record(store, lesson, "same")
    store.keep_source("a", b"same", "reset")

    with closing(sqlite3.connect(path)) as db:
        assert 1 == db.execute("SELECT COUNT(*) FROM sources").fetchone()[0]


def test_a_file_put_away_is_no_attempt(store: Store) -> None:
    """A file that a reset replaced is listed as kept, and does not count as an attempt."""
    store.keep_source("a", b"mine", "reset")
    (kept,) = store.kept("a")

    assert SavedFile("a", 1, START, "reset", kept.sha256) == kept
    assert b"mine" == store.data(kept)
    assert () == store.attempts("a")
    assert {"a": Progress()} == store.progress()


def test_hints_count_once(store: Store) -> None:
    """A hint that is shown again counts once."""
    for rung in (1, 2, 1):
        store.record_hint("a", rung)

    assert (1, 2) == store.hints("a")
    assert {"a": Progress(hints_shown=2)} == store.progress()


def test_progress_of_each_lesson(store: Store) -> None:
    """Progress counts attempts and hints, and records when a lesson first passed."""
    record(store, "a")
    record(store, "b", status="failed")
    record(store, "b", status="passed")
    record(store, "b", status="passed")
    record(store, "b", status="failed")
    store.record_hint("a", 1)

    assert {
        "a": Progress(attempts=1, hints_shown=1),
        "b": Progress(attempts=4, passed_at=START + timedelta(seconds=2)),
    } == store.progress()


def test_progress_reads_indexes_only(store: Store, path: Path) -> None:
    """Progress is read through indexes, without a scan of the attempts."""
    with closing(sqlite3.connect(path)) as db:
        plan = db.execute(f"EXPLAIN QUERY PLAN {store_module.PROGRESS}", ("jax",)).fetchall()

    assert [] == [line for *_, line in plan if "SCAN attempts" in line or "TEMP" in line]
    assert 2 == sum("SEARCH attempts USING" in line for *_, line in plan)


def test_courses_are_apart(store: Store, path: Path, notices: list[str]) -> None:
    """Lessons with the same slug in two courses do not affect each other."""
    record(store, "a")
    store.set_current("a")
    with reopen(path, notices, course="other") as other:
        assert ({}, (), None) == (other.progress(), other.attempts("a"), other.current())


def test_the_current_lesson_is_remembered(store: Store, path: Path, notices: list[str]) -> None:
    """The lesson chosen last is the current lesson, also in the next session."""
    assert store.current() is None
    store.set_current("a")
    store.set_current("b")

    with reopen(path, notices) as other:
        assert "b" == other.current()


def test_a_learner_is_new_until_welcomed(store: Store) -> None:
    """A learner is new until the welcome is recorded; other settings do not matter."""
    store.set_setting("editor", "vim")
    assert store.is_new()
    store.record_welcome()

    assert not store.is_new()


def test_a_learner_of_another_course_is_not_new(
    store: Store, path: Path, notices: list[str]
) -> None:
    """A learner who has opened a lesson of another course is not new."""
    store.set_current("a")

    with reopen(path, notices, course="other") as other:
        assert not other.is_new()


def test_settings_are_remembered(store: Store) -> None:
    """A setting is remembered until it is changed."""
    assert store.setting("editor") is None
    store.set_setting("editor", "vim")
    store.set_setting("editor", "nano")

    assert "nano" == store.setting("editor")


def test_an_event_that_fails_leaves_nothing(store: Store) -> None:
    """An event is recorded completely or not at all."""
    with pytest.raises(UnicodeEncodeError):
        store.record_attempt(
            "a",
            source="new",
            status="\ud800",
            verdict="",
            device="",
            jax="",
            python="",
            seconds=0,
            starter="",
        )

    assert ({}, 1) == (store.progress(), record(store, "a"))


def test_only_a_file_put_away_waits_for_the_disk(store: Store) -> None:
    """Only a file that is about to be overwritten is forced to the disk."""
    said: list[str] = []
    store._file.db.set_trace_callback(said.append)
    record(store, "a")
    assert not [line for line in said if "synchronous" in line]
    store.keep_source("a", b"mine", "before reset")

    assert said.index("PRAGMA synchronous = FULL") < said.index("COMMIT", said.index("COMMIT") + 1)
    assert 1 == store._file.db.execute("PRAGMA synchronous").fetchone()[0]


def test_an_attempt_is_one_event(store: Store) -> None:
    """Recording an attempt also advances an open review and sets the current lesson."""
    store.start_review("a", None)
    begun: list[str] = []
    store._file.db.set_trace_callback(begun.append)
    record(store, "a", status="passed")

    assert 1 == begun.count("BEGIN IMMEDIATE")
    assert ("a", None, 1) == (store.current(), store.open_review("a"), store.reviews()[0].attempts)


def test_a_text_that_was_damaged_is_mended(store: Store) -> None:
    """Recording a text again repairs a damaged first copy."""
    record(store, "a", "mine")
    store._file.db.execute("UPDATE sources SET body = x'00'")
    record(store, "a", "mine")

    assert ["mine", "mine"] == [store.source(attempt) for attempt in store.attempts("a")]


# ---------------------------------------------------------------- versions


def test_the_file_knows_its_version(store: Store, path: Path) -> None:
    """A new file has every migration and the newest version number."""
    with closing(sqlite3.connect(path)) as db:
        assert schema.VERSION == db.execute("PRAGMA user_version").fetchone()[0]


def add_mood(db: sqlite3.Connection) -> None:
    """Act as a migration of a later release."""
    db.execute("ALTER TABLE attempts ADD COLUMN mood TEXT")


def test_the_first_schema_is_brought_up(path: Path, notices: list[str]) -> None:
    """A file of version 1, as the first release wrote it, is upgraded without loss."""
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as old:
        schema.create(old)
        old.execute("INSERT INTO courses VALUES (1, 'jax')")
        old.execute("INSERT INTO lessons VALUES (1, 1, 'a')")
        old.execute("INSERT INTO hints VALUES (1, 2, '2026-01-01T00:00:00+00:00')")
        old.execute("PRAGMA user_version = 1")
        old.commit()

    with reopen(path, notices) as new:
        assert (2,) == new.hints("a")
        assert 1 == new.start_review("a", None).seed
        assert schema.VERSION == new._file.db.execute("PRAGMA user_version").fetchone()[0]
    assert [] == notices


STARTER = "def f(x):\n    pass  # TODO\n"
OWN = ("x = 1\n", "x = 2\n")


def make_version_4(path: Path) -> None:
    """Write a file as version 4 did: opening and resetting a lesson were attempts."""
    path.parent.mkdir(parents=True)
    with closing(sqlite3.connect(path)) as old:
        for migration in schema.MIGRATIONS[:4]:
            migration(old)
        old.execute("INSERT INTO courses VALUES (1, 'jax')")
        old.executemany("INSERT INTO lessons VALUES (?, 1, ?)", [(1, "a"), (2, "b")])
        texts = (STARTER, *OWN)
        keys = [hashlib.sha256(text.encode()).digest() for text in texts]
        for row, (text, key) in enumerate(zip(texts, keys, strict=True), 1):
            old.execute(
                "INSERT INTO sources VALUES (?, ?, ?)", (row, key, zlib.compress(text.encode()))
            )
        # Lesson a: opened, saved, reset, saved and passed. Lesson b: opened only.
        tries = [(1, 1, 1, "failed"), (1, 2, 2, "raised"), (1, 3, 1, "failed"), (1, 4, 3, "passed")]
        for row, (lesson, n, source, status) in enumerate([*tries, (2, 1, 1, "failed")], 1):
            made_at = f"2026-05-04T03:0{row}:00.000+00:00"
            facts = (row, lesson, n, source, made_at, status, "{}", "cpu", "0.12", "3.13", 0.1)
            starter = hashlib.sha256(STARTER.encode()).hexdigest()[:12]
            old.execute(f"INSERT INTO attempts VALUES ({'?, ' * 11}?)", (*facts, starter))
        times = ("2026-05-04T03:03:00.000+00:00", "2026-05-04T03:04:00.000+00:00")
        old.execute("INSERT INTO reviews VALUES (1, 1, 1, 1, ?, NULL, ?, 2, 1)", times)
        old.execute("PRAGMA user_version = 4")
        old.commit()


def test_an_unchanged_starter_is_no_longer_an_attempt(path: Path, notices: list[str]) -> None:
    """Version 5 counts and numbers only what the learner wrote, and keeps every text and time."""
    make_version_4(path)

    with reopen(path, notices) as new:
        attempts = new.attempts("a")
        assert [(1, "raised"), (2, "passed")] == [(it.n, it.status) for it in attempts]
        assert list(OWN) == [new.source(it) for it in attempts]
        assert (2, 0) == (new.progress()["a"].attempts, new.progress()["b"].attempts)
        assert 2 == new.first_passes()["a"][0]
        assert [1] == [review.attempts for review in new.reviews()]
        assert 3 == record(new, "a")
        moved = new._file.ask("SELECT lesson, n, made_at FROM openings ORDER BY id")
    assert [(1, 1), (1, 3), (2, 1)] == [(lesson, n) for lesson, n, _ in moved]
    assert [] == notices


def test_a_reason_that_was_not_always_true_is_not_repeated(store: Store) -> None:
    """Earlier versions stored this reason for texts that nobody had saved."""
    store.keep_source("a", b"x = 1", "saved again before it was checked")

    assert ["not checked"] == [kept.reason for kept in store.kept("a")]


def test_an_unchanged_starter_of_a_damaged_file_is_no_attempt(
    path: Path, notices: list[str]
) -> None:
    """What is carried over from a damaged file of version 4 is counted as in a sound one."""
    make_version_4(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE stray (x)")

    with reopen(path, notices) as new:
        assert [1, 2] == [it.n for it in new.attempts("a")]
    assert 1 == len(notices)


def test_migrations_keep_what_was_recorded(
    monkeypatch: pytest.MonkeyPatch, path: Path, notices: list[str]
) -> None:
    """A file of an older version is upgraded step by step, without loss."""
    with reopen(path, notices) as old:
        record(old, "a")
    newer = (*schema.MIGRATIONS, add_mood)
    monkeypatch.setattr(schema, "MIGRATIONS", newer)
    monkeypatch.setattr(schema, "VERSION", len(newer))

    with reopen(path, notices) as new:
        assert 1 == new.progress()["a"].attempts
        assert len(newer) == new._file.db.execute("PRAGMA user_version").fetchone()[0]


def test_a_migration_that_fails_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, path: Path, notices: list[str]
) -> None:
    """A migration and its version number are committed in one transaction."""

    def stumble(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE attempts ADD COLUMN mood TEXT")
        raise ZeroDivisionError

    with reopen(path, notices) as old:
        record(old, "a")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, stumble))
        patch.setattr(schema, "VERSION", schema.VERSION + 1)
        with pytest.raises(ZeroDivisionError):
            reopen(path, notices)

    with reopen(path, notices) as again:
        assert 9 == len(astuple(again.attempts("a")[0])) - 1
        assert "mood" not in str(again._file.ask("SELECT sql FROM sqlite_master"))


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_a_version_that_does_not_fit_the_tables_is_damage(
    path: Path, notices: list[str], version: int
) -> None:
    """Such a file is set aside and its content carried over."""
    with reopen(path, notices) as store:
        record(store, "a")
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {version}")

    with reopen(path, notices) as again:
        assert 1 == again.progress()["a"].attempts
    assert 1 == len(notices)


def test_a_dangling_link_is_named(path: Path, notices: list[str]) -> None:
    """A link to nothing in the file's place is not a matter of permissions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(path.parent / "nowhere" / "progress.sqlite3")

    with pytest.raises(StoreError, match=r"is a link to .*nowhere.*, which does not exist"):
        reopen(path, notices)


@pytest.mark.parametrize("hidden", [False, True], ids=["in the file", "in its journal"])
def test_a_newer_file_is_refused(path: Path, notices: list[str], hidden: bool) -> None:
    """A file of a newer jaxtutor is refused, and no byte of it changes."""
    with reopen(path, notices) as store:
        record(store, "a")
        if hidden:
            store._file.db.execute("PRAGMA user_version = 99")
            before = path.read_bytes()
            with pytest.raises(StoreError, match="newer jaxtutor"):
                reopen(path, notices)
            assert before == path.read_bytes()
            return
        store._file.db.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer jaxtutor") as caught:
        reopen(path, notices)

    assert "Upgrade" in caught.value.remedy
    assert (before, ["progress.sqlite3"]) == (
        path.read_bytes(),
        [p.name for p in path.parent.iterdir()],
    )


# ---------------------------------------------------------------- damage


def asides(path: Path) -> list[Path]:
    """Return the files that were set aside, without their journals."""
    return sorted(path.parent.glob("*.damaged-*.sqlite3"))


def test_a_file_that_is_no_database_is_set_aside(path: Path, notices: list[str]) -> None:
    """A file that is not a database is set aside under a dated name and reported."""
    path.parent.mkdir()
    path.write_bytes(b"not a database at all, but long enough to be taken for one" * 100)
    before = path.read_bytes()

    with reopen(path, notices) as store:
        assert 1 == record(store, "a")

    assert ["progress.damaged-2026-05-04T03-02-01.sqlite3"] == [p.name for p in asides(path)]
    assert before == asides(path)[0].read_bytes()
    assert "progress.damaged-2026-05-04T03-02-01.sqlite3" in notices[0]


def test_two_damaged_files_in_a_second_are_both_kept(path: Path, notices: list[str]) -> None:
    """Two damaged files in one second get different names."""
    path.parent.mkdir()
    for text in (b"one", b"two"):
        path.write_bytes(text * 1000)
        reopen(path, notices).close()

    assert [b"one" * 1000, b"two" * 1000] == sorted(p.read_bytes() for p in asides(path))


def test_a_stranger_is_set_aside(path: Path, notices: list[str]) -> None:
    """A database of another program is not written to."""
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE attempts (theirs)")

    with reopen(path, notices) as store:
        assert 1 == record(store, "a")
    with closing(sqlite3.connect(asides(path)[0])) as db:
        assert [("attempts",)] == db.execute("SELECT name FROM sqlite_master").fetchall()


def middle_page(store: Store) -> int:
    """Return a page that holds some attempts, neither the first nor the last ones."""
    pages = store._file.ask(
        "SELECT pageno FROM dbstat WHERE name = 'attempts' AND pagetype = 'leaf' ORDER BY path"
    )
    page: int = pages[len(pages) // 2][0]
    return page


def test_what_can_be_read_is_carried_over(path: Path, notices: list[str]) -> None:
    """A damaged page in the middle loses its own rows only."""
    with reopen(path, notices) as store:
        for n in range(300):
            record(store, "a", f"x = {n}\n")
        store.set_current("a")
        leaf = middle_page(store)
        size = store._file.ask("PRAGMA page_size")[0][0]
    with path.open("r+b") as file:
        file.seek((leaf - 1) * size)
        file.write(b"\xff" * size)

    with reopen(path, notices) as store:
        store.attempts("a")
        found = store.attempts("a")

        assert 200 < len(found) < 300
        assert [f"x = {entry.n - 1}\n" for entry in found] == [store.source(e) for e in found]
        assert "a" == store.current()
        assert 301 == record(store, "a")
    assert 1 == len(notices) == len(asides(path))


@pytest.mark.parametrize("seed", range(40))
def test_any_damage_is_survived(path: Path, notices: list[str], seed: int) -> None:
    """After any damage to the file's bytes, the next one is recorded and damage is reported."""
    with reopen(path, notices) as store:
        for n in range(30):
            record(store, "a", f"x = {n}\n" * 50)
    dice = random.Random(seed)
    damage(path, dice)

    with reopen(path, notices) as store:
        n = record(store, "a", "after")
        for entry in store.attempts("a"):
            try:
                store.source(entry)
            except StoreError:
                continue
        store.progress()
        last = store.attempt("a", n) or store.attempts("a")[-1]

        assert "after" == store.source(last)
    assert len(notices) == len(asides(path))


def damage(path: Path, dice: random.Random) -> None:
    """Damage a file as a bad disk does: noise, zeros, a cut, a page in the wrong place."""
    data = bytearray(path.read_bytes())
    kind = dice.choice(["noise", "zeros", "cut", "swap", "header"])
    begin = dice.randrange(len(data))
    if kind == "noise":
        for _ in range(dice.choice([1, 10, 500])):
            data[dice.randrange(len(data))] = dice.randrange(256)
    elif kind == "zeros":
        data[begin : begin + 5000] = bytes(len(data[begin : begin + 5000]))
    elif kind == "cut":
        del data[begin:]
    elif kind == "swap":
        data[4096:8192], data[8192:12288] = data[8192:12288], data[4096:8192]
    else:
        place = dice.randrange(96)  # but keep the version, because a newer file is refused
        data[place if place < 60 else place + 4] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def test_a_session_follows_a_file_set_aside(path: Path, notices: list[str]) -> None:
    """When another terminal sets the file aside, a session continues in the new file."""
    with reopen(path, notices) as one:
        record(one, "a")
        path.rename(path.with_name("aside"))
        with reopen(path, notices) as two:
            assert [1, 2] == [record(two, "b"), record(one, "b")]


def cut_last_page(path: Path) -> int:
    """Cut off a file's last page; return its size."""
    data = path.read_bytes()
    page = int.from_bytes(data[16:18], "big")
    path.write_bytes(data[:-page])
    return page


def test_a_file_without_its_last_page_loses_no_other(path: Path, notices: list[str]) -> None:
    """What is on the pages that are there is carried over, and the notice names what is missing."""
    with reopen(path, notices) as store:
        for n in range(40):
            record(store, "a", f"x = {n}\n" * 200)
        store.set_setting("editor", "vim")
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("CREATE TABLE last (x)")  # whose page is then the last, and no row is on it
    page = cut_last_page(path)

    with reopen(path, notices) as store:
        found = [attempt.n for attempt in store.attempts("a")]
        editor = store.setting("editor")

    assert (list(range(1, 41)), "vim") == (found, editor)
    assert f"its last {page} bytes are missing" in notices[0]
    assert "are in it: 40." in notices[0]


def test_damage_met_by_two_is_set_aside_once(path: Path, notices: list[str]) -> None:
    """A second process that finds the damage uses the new file and leaves it in place."""
    with reopen(path, notices) as one, reopen(path, notices) as two:
        for store in (one, two):
            store._file.db.close()
        one._file.begin_anew(schema.Damaged("met by one"))
        record(one, "a")
        two._file.begin_anew(schema.Damaged("met by two"))

        assert 2 == record(two, "a")
    assert 1 == len(asides(path)) == len(notices)


def test_a_file_taken_away_is_begun_anew(store: Store, path: Path, notices: list[str]) -> None:
    """An event after the file was removed is recorded in a new file, and the loss is reported."""
    record(store, "a")
    path.rename(path.with_name("elsewhere"))

    assert 1 == record(store, "a")
    assert path.exists()
    assert "moved or replaced" in notices[0]


@pytest.mark.parametrize("data", [b"", b"x", b"SQLite format 3\0" + bytes(99)])
def test_a_file_that_is_almost_empty_is_reported(
    path: Path, notices: list[str], data: bytes
) -> None:
    """A file that lost almost all of its bytes is reported, although SQLite accepts it as new."""
    path.parent.mkdir()
    path.write_bytes(data)
    os.utime(path, (0, 0))
    reopen(path, notices).close()

    assert [data] == [aside.read_bytes() for aside in asides(path)]
    assert "was damaged" in notices[0]


def test_a_new_file_that_another_terminal_is_making_is_no_damage(
    path: Path, notices: list[str]
) -> None:
    """A file that another terminal has just created, and that is still empty, is not damaged."""
    path.parent.mkdir()
    path.touch()
    reopen(path, notices).close()

    assert not notices
    assert not asides(path)


def test_a_text_that_is_no_text_is_damage(path: Path, notices: list[str]) -> None:
    """An error that Python's sqlite3 raises without an SQLite code is treated as damage."""
    with reopen(path, notices) as store:
        record(store, "a")
        store._file.db.execute("PRAGMA writable_schema = ON")
        store._file.db.execute(
            "UPDATE sqlite_master SET sql = sql || CAST(x'202d2dff' AS TEXT) WHERE name = 'hints'"
        )
    with reopen(path, notices) as store:
        assert 1 == len(store.attempts("a"))

    assert 1 == len(notices) == len(asides(path))


def test_what_was_written_ahead_of_another_file_is_not_taken(
    path: Path, notices: list[str], tmp_path: Path
) -> None:
    """A journal that belongs to a replaced file is not applied to its replacement."""
    with reopen(path, notices) as store:
        record(store, "a", "mine")
    other = tmp_path / "other" / path.name
    with reopen(other, notices) as store:
        for _ in range(3):
            record(store, "b", "theirs")
        path.with_name(f"{path.name}-wal").write_bytes(
            other.with_name(f"{path.name}-wal").read_bytes()
        )

    with reopen(path, notices) as store:
        assert ["mine"] == [store.source(attempt) for attempt in store.attempts("a")]
        assert () == store.attempts("b")
    assert "another file's journal" in notices[0]


def test_a_rescue_without_room_goes_on_when_there_is(path: Path, notices: list[str]) -> None:
    """If a rescue ran out of disk space, the readable rows are copied once there is space."""
    with reopen(path, notices) as store:
        for n in range(300):
            record(store, "a", f"x = {n}\n" * 50)
        leaf, size = middle_page(store), store._file.ask("PRAGMA page_size")[0][0]
    with path.open("r+b") as file:
        file.seek((leaf - 1) * size)
        file.write(b"\xff" * size)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        with pytest.raises(StoreError, match="disk"):
            reopen(path, notices)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [] == notices

    with reopen(path, notices) as store:
        assert 200 < len(store.attempts("a")) < 300
    assert 1 == len(notices) == len(asides(path))


def test_a_source_that_changed_is_not_shown(store: Store, path: Path) -> None:
    """A source that differs from what was recorded raises an error."""
    record(store, "a", "right")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE sources SET body = ?", (b"wrong",))

    with pytest.raises(StoreError, match="damaged or missing"):
        store.source(store.attempts("a")[0])


# ---------------------------------------------------------------- what the system refuses


def test_a_locked_file_is_reported(store: Store, path: Path, notices: list[str]) -> None:
    """A file that another program locks for too long is reported, and nothing is recorded."""
    with reopen(path, notices, patience=0.01) as other:
        store._file.db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="locked"):
            record(other, "a")
        store._file.db.execute("ROLLBACK")

        assert 1 == record(other, "a")


def test_a_full_disk_is_reported(store: Store) -> None:
    """An attempt that does not fit on the disk is reported; later ones that fit are recorded."""
    record(store, "a")
    pages = store._file.db.execute("PRAGMA page_count").fetchone()[0]
    store._file.db.execute(f"PRAGMA max_page_count = {pages}")
    text = "".join(map(chr, random.Random(0).choices(range(0x4E00, 0x9FFF), k=100_000)))
    with pytest.raises(StoreError, match="the disk is full"):
        record(store, "a", text)

    assert [1] == [attempt.n for attempt in store.attempts("a")]


def test_a_write_cut_short_is_reported(store: Store) -> None:
    """A write that the system cuts short is reported, and earlier rows are unchanged."""
    record(store, "a")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(StoreError, match="disk"):
            record(store, "a", "more")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert 1 == len(store.attempts("a"))
    assert 2 == record(store, "a", "more")


def test_a_read_only_file_is_reported(store: Store) -> None:
    """A file that cannot be written can still be read."""
    record(store, "a")
    store._file.db.execute("PRAGMA query_only = ON")

    with pytest.raises(StoreError, match="read-only"):
        record(store, "a")
    assert 1 == len(store.attempts("a"))


def test_a_folder_in_the_way_is_reported(path: Path, notices: list[str]) -> None:
    """A folder with the file's name is named in the error."""
    path.mkdir(parents=True)

    with pytest.raises(StoreError, match="not a regular file") as caught:
        reopen(path, notices)
    assert "JAXTUTOR_HOME" in caught.value.remedy


def test_a_file_in_the_way_of_the_folder_is_reported(path: Path, notices: list[str]) -> None:
    """A file in place of the data folder is an error of the environment."""
    path.parent.write_text("in the way")

    with pytest.raises(StoreError, match="cannot be used"):
        reopen(path, notices)


def test_without_shared_memory_the_store_works(
    monkeypatch: pytest.MonkeyPatch, path: Path, notices: list[str]
) -> None:
    """Without write-ahead logging, the store uses the older journal."""
    monkeypatch.setattr(database, "_prefer_wal", lambda db: None)
    with reopen(path, notices) as store:
        record(store, "a")
        assert "delete" == store._file.db.execute("PRAGMA journal_mode").fetchone()[0]

        assert [1] == [attempt.n for attempt in store.attempts("a")]


# ---------------------------------------------------------------- other processes

CHILD = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from jaxtutor.storage.store import Store

with Store(Path(sys.argv[1]), "jax", lambda: datetime.now(UTC), print) as store:
    for k in range(int(sys.argv[3])):
        text = f"{sys.argv[2]} {k}"
        n = store.record_attempt("a", source=text, status="failed", verdict="{}", device="cpu",
                                 jax="0", python="3", seconds=0.1, starter="v")
        print(n, text, flush=True)
"""


@pytest.fixture
def spawn(path: Path) -> Callable[[str, int], subprocess.Popen[str]]:
    """Start a process that records attempts in a loop and prints each one once acknowledged."""

    def start(name: str, count: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", CHILD, path, name, str(count)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )

    return start


def recorded(path: Path, notices: list[str]) -> dict[int, str]:
    """Return the text of each attempt by number."""
    with reopen(path, notices) as store:
        return {attempt.n: store.source(attempt) for attempt in store.attempts("a")}


def test_two_terminals_at_once(
    path: Path, notices: list[str], spawn: Callable[[str, int], subprocess.Popen[str]]
) -> None:
    """Two processes that create the file at once record all of their attempts, each number once."""
    children = [spawn(name, 50) for name in ("one", "two")]
    lines = [line for child in children for line in child.communicate()[0].splitlines()]

    said = {int(n): text for n, text in (line.split(" ", 1) for line in lines)}
    assert 100 == len(lines)
    assert said == recorded(path, notices)


def test_a_kill_loses_nothing(
    path: Path, notices: list[str], spawn: Callable[[str, int], subprocess.Popen[str]]
) -> None:
    """After kill -9 at any moment every acknowledged attempt is there and the file is valid."""
    dice = random.Random(5)
    said: dict[int, str] = {}
    for round_ in range(12):
        child = spawn(f"round {round_}", 1_000_000)
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(dice.random() / 10)
        child.kill()
        for line in [first, *child.stdout]:
            n, _, text = line.rstrip("\n").partition(" ")
            if line.endswith("\n"):
                said[int(n)] = text
        child.wait()
        child.stdout.close()
    found = recorded(path, notices)

    assert said == {n: found.get(n) for n in said}
    assert 12 <= len(said) <= len(found)
    assert [] == notices
    with closing(sqlite3.connect(path)) as db:
        assert [("ok",)] == db.execute("PRAGMA integrity_check").fetchall()


def test_importing_the_store_is_cheap() -> None:
    """Importing the store does not import sqlite3, which is imported when a store is opened."""
    code = "import sys, jaxtutor.storage.store; print('sqlite3' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )

    assert "False\n" == done.stdout
