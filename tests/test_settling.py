"""Tests the decision when a file was saved, without files and clocks."""

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
    """Return an observation of a file with this text."""
    return Content(Stamp(stamp), text.encode())


def play(
    settling: Debouncer, *looks: tuple[FileState, float], begin: float = 100.0
) -> list[FileEvent]:
    """Repeat each observation for its number of seconds, and return the events."""
    events = []
    now = begin
    for look, seconds in looks:
        for _ in range(max(1, round(seconds / TICK))):
            now += TICK
            event = settling.observe(now, look)
            if event:
                events.append(event)
    return events


def saves(*texts: str) -> list[FileEvent]:
    """Return the events of these saves."""
    return [Saved(text.encode()) for text in texts]


def found(text: str, *texts: str) -> list[FileEvent]:
    """Return the events of a file that is found, and of the saves that follow."""
    return [InitialContent(text.encode()), *saves(*texts)]


def test_the_first_bytes_are_reported() -> None:
    """If nothing is known, the file is reported once as found."""
    assert found("a") == play(Debouncer(), (was("a"), 1.0))


def test_the_first_save_is_reported_though_it_changes_nothing() -> None:
    """The first save is reported even if the bytes are unchanged; a second such save is not."""
    looks = [(was("a", n), 0.1) for n in range(4)]

    assert found("a", "a") == play(Debouncer(), *looks)


def test_a_save_of_known_bytes_is_not_reported() -> None:
    """Bytes that were handled before watching began are not reported."""
    assert [] == play(Debouncer(b"a"), (was("a", 1), 0.1), (was("a", 2), 0.1))


def test_what_only_surrounds_the_bytes_is_no_save() -> None:
    """A change of mode, owner or link that keeps the modification time is not a save."""
    looks = [(Content(Stamp(1, (n,)), b"a"), 0.1) for n in range(3)]

    assert found("a") == play(Debouncer(), *looks)


def test_a_first_save_in_two_steps_is_reported_once() -> None:
    """A file that is emptied and filled with its old bytes is one save."""
    looks = (was("a"), 0.1), (was("", 2), SETTLE_EMPTY / 2), (was("a", 3), 1.0)

    assert found("a", "a") == play(Debouncer(), *looks)


def test_a_file_that_returns_was_saved() -> None:
    """A file that is created again after its deletion was reported is reported as saved once."""
    looks = (was("a"), 0.1), (GONE, 1.0), (was("a", 2), 0.1), (was("a", 3), 0.1)

    assert [*found("a"), Missing(), *saves("a")] == play(Debouncer(), *looks)


def test_known_bytes_are_not_reported() -> None:
    """Bytes that were handled before are not reported."""
    assert play(Debouncer(b"a"), (was("a"), 1.0)) == []


def test_bytes_are_reported_after_two_equal_reads() -> None:
    """Bytes are reported after two equal reads, because the first may be incomplete."""
    settling = Debouncer(b"a")

    assert settling.observe(0.0, was("b", 2)) is None
    assert Saved(b"b") == settling.observe(SETTLE, was("b", 2))


def test_bytes_that_move_are_waited_for() -> None:
    """While the bytes keep changing nothing is reported; then the last of them are."""
    growing = [(was("a" * n, n), TICK) for n in range(1, 50)]

    assert found("a" * 49) == play(Debouncer(), *growing, (was("a" * 49, 49), 1.0))


def test_every_settled_save_is_reported_in_order() -> None:
    """Saves that settle are reported one by one."""
    looks = [(was(text, n), 0.1) for n, text in enumerate("abcab")]

    assert found(*"abcab") == play(Debouncer(), *looks)


def test_a_touch_is_no_save() -> None:
    """A new modification time with the bytes of the last save is not a save."""
    looks = (was("a", 1), 0.1), (was("b", 2), 0.1), (was("b", 3), 0.1)

    assert found("a", "b") == play(Debouncer(), *looks)


def test_going_there_and_back_is_no_save() -> None:
    """Bytes that return to the old ones before they settle are not reported."""
    looks = (was("a"), 0.1), (was("c"), 0.1), (was("b", 2), TICK), (was("c", 3), 1.0)

    assert found("a", "c") == play(Debouncer(), *looks)


