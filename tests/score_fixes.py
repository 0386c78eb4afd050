"""Scores the fixes on the corpus: a program that prints its figures.

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

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.diagnosis.engine.candidates import CandidateQueue, EditedVersion
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find_all
from jaxtutor.core.diagnosis.engine.propose import propose, show_diff
from program_runner import Ran

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"


class Trial(msgspec.Struct):
    """A version of a program: its source, how it is called, and the result."""

    name: str
    source: str
    args: str
    edits: int = 0
    ran: Ran | None = None
    diagnosis: Diagnosis | None = None

    @property
    def works(self) -> bool:
        """Whether it ran and gave what was asked of it."""
        return self.ran is not None and self.ran.failure is None and not self.ran.problem


class Mending(msgspec.Struct):
    """What the fixes made of one program, version after version."""

    broken: Trial
    attempts: CandidateQueue = msgspec.field(default_factory=CandidateQueue)
    tried: list[Trial] = []

    @property
    def is_silent(self) -> bool:
        """Whether the broken program raises nothing."""
        return self.broken.ran is not None and self.broken.ran.failure is None

    @property
    def working(self) -> Trial | None:
        """The version that works."""
        return next((trial for trial in self.tried if trial.works), None)

    @property
    def wrong(self) -> Trial | None:
        """A version that runs to its end and gives something else, tried before one that works."""
        ended = (trial for trial in self.tried if trial.ran is not None and not trial.ran.failure)
        first = next(ended, None)
        return None if first is None or first.works else first

    def judge(self, trial: Trial, causes: Library) -> None:
        """Diagnose a version that failed, and offer what may mend it."""
        ran = trial.ran
        assert ran is not None
        sources = {ran.path: trial.source}
        if ran.failure is not None:
            found = diagnose(ran.failure, sources, causes, ran.observations)
        elif trial is self.broken:
            certain, looks = find_all(ran.observations, sources, causes)
            found = next(iter((*certain, *looks)), None)
        else:
            found = None
        if found is not None:
            trial.diagnosis = found.diagnosis
            after = EditedVersion(sources, trial.edits) if trial.edits else None
            self.attempts.offer(propose(found), sources, after)

    def next(self) -> Trial | None:
        """Make the next version to run."""
        attempt = self.attempts.take() if self.working is None else None
        if attempt is None:
            return None
        source = next(iter(attempt.sources.values()))
        self.tried.append(Trial(self.broken.name, source, self.broken.args, attempt.edits))
        return self.tried[-1]


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


def fix_all(trials: list[Trial]) -> list[Mending]:
    """Run broken programs and mend them, version after version."""
    causes, every = Library(), [Mending(trial) for trial in trials]
    front = list(zip(every, trials, strict=True))
    while front:
        run_trials([trial for _, trial in front])
        for mending, trial in front:
            mending.judge(trial, causes)
        following = ((mending, mending.next()) for mending in every)
        front = [(mending, trial) for mending, trial in following if trial is not None]
    return every


def programs(half: str | None = None) -> list[str]:
    """List the corpus, or one half of it."""
    names = sorted(path.name for path in CORPUS.iterdir() if path.is_dir())
    return names if half is None else names[0 if half == "build" else 1 :: 2]


def corpus_trials(half: str | None) -> list[Trial]:
    """Read the broken programs of the corpus."""
    folders = [CORPUS / name for name in programs(half)]
    return [
        Trial(folder.name, (folder / "broken.py").read_text(), (folder / "args.py").read_text())
        for folder in folders
    ]


def figures(results: list[Mending]) -> dict[str, int]:
    """Count the programs, the fixes offered, those that work, and those that are wrong."""
    return {
        "programs": len(results),
        "offered": sum(bool(r.tried) for r in results),
        "work": sum(r.working is not None for r in results),
        "work at the first try": sum(bool(r.tried) and r.tried[0].works for r in results),
        "run but wrong": sum(r.wrong is not None for r in results),
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


def show(result: Mending) -> None:
    """Print what was tried for one program."""
    broken, tried = result.broken, result.tried
    shown = result.working or next(iter(tried), None)
    word = "works" if result.working else "WRONG" if result.wrong else "no"
    cause = broken.diagnosis.cause if broken.diagnosis is not None else None
    print(f"\n{'=' * 20} {broken.name}: {cause}: {word}, {len(tried)} tried")
    if shown is not None:
        print(show_diff(broken.name, broken.source, shown.source))
    if shown is not None and shown.ran is not None and not shown.works:
        failure = shown.ran.failure
        print("->", failure.message[:400] if failure is not None else shown.ran.problem[:400])


if __name__ == "__main__":
    main()
