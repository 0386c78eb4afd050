"""Judges by its status whether a file or folder could have been written by someone else."""

from __future__ import annotations

import stat

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def find_intrusion(mode: int, owner: int, user: int | None) -> str:
    """Return who else could write to a file of this mode and owner; empty if nobody.

    `user` is the id of this process's user, None on systems without user ids.
    """
    if user is None:
        return ""
    if owner != user:
        return "it belongs to another user"
    return "other users can write to it" if mode & WRITABLE_BY_OTHERS else ""


def find_folder_problem(mode: int, owner: int, user: int | None) -> str:
    """Return why a folder cannot hold files that are run as code; empty if it can."""
    if stat.S_ISLNK(mode):
        return "it is a symbolic link"
    if not stat.S_ISDIR(mode):
        return "it is not a folder"
    return find_intrusion(mode, owner, user)
