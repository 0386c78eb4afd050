"""Owns what becomes of an entry: a cell is run, a command carried out, and the answer shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.core.data.model import Diagnosis, Failure, Observation
from jaxtutor.core.judging.syntax import diagnose_syntax, find_syntax_error
from jaxtutor.core.repl import messages
from jaxtutor.core.repl.commands import COMMANDS, Entry, read_entry
from jaxtutor.core.repl.transcript import FILE, Transcript
from jaxtutor.errors import TutorError
from jaxtutor.repl.kernel import CellResult, Kernel
from jaxtutor.repl.rendering import Drawing

if TYPE_CHECKING:
    from jaxtutor.repl.cell_diagnosis import DiagnosedFailure
    from jaxtutor.repl.lesson_context import LessonContext

STOPPED = "Stopped. The names are as the cell left them."
LOST = "The names made here are lost. A new worker is getting ready; the lines go on."


class Dispatcher:
    """Takes entries one by one. `is_leaving` is set by the one that asks for it."""

    def __init__(
        self,
        app: App,
        kernel: Kernel,
        drawing: Drawing,
        bench: LessonContext | None,
        session: Transcript | None = None,
    ) -> None:
        self._app = app
        self._kernel = kernel
        self._draw = drawing
        self._bench = bench
        self._last: DiagnosedFailure | None = None
        self._told: set[tuple[str | None, str, int, str]] = set()
        self._is_loading = False
        self.session = session or Transcript()
        self.is_leaving = False
        self.load()

    def say(self, text: str) -> None:
        """Say something of the prompt's own."""
        self._draw.say(text)

    # ------------------------------------------------------------ entries

    def enter(self, text: str, line: int | None = None) -> bool:
        """Carry out what was entered, at a line of a text or the next; False where it failed.

        Raises TutorError.
        """
        if self._kernel.worker.ended:
            self._kernel.refuse_to_go_on()
            self._draw.say(f"The worker's process had ended: {self._kernel.worker.ended}. {LOST}")
            self._take_another()
        self._finish_loading()
        entry = read_entry(text)
        match entry.kind:
            case "nothing":
                return True
            case "problem":
                self._draw.say(entry.problem, "failed")
                return False
            case "question":
                return self._ask(entry)
            case "command":
                return self._command(entry.command, entry.text, line)
        return self._run_cell(entry.text, line)

    def _ask(self, entry: Entry) -> bool:
        request = messages.Inspect(entry.text, entry.deeply, self._draw.look)
        return self._show(self._kernel.run(request, self._draw.printed), "")

    def _run_cell(self, source: str, at: int | None) -> bool:
        line = max(at or 0, self.session.next_line)
        broken = find_syntax_error("\n" * (line - 1) + source, FILE)
        if broken is not None:
            self._tell_syntax(broken, source, line)
            return False
        self.session.add(source, line)
        request = messages.RunCell(line, source, self._draw.look)
        return self._show(self._kernel.run(request, self._draw.printed), source)

    def _tell_syntax(self, broken: Failure, source: str, line: int) -> None:
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

    # ------------------------------------------------------------ what a run brings

    def _show(self, ended: CellResult, source: str) -> bool:
        """Show what came of a run; False where it failed."""
        is_well = not ended.gone
        wishes: list[messages.PromptAction] = []
        for reply in ended.replies:
            match reply:
                case messages.PageShown(page):
                    self._draw.page(page)
                case messages.CellRaised(failure):
                    is_well = False
                    self._tell_failure(failure, _files(ended))
                case messages.CellExited(status):
                    is_well = status == "0"
                    self._draw.say(f"The cell asked to exit, with {status}. `:quit` leaves here.")
                case messages.CommandRefused(message):
                    is_well = False
                    self._draw.say(message, "failed")
                case messages.CellObserved(observations):
                    self._tell_findings(observations, _files(ended))
                case messages.PromptAction():
                    wishes.append(reply)
        if (
            is_well
            and source
            and not any(isinstance(r, messages.CellObserved) for r in ended.replies)
        ):
            self._tell_findings((), _files(ended))
        self._draw.end_line()
        for wish in wishes:
            is_well = self._grant(wish) and is_well
        if ended.gone:
            self._replace_worker(ended)
        return is_well

    def _grant(self, wish: messages.PromptAction) -> bool:
        if wish.command in COMMANDS and not COMMANDS[wish.command].in_worker:
            return self._own_command(wish.command, wish.argument)
        return True

    def _replace_worker(self, ended: CellResult) -> None:
        how = "by force" if ended.by_force else f": {ended.gone}"
        ends = "The cell was ended" if ended.by_force else "The cell ended its process"
        self._draw.say(f"{ends}{' ' if ended.by_force else ''}{how}. {LOST}", "failed")
        self._take_another()

    def _take_another(self) -> None:
        self._kernel.restart()
        self.session.forget()
        self.load()

    # ------------------------------------------------------------ diagnoses

    def _tell_failure(self, failure: Failure, files: tuple[str, ...]) -> None:
        from jaxtutor.repl import cell_diagnosis

        if failure.error_class == "KeyboardInterrupt":
            self._draw.say(STOPPED)
            return
        self._last = cell_diagnosis.examine(failure, self.session, files, self._app.library)
        found = self._last.diagnosis
        source = self._last.sources.get(found.file, "") if found is not None else ""
        self._draw.failure(failure, found, self.session, source)

    def _tell_findings(self, seen: tuple[Observation, ...], files: tuple[str, ...]) -> None:
        """Tell what was not told before: what stands in an old line is there at every cell."""
        from jaxtutor.repl import cell_diagnosis

        found = cell_diagnosis.look_over(seen, self.session, files, self._app.library)
        self._draw.findings([pair for pair in found if self._is_new(pair[0])], self.session)

    def _is_new(self, finding: Diagnosis) -> bool:
        line = finding.span.line if finding.span is not None else 0
        key = (finding.cause, finding.file, line, finding.expression)
        is_new = key not in self._told
        self._told.add(key)
        return is_new

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
                return self._at_bench(name, argument)
        return True

    def _help(self, name: str) -> None:
        from jaxtutor.repl.help_page import help_page

        self._draw.page(help_page(name.lstrip(":"), self._draw.look))

    def _explain(self, name: str) -> bool:
        from jaxtutor.commands.diagnose import explain

        last = self._last.diagnosis if self._last is not None else None
        try:
            explain(self._app, name or (last.cause if last is not None else None))
        except TutorError as error:
            self._draw.say(f"{error.message} {error.remedy}", "failed")
            return False
        return True

    def _why(self) -> bool:
        if self._last is None:
            self._draw.say("No cell has failed yet.")
            return True
        self._draw.why(self._last.failure, self._last.diagnosis, self._last.sources)
        return True

    def _at_bench(self, name: str, argument: str) -> bool:
        """Carry out what needs a lesson."""
        if self._bench is None:
            self._draw.say(f"`:{name}` needs a lesson: `jaxtutor repl LESSON`.", "failed")
            return False
        self._draw.end_line()
        try:
            match name:
                case "check":
                    return self._bench.check() and self._reload()
                case "hint":
                    return self._bench.hint()
            said = self._bench.save(self.session, argument)
        except TutorError as error:
            self._draw.say(f"{error.message} {error.remedy}", "failed")
            return False
        self._draw.say(said)
        return self._reload()

    # ------------------------------------------------------------ the lesson's names

    def load(self) -> None:
        """Have the lesson's names put at the prompt; what comes of it is told at the next entry."""
        files = self._bench.files() if self._bench is not None else ()
        if files:
            self._kernel.post(messages.LoadFiles(files, self._draw.look))
            self._is_loading = True

    def _reload(self) -> bool:
        """Load the names anew if the learner's file is another by now."""
        if self._bench is not None and self._bench.has_changed():
            self.load()
            return self._finish_loading()
        return True

    def _finish_loading(self) -> bool:
        if not self._is_loading:
            return True
        self._is_loading = False
        return self._show(self._kernel.collect(self._draw.printed), "")


def _files(ended: CellResult) -> tuple[str, ...]:
    for reply in ended.replies:
        if isinstance(reply, messages.CellDone):
            return reply.files
    return ()
