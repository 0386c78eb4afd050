"""Records what the programs of the catalogue do: `./dev record [SLUG…]`, or `--check` to compare.

Without a slug, the programs whose record is missing or of an earlier text are run; with `--all`,
every program. The records are those of the running Python and the installed jax.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence

from catalogue import Program, catalogue
from program_pool import without
from program_runner import BROKEN
from recordings import Record, corner, digest, records, run, write

BATCH = 200
"""Programs between two writes: what an interrupted run has recorded is kept."""


def main(words: Sequence[str] | None = None) -> int:
    """Record programs, or compare them with their records. Return 1 if one differs."""
    parser = argparse.ArgumentParser(prog="dev record", description=__doc__)
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="a cause")
    parser.add_argument("--group", help="only these: programs, corpus, pages, drills or spellings")
    parser.add_argument("--all", action="store_true", help="also programs that have a record")
    parser.add_argument("--check", action="store_true", help="write nothing, name what differs")
    given = parser.parse_args(words)
    known = records(corner())
    programs = [it for it in chosen(given.slugs, given.group) if not without(it.needs)]
    if not (given.all or given.slugs or given.check):
        programs = [it for it in programs if not is_current(it, known)]
    differing = 0
    for start in range(0, len(programs), BATCH):
        part = programs[start : start + BATCH]
        sys.stderr.write(f"{start} of {len(programs)}\n")
        made = tuple(run(part))
        if given.check:
            differing += report(made, known)
        else:
            write(made, corner())
    return 1 if differing else 0


def chosen(slugs: Sequence[str], group: str | None) -> list[Program]:
    """Return the programs of some causes; of none, all. Those of one library stand together."""
    programs = [it for it in catalogue().values() if not slugs or it.cause in slugs]
    programs = [it for it in programs if group is None or it.name.startswith(f"{group}/")]
    return sorted(programs, key=lambda program: program.needs)


def is_current(program: Program, known: Mapping[str, Record]) -> bool:
    """Return whether a program has a record of its present text, from a run that ended."""
    record = known.get(program.name)
    return record is not None and record.digest == digest(program) and record.problem != BROKEN


def report(made: Iterable[Record], known: Mapping[str, Record]) -> int:
    """Name the records that are not what has been seen now. Return how many."""
    wrong = [record.name for record in made if known.get(record.name) != record]
    for name in wrong:
        sys.stdout.write(f"{name}: its record is not what it does now\n")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main())
