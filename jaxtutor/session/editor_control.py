"""Owns the session's editor: which one it is, where it opens, and whether it still runs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.checking.attempts import file_to_check
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.terminal.layout import Layout, choose_layout
from jaxtutor.errors import EditorError, StoreError, TutorError
from jaxtutor.session.messages import Begin, EditorExited, MessageChannel, OpenEditor
from jaxtutor.session.panes import Pane, find_multiplexer, open_pane
from jaxtutor.session.remote import RemoteEditor
from jaxtutor.storage import workspace
from jaxtutor.system import editor as editors

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.session.state import SessionState
    from jaxtutor.system.editor import Editor

SETTING = "editor"


class EditorControl:
    """Opens the learner's file in the learner's editor, for one session."""

    def __init__(self, app: App, begin: Begin, state: SessionState, link: MessageChannel) -> None:
        self._app = app
        self._begin = begin
        self._state = state
        self._link = link
        self._remote = RemoteEditor()
        self._editor: Editor | None = None
        self._beside: editors.WindowedEditor | Pane | None = None
        self._window_stays = False  # though the command that opened it has ended

    # ------------------------------------------------------------ whose it is

    @property
    def name(self) -> str:
        """What the editor is called."""
        return self._editor.name if self._editor else "the editor"

    @property
    def is_beside(self) -> bool:
        """Tell whether an editor runs in a window or pane of its own."""
        return self._beside is not None

    @property
    def follows(self) -> bool:
        """Tell whether the next lesson's file should open beside at once."""
        return self.is_beside or self._window_stays

    @property
    def has_file_open(self) -> bool:
        """Tell whether an editor has to be left before another file opens in it."""
        return bool(self._state.running) or isinstance(self._beside, Pane)

    def find(self) -> None:
        """Find the learner's editor; without one the session goes on, watching."""
        try:
            found = editors.find_editor(self._app.environ, remembered=self._remembered())
        except EditorError as error:
            self._state.tell_of(error)
            return
        if isinstance(found, editors.NoEditor):
            self._state.tell(found.how)
        else:
            self._editor = found

    def _remembered(self) -> str | None:
        try:
            return self._app.store.setting(SETTING)
        except StoreError:
            return None

    def choose(self, key: str) -> None:
        """Take the answer to the one question of a first run."""
        choice, self._state.choice = self._state.choice, ()
        if key.isdigit() and 0 < int(key) <= len(choice):
            self._editor = replace(choice[int(key) - 1], origin="remembered")
            with suppress(StoreError):
                self._app.store.set_setting(SETTING, self._editor.command[0])
            self.open()

    # ------------------------------------------------------------ opening

    def open_window(self) -> None:
        """Open the file at once, if that takes nothing from the terminal."""
        if self._editor and self._editor.kind == "windowed" and self._editor.origin != "found":
            self.open()

    def open(self) -> None:
        """Open the file where there is room for it."""
        if self._editor is None:
            self.find()
        if self._editor is None or self._asks_which():
            return
        try:
            file_to_check(self._app, self._state.lesson)
            layout = self._layout(self._editor)
            # Where the verdict stands below is seen: a sentence would hide the problem.
            expected = layout.place == "rows" and self._begin.layout != "panes"
            self._state.tell("" if expected else layout.says)
            if layout.place == "beside":
                self._open_beside(self._editor)
            elif layout.place == "panes":
                self._open_pane(self._editor)
            else:
                self._open_here(self._editor, layout.place)
        except TutorError as error:
            self._state.tell_of(error)

    def _asks_which(self) -> bool:
        """Ask once, where nobody has chosen and there is a choice."""
        if self._editor is None or self._editor.origin != "found":
            return False
        installed = editors.find_installed(self._app.environ)[:9]
        self._state.choice = installed if len(installed) > 1 else ()
        return bool(self._state.choice)

    def _layout(self, editor: Editor, asked: str | None = None) -> Layout:
        environ = self._app.environ
        return choose_layout(
            "plain" if self._begin.plain else asked or self._begin.layout,
            editor.name,
            editor.kind == "windowed",
            self._state.size.screen_rows,
            environ.get("TERM", ""),
            find_multiplexer(environ),
        )

    def _open_here(self, editor: Editor, place: str) -> None:
        state = self._state
        command = editor.command + self._remote.begin(editor, state.path)
        file, rows = str(state.path), place == "rows"
        self._link.send(OpenEditor(editor.name, command, file, find_todo(state.path), rows))
        state.running, state.offset = place, None

    def _open_beside(self, editor: Editor) -> None:
        self.leave()
        path = self._state.path
        told = replace(editor, command=editor.command + self._remote.begin(editor, path))
        self._beside = editors.open_beside(told, path, find_todo(path), self._app.environ)

    def _open_pane(self, editor: Editor) -> None:
        """Open the file in a pane; where none is to be had, in rows, saying why."""
        self.leave()
        path, columns, environ = self._state.path, self._state.size.columns, self._app.environ
        told = replace(editor, command=editor.command + self._remote.begin(editor, path))
        command = told.open_at(path, find_todo(path))
        try:
            name = find_multiplexer(environ)
            self._beside = open_pane(name, command, path.parent, columns, environ)
        except EditorError as error:
            layout = self._layout(editor, "rows")
            self._state.tell(error.message, error.remedy, layout.says)
            self._open_here(editor, layout.place)

    def open_in_running(self, file: Path) -> bool:
        """Have the editor that runs open another file; False where it has no way."""
        return self._remote.open(file, find_todo(file))

    # ------------------------------------------------------------ its end

    def take_end(self, left: EditorExited) -> str:
        """Take that the editor here has ended; return how badly, in no words if well."""
        state = self._state
        state.running, state.commanding, state.asking = "", False, None
        self._remote.close()
        assert self._editor is not None, "an editor was started"
        return left.problem or self._describe(self._editor, left)

    @staticmethod
    def _describe(editor: Editor, left: EditorExited) -> str:
        return editors.describe_exit(editor, left.status, left.seconds, left.words) or ""

    def look_beside(self) -> str | None:
        """Return how an editor beside ended, in no words if well; None while it is open."""
        problem = _problem(self._beside)
        if problem is None:
            return None
        beside = self._beside
        if isinstance(beside, editors.WindowedEditor) and not problem and beside.handed_over:
            beside.leave()
            self._beside, self._window_stays = None, True
            return None
        self.leave()
        return problem

    def leave(self) -> None:
        """Let go of an editor beside, which stays open."""
        if isinstance(self._beside, editors.WindowedEditor):
            self._beside.leave()
        elif self._beside is not None:
            self._beside.close()
        self._beside, self._window_stays = None, False
        self._remote.close()

    def close(self) -> None:
        """Let go of every editor."""
        self.leave()
        self._remote.close()


def _problem(beside: editors.WindowedEditor | Pane | None) -> str | None:
    if isinstance(beside, editors.WindowedEditor):
        return None if beside.process.poll() is None else beside.report() or ""
    return "" if beside is not None and not beside.is_open() else None


def find_todo(path: Path) -> int:
    """Return the line of the TODO, where there is one still."""
    try:
        text = workspace.read(path).text
    except TutorError:
        return 1
    return next((n for n, line in enumerate(split_lines(text), 1) if "TODO" in line), 1)
