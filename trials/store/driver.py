"""Runs a session without jax, which acknowledges each action once its call has returned.

python -m trials.store.driver HOME NAME SEED COUNT
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from trials.store import learner
from trials.store.learner import ASKING, BROKEN, LESSON, PASSED

Say = Callable[[str, str], None]
FOREVER = 10**9


class Session:
    """A session of random actions. `say` gets each action once done, and `saving` before."""

    def __init__(self, app: Any, name: str, dice: random.Random, say: Say) -> None:
        self._app = app
        self._name = name
        self._dice = dice
        self._say = say
        self._count = 0

    def run(self, count: int) -> None:
        """Do a number of random actions."""
        things = [self._attempt] * 5 + [self._save_and_check] * 4
        things += [self._keep, self._reset, self._restore, self._hint, self._set, self._predict]
        things += [self._review, self._move, self._enter]
        for _ in range(count):
            self._dice.choice(things)()

    def _text(self) -> str:
        self._count += 1
        return BROKEN.format(f"{self._name} {self._count}") + "# x\n" * self._dice.choice(
            [0, 9, 999]
        )

    def _attempt(self) -> None:
        text = self._text()
        learner.record(self._app, LESSON, text, self._dice.choice(["failed", "passed", "raised"]))
        self._say("attempt", text)

    def _save_and_check(self) -> None:
        from jaxtutor.checks import attempts
        from jaxtutor.storage import workspace

        lesson, text = self._app.course.find(LESSON), self._text()
        path = self._app.file(lesson)
        self._say("saving", text)
        workspace.write_atomically(path, text.encode())
        self._say("saved", text)
        attempts.attempt(self._app, lesson, workspace.Submission(path, text.encode(), text))
        self._say("attempt", text)

    def _keep(self) -> None:
        text = self._text()
        self._app.store.keep_source(LESSON, text.encode(), "overtaken")
        self._say("text", text)

    def _reset(self) -> None:
        from jaxtutor.commands import files

        self._quietly(partial(files.reset, self._app, LESSON))

    def _restore(self) -> None:
        from jaxtutor.commands import files

        if attempts := self._app.store.attempts(LESSON):
            which = str(self._dice.choice(attempts).n)
            self._quietly(partial(files.restore, self._app, LESSON, which))

    def _hint(self) -> None:
        self._app.store.record_hint(LESSON, rung := self._dice.randrange(1, 4))
        self._say("hint", str(rung))

    def _set(self) -> None:
        self._app.store.set_setting(f"of {self._name}", value := str(self._count))
        self._say("setting", value)

    def _predict(self) -> None:
        self._app.store.record_prediction(ASKING, 1, "x", True)
        self._say("prediction", "1")

    def _review(self) -> None:
        from jaxtutor.commands import reviews

        give_up = self._app.store.open_review(PASSED) is not None
        self._quietly(partial(reviews.review, self._app, PASSED, give_up))

    def _move(self) -> None:
        from jaxtutor.commands import pages

        self._quietly(partial(pages.move, self._app, self._dice.choice([1, -1])))

    def _enter(self) -> None:
        from jaxtutor.repl.history import open_history

        notices: list[str] = []
        open_history(self._app.workspace, notices.append).store_string(text := self._text())
        assert not notices, notices
        self._say("entry", text)

    def _quietly(self, command: Callable[[], int]) -> None:
        from jaxtutor.errors import UsageError

        try:
            command()
        except UsageError:
            return  # the last lesson has no next one
        self._say("command", "")


def drive(home: Path, name: str, seed: int, count: int, say: Say) -> None:
    """Run a session in a home."""
    with learner.opened(home) as app:
        Session(app, name, random.Random(seed), say).run(count)


def main(arguments: list[str]) -> None:
    """Run a session and print its acknowledgements as JSON lists, one a line, then its warnings."""
    home, name, seed, count = arguments

    def say(kind: str, text: str) -> None:
        sys.stdout.write(json.dumps([kind, text]) + "\n")
        sys.stdout.flush()

    with learner.opened(Path(home)) as app:
        Session(app, name, random.Random(int(seed)), say).run(int(count))
        say("warned", app.stderr.getvalue())


if __name__ == "__main__":
    main(sys.argv[1:])
