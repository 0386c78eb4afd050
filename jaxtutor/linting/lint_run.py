"""Reads files for mistakes, in several processes where that is faster, and keeps what it found."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.linting.groups import groups
from jaxtutor.storage import caches

if TYPE_CHECKING:
    from jaxtutor.core.diagnosis.engine.rules import Diagnosed
    from jaxtutor.core.diagnosis.engine.source import Module

FEW = 1 << 19
"""Characters that are read sooner by one process than two processes start."""

Texts = Mapping[str, str]


class GroupResult(msgspec.Struct, frozen=True):
    """What was found in a group of files, and which of them Python cannot parse."""

    found: tuple[Diagnosis, ...] = ()
    unparsed: tuple[str, ...] = ()


def find_mistakes(texts: Texts, library: Library, folder: Path, jobs: int) -> GroupResult:
    """Return what the source of files shows. What is in the cache `folder` is not read again."""
    parts = [{file: texts[file] for file in group} for group in groups(texts)]
    paths = [folder / f"{_digest(part, library)}.msgpack" for part in parts]
    results = {n: kept for n, path in enumerate(paths) if (kept := _load(path)) is not None}
    due = [n for n in range(len(parts)) if n not in results]
    for n, result in zip(due, _read_all([parts[n] for n in due], library, jobs), strict=True):
        results[n] = result
        caches.write(paths[n], msgspec.msgpack.encode(result))
    return GroupResult(
        tuple(found for n in range(len(parts)) for found in results[n].found),
        tuple(file for n in range(len(parts)) for file in results[n].unparsed),
    )


def _read_all(parts: Sequence[Texts], library: Library, jobs: int) -> Iterator[GroupResult]:
    size = sum(len(text) for part in parts for text in part.values())
    if jobs < 2 or len(parts) < 2 or size < FEW:
        yield from (read_group(part, library) for part in parts)
        return
    from multiprocessing import get_context

    order = sorted(range(len(parts)), key=lambda n: -sum(map(len, parts[n].values())))
    with ProcessPoolExecutor(min(jobs, len(parts)), get_context("spawn")) as pool:
        futures = {n: pool.submit(_read_elsewhere, dict(parts[n])) for n in order}
        yield from (futures[n].result() for n in range(len(parts)))


def _read_elsewhere(part: Texts) -> GroupResult:
    return read_group(part, _library())


@cache
def _library() -> Library:
    return Library()


def read_group(part: Texts, library: Library) -> GroupResult:
    """Return what the source of files that import each other shows."""
    from jaxtutor.core.diagnosis.engine.findings import find_in_source
    from jaxtutor.core.diagnosis.engine.source import read_modules

    modules = read_modules(part)
    found = find_in_source(modules, library)
    unparsed = (file for file in part if file not in modules)
    return GroupResult(tuple(_with_fix(item, modules) for item in found), tuple(unparsed))


def _with_fix(found: Diagnosed, modules: Mapping[str, Module]) -> Diagnosis:
    """Add the likeliest edit of the finding's file, if one is known."""
    from jaxtutor.core.diagnosis.engine.propose import propose

    diagnosis = found.diagnosis
    patch = next((each for each in propose(found) if each.file == diagnosis.file), None)
    if patch is None:
        return diagnosis
    fix = Fix(
        patch.diff(modules[patch.file].source),
        verified=False,
        replaced=patch.edits,
        keeps_results=patch.keeps_results,
    )
    return replace(diagnosis, fix=fix)


def _load(path: Path) -> GroupResult | None:
    with suppress(msgspec.MsgspecError):
        return msgspec.msgpack.decode(caches.read(path), type=GroupResult)
    return None


def _digest(part: Texts, library: Library) -> str:
    """Return a name for these texts, as this version of jaxtutor reads them."""
    digest = hashlib.blake2b(_version(library.folder).encode(), digest_size=20)
    for item in part.items():
        for text in item:
            data = text.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8))
            digest.update(data)
    return digest.hexdigest()


@cache
def _version(pages: Path) -> str:
    """Name the rules and the pages, by the times of their files."""
    from jaxtutor.core import diagnosis

    code = Path(diagnosis.__file__).parent
    folders = (pages, *(Path(root) for root, _, _ in os.walk(code)))
    files = (file for folder in folders for file in folder.iterdir())
    newest = max(f.stat().st_mtime_ns for f in files if f.suffix in (".py", ".md"))
    return f"{newest}"
