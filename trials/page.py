"""Keeps the page of the long trials: the figures of the last runs, and every shard that was run."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import jaxtutor
from trials import PARTS, Result

FIGURES = "| part | promise | tried | held |"
RUNS = "| part | size | seconds | date | jaxtutor | Python | jax | system |"
TOTALS = "| part | of size 1 | shards | tried | held | dates | commits |"
SHARDS = (
    "| part | size | shard | tried | held | seconds "
    "| date | commit | Python | jax | system | remarks |"
)
"""The first line of each table."""

INTRODUCTION = """\
# The long trials

Written by `./dev trials --table docs/trials.md`. A part that is run again replaces its own
rows. [reliability.md](reliability.md) says what is promised, and how each promise is tried.
"""

IN_SHARDS = """\
## In shards

`./dev trials PART --shard K/N` adds a row to the last table. The first table says how much of
size 1 was run in this way. The newest run of each shard counts, whatever its commit, unless it is
incomplete. Shards of different commits can overlap, or miss a trial, if trials were added between
them. Runs with another number of shards, or of another size, may repeat trials. So they are not
added up: the combination that covers most is shown. A commit with a plus sign had changes that were
not committed. `tried` and `held` count every promise.
"""

INCOMPLETE = "incomplete: "


@dataclass(frozen=True)
class ShardRun:
    """A row of the table of shards: what one run of one shard found."""

    part: str
    size: str
    shard: str
    tried: str
    held: str
    seconds: str
    date: str
    commit: str
    python: str
    jax: str
    system: str
    remarks: str


def add(path: Path, result: Result, commit: str) -> None:
    """Add a result to a page. A shard gets a row of its own; a whole part replaces its rows."""
    tables = read_tables(path)
    figures, runs, shards = (tables.get(head, []) for head in (FIGURES, RUNS, SHARDS))
    if result.share.shards > 1:
        shards = in_order([*shards, to_row(astuple(describe_shard(result, commit)))])
    else:
        figures = replace_part(figures, result.part, figure_rows(result))
        runs = replace_part(runs, result.part, [run_row(result)])
    blocks = [INTRODUCTION, table(FIGURES, figures), table(RUNS, runs)]
    if shards:
        totals = total_rows([ShardRun(*cells(row)) for row in shards])
        blocks += [IN_SHARDS, table(TOTALS, totals), table(SHARDS, shards)]
    path.write_text("\n".join(filter(None, blocks)), encoding="utf-8")


# ---------------------------------------------------------------- tables


def read_tables(path: Path) -> dict[str, list[str]]:
    """Return the rows of a page's tables by the first line of each; of a missing page, none."""
    tables: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line in (FIGURES, RUNS, TOTALS, SHARDS):
            rows = tables.setdefault(line, [])
        elif line.startswith("| "):
            rows.append(line)
    return tables


def table(head: str, rows: Sequence[str]) -> str:
    """Return a table as Markdown, and nothing if it has no rows."""
    lines = [head, "|" + "---|" * len(cells(head)), *rows] if rows else []
    return "".join(f"{line}\n" for line in lines)


def to_row(texts: Iterable[str]) -> str:
    """Return the row of a table. No text can leave its cell."""
    return "| " + " | ".join(" ".join(it.replace("|", "\\|").split()) for it in texts) + " |"


def cells(row: str) -> list[str]:
    """Return the cells of a row."""
    return row.removeprefix("| ").removesuffix(" |").split(" | ")


def in_order(rows: Iterable[str]) -> list[str]:
    """Sort rows by part, and leave those of one part in their order."""
    return sorted(rows, key=lambda row: PARTS.index(cells(row)[0]))


def replace_part(rows: Iterable[str], part: str, new: Sequence[str]) -> list[str]:
    """Put the new rows of a part in place of its old ones."""
    return in_order([*(row for row in rows if cells(row)[0] != part), *new])


# ---------------------------------------------------------------- whole parts


