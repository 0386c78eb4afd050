"""Writes the tables of what all rules match and read: `./dev index`.

`recorded/*/matches.txt` has every rule that matches each recorded failure, in the order in which
they are asked. `library_texts.tsv` has the texts of libraries that rules read. `summaries.json`,
beside the pages of the causes, has what each says of its own example.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

import library_texts
from catalogue import Program, catalogue
from jaxtutor.content.cause_pages import SUMMARIES, Library
from jaxtutor.core.diagnosis.engine.context import FailureContext
from jaxtutor.core.diagnosis.engine.pages import fill
from jaxtutor.core.diagnosis.engine.registry import raised_rules
from recordings import RECORDED, Record, corners, diagnoses, records

CAUSES = Library()


def recorded(of: str, cause: str | None = None) -> Iterator[tuple[Program, Record]]:
    """Yield the programs of a cause that have a record, or those of all, with it."""
    known = records(of)
    for name, program in catalogue().items():
        if name in known and cause in (None, program.cause) and has_places(program, of):
            yield program, known[name]


def has_places(program: Program, of: str) -> bool:
    """Return whether this Python finds the places of a record: before 3.12, none in f-strings."""
    if sys.version_info >= (3, 12) or of.startswith("python-3.11"):
        return True
    return not any(isinstance(node, ast.JoinedStr) for node in ast.walk(ast.parse(program.source)))


def file_of_matches(of: str) -> Path:
    """Return the table of a corner."""
    return RECORDED / of / "matches.txt"


def known_matches(of: str) -> dict[str, str]:
    """Return the rows of a table: the causes by the name of the program."""
    lines = file_of_matches(of).read_text(encoding="utf-8").splitlines()
    rows = (line.partition(":") for line in lines)
    return {name: slugs.strip() for name, _, slugs in rows}


def matches(of: str) -> dict[str, str]:
    """Return the rows as they should be, of the programs whose places this Python finds."""
    return {
        program.name: " ".join(matching(program, record))
        for program, record in recorded(of)
        if record.failure is not None
    }


def matching(program: Program, record: Record) -> list[str]:
    """Return the causes whose rules match a failure, in the order in which they are asked."""
    assert record.failure is not None
    context = FailureContext(record.failure, {program.file: program.source})
    rules = raised_rules(context)
    return [rule.slug for rule in rules if rule.find(context) is not None]


def summaries() -> dict[str, str]:
    """Return what pages whose summary has facts say of their own example, by the newest record."""
    known = records(corners()[-1])
    found = {}
    for slug, cause in CAUSES.items():
        name = f"pages/{slug}/failing"
        if "{" not in cause.summary:
            continue
        if cause.example:
            found[slug] = fill(cause.summary, cause.example)
            continue
        if not has_places(catalogue()[name], corners()[-1]):
            found[slug] = CAUSES.summaries.get(slug, "")
            continue
        said = [it for it in diagnoses(known[name], catalogue()[name], CAUSES) if it is not None]
        found[slug] = next((it.summary for it in said if it.cause == slug), "")
    return {slug: text for slug, text in sorted(found.items()) if text}


def main() -> int:
    """Write the tables; rows of programs whose places this Python does not find stay."""
    for of in corners():
        now = matches(of)
        kept = {
            name: slugs
            for name, slugs in known_matches(of).items()
            if name in catalogue() and not has_places(catalogue()[name], of)
        }
        rows = {name: (now | kept)[name] for name in catalogue() if name in now | kept}
        text = "".join(f"{name}: {slugs}".rstrip() + "\n" for name, slugs in rows.items())
        file_of_matches(of).write_text(text, encoding="utf-8")
    table = msgspec.json.format(msgspec.json.encode(summaries()), indent=1)
    (CAUSES.folder / SUMMARIES).write_bytes(table + b"\n")
    library_texts.TABLE.write_text(library_texts.table(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
