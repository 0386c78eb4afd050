"""Owns the tests of the decision when a file was saved: no files, no clocks."""

from __future__ import annotations

import pytest

from jaxtutor.core.debounce import (
    COARSE,
    GRACE,
    PAUSES,
    REREAD,
    SETTLE,
    SETTLE_EMPTY,
    Absent,
    Content,
    Debouncer,
    FileEvent,
    FileState,
    InitialContent,
    Missing,
    ReadFailed,
    Saved,
    Stamp,
    Unchanged,
    Unreadable,
)

TICK = SETTLE
GONE = Absent()
DENIED = Unreadable("permission denied")


def was(text: str, stamp: int = 1) -> Content:
    """Look at a file with this text."""
    return Content(Stamp(stamp), text.encode())


def play(
    settling: Debouncer, *looks: tuple[FileState, float], begin: float = 100.0
) -> list[FileEvent]:
    """Take each look again and again for its seconds, and return what was told."""
    told = []
    now = begin
    for look, seconds in looks:
        for _ in range(max(1, round(seconds / TICK))):
            now += TICK
            event = settling.observe(now, look)
            if event:
                told.append(event)
    return told


def saves(*texts: str) -> list[FileEvent]:
    """Return the events of these saves."""
    return [Saved(text.encode()) for text in texts]


def found(text: str, *texts: str) -> list[FileEvent]:
    """Return the events of a file that is found, and of the saves that follow."""
    return [InitialContent(text.encode()), *saves(*texts)]


def test_the_first_bytes_are_told() -> None:
    """Without anything known, the file as it is found is told, once."""
    assert found("a") == play(Debouncer(), (was("a"), 1.0))


def test_the_first_save_is_told_though_it_changes_nothing() -> None:
    """Who saves a file for the first time waits for an answer; a second time changes nothing."""
    looks = [(was("a", n), 0.1) for n in range(4)]

    assert found("a", "a") == play(Debouncer(), *looks)


def test_a_save_of_known_bytes_is_not_told() -> None:
    """What was dealt with before the watch began is no news, the first time either."""
    assert [] == play(Debouncer(b"a"), (was("a", 1), 0.1), (was("a", 2), 0.1))


def test_what_only_surrounds_the_bytes_is_no_save() -> None:
    """Another mode, owner or link, which leaves the time of writing, saves nothing."""
    looks = [(Content(Stamp(1, (n,)), b"a"), 0.1) for n in range(3)]

    assert found("a") == play(Debouncer(), *looks)


def test_a_first_save_in_two_steps_is_told_once() -> None:
    """Emptied and filled with the bytes of old: that is one save."""
    looks = (was("a"), 0.1), (was("", 2), SETTLE_EMPTY / 2), (was("a", 3), 1.0)

    assert found("a", "a") == play(Debouncer(), *looks)


def test_a_file_that_returns_was_saved() -> None:
    """A file made again after that was told is not found but saved, and once is enough."""
    looks = (was("a"), 0.1), (GONE, 1.0), (was("a", 2), 0.1), (was("a", 3), 0.1)

    assert [*found("a"), Missing(), *saves("a")] == play(Debouncer(), *looks)


def test_known_bytes_are_not_told() -> None:
    """Bytes that were dealt with before are no news."""
    assert play(Debouncer(b"a"), (was("a"), 1.0)) == []


def test_bytes_are_told_after_two_equal_reads() -> None:
    """One look is never enough: somebody may be writing."""
    settling = Debouncer(b"a")

    assert settling.observe(0.0, was("b", 2)) is None
    assert Saved(b"b") == settling.observe(SETTLE, was("b", 2))


def test_bytes_that_move_are_waited_for() -> None:
    """While the bytes keep changing nothing is told, then the last of them."""
    growing = [(was("a" * n, n), TICK) for n in range(1, 50)]

    assert found("a" * 49) == play(Debouncer(), *growing, (was("a" * 49, 49), 1.0))


def test_every_settled_save_is_told_in_order() -> None:
    """Saves that hold still are told one by one."""
    looks = [(was(text, n), 0.1) for n, text in enumerate("abcab")]

    assert found(*"abcab") == play(Debouncer(), *looks)


def test_a_touch_is_no_save() -> None:
    """A new time with the bytes of the last save is no news."""
    looks = (was("a", 1), 0.1), (was("b", 2), 0.1), (was("b", 3), 0.1)

    assert found("a", "b") == play(Debouncer(), *looks)


def test_going_there_and_back_is_no_save() -> None:
    """Bytes that return before they settled leave nothing to tell."""
    looks = (was("a"), 0.1), (was("c"), 0.1), (was("b", 2), TICK), (was("c", 3), 1.0)

    assert found("a", "c") == play(Debouncer(), *looks)


def test_emptying_is_waited_out() -> None:
    """A file that is emptied and filled is told when filled."""
    looks = (was("a"), 0.1), (was("", 2), SETTLE_EMPTY / 2), (was("b", 3), 0.1)

    assert found("a", "b") == play(Debouncer(), *looks)


