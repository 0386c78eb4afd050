"""Asks the questions of a drill at a terminal, and has the learner fix the program."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from rich.text import Text

from jaxtutor.app import App
from jaxtutor.commands.drill_log import DrillLog
from jaxtutor.commands.drill_printing import (
    lesson_of,
    print_fix,
    print_lesson,
    print_program,
    print_reading,
    why_wrong,
)
from jaxtutor.core.data.drills import Drill
from jaxtutor.display.theme import visible
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace
from jaxtutor.system import editor as editors

STOP, SHOW = ("q", "quit"), ("s", "show")


class DrillTalk:
    """The conversation about one drill. Each answer is recorded at once."""

    def __init__(self, app: App, log: DrillLog, drill: Drill, options: tuple[str, ...]) -> None:
        self._app = app
        self._log = log
        self._drill = drill
        self._options = options

    def run(self) -> bool | None:
        """Ask for the line and the cause, then for a fix; None if the learner stops."""
        print_program(self._app, self._drill)
        line = self._ask_number("Which line has to change?", self._drill.size)
        if line is None:
            return None
        self._print_options()
        number = self._ask_number("Which mistake is it?", len(self._options))
        if number is None:
            return None
        line_right = line in self._drill.lines
        cause_right = bool(number) and self._options[number - 1] == self._drill.cause
        continues = self._log.is_unfinished(self._drill)
        self._log.add_reading(self._drill, line_right, cause_right)
        why = "" if line_right and cause_right else self._why()
        print_reading(self._app, self._drill, line, line_right, cause_right, why)
        fixed = self._fix(continues)
        if fixed is None:
            return None
        return fixed and line_right and cause_right

    def _why(self) -> str:
        """Return what is wrong with the program; a run that fails keeps no drill from going on."""
        try:
            return why_wrong(self._app, self._drill)
        except TutorError as error:
            self._app.warn(error.message, error.remedy)
            return lesson_of(self._app, self._drill)

    def _print_options(self) -> None:
        library = self._app.library
        for number, slug in enumerate(self._options, 1):
            title = self._app.prose_renderer.prose(library[slug].title)
            self._app.console.print(f"  {number} ", title, sep="")

    def _ask_number(self, question: str, most: int) -> int | None:
        """Ask until a number or nothing is typed: 0 for nothing, None to stop."""
        while True:
            text = ask(self._app, f"{question} (1 to {most}; Enter: not known; q: stop) ")
            if text is None or text in STOP:
                return None
            if not text:
                return 0
            if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= most:
                return int(text[:9])
            self._app.console.print(f"Please type a number from 1 to {most}.", style="mark")

    # ------------------------------------------------------------ the fix

    def _fix(self, continues: bool) -> bool | None:
        """Open the program until its fix is right, or is shown; None if the learner stops."""
        try:
            file = place(self._app, self._drill, continues)
        except TutorError as error:
            self._app.warn(error.message, error.remedy)
            return self._show()
        self._app.console.print(Text(visible(f"Fix it in {file}"), overflow="fold"))
        while True:
            text = ask(self._app, "Enter: open it; r: run it; s: show a fix; q: stop ")
            if text is None or text in STOP:
                return None
            if text in SHOW:
                return self._show()
            if self._is_fixed(file, opens=text != "r"):
                return True

    def _is_fixed(self, file: Path, opens: bool) -> bool:
        """Run the file, after the learner edited it, and print the result."""
        from jaxtutor.checks.drill_check import run_fix

        app, drill = self._app, self._drill
        try:
            if opens:
                self._open(file)
            result = run_fix(app, drill, file)
        except TutorError as error:
            app.warn(error.message, error.remedy)
            return False
        if result.run is not None:
            self._log.add_fix(drill, result.status == "right")
        print_fix(app, drill, result)
        return result.status == "right"

    def _show(self) -> bool:
        drill = self._drill
        names = (drill.name, "fixed")
        for line in self._app.renderer.source_diff(drill.broken, drill.fixed, names):
            self._app.console.print(line)
        print_lesson(self._app, drill)
        return False

    def _open(self, file: Path) -> None:
        """Open the file in the learner's editor, and wait for the end of the editing."""
        app = self._app
        editor = app.find_editor(self._log.editor())
        if isinstance(editor, editors.NoEditor):
            app.console.print(editor.how)
        elif editor.kind == "windowed":
            editors.open_beside(editor, file, None, app.environ).leave()
        else:
            started = time.monotonic()
            status = editors.open_in_foreground(editor, file, None, app.environ)
            problem = editors.describe_exit(editor, status, time.monotonic() - started)
            if problem is not None:
                raise TutorError(problem, "Choose another editor: jaxtutor config set editor NAME")
            return
        ask(app, "Save the file, then press Enter to run it. ")


def has_more(app: App) -> bool:
    """Ask whether to go on with the next drill."""
    text = ask(app, "Enter: the next drill; q: stop ")
    return text is not None and text not in STOP


def ask(app: App, text: str) -> str | None:
    """Ask at the terminal; None if the input has ended."""
    app.stdout.write(text)
    app.stdout.flush()
    line = sys.stdin.readline()
    return line.strip().lower() if line else None


def place(app: App, drill: Drill, continues: bool) -> Path:
    """Write the broken program to the learner's folder. Raises TutorError.

    What the learner left there is continued, or else kept beside it under another name.
    """
    file, broken = app.workspace.drill_file(drill.name), workspace.encode(drill.broken)
    present = workspace.present(file)
    if present is None or (present != broken and not continues):
        if present is not None:
            workspace.write_atomically(_free_name(file), present)
        workspace.write_atomically(file, broken)
    return file


def _free_name(file: Path) -> Path:
    names = (file.with_name(f"{file.stem}-{n}.py") for n in range(2, 10_000))
    return next(name for name in names if not name.exists())
