"""Tests finding submitted files in folders and in zip archives."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest

from jaxtutor.errors import SubmissionError, UsageError
from jaxtutor.grading import sources
from jaxtutor.grading.readings import Found
from jaxtutor.grading.sources import OpenSource, open_source

MOST = 1 << 20


def pack(path: Path, files: Mapping[str, bytes | str], **options: int) -> Path:
    with zipfile.ZipFile(path, "w", options.get("method", zipfile.ZIP_DEFLATED)) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 20, 23, 59, 0)), data)
    return path


def listed(place: Path) -> list[str]:
    with open_source(place) as source:
        return sorted("/".join(it.parts) for it in source.source.files)


def texts(place: Path) -> dict[str, str]:
    """Return the text of each file, or why it could not be read."""
    found = {}
    with open_source(place) as source:
        for it in source.source.files:
            found["/".join(it.parts)] = it.problem or read(source, it)
    return found


def read(source: OpenSource, found: Found) -> str:
    try:
        return source.read(found.parts, MOST).decode()
    except SubmissionError as error:
        return str(error)


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    return tmp_path / "week 3.zip"


def test_an_archive_is_read_without_extracting_it(zipped: Path) -> None:
    """What tools and macOS add is left out, and nothing is written."""
    pack(
        zipped,
        {
            "ann/clip.py": "a",
            "bob/deep/er/clip.ipynb": "b",
            "ann/notes.txt": "",
            "__MACOSX/ann/._clip.py": "",
            "__MACOSX/ann/clip.py": "",
            "ann/.hidden.py": "",
            "ann/.git/clip.py": "",
            "ann/__pycache__/clip.py": "",
        },
    )
    assert {"ann/clip.py": "a", "bob/deep/er/clip.ipynb": "b"} == texts(zipped)
    assert [zipped] == list(zipped.parent.iterdir())


def test_paths_that_lead_out_stay_inside(zipped: Path) -> None:
    """Absolute paths, drives and dots are names only."""
    pack(zipped, {"/etc/clip.py": "1", "../../ann/clip.py": "2", "bob\\clip.py": "3"})
    assert ["ann/clip.py", "bob/clip.py", "etc/clip.py"] == listed(zipped)


def test_names_in_utf8_without_the_flag_are_read(zipped: Path) -> None:
    """Many programs write UTF-8 and do not say so; the others write code page 437."""
    pack(zipped, {"Zo\u00eb/clip.py": "1"})
    data = zipped.read_bytes()
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w") as archive:
        archive.writestr("ZoXX/clip.py", "1")
        archive.writestr("ZoY/clip.py", "2")
    unflagged = plain.getvalue().replace(b"ZoXX", "Zo\u00eb".encode()).replace(b"ZoY", b"Zo\x89")
    zipped.write_bytes(unflagged)

    assert ["Zo\u00eb/clip.py", "Zo\u00eb/clip.py"] == listed(zipped)
    zipped.write_bytes(data)
    assert ["Zo\u00eb/clip.py"] == listed(zipped)


def test_a_link_in_an_archive_is_not_followed(zipped: Path) -> None:
    """An archive may say that an entry is a link to any file."""
    with zipfile.ZipFile(zipped, "w") as archive:
        link = zipfile.ZipInfo("ann/clip.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")

    assert {"ann/clip.py": "It is a symbolic link, which is not followed."} == texts(zipped)


def test_a_bomb_is_unpacked_to_its_limit_only(zipped: Path) -> None:
    """One file is cut off at its limit, and all together at theirs."""
    pack(zipped, {f"{n}/clip.py": b"\0" * (3 * MOST) for n in range(3)})
    with open_source(zipped) as source:
        assert MOST + 1 == len(source.read(source.source.files[0].parts, MOST))

    with open_source(zipped, 2 * MOST) as source:
        found = [read(source, it) for it in source.source.files]
    said = [text for text in found if "was not unpacked" in text]
    assert 2 == len(said)


@pytest.mark.parametrize("place", [30, 60, -30])
def test_a_damaged_archive_is_reported(zipped: Path, place: int) -> None:
    """Whatever byte is damaged, the file or the archive is refused, or the text is right."""
    pack(zipped, {"ann/clip.py": "print(1)\n" * 50})
    data = bytearray(zipped.read_bytes())
    data[place] ^= 0xFF
    zipped.write_bytes(data)
    try:
        found = list(texts(zipped).values())
    except UsageError as error:
        found = [error.message]

    expected = ("could not be unpacked", "is not a zip archive", "print(1)\n" * 50)
    assert all(any(it in text for it in expected) for text in found)


def test_an_encrypted_file_is_reported(zipped: Path) -> None:
    """A flag announces it."""
    pack(zipped, {"ann/clip.py": "1"})
    data = bytearray(zipped.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    zipped.write_bytes(data)
    assert {"ann/clip.py": "It is encrypted."} == texts(zipped)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_of_packing_are_read(zipped: Path, method: int) -> None:
    """zip has several."""
    with zipfile.ZipFile(zipped, "w", method) as archive:
        archive.writestr("ann/clip.py", "1" * 1000)
    assert {"ann/clip.py": "1" * 1000} == texts(zipped)


def test_a_file_that_is_not_an_archive_is_refused(tmp_path: Path) -> None:
    """A single program is checked with `check`."""
    (tmp_path / "clip.py").write_text("x = 1\n")
    with pytest.raises(UsageError, match="is not a zip archive"):
        listed(tmp_path / "clip.py")


def test_too_many_entries_are_refused(zipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The directory of an archive is read at once."""
    monkeypatch.setattr(sources, "MOST_ENTRIES", 2)
    pack(zipped, {f"{n}.py": "" for n in range(3)})
    with pytest.raises(UsageError, match="3 entries; the limit is 2"):
        listed(zipped)


