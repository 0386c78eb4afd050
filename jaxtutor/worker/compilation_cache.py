"""Keeps the programs that XLA compiles in files, so that later checks load them.

XLA's compiler takes most of a check's time, and most saves change one function of several, or
none. JAX's persistent cache identifies a program by its text, the compiler's options and its
version. A file here is complete or absent, since a worker may be killed at any moment. It holds a
digest of its key and its content, so that it fits its own name only. What it holds is run as
machine code, so only files are loaded that nobody else could have written.
"""

from __future__ import annotations

import contextlib
import os
import platform
import stat
import tempfile
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path

import jax

from jaxtutor.core.data.ownership import find_folder_problem, find_intrusion
from jaxtutor.worker.internals import evaluation

_DIGEST_SIZE = 16

# As they were before a submission could replace them.
_digest, _open, _replace, _utime = blake2b, open, os.replace, os.utime
_fstat, _open_descriptor = os.fstat, os.open

READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Neither follow a link nor wait for the writer of a pipe."""


def keep_in(folder: str) -> None:
    """Keep compiled programs in a folder, and load those that exist.

    Nothing is kept in a folder that others can write to, nor where JAX's internals have changed.
    """
    cache = cache_in(folder)
    if cache is not None and evaluation.keep_programs(cache):
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        jax.config.update("jax_compilation_cache_dir", folder)


def cache_in(folder: str) -> CompilationCache | None:
    """Return the cache in a folder; None where it has no name, or others can write to it."""
    return CompilationCache(Path(folder)) if folder and is_private(folder) else None


def is_private(folder: str) -> bool:
    """Create a folder unless it exists, and return whether only this user can write to it."""
    with contextlib.suppress(OSError):
        Path(folder).mkdir(parents=True, mode=0o700, exist_ok=True)
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return not find_folder_problem(status.st_mode, status.st_uid, _user())


def _is_own(status: os.stat_result) -> bool:
    return not find_intrusion(status.st_mode, status.st_uid, _user())


def _user() -> int | None:
    return os.geteuid() if hasattr(os, "geteuid") else None


class CompilationCache:
    """Compiled programs by their key. One that cannot be read or written is absent."""

    def __init__(self, path: Path) -> None:
        self._path = path  # JAX names it when it drops a cache
        self._machine = _describe_processor()

    def get(self, key: str) -> bytes | None:
        """Return a program; None if it is absent, incomplete, another's or of another key."""
        file = self._file(key)
        with contextlib.suppress(OSError):
            with _open(_open_descriptor(file, READING), "rb") as stream:
                status = _fstat(stream.fileno())
                if not (stat.S_ISREG(status.st_mode) and _is_own(status)):
                    return None
                data = stream.read()
            if data[:_DIGEST_SIZE] == self._sum(key, data[_DIGEST_SIZE:]):
                _utime(file)  # the shell removes what has not been used for longest
                return data[_DIGEST_SIZE:]
        return None

    def put(self, key: str, value: bytes) -> None:
        """Keep a program."""
        file = self._file(key)
        with contextlib.suppress(OSError):
            self._path.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=".", dir=self._path)
            try:
                with _open(descriptor, "wb") as stream:
                    stream.write(self._sum(key, value) + value)
                _replace(name, file)
            except OSError:
                Path(name).unlink()
                raise

    def _file(self, key: str) -> Path:
        """Return the file: a key holds the name of a function, which may be of any length."""
        return self._path / _digest(self._identify(key), digest_size=24).hexdigest()

    def _identify(self, key: str) -> bytes:
        return f"{self._machine}\0{key}".encode()

    def _sum(self, key: str, data: bytes) -> bytes:
        name = _digest(self._identify(key), digest_size=32).digest()
        return _digest(name + data, digest_size=_DIGEST_SIZE).digest()


def _describe_processor() -> str:
    """Say what code can run here: a home folder may be shared by machines that differ."""
    reported = ("model name", "flags", "Features", "CPU part")
    try:
        with _open("/proc/cpuinfo", encoding="utf-8") as lines:
            first = takewhile(str.strip, lines)  # of the first processor
            return "".join(line for line in first if line.startswith(reported))
    except OSError:
        return f"{platform.machine()} {platform.node()}"
