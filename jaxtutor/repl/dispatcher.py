"""Dispatches entries of the prompt: runs cells and commands, and shows their results."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.diagnosis.engine.reported import Reported
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.core.repl import messages
from jaxtutor.core.repl.commands import COMMANDS, ParsedInput, read_entry
from jaxtutor.core.repl.transcript import FILE, Transcript
from jaxtutor.errors import TutorError
from jaxtutor.repl.interrupts import handled_by
from jaxtutor.repl.kernel import CellResult, Kernel
from jaxtutor.repl.rendering import Drawing

if TYPE_CHECKING:
    from jaxtutor.core.diagnosis.engine.findings import SessionFindings
    from jaxtutor.repl.cell_diagnosis import DiagnosedFailure
    from jaxtutor.repl.lesson_context import LessonContext

STOPPED = "Stopped. Names keep the values the cell gave them."
LOST = "The names defined here are lost. A new worker is starting; line numbers continue."


class Dispatcher:
    """Runs entries one at a time; `is_leaving` is True after `:quit`."""

    def __init__(
        self,
        app: App,
        kernel: Kernel,
        drawing: Drawing,
        context: LessonContext | None,
        session: Transcript | None = None,
    ) -> None:
        self._app = app
        self._kernel = kernel
        self._draw = drawing
        self._context = context
        self._last: DiagnosedFailure | None = None
        self._findings: SessionFindings | None = None
        self._reported = Reported()
        self._is_loading = False
        self.session = session or Transcript()
        self.is_leaving = False
        self.load()

    def print_message(self, text: str) -> None:
        """Print a sentence of the prompt's own."""
        self._draw.print_message(text)

    # ------------------------------------------------------------ entries

    def enter(self, text: str, line: int | None = None) -> bool:
        """Run an entry at a line of a text, or at the next line; return False if it failed.

        Raises TutorError.
        """
        if self._kernel.worker.ended:
            self._kernel.raise_if_broken()
            self._draw.print_message(
                f"The worker process ended: {self._kernel.worker.ended}. {LOST}"
            )
            self._restart()
        self._finish_loading()
        entry = read_entry(text)
        match entry.kind:
            case "nothing":
                return True
            case "problem":
                self._draw.print_message(entry.problem, "failed")
                return False
            case "question":
                return self._ask(entry)
            case "command":
                return self._command(entry.command, entry.text, line)
        return self._run_cell(entry.text, line)

    def _ask(self, entry: ParsedInput) -> bool:
        request = messages.Inspect(entry.text, entry.deeply, self._draw.look)
        return self._show(self._kernel.run(request, self._draw.printed), "")

    def _run_cell(self, source: str, at: int | None) -> bool:
        line = max(at or 0, self.session.next_line)
        broken = find_syntax_error("\n" * (line - 1) + source, FILE)
        if broken is not None:
            self._show_syntax_error(broken, source, line)
            return False
        self.session.add(source, line)
        request = messages.RunCell(line, source, self._draw.look)
        return self._show(self._kernel.run(request, self._draw.printed), source)

    def _show_syntax_error(self, broken: Failure, source: str, line: int) -> None:
        trial = Transcript()
        trial.cells = [*self.session.cells]
        trial.add(source, line)
        found = diagnose_syntax(broken, trial.text())
        self._draw.failure(broken, found, trial, trial.text())

    def _command(self, name: str, argument: str, at: int | None) -> bool:
        if COMMANDS[name].in_worker:
            line = self.session.add(argument, at).line
            request = messages.RunCell(line, argument, self._draw.look, command=name)
            return self._show(self._kernel.run(request, self._draw.printed), argument)
        return self._own_command(name, argument)

    # ------------------------------------------------------------ results

    def _show(self, ended: CellResult, source: str) -> bool:
        """Show the result of a run; return False if it failed."""
        succeeded = not ended.gone
        actions: list[messages.PromptAction] = []
        for reply in ended.replies:
            match reply:
                case messages.PageShown(page):
                    self._draw.page(page)
                case messages.CellRaised(failure):
                    succeeded = False
                    self._show_failure(failure, ended)
                case messages.CellExited(status):
                    succeeded = status == "0"
                    self._draw.print_message(
                        f"The cell called exit with {status}. To leave the prompt: `:quit`."
                    )
                case messages.CommandRefused(message):
                    succeeded = False
                    self._draw.print_message(message, "failed")
                case messages.CellObserved(observations):
                    self._show_findings(observations, _files(ended))
                case messages.PromptAction():
                    actions.append(reply)
        if (
            succeeded
            and source
            and not any(isinstance(r, messages.CellObserved) for r in ended.replies)
        ):
            self._show_findings((), _files(ended))
        self._draw.end_line()
        for action in actions:
            succeeded = self._run_action(action) and succeeded
        if ended.gone:
            self._replace_worker(ended)
        return succeeded

    def _run_action(self, action: messages.PromptAction) -> bool:
        if action.command in COMMANDS and not COMMANDS[action.command].in_worker:
            return self._own_command(action.command, action.argument)
        return True

    def _replace_worker(self, ended: CellResult) -> None:
        how = "" if ended.by_force else f": {ended.gone}"
        ends = "The cell was killed" if ended.by_force else "The cell ended the worker process"
        self._draw.print_message(f"{ends}{how}. {LOST}", "failed")
        self._restart()

    def _restart(self) -> None:
        self._kernel.restart()
        self.session.forget()
        self.load()

    # ------------------------------------------------------------ diagnoses

    def _show_failure(self, failure: Failure, ended: CellResult) -> None:
        from jaxtutor.repl import cell_diagnosis

        if failure.error_class == "KeyboardInterrupt":
            self._draw.print_message(STOPPED)
            return
        files, changed = _files(ended), _changed_files(ended)
        self._last = cell_diagnosis.examine(
            failure, self.session, files, self._app.library, changed
        )
        found = self._last.diagnosis
        source = self._last.sources.get(found.file, "") if found is not None else ""
        self._draw.failure(failure, found, self.session, source)

    def _show_findings(self, seen: tuple[Observation, ...], files: tuple[str, ...]) -> None:
        """Show findings not shown before: one in an old line is found again after every cell."""
        from jaxtutor.core.diagnosis.engine.findings import SessionFindings
        from jaxtutor.repl import cell_diagnosis

        if self._findings is None:
            self._findings = SessionFindings(self._app.library)
        found = cell_diagnosis.find_silent_mistakes(self._findings, seen, self.session, files)
        self._draw.findings(
            [pair for pair in found if self._reported.is_new(pair[0])], self.session
        )

    # ------------------------------------------------------------ the prompt's own commands

    def _own_command(self, name: str, argument: str) -> bool:
        match name:
            case "quit":
                self.is_leaving = True
            case "help":
                self._help(argument)
            case "explain":
                return self._explain(argument)
            case "why":
                return self._why()
            case "check" | "hint" | "save":
                return self._lesson_command(name, argument)
        return True

    def _help(self, name: str) -> None:
        from jaxtutor.repl.help_page import help_page

        self._draw.page(help_page(name.lstrip(":"), self._draw.look))

    def _explain(self, name: str) -> bool:
        from jaxtutor.commands.explain import explain

        last = self._last.diagnosis if self._last is not None else None
        try:
            explain(self._app, name or (last.cause if last is not None else None))
        except TutorError as error:
            self._draw.print_message(f"{error.message} {error.remedy}", "failed")
            return False
        return True

    def _why(self) -> bool:
        if self._last is None:
            self._draw.print_message("No cell has raised an error yet.")
            return True
        self._draw.why(self._last.failure, self._last.diagnosis, self._last.sources)
        return True

    def _lesson_command(self, name: str, argument: str) -> bool:
        """Run a command that needs a lesson."""
        if self._context is None:
            self._draw.print_message(
                f"`:{name}` needs a lesson. Start the prompt with one: `jaxtutor repl LESSON`.",
                "failed",
            )
            return False
        self._draw.end_line()
        try:
            match name:
                case "check":
                    with handled_by(signal.default_int_handler):
                        passed = self._context.check()
                    return passed and self._reload()
                case "hint":
                    return self._context.hint()
            message = self._context.save(self.session, argument)
        except TutorError as error:
            self._draw.print_message(f"{error.message} {error.remedy}", "failed")
            return False
        except KeyboardInterrupt:
            self._draw.print_message("Stopped.")
            return False
        self._draw.print_message(message)
        return self._reload()

    # ------------------------------------------------------------ the lesson's names

    def load(self) -> None:
        """Load the lesson's names at the prompt; errors are shown at the next entry."""
        files = self._context.files() if self._context is not None else ()
        if files:
            self._kernel.post(messages.LoadFiles(files, self._draw.look))
            self._is_loading = True

    def _reload(self) -> bool:
        """Load the names again if the learner's file has changed."""
        if self._context is not None and self._context.has_changed():
            self.load()
            return self._finish_loading()
        return True

    def _finish_loading(self) -> bool:
        if not self._is_loading:
            return True
        self._is_loading = False
        return self._show(self._kernel.collect(self._draw.printed), "")


def _files(ended: CellResult) -> tuple[str, ...]:
    """Return the learner's files that ran, and have the text that ran."""
    done = [reply for reply in ended.replies if isinstance(reply, messages.CellDone)]
    return tuple(file for reply in done for file in reply.files if file not in reply.changed)


def _changed_files(ended: CellResult) -> tuple[str, ...]:
    done = [reply for reply in ended.replies if isinstance(reply, messages.CellDone)]
    return tuple(file for reply in done for file in reply.changed)
