"""Tests the size limits of the caches."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxtutor.storage import caches

NOW = 1_000_000_000.0


def fill(folder: Path, *ages: int) -> None:
    """Create a file of 10 bytes for each age in seconds, named after its age."""
    folder.mkdir(exist_ok=True)
    for age in ages:
        file = folder / str(age)
        file.write_bytes(bytes(10))
        os.utime(file, (NOW - age, NOW - age))


def names(folder: Path) -> set[str]:
    """Return the names in a folder, without the stamp."""
    return {path.name for path in folder.iterdir() if not path.name.startswith(".")}


def test_what_was_unused_for_longest_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files unused for longest are deleted until the folder is within its limit."""
    monkeypatch.setattr(caches, "MOST_BYTES", 25)
    fill(tmp_path, 5, 300, 40, 2)
    caches.trim([tmp_path], NOW)
    assert {"2", "5"} == names(tmp_path)


def test_a_folder_is_seen_to_once_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder is examined once a day, also after the clock was set back."""
    monkeypatch.setattr(caches, "MOST_BYTES", 0)
    caches.trim([tmp_path], NOW)
    fill(tmp_path, 1)
    caches.trim([tmp_path], NOW + 60)
    assert {"1"} == names(tmp_path)
    caches.trim([tmp_path], NOW + caches.DAY)
    assert set() == names(tmp_path)
    fill(tmp_path, 1)
    caches.trim([tmp_path], NOW - caches.DAY)
    assert set() == names(tmp_path)


def test_a_folder_that_is_not_there_is_none_too_large(tmp_path: Path) -> None:
    """A missing folder is not created and not an error."""
    caches.trim([tmp_path / "none"], NOW)
    assert not (tmp_path / "none").exists()
