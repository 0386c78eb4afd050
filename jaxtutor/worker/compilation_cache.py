"""Owns the programs that XLA compiled before: what an earlier check compiled is loaded.

XLA's compiler takes most of a check's time, and most saves change one function of several, or
none. JAX's persistent cache keys a program by its text, the compiler's options and its version.
Its files are ours here: each is whole or not there, for a worker may be killed at any moment.
"""

from __future__ import annotations

import contextlib
import os
import platform
import tempfile
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path

import jax

from jaxtutor.worker import provenance

_DIGEST_SIZE = 16

# As they were before a learner could put others in their place.
_digest, _open, _replace, _utime = blake2b, open, os.replace, os.utime


def keep_in(folder: str) -> None:
    """Keep compiled programs in a folder, and load those that are there.

    Where JAX's internals have moved, everything is compiled, as it would be without this.
    """
    if provenance.keep_programs(CompilationCache(Path(folder))):
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)
        jax.config.update("jax_persistent_cache_enable_xla_caches", "none")
        jax.config.update("jax_compilation_cache_dir", folder)


class CompilationCache:
    """Compiled programs by their key. What cannot be read or written is not there."""

    def __init__(self, path: Path) -> None:
        self._path = path  # JAX names it when it drops a cache
        self._machine = _describe_processor()

    def get(self, key: str) -> bytes | None:
        """Return a program; None where it is not there or not whole."""
        file = self._file(key)
        with contextlib.suppress(OSError):
            with _open(file, "rb") as stream:
                data = stream.read()
            if data[:_DIGEST_SIZE] == _sum(data[_DIGEST_SIZE:]):
                _utime(file)  # the shell removes what was not used for longest
                return data[_DIGEST_SIZE:]
        return None

    def put(self, key: str, value: bytes) -> None:
        """Keep a program."""
        file = self._file(key)
        with contextlib.suppress(OSError):
            self._path.mkdir(parents=True, exist_ok=True)
            descriptor, name = tempfile.mkstemp(prefix=".", dir=self._path)
            try:
                with _open(descriptor, "wb") as stream:
                    stream.write(_sum(value) + value)
                _replace(name, file)
            except OSError:
                Path(name).unlink()
                raise

    def _file(self, key: str) -> Path:
        """Name the file: a key holds the name of a function, which may be of any length."""
        return self._path / _digest(f"{self._machine}\0{key}".encode(), digest_size=24).hexdigest()


def _sum(data: bytes) -> bytes:
    return _digest(data, digest_size=_DIGEST_SIZE).digest()


def _describe_processor() -> str:
    """Say what code can run here: a home folder may be shared by machines that differ."""
    told = ("model name", "flags", "Features", "CPU part")
    try:
        with _open("/proc/cpuinfo", encoding="utf-8") as lines:
            first = takewhile(str.strip, lines)  # of the first processor
            return "".join(line for line in first if line.startswith(told))
    except OSError:
        return f"{platform.machine()} {platform.node()}"
