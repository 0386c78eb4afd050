"""Tests which mounts a confined submission gets, without mounting anything."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxtutor.processes.mounts import (
    Clash,
    Hidden,
    Link,
    Mount,
    Visible,
    arrange,
    nearest_folder,
    resolve,
    shows,
    words,
)

PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(lambda it: Path("/", *it))
SETS = st.sets(PATHS, max_size=6)
ANY_MACHINE = settings(suppress_health_check=[HealthCheck.too_slow])  # a busy one is slow


def after(mounts: Iterable[Mount], option: str) -> list[str]:
    """List what follows each use of an option."""
    listed = list(words(mounts))
    return [listed[index + 1] for index, word in enumerate(listed) if word == option]


def is_readable(mounts: Iterable[Mount], path: Path) -> bool:
    """Return whether a path can be read after all mounts, of which a later one covers earlier."""
    listed = list(words(mounts))
    readable = False
    for index, word in enumerate(listed):
        if word in ("--ro-bind", "--tmpfs") and path.is_relative_to(listed[index + 1]):
            readable = word == "--ro-bind"
    return readable


@ANY_MACHINE
@given(SETS, SETS, PATHS)
def test_the_innermost_folder_decides_what_is_readable(
    visible: set[Path], hidden: set[Path], path: Path
) -> None:
    """Whatever lies in whatever, a path is readable if the innermost folder around it is."""
    hidden = hidden - visible
    mounts = arrange(visible, hidden)
    around = [it for it in (path, *path.parents) if it in visible | hidden]
    expected = bool(around) and around[0] in visible

    assert expected == is_readable(mounts, path) == shows(mounts, path)


@ANY_MACHINE
@given(SETS, SETS)
def test_no_mount_is_made_twice_or_without_effect(visible: set[Path], hidden: set[Path]) -> None:
    """A folder is shown only where it is not visible yet, and hidden only where it would be."""
    mounts = arrange(visible, hidden - visible)
    for index, mount in enumerate(mounts):
        assert isinstance(mount, Hidden) == is_readable(mounts[:index], mount.path)


@ANY_MACHINE
@given(SETS, SETS, PATHS)
def test_a_folder_that_is_both_private_and_needed_is_refused(
    visible: set[Path], hidden: set[Path], path: Path
) -> None:
    """Neither hiding a folder that Python needs nor showing a private one would be right."""
    with pytest.raises(Clash, match="has to be hidden from submissions"):
        arrange(visible | {path}, hidden | {path})


def test_all_that_is_hidden_is_protected_from_writing() -> None:
    """The folder in place of a hidden one is made read-only after the mounts within it."""
    mounts = arrange([Path("/a"), Path("/a/b/c")], [Path("/a/b")])
    listed = list(words(mounts))

    assert ["/a/b"] == after(mounts, "--remount-ro")
    assert listed.index("--remount-ro") > listed.index("/a/b/c")


def test_a_link_is_made_only_where_its_folder_is_not_shown() -> None:
    """A visible folder already contains its links."""
    inside, outside = Link(Path("/a/b"), "c"), Link(Path("/d/e"), "/a")

    assert (Visible(Path("/a")), outside) == arrange([Path("/a")], [], [inside, outside])
    assert ["/d"] == after([Visible(Path("/a")), outside], "--dir")


def test_each_link_on_the_way_is_resolved(tmp_path: Path) -> None:
    """Links to folders, to links and through `..` are followed as the system follows them."""
    folder = tmp_path.resolve()
    (folder / "real" / "deep").mkdir(parents=True)
    (folder / "near").symlink_to("real/deep")
    (folder / "far").symlink_to(folder / "near")
    (folder / "up").symlink_to("far/../deep/x")
    real, links = resolve(folder / "up" / "y")

    assert folder / "real" / "deep" / "x" / "y" == real
    assert ["up", "far", "near"] == [link.path.name for link in links]
    assert "far/../deep/x" == links[0].target


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    """A path that leads nowhere is followed for as long as the system follows it."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")

    assert len(resolve(tmp_path / "a")[1]) == 40


def test_what_is_beside_a_private_file_is_private(tmp_path: Path) -> None:
    """The folder of a file, or of what does not exist yet, is hidden, wherever links lead."""
    folder = tmp_path.resolve() / "real"
    folder.mkdir()
    (folder / "roster.csv").touch()
    (tmp_path / "link").symlink_to(folder)

    for name in ("", "roster.csv", "out/pages"):
        assert folder == nearest_folder(tmp_path / "link" / name)
