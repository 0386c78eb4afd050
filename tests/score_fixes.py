"""Owns the score of the fixes on the corpus: a program that prints its figures.

    python tests/score_fixes.py [--half build|held] [--verbose]

For the jax that is installed. A fix works if the patched program runs and gives what EXPECT asks
for. Where a patched program fails in another place it is diagnosed and patched again, a few times.
The halves are every second program: the fixers were built on `build`, and `held` was not looked at
before it was first scored.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen

import msgspec

from jaxtutor.core.diagnose import diagnose
from jaxtutor.core.findings import find
from jaxtutor.core.fixes import propose, show_diff
from jaxtutor.core.model import Diagnosis
from jaxtutor.library import Library

from program_runner import Ran

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
MOST_ROUNDS = 3


class Trial(msgspec.Struct):
    """A version of a program: its source, how it was called, and what became of it."""

    name: str
    source: str
    args: str
    round: int = 0
    ran: Ran | None = None

    @property
    def works(self) -> bool:
        """Whether it ran and gave what was asked of it."""
        return self.ran is not None and self.ran.failure is None and not self.ran.problem


class Fixed(msgspec.Struct):
    """What the fixes made of one program."""

    name: str
    source: str
    cause: str | None
    is_silent: bool
    tried: list[Trial] = []

    @property
    def offered(self) -> bool:
        """Whether any edit was proposed."""
        return bool(self.tried)

    @property
    def working(self) -> Trial | None:
        """The first version that works."""
        return next((t for t in self.tried if t.works), None)

    @property
    def quietly_wrong(self) -> Trial | None:
        """The first version that runs to its end and gives something else."""
        ended = [t for t in self.tried if t.ran is not None and t.ran.failure is None]
        first = ended[0] if ended else None
        return first if first is not None and not first.works else None


def run_trials(trials: list[Trial]) -> None:
    """Run versions of programs, two processes at a time."""
    with tempfile.TemporaryDirectory() as folder:
        items = [_write(Path(folder) / str(n), trial) for n, trial in enumerate(trials)]
        command = [sys.executable, "-W", "ignore", str(HERE / "program_runner.py")]
        running = [
            Popen([*command, *share], stdout=PIPE, stderr=DEVNULL)
            for share in (items[0::2], items[1::2])
            if share
        ]
        texts = [process.communicate()[0] for process in running]
        found = [msgspec.json.decode(line, type=Ran) for t in texts for line in t.splitlines()]
        by_path = {ran.path: ran for ran in found}
        for item, trial in zip(items, trials, strict=True):
            trial.ran = by_path[item.partition(":")[0]]


def _write(folder: Path, trial: Trial) -> str:
    folder.mkdir()
    (folder / "broken.py").write_text(trial.source)
    if trial.args:
        (folder / "args.py").write_text(trial.args)
    case = CORPUS / trial.name / "case.json"
    if case.exists():
        (folder / "case.json").write_text(case.read_text())
    return f"{folder / 'broken.py'}:{folder / 'args.py' if trial.args else ''}"


def diagnosis_of(trial: Trial, causes: Library) -> Diagnosis | None:
    """Diagnose what became of a version."""
    ran = trial.ran
    assert ran is not None
    sources = {ran.path: trial.source}
    if ran.failure is not None:
        return diagnose(ran.failure, sources, causes, ran.observations)
    found = find(ran.observations, sources, causes)
    return found[0] if found else None


def patched(trial: Trial, causes: Library) -> list[Trial]:
    """Make the versions that the proposed edits make of one."""
    found = diagnosis_of(trial, causes)
    ran = trial.ran
    if found is None or ran is None:
        return []
    edits = propose(found, ran.failure, {ran.path: trial.source})
    return [
        Trial(trial.name, edit.apply(trial.source), trial.args, trial.round + 1) for edit in edits
    ]


def fix_all(trials: list[Trial]) -> list[Fixed]:
    """Run broken programs and mend them, round after round."""
    causes = Library()
    run_trials(trials)
    results = {}
    for trial in trials:
        found, ran = diagnosis_of(trial, causes), trial.ran
        silent = ran is not None and ran.failure is None
        results[trial.name] = Fixed(trial.name, trial.source, found and found.cause, silent)
    front = trials
    for _ in range(MOST_ROUNDS):
        front = [new for old in front for new in patched(old, causes)]
        run_trials(front)
        for trial in front:
            results[trial.name].tried.append(trial)
        front = [
            t
            for t in front
            if t.ran is not None and t.ran.failure is not None and not results[t.name].working
        ]
    return list(results.values())


def programs(half: str | None = None) -> list[str]:
    """List the corpus, or one half of it."""
    names = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
    return names if half is None else names[0 if half == "build" else 1 :: 2]


def corpus_trials(half: str | None) -> list[Trial]:
    """Read the broken programs of the corpus."""
    return [
        Trial(name, *((CORPUS / name / file).read_text() for file in ("broken.py", "args.py")))
        for name in programs(half)
    ]


def figures(results: list[Fixed]) -> dict[str, int]:
    """Count the programs, the fixes offered, those that work, and those that are wrong."""
    working = [r for r in results if r.working is not None]
    return {
        "programs": len(results),
        "offered": sum(r.offered for r in results),
        "work": len(working),
        "work at once": sum(r.working is not None and r.working.round == 1 for r in results),
        "run but wrong": sum(r.quietly_wrong is not None for r in results),
    }


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--half", choices=("build", "held"))
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    results = fix_all(corpus_trials(chosen.half))
    for is_silent in (False, True):
        some = [r for r in results if r.is_silent is is_silent]
        print("silent" if is_silent else "raising", figures(some))
    for result in results if chosen.verbose else ():
        show(result)


def show(result: Fixed) -> None:
    """Print what was tried for one program."""
    shown = result.working or (result.tried[0] if result.tried else None)
    word = "works" if result.working else "WRONG" if result.quietly_wrong else "no"
    print(f"\n{'=' * 20} {result.name}: {result.cause}: {word}, {len(result.tried)} tried")
    if shown is not None:
        print(show_diff(result.name, result.source, shown.source))
    if shown is not None and shown.ran is not None and not shown.works:
        failure = shown.ran.failure
        print("->", failure.message[:400] if failure is not None else shown.ran.problem[:400])


if __name__ == "__main__":
    main()
