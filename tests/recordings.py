"""Reads and writes the recorded outcomes of the programs of the catalogue.

A record is what `program_runner` saw of a program: its failure and its observations. It is kept in
`recorded/PYTHON-JAX/CAUSE.jsonl`, so that the tests can diagnose every program without running
any. Paths are those of the catalogue, addresses of objects are zero, and values that a field has
by default are left out.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from catalogue import TESTS, Program, catalogue
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find_all
from program_pool import run_programs
from program_runner import Ran

RECORDED = TESTS / "recorded"
RIGHT = "right"
"""The file of programs that were written for no cause."""


class Record(msgspec.Struct, frozen=True):
    """The outcome of one program, and a digest of the source that had it."""

    name: str
    digest: str
    failure: Failure | None = None
    observations: tuple[Observation, ...] = ()
    problem: str = ""


def corner() -> str:
    """Return the name of the folder for the running Python and the installed jax."""
    jax = ".".join(version("jax").split(".")[:2])
    return f"python-{sys.version_info.major}.{sys.version_info.minor}-jax-{jax}"


def corners() -> tuple[str, ...]:
    """Return the names of the folders that have records."""
    return tuple(sorted(path.name for path in RECORDED.glob("*") if path.is_dir()))


def digest(program: Program) -> str:
    """Return a short digest of a program and of how it is called."""
    files = [program.source.encode()]
    if program.folder is not None:
        files += [(program.folder / name).read_bytes() for name in ("args.py", "case.json")]
    return hashlib.sha256(b"\0".join(files)).hexdigest()[:12]


# ---------------------------------------------------------------- reading


@cache
def records(of: str) -> Mapping[str, Record]:
    """Return the records of a corner by the names of their programs."""
    found: dict[str, Record] = {}
    for path in sorted((RECORDED / of).glob("*.jsonl")):
        found.update({record.name: record for record in read(path)})
    return found


def read(path: Path) -> tuple[Record, ...]:
    """Return the records of a file. Raises ValueError that names the line."""
    made = []
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            made.append(msgspec.json.decode(line, type=Record))
        except msgspec.MsgspecError as error:
            raise ValueError(f"{path}:{number}: {error}") from error
    return tuple(made)


def diagnoses(
    record: Record, program: Program, causes: Mapping[str, Any]
) -> tuple[Diagnosis | None, ...]:
    """Diagnose a recorded outcome: one diagnosis for a failure, and else the findings.

    What is worth a look comes last.
    """
    sources = {program.file: program.source}
    if record.failure is not None:
        found = diagnose(record.failure, sources, causes, record.observations)
        return (found.diagnosis if found is not None else None,)
    certain, looks = find_all(record.observations, sources, causes)
    return tuple(it.diagnosis for it in (*certain, *looks))


# ---------------------------------------------------------------- running and writing


def run(programs: Iterable[Program]) -> Iterator[Record]:
    """Run programs and return their records."""
    chosen = tuple(programs)
    with tempfile.TemporaryDirectory() as folder:
        paths = {it.name: Path(folder, it.file) for it in chosen}
        for program in chosen:
            paths[program.name].parent.mkdir(parents=True, exist_ok=True)
            paths[program.name].write_text(program.source)
            if program.folder is not None:
                case = paths[program.name].with_name("case.json")
                case.write_bytes((program.folder / "case.json").read_bytes())
        ran = run_programs([_word(it, paths[it.name]) for it in chosen])
        for program in chosen:
            yield _record(program, ran[str(paths[program.name])], Path(folder))


def _word(program: Program, path: Path) -> str:
    return f"{path}:{program.folder / 'args.py'}" if program.folder is not None else str(path)


def _record(program: Program, ran: Ran, folder: Path) -> Record:
    made = Record(program.name, digest(program), ran.failure, ran.observations, ran.problem)
    text = msgspec.json.encode(compact(made)).decode().replace(f"{folder}/", "")
    return msgspec.json.decode(portable(text), type=Record)


def portable(text: str) -> str:
    """Replace what differs between machines: folders, addresses, and lines of our own files."""
    for found, put in (
        (f"{TESTS}/", ""),
        (f"{Path(msgspec.__file__).parent.parent}/", "site-packages/"),
        (f"{Path(re.__file__).parent.parent}/", "python/"),
        (f"{TESTS.parent}/", ""),
    ):
        text = text.replace(found, put)
    return _OWN_LINE.sub(r"\1\g<2>0", _ADDRESS.sub("0x0", text))


_OWN_LINE = re.compile(r'(program_runner\.py|jaxtutor/[\w/]+\.py)(\\?", line |:)\d+')
_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b|(?<=\bid )\d{9,}\b|(?<=\bid=)\d{9,}\b")


def compact(value: Any) -> Any:
    """Return a value as plain data, without the fields that have their default."""
    if isinstance(value, msgspec.Struct):
        fields = ((it, getattr(value, it.name)) for it in msgspec.structs.fields(value))
        return tag_of(value) | {
            it.encode_name: compact(had) for it, had in fields if had != _default(it)
        }
    if isinstance(value, list | tuple):
        return [compact(item) for item in value]
    if isinstance(value, dict):
        return {key: compact(item) for key, item in value.items()}
    return value


def tag_of(value: msgspec.Struct) -> dict[str, Any]:
    """Return the field that says which struct of a union a value is, if it is of one."""
    config = value.__struct_config__
    return {config.tag_field: config.tag} if config.tag_field is not None else {}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def write(made: Iterable[Record], of: str) -> None:
    """Write records to the files of a corner, in place of those of the same programs.

    Records of programs that no longer exist go.
    """
    kept = {**records(of), **{record.name: record for record in made}}
    by_file: dict[str, list[Record]] = {}
    for name, program in catalogue().items():
        if name in kept:
            by_file.setdefault(program.cause or RIGHT, []).append(kept[name])
    folder = RECORDED / of
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.jsonl"):
        if path.stem not in by_file:
            path.unlink()
    for stem, some in by_file.items():
        lines = [msgspec.json.encode(compact(record)) + b"\n" for record in some]
        (folder / f"{stem}.jsonl").write_bytes(b"".join(lines))
    records.cache_clear()
