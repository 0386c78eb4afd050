"""Tests the file watcher with real files, real editors and many ways of saving.

The files are in /var/tmp, because in /tmp vim saves in place, which would hide its renames.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jaxtutor.core import debounce
from jaxtutor.core.debounce import FileEvent, InitialContent, Missing, ReadFailed, Saved
from jaxtutor.storage import workspace
from jaxtutor.watch import file_watcher as module
from jaxtutor.watch.file_watcher import FileWatcher
from trials.saving import IN_PIECES, WAYS

LONG = 20.0


class EventCollector:
    """Collects the watcher's events, and waits for more."""

    def __init__(self) -> None:
        self.events: list[tuple[Path, FileEvent]] = []
        self._changed = threading.Condition()

    def __call__(self, path: Path, event: FileEvent) -> None:
        with self._changed:
            self.events.append((path, event))
            self._changed.notify_all()

    @property
    def observed(self) -> list[FileEvent]:
        """The events without their paths."""
        return [event for _, event in self.events]

    def await_(self, event: FileEvent, times: int = 1) -> None:
        """Wait until an event has occurred a number of times."""
        with self._changed:
            seen = self._changed.wait_for(lambda: self.observed.count(event) >= times, LONG)
        assert seen, f"{event} was not told, but {self.observed}"