def figure_rows(result: Result) -> list[str]:
    """Return a row for each promise, and one for an exception that ended the part."""
    rows = [
        to_row((result.part, it.promise, f"{it.tried:,}", f"{it.held:,}")) for it in result.figures
    ]
    if result.ended:
        rows.append(to_row((result.part, f"runs to its end: {result.ended}", "1", "0")))
    return rows


def run_row(result: Result) -> str:
    """Return the row that says when and where a part was run."""
    measured = f"{result.share.size:.3g}", f"{result.seconds:,.0f}"
    return to_row((result.part, *measured, today(), jaxtutor.__version__, *versions()))


def today() -> str:
    """Return the date in UTC."""
    return f"{datetime.now(UTC):%Y-%m-%d}"


def versions() -> tuple[str, str, str]:
    """Return the versions of Python and jax, and the system."""
    return platform.python_version(), version("jax"), platform.system()


# ---------------------------------------------------------------- shards


def describe_shard(result: Result, commit: str) -> ShardRun:
    """Return the row of a shard, with the sums over all of its promises."""
    gaps = [f"{it.promise}: {it.not_tried}" for it in result.figures if it.not_tried]
    gaps += [result.ended] if result.ended else []
    broken = [it.promise for it in result.figures if it.held < it.tried]
    remarks = [INCOMPLETE + "; ".join(gaps)] if gaps else []
    remarks += ["broken: " + "; ".join(broken)] if broken else []
    return ShardRun(
        result.part,
        f"{result.share.size:.3g}",
        str(result.share),
        str(sum(it.tried for it in result.figures)),
        str(sum(it.held for it in result.figures)),
        f"{result.seconds:.0f}",
        today(),
        commit,
        *versions(),
        ". ".join(remarks) or "all held",
    )


def total_rows(runs: Sequence[ShardRun]) -> list[str]:
    """Return, for each part that was run in shards, how much of size 1 was run."""
    parts = dict.fromkeys(run.part for run in runs)
    return [total_row(best_cover([run for run in runs if run.part == part])) for part in parts]


def best_cover(runs: Sequence[ShardRun]) -> list[ShardRun]:
    """Return the newest run of each shard, of the size and number of shards that cover most."""
    newest: dict[tuple[str, str], dict[str, ShardRun]] = {}
    for run in runs:
        newest.setdefault((run.size, run.shard.partition("/")[2]), {})[run.shard] = run
    return max(([*found.values()] for found in newest.values()), key=covered)


def covered(runs: Sequence[ShardRun]) -> float:
    """Return how much of size 1 the complete ones of these runs are."""
    return sum(
        float(run.size) / int(run.shard.partition("/")[2])
        for run in runs
        if not run.remarks.startswith(INCOMPLETE)
    )


def total_row(runs: Sequence[ShardRun]) -> str:
    """Return the row that sums up the shards of one size and number."""
    first = runs[0]
    complete = sum(not run.remarks.startswith(INCOMPLETE) for run in runs)
    dates = sorted({run.date for run in runs})
    return to_row(
        (
            first.part,
            f"{covered(runs):.3g}",
            f"{complete} of {first.shard.partition('/')[2]} of size {first.size}",
            f"{sum(int(run.tried) for run in runs):,}",
            f"{sum(int(run.held) for run in runs):,}",
            " to ".join(dict.fromkeys((dates[0], dates[-1]))),
            ", ".join(dict.fromkeys(run.commit for run in runs)),
        )
    )


def find_commit() -> str:
    """Return the commit of this checkout, with a plus sign if it was changed, or `unknown`.

    The variable TRIALS_COMMIT names it for a copy that is not a checkout.
    """
    if named := os.environ.get("TRIALS_COMMIT"):
        return named
    root = Path(__file__).parent.parent
    try:
        head = git(root, "rev-parse", "--short", "HEAD")
        apart = (".", ":(exclude)docs/trials.md")  # each shard changes it
        changed = git(root, "status", "--porcelain", "--untracked-files=no", "--", *apart)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + ("+" if changed else "")


def git(root: Path, *words: str) -> str:
    """Return what a command of git prints."""
    ran = subprocess.run(["git", *words], cwd=root, capture_output=True, check=True, text=True)
    return ran.stdout.strip()
