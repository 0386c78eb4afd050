"""Makes files that no learner hands in by accident, each to stop or to slow down who reads it."""

from __future__ import annotations

import json
import os
import socket
import stat
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

KIB = 1 << 10
LARGEST = 256 * KIB
"""The most that a program may have."""


def notebook(*cells: str, extra: str = "") -> bytes:
    """Return a notebook; `extra` is JSON for its metadata."""
    listed = [{"cell_type": "code", "source": text, "metadata": {}} for text in cells]
    body = json.dumps(listed)
    return f'{{"nbformat": 4, "metadata": {extra or "{}"}, "cells": {body}}}'.encode()


def nested_finally(depth: int) -> bytes:
    """Return a program that the compiler doubles at each level."""
    lines = ["def f(x):"]
    for level in range(1, depth + 1):
        lines += [" " * level + "try: pass", " " * level + "finally:"]
    return "\n".join([*lines, *[" " * (depth + 1) + "x = x + 1"] * 20, ""]).encode()


def tagged(tags: str) -> bytes:
    """Return a notebook whose only cell has these tags."""
    cell = f'{{"cell_type": "code", "source": "x = 1", "metadata": {{"tags": {tags}}}}}'
    return f'{{"nbformat": 4, "cells": [{cell}]}}'.encode()


PROGRAMS: Mapping[str, Callable[[], bytes]] = {
    "too long": lambda: b"x = 1\n" * LARGEST,
    "UTF-16": lambda: "x = 1\n".encode("utf-16"),
    "null bytes": lambda: b"x = 1\0\n",
    "an unknown codec": lambda: b"# coding: nonsense\nx = 1\n",
    "a slow codec": lambda: b"# coding: punycode\n#-" + b"a" * (255 * KIB),
    "code that doubles": lambda: nested_finally(19),
    "a sum": lambda: b"x = 1" + b"+1" * (LARGEST // 2 - 3),
    "a chain": lambda: b"import a\nx = a" + b".a" * (LARGEST // 2 - 8),
    "many chains": lambda: (b"x = a" + b".a" * 900 + b"\n") * 140,
    "one list": lambda: b"x = [" + b"1," * (LARGEST // 2 - 4) + b"]",
    "nested brackets": lambda: b"(" * 5000,
    "a long name, often": lambda: (
        b"import " + b"a" * (100 * KIB) + b" as a\n" + b"a\n" * (50 * KIB)
    ),
    "a large number": lambda: b"x = 0x" + b"f" * (200 * KIB),
}
"""Contents of a `.py` file."""

NOTEBOOKS: Mapping[str, Callable[[], bytes]] = {
    "nested metadata": lambda: notebook("x = 1", extra="[" * 100_000 + "]" * 100_000),
    "nested tags": lambda: tagged("[" * 100_000 + "]" * 100_000),
    "many empty lists": lambda: tagged("[" + "[]," * 5_000_000 + "[]]"),
    "a long sum": lambda: notebook("x = 1" + "+1" * 4_000_000),
    "a long list": lambda: notebook("x = [" + "1," * 6_000_000 + "]"),
    "many lines": lambda: notebook("x = 1\n" * 2_000_000),
    "many cells": lambda: notebook(*["x=1"] * 120_000),
    "spaces": lambda: notebook(" " * 200_000 + "x"),
    "half a character": lambda: notebook("x = '\ud800'"),
    "another version": lambda: b'{"nbformat": 3, "cells": []}',
    "not JSON": lambda: b"{",
    "too large": lambda: b" " * (17 << 20),
}
"""Contents of an `.ipynb` file."""


def make_fifo(path: Path) -> None:
    """Make a pipe that nobody writes to."""
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    """Make a socket, which cannot be opened."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        with socket.socket(socket.AF_UNIX) as made:  # a name may be too long for a socket
            made.bind(f"/proc/self/fd/{folder}/{path.name}")
    finally:
        os.close(folder)


def make_link(path: Path) -> None:
    """Make a link to a file that exists everywhere."""
    path.symlink_to("/etc/hostname")


def make_loop(path: Path) -> None:
    """Make a link to itself."""
    path.symlink_to(path.name)


FILES: Mapping[str, Callable[[Path], None]] = {
    "a pipe": make_fifo,
    "a socket": make_socket,
    "a link": make_link,
    "a loop": make_loop,
}
"""Makes something that is not a regular file."""


def pack(archive: zipfile.ZipFile, name: str, kind: str) -> None:
    """Add an entry of a kind to an archive."""
    entry = zipfile.ZipInfo(name)
    if kind == "a link":
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, "/etc/passwd")
    elif kind == "a bomb":
        archive.writestr(entry, b"\0" * (8 << 20), zipfile.ZIP_DEFLATED)
    elif kind == "a bomb of bzip2":
        archive.writestr(entry, b"\0" * (8 << 20), zipfile.ZIP_BZIP2)
    elif kind == "a bomb of LZMA":
        archive.writestr(entry, b"\0" * (8 << 20), zipfile.ZIP_LZMA)
    elif kind == "a long name":
        archive.writestr(f"{'x' * 60_000}{name}", "x = 1\n")
    elif kind == "many levels":
        archive.writestr(f"{name.partition('/')[0]}{'/z' * 5000}/double.py", "x = 1\n")
    elif kind == "a path that leads out":
        archive.writestr(f"../../../{name}", "x = 1\n" + "\0")
    else:
        raise ValueError(kind)


ENTRIES = (
    "a link",
    "a bomb",
    "a bomb of bzip2",
    "a bomb of LZMA",
    "a long name",
    "many levels",
    "a path that leads out",
)
"""What `pack` can add."""