@pytest.fixture
def folder() -> Iterator[Path]:
    """Create a folder in which editors save as they do in a home directory."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="watch-") as name:
        yield Path(name)


@pytest.fixture
def file(folder: Path) -> Path:
    """Create the file to watch."""
    path = folder / "lesson.py"
    path.write_text("first\n")
    return path


@pytest.fixture
def collector() -> EventCollector:
    """Collect the events."""
    return EventCollector()


@pytest.fixture
def watch(file: Path, collector: EventCollector) -> Iterator[FileWatcher]:
    """Watch the file and wait for its first event."""
    with FileWatcher(file, collector) as watching:
        collector.await_(InitialContent(b"first\n"))
        yield watching


# ---------------------------------------------------------------- ways of saving


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize("way", [way for way in WAYS if way not in IN_PIECES])
def test_each_way_of_saving(way: str, file: Path, collector: EventCollector) -> None:
    """However a file is saved, each save is reported once, in order, and complete."""
    expected: list[FileEvent] = [InitialContent(b"first\n")]
    for text in (b"second\n", b"thirds\n", b"a longer fourth\n"):
        expected.append(Saved(WAYS[way](file, text)))
        collector.await_(expected[-1])

    assert expected == collector.observed


@pytest.mark.usefixtures("watch")
def test_a_link_is_followed(folder: Path, file: Path, collector: EventCollector) -> None:
    """The target of a symbolic link is watched, and so is a change of the link."""
    link, other = folder / "link.py", folder / "other.py"
    link.symlink_to(file)
    other.write_bytes(b"other\n")
    with FileWatcher(link, collector, known=b"first\n"):
        file.write_bytes(b"behind\n")
        collector.await_(Saved(b"behind\n"), times=2)
        (folder / "new").symlink_to(other)
        (folder / "new").replace(link)
        collector.await_(Saved(b"other\n"))


@pytest.mark.usefixtures("watch")
def test_a_touch_is_not_reported(file: Path, collector: EventCollector) -> None:
    """A file that is touched, or saved with the same bytes, is not reported again."""
    file.write_bytes(b"saved\n")
    collector.await_(Saved(b"saved\n"))
    os.utime(file)
    WAYS["in_place"](file, b"saved\n")
    time.sleep(0.1)
    WAYS["rename_over"](file, b"saved\n")
    time.sleep(0.1)
    WAYS["in_place"](file, b"last\n")
    collector.await_(Saved(b"last\n"))

    assert [InitialContent(b"first\n"), Saved(b"saved\n"), Saved(b"last\n")] == collector.observed


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize("way", ["in_place", "rename_over", "backup_and_rename", "by_mapping"])
def test_the_first_save_is_reported_though_it_changes_nothing(
    way: str, file: Path, collector: EventCollector
) -> None:
    """The first save of a file is reported even if the bytes are unchanged."""
    WAYS[way](file, b"first\n")
    collector.await_(Saved(b"first\n"))


@pytest.mark.usefixtures("watch")
def test_two_writers(file: Path, collector: EventCollector) -> None:
    """When two programs write at once, the bytes that remain on disk are reported last."""

    def scribble(name: str) -> None:
        for n in range(40):
            rename = file.with_name(name)
            rename.write_bytes(f"{name} {n}\n".encode())
            rename.replace(file)

    writers = [threading.Thread(target=scribble, args=(name,)) for name in ("one", "two")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    collector.await_(Saved(file.read_bytes()))

    assert Saved(file.read_bytes()) == collector.observed[-1]


def test_saves_during_a_slow_listener(file: Path) -> None:
    """After saves during a slow callback, the newest bytes are reported."""
    go = threading.Event()
    reported: list[FileEvent] = []
    done = threading.Event()

    def listen(path: Path, event: FileEvent) -> None:
        reported.append(event)
        go.wait(LONG)
        if event == Saved(b"9\n"):
            done.set()

    with FileWatcher(file, listen):
        while not reported:
            time.sleep(0.01)
        for n in range(10):
            file.write_text(f"{n}\n")
        go.set()
        done.wait(LONG)

    assert [InitialContent(b"first\n"), Saved(b"9\n")] == reported


# ---------------------------------------------------------------- missing files


@pytest.mark.usefixtures("watch")
def test_a_deleted_file(file: Path, collector: EventCollector) -> None:
    """A deleted file is reported once, and its return with its bytes."""
    file.unlink()
    collector.await_(Missing())
    file.write_bytes(b"again\n")
    collector.await_(Saved(b"again\n"))

    assert [InitialContent(b"first\n"), Missing(), Saved(b"again\n")] == collector.observed


@pytest.mark.usefixtures("watch")
def test_a_folder_that_goes(folder: Path, file: Path, collector: EventCollector) -> None:
    """A deleted folder is reported as a deleted file, and both may return."""
    folder.rename(folder.with_name(folder.name + "-away"))
    collector.await_(Missing())
    folder.with_name(folder.name + "-away").rename(folder)
    collector.await_(Saved(b"first\n"))


@pytest.mark.usefixtures("watch")
def test_a_folder_in_its_place(file: Path, collector: EventCollector) -> None:
    """A folder in place of the file is reported as a problem."""
    file.unlink()
    file.mkdir()
    collector.await_(ReadFailed("it is not a regular file"))


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE])
def test_what_the_system_refuses(
    monkeypatch: pytest.MonkeyPatch,
    file: Path,
    collector: EventCollector,
    watch: FileWatcher,
    code: int,
) -> None:
    """An unreadable file is reported once, and its bytes once it is readable."""
    refusal = OSError(code, os.strerror(code))

    def refuse(path: Path) -> None:
        raise refusal

    with monkeypatch.context() as patch:
        patch.setattr(workspace, "look", refuse)
        collector.await_(ReadFailed(workspace.explain(refusal)))
        time.sleep(0.5)
    collector.await_(Saved(b"first\n"))

    assert 3 == len(collector.observed)


def test_a_file_system_that_hangs(
    monkeypatch: pytest.MonkeyPatch, file: Path, folder: Path, collector: EventCollector
) -> None:
    """A read that hangs is reported; another file can be watched, and `stop` still works."""
    other = folder / "other.py"
    other.write_bytes(b"other\n")
    monkeypatch.setattr(module, "LOOK_TIMEOUT", 0.05)
    free = threading.Event()
    real = workspace.look

    def hang(path: Path) -> tuple[os.stat_result, bytes]:
        if path == file:
            free.wait(LONG)
        return real(path)

    monkeypatch.setattr(workspace, "look", hang)
    with FileWatcher(file, collector) as watching:
        collector.await_(ReadFailed("the file system does not answer"))
        watching.retarget(other)
        collector.await_(InitialContent(b"other\n"))
        watching.retarget(file)
        collector.await_(ReadFailed("the file system does not answer"), times=2)
        free.set()
        collector.await_(Saved(b"first\n"))


# ---------------------------------------------------------------- starting and stopping


def test_another_file_can_be_watched(
    watch: FileWatcher, folder: Path, file: Path, collector: EventCollector
) -> None:
    """After switching to another file, only that file is reported."""
    other = folder / "other.py"
    other.write_bytes(b"other\n")
    watch.retarget(other, known=b"other\n")
    file.write_bytes(b"unseen\n")
    other.write_bytes(b"seen\n")
    collector.await_(Saved(b"seen\n"))

    assert [(file, InitialContent(b"first\n")), (other, Saved(b"seen\n"))] == collector.events


def test_a_stopped_watch_tells_nothing(
    watch: FileWatcher, file: Path, collector: EventCollector
) -> None:
    """After `stop` the watcher's thread has ended."""
    watch.stop()
    file.write_bytes(b"unseen\n")

    assert [] == [thread for thread in threading.enumerate() if thread.name == "watch"]
    assert [InitialContent(b"first\n")] == collector.observed


def test_a_listener_may_stop_the_watch(file: Path) -> None:
    """A callback may call `stop`, which ends the watcher after that call."""
    reported: list[FileEvent] = []
    watching: list[FileWatcher] = []
    made = threading.Event()

    def listen(path: Path, event: FileEvent) -> None:
        made.wait(LONG)
        reported.append(event)
        watching[0].stop()

    watching.append(FileWatcher(file, listen))
    made.set()
    watching[0]._thread.join(LONG)

    assert [InitialContent(b"first\n")] == reported