def test_three_thousand_files_are_listed(zipped: Path) -> None:
    """A large course in one archive."""
    pack(zipped, {f"l{n}_{n + 1}_{n + 2}_clip.py": "x" for n in range(3000)})
    assert 3000 == len(texts(zipped))


def test_times_are_those_of_the_files(zipped: Path, tmp_path: Path) -> None:
    """In a folder the time of the last change, in an archive the local time that it holds."""
    pack(zipped, {"ann/clip.py": "1"})
    path = tmp_path / "pile" / "ann" / "clip.py"
    path.parent.mkdir(parents=True)
    path.write_text("")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    with open_source(zipped) as packed, open_source(tmp_path / "pile") as pile:
        (inside,), (outside,) = packed.source.files, pile.source.files

    assert datetime(2026, 11, 20, 23, 59).astimezone() == inside.modified
    assert datetime.fromtimestamp(1_000_000_000).astimezone() == outside.modified


def test_empty_folders_are_known(zipped: Path, tmp_path: Path) -> None:
    """The learner of a folder without a submission handed in nothing."""
    pack(zipped, {"ann/clip.py": "1", "bob/": "", "cat/notes.txt": "", "__MACOSX/x": ""})
    for name in ("ann", "bob", ".git", "__pycache__"):
        (tmp_path / "pile" / name).mkdir(parents=True)
    (tmp_path / "pile" / "ann" / "clip.py").write_text("")
    with open_source(zipped) as packed, open_source(tmp_path / "pile") as pile:
        found = (packed.source.without_files(0), pile.source.without_files(0))
    assert (["bob", "cat"], ["bob"]) == found


def test_gradescopes_metadata_counts_only_beside_all_submissions(zipped: Path) -> None:
    """A learner may hand in a file of that name, too."""

    def metadata(*names: str) -> tuple[str, ...] | None:
        pack(zipped, dict.fromkeys(names, "x"))
        with open_source(zipped) as source:
            return source.source.metadata

    name = sources.METADATA
    assert (name,) == metadata(name, "submission_1/clip.py")
    assert ("export", name) == metadata(f"export/{name}", "export/submission_1/clip.py")
    assert metadata(f"ann/{name}", "ann/clip.py", "bob/clip.py") is None
    moodle = "Jane Doe_42_assignsubmission_file_"
    assert metadata(f"{moodle}/{name}", f"{moodle}/clip.py") is None