def test_an_empty_file_is_a_save_when_it_stays() -> None:
    """A learner may empty the file and mean it."""
    assert found("a", "") == play(Debouncer(), (was("a"), 0.1), (was("", 2), 1.0))


def test_a_rename_is_waited_out() -> None:
    """A file that is away for a moment was saved by rename, not deleted."""
    looks = (was("a"), 0.1), (GONE, GRACE / 2), (was("b", 2), 0.1)

    assert found("a", "b") == play(Debouncer(), *looks)


def test_a_deleted_file_is_told_once() -> None:
    """That the file is gone is told once, however long it is gone."""
    assert [*found("a"), Missing()] == play(Debouncer(), (was("a"), 0.1), (GONE, 60.0))


def test_a_file_that_returns_is_told() -> None:
    """A file that comes back after that was told is news, even with its old bytes."""
    looks = (was("a"), 0.1), (GONE, 1.0), (was("a"), 0.1), (GONE, 1.0)

    assert [*found("a"), Missing(), *saves("a"), Missing()] == play(Debouncer(), *looks)


def test_a_file_never_there_is_told() -> None:
    """A watch may begin before its file does."""
    assert [Missing(), *saves("a")] == play(Debouncer(), (GONE, 1.0), (was("a"), 1.0))


def test_trouble_is_told_once() -> None:
    """That a file cannot be read is told once with the reason, and when it can, its bytes are."""
    looks = (was("a"), 0.1), (DENIED, 60.0), (was("a"), 0.1)

    assert [*found("a"), ReadFailed("permission denied"), *saves("a")] == play(Debouncer(), *looks)


def test_a_moment_of_trouble_is_not_told() -> None:
    """What the system refuses for a moment, as while a rename is under way, is not told."""
    assert play(Debouncer(b"a"), (DENIED, GRACE / 2), (was("a"), 1.0)) == []


def test_new_trouble_is_told() -> None:
    """Another lack than the one told is told as well."""
    looks = (DENIED, 1.0), (GONE, 1.0)

    assert [ReadFailed("permission denied"), Missing()] == play(Debouncer(), *looks)


def test_nothing_half_written_outlives_a_deletion() -> None:
    """Bytes seen before the file went away do not count towards those seen after."""
    settling = Debouncer(b"a")
    settling.observe(0.0, was("b", 2))
    settling.observe(SETTLE, GONE)

    assert settling.observe(2 * SETTLE, was("b", 3)) is None


def calm(settling: Debouncer, now: float) -> None:
    """Let the file "a" settle, so that it was last read at `now`."""
    for seconds in (1.0, 0.5, 0.0):
        settling.observe(now - seconds, was("a"))


def test_a_calm_file_is_not_read() -> None:
    """A file that has not changed for long is read only if its stamp changes."""
    settling = Debouncer()
    calm(settling, 10.0)
    settling.observe(10.0 + COARSE, was("a"))

    assert Stamp(1) == settling.expected_stamp(10.0 + COARSE + TICK)


def test_a_fresh_change_is_read_again() -> None:
    """For as long as a second save could leave the same times, the bytes are compared."""
    settling = Debouncer(b"a")
    settling.observe(10.0, was("a"))

    assert settling.expected_stamp(10.0 + COARSE - TICK) is None


def test_a_save_behind_coarse_times_is_told() -> None:
    """Two saves of one size within the file system's smallest time step are both told."""
    assert found("a", "b") == play(Debouncer(), (was("a", 1), 0.5), (was("b", 1), 0.5))


@pytest.mark.parametrize("look", [was("b", 2), GONE, DENIED], ids=["changing", "gone", "denied"])
def test_an_unsettled_file_is_read(look: FileState) -> None:
    """While something is open, every look reads."""
    settling = Debouncer(b"a")
    calm(settling, 10.0)
    settling.observe(10.0 + COARSE, was("a"))
    settling.observe(10.0 + COARSE, look)

    assert settling.expected_stamp(10.0 + COARSE) is None


def test_a_calm_file_is_read_now_and_then() -> None:
    """A stamp that a network file system remembers does not hide a save for long."""
    settling = Debouncer()
    calm(settling, 10.0)
    settling.observe(20.0, was("a"))

    assert settling.expected_stamp(20.0 + REREAD) is None


def test_an_unchanged_stamp_tells_nothing() -> None:
    """Nothing read, nothing told."""
    assert play(Debouncer(b"a"), (Unchanged(), 10.0)) == []


def test_the_pause_grows_with_silence() -> None:
    """A file is looked at often while it settles, less when it lives, least when it sleeps."""
    settling = Debouncer()
    settling.observe(0.0, was("a"))
    settles = settling.pause(0.0)
    settling.observe(1.0, was("a"))
    lives, sleeps = settling.pause(1.0), settling.pause(PAUSES[-2][0] + 1.0)

    assert settles < lives < sleeps
    assert settles < SETTLE