# ---------------------------------------------------------------- notifications


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_notifications_end_a_pause_early(
    monkeypatch: pytest.MonkeyPatch, file: Path, collector: EventCollector
) -> None:
    """A save is reported although the next poll is not due for minutes."""
    monkeypatch.setattr(debounce, "NOTIFIED_PAUSE", 10 * LONG)
    monkeypatch.setattr(module, "LOOK_TIMEOUT", 10 * LONG)
    with FileWatcher(file, collector) as watching:
        collector.await_(InitialContent(b"first\n"))
        until(lambda: notified(watching))
        for n in range(5):
            WAYS["rename_over" if n % 2 else "in_place"](file, b"%d\n" % n)
            collector.await_(Saved(b"%d\n" % n))


def test_a_save_without_a_notification_ends_their_use(
    monkeypatch: pytest.MonkeyPatch, file: Path, collector: EventCollector
) -> None:
    """Where changes come without notifications, as on network file systems, polling goes on."""
    monkeypatch.setattr(module, "notifications_about", SilentNotifications)
    with FileWatcher(file, collector) as watching:
        collector.await_(InitialContent(b"first\n"))
        until(lambda: notified(watching))
        for text in (b"second\n", b"third\n"):
            file.write_bytes(text)
            collector.await_(Saved(text))

        assert not notified(watching)


def test_without_notifications_the_file_is_polled(
    monkeypatch: pytest.MonkeyPatch, file: Path, collector: EventCollector
) -> None:
    """A system that has none, or no more of them, loses no save."""

    def refuse(path: Path) -> None:
        raise OSError(errno.EMFILE, "inotify_init1")

    monkeypatch.setattr("jaxtutor.watch.notifications.FolderNotifications", refuse)
    with FileWatcher(file, collector):
        collector.await_(InitialContent(b"first\n"))
        file.write_bytes(b"second\n")
        collector.await_(Saved(b"second\n"))


class SilentNotifications:
    """Notifications of a file system that sends none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def wait(self, seconds: float) -> bool:
        """Wait for nothing."""
        time.sleep(seconds)
        return False

    def close(self) -> None:
        """Do nothing."""


def until(condition: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def notified(watching: FileWatcher) -> bool:
    """Return whether a watcher uses notifications."""
    target = watching._target
    return target is not None and target.poller.is_notified


# ---------------------------------------------------------------- real editors

TEXTS = ["second", "third", "fourth"]


def edit(command: list[str | Path], folder: Path, collector: EventCollector) -> None:
    """Run an editor that saves each text and waits for a file of its name after each save."""
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as editor:
        for text in TEXTS:
            collector.await_(Saved(f"{text}\n".encode()))
            (folder / text).touch()
        assert editor.wait(LONG) == 0


@pytest.mark.usefixtures("watch")
@pytest.mark.parametrize(
    ("backup", "copy"),
    [
        ("nobackup writebackup", "auto"),
        ("nobackup writebackup", "no"),
        ("nobackup writebackup", "yes"),
        ("nobackup nowritebackup", "auto"),
        ("backup", "no"),
        ("backup", "yes"),
    ],
)
@pytest.mark.skipif(not shutil.which("vim"), reason="vim is not installed")
def test_vim(folder: Path, file: Path, collector: EventCollector, backup: str, copy: str) -> None:
    """Every save of a vim session is reported, however vim saves."""
    script = "call setline(1, '{0}')|w|while !filereadable('{0}')|sleep 5m|endwhile"
    lines = [f"set {backup} backupcopy={copy}", *map(script.format, TEXTS), "q!"]
    arguments = [word for line in lines for word in ("-c", line)]
    edit(["vim", "-Nu", "NONE", "-n", "-es", *arguments, file], folder, collector)

    expected = [InitialContent(b"first\n"), *(Saved(f"{text}\n".encode()) for text in TEXTS)]
    assert expected == collector.observed


@pytest.mark.usefixtures("watch")
@pytest.mark.skipif(not shutil.which("emacs"), reason="emacs is not installed")
def test_emacs(folder: Path, file: Path, collector: EventCollector) -> None:
    """Every save of an emacs session is reported: the first by rename, the later ones in place."""
    script = (
        '(progn (erase-buffer) (insert "{0}\n") (save-buffer)'
        ' (while (not (file-exists-p "{0}")) (sleep-for 0.01)))'
    )
    arguments = [word for text in TEXTS for word in ("--eval", script.format(text))]
    edit(["emacs", "-Q", "--batch", file, *arguments], folder, collector)

    expected = [InitialContent(b"first\n"), *(Saved(f"{text}\n".encode()) for text in TEXTS)]
    assert expected == collector.observed