def test_emptying_is_waited_out() -> None:
    """A file that is emptied and filled is reported once filled."""
    looks = (was("a"), 0.1), (was("", 2), SETTLE_EMPTY / 2), (was("b", 3), 0.1)

    assert found("a", "b") == play(Debouncer(), *looks)


def test_an_empty_file_is_a_save_when_it_stays() -> None:
    """A file that stays empty is reported as saved."""
    assert found("a", "") == play(Debouncer(), (was("a"), 0.1), (was("", 2), 1.0))


def test_a_rename_is_waited_out() -> None:
    """A file that is missing for a moment was saved by rename, not deleted."""
    looks = (was("a"), 0.1), (GONE, GRACE / 2), (was("b", 2), 0.1)

    assert found("a", "b") == play(Debouncer(), *looks)


def test_a_deleted_file_is_reported_once() -> None:
    """A deletion is reported once, however long the file is missing."""
    assert [*found("a"), Missing()] == play(Debouncer(), (was("a"), 0.1), (GONE, 60.0))


def test_a_file_that_returns_is_reported() -> None:
    """A file that returns after its deletion was reported is reported, even with its old bytes."""
    looks = (was("a"), 0.1), (GONE, 1.0), (was("a"), 0.1), (GONE, 1.0)

    assert [*found("a"), Missing(), *saves("a"), Missing()] == play(Debouncer(), *looks)


def test_a_file_never_there_is_reported() -> None:
    """A file that does not exist when watching begins is reported as missing."""
    assert [Missing(), *saves("a")] == play(Debouncer(), (GONE, 1.0), (was("a"), 1.0))


def test_trouble_is_reported_once() -> None:
    """An unreadable file is reported once with the reason, and its bytes once it is readable."""
    looks = (was("a"), 0.1), (DENIED, 60.0), (was("a"), 0.1)

    assert [*found("a"), ReadFailed("permission denied"), *saves("a")] == play(Debouncer(), *looks)


def test_a_moment_of_trouble_is_not_reported() -> None:
    """A momentary error, as during a rename, is not reported."""
    assert play(Debouncer(b"a"), (DENIED, GRACE / 2), (was("a"), 1.0)) == []


def test_new_trouble_is_reported() -> None:
    """A different error from the one reported is reported too."""
    looks = (DENIED, 1.0), (GONE, 1.0)

    assert [ReadFailed("permission denied"), Missing()] == play(Debouncer(), *looks)


def test_nothing_half_written_outlives_a_deletion() -> None:
    """Bytes read before a deletion do not count towards the two equal reads after it."""
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
    """The bytes are compared as long as a second save could leave the same times."""
    settling = Debouncer(b"a")
    settling.observe(10.0, was("a"))

    assert settling.expected_stamp(10.0 + COARSE - TICK) is None


def test_a_save_behind_coarse_times_is_reported() -> None:
    """Two saves of one size within the file system's time resolution are both reported."""
    assert found("a", "b") == play(Debouncer(), (was("a", 1), 0.5), (was("b", 1), 0.5))


@pytest.mark.parametrize("look", [was("b", 2), GONE, DENIED], ids=["changing", "gone", "denied"])
def test_an_unsettled_file_is_read(look: FileState) -> None:
    """Every observation reads the file while its state is undecided."""
    settling = Debouncer(b"a")
    calm(settling, 10.0)
    settling.observe(10.0 + COARSE, was("a"))
    settling.observe(10.0 + COARSE, look)

    assert settling.expected_stamp(10.0 + COARSE) is None


def test_a_calm_file_is_read_now_and_then() -> None:
    """A stamp cached by a network file system does not hide a save for long."""
    settling = Debouncer()
    calm(settling, 10.0)
    settling.observe(20.0, was("a"))

    assert settling.expected_stamp(20.0 + REREAD) is None


def test_an_unchanged_stamp_tells_nothing() -> None:
    """If nothing is read, nothing is reported."""
    assert play(Debouncer(b"a"), (Unchanged(), 10.0)) == []


def test_the_pause_grows_with_silence() -> None:
    """The pause between observations is short while a file settles and long after a silence."""
    settling = Debouncer()
    settling.observe(0.0, was("a"))
    settles = settling.pause(0.0)
    settling.observe(1.0, was("a"))
    lives, sleeps = settling.pause(1.0), settling.pause(PAUSES[-2][0] + 1.0)

    assert settles < lives < sleeps
    assert settles < SETTLE
