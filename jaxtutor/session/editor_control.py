"""Opens the learner's editor for a session, and notices when it ends."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.checks.attempts import file_to_check
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
_RELOAD = {
    "nano": "Leave it without saving, and open it again with Enter.",
    "micro": "Press Ctrl-R, or answer its question with y.",
    "hx": "In helix, type :reload.",
    "helix": "In helix, type :reload.",
    "vi": "Type :e!",
    "vim": "Type :e!",
    "nvi": "Type :e!",
    "vis": "Type :e!",
    "emacs": "Press Alt-X, and type revert-buffer.",
}
"""How to read a file again in an editor that cannot be controlled."""
OFFERED = "panes offered"
WIDE = 140
"""Columns from which an editor and a verdict of 60 columns fit side by side."""


class EditorControl:
    """Opens the learner's files in the learner's editor, for one session."""

    def __init__(
        self, app: App, begin: Begin, state: SessionState, channel: MessageChannel
    ) -> None:
        self._app = app
        self._begin = begin
        self._state = state
        self._channel = channel
        self._remote = RemoteEditor()
        self._editor: Editor | None = None
        self._beside: editors.WindowedEditor | Pane | None = None
        self._window_stays = False  # the window is open although its command has ended

    # ------------------------------------------------------------ the editor

    @property
    def name(self) -> str:
        """The editor's name."""
        return self._editor.name if self._editor else "the editor"

    @property
    def is_beside(self) -> bool:
        """Return whether an editor runs in its own window or pane."""
        return self._beside is not None

    @property
    def follows(self) -> bool:
        """Return whether the next lesson's file should open at once, in a window or pane."""
        return self.is_beside or self._window_stays

    @property
    def has_file_open(self) -> bool:
        """Return whether the learner must quit the editor before it can open another file."""
        return bool(self._state.running) or isinstance(self._beside, Pane)

    def find(self) -> None:
        """Find the learner's editor; without one, the session only watches the file."""
        try:
            found = self._app.find_editor(self._remembered())
        except TutorError as error:
            self._state.notify_error(error)
            return
        if isinstance(found, editors.NoEditor):
            self._state.notify(found.how)
        else:
            self._editor = found

    def offer_panes(self) -> None:
        """Mention once that a wide terminal in a multiplexer can have the verdict at the side."""
        state, environ = self._state, self._app.environ
        name = find_multiplexer(environ)
        is_asked = self._begin.layout != "auto" or self._begin.plain
        if is_asked or not name or state.size.columns < WIDE or state.notices or state.running:
            return
        with suppress(StoreError):
            if self._app.store.setting(OFFERED) is None:
                self._app.store.set_setting(OFFERED, name)
                state.notify(
                    f"With jaxtutor start --layout panes, {name} shows the verdict at the side."
                )

    def _remembered(self) -> str | None:
        try:
            return self._app.store.setting(SETTING)
        except StoreError:
            return None

    def choose(self, key: str) -> None:
        """Handle the answer to the question which editor to use."""
        choice, self._state.choice = self._state.choice, ()
        if key.isdigit() and 0 < int(key) <= len(choice):
            self._editor = replace(choice[int(key) - 1], origin="remembered")
            with suppress(StoreError):
                self._app.store.set_setting(SETTING, self._editor.command[0])
            self.open()

    # ------------------------------------------------------------ opening

    def open_window(self) -> None:
        """Open the file at once if its editor does not use the terminal."""
        if self._editor and self._editor.kind == "windowed" and self._editor.origin != "found":
            self.open()

    def open(self) -> None:
        """Open the file in the layout that the terminal and the editor allow."""
        if self._editor is None:
            self.find()
        if self._editor is None or self._asks_which():
            return
        try:
            file_to_check(self._app, self._state.lesson)
            layout = self._layout(self._editor)
            # With the editor in rows, the panel is visible, and a sentence would hide the problem.
            expected = layout.place == "rows" and self._begin.layout != "panes"
            self._state.notify("" if expected else layout.says)
            if layout.place == "beside":
                self._open_beside(self._editor)
            elif layout.place == "panes":
                self._open_pane(self._editor)
            else:
                self._open_here(self._editor, layout.place)
        except TutorError as error:
            self._state.notify_error(error)

    def _asks_which(self) -> bool:
        """Ask once if no editor is set and several are installed."""
        if self._editor is None or self._editor.origin != "found":
            return False
        installed = editors.find_installed(self._app.environ)[:9]
        self._state.choice = installed if len(installed) > 1 else ()
        return bool(self._state.choice)

    def _layout(self, editor: Editor, requested: str | None = None) -> Layout:
        environ = self._app.environ
        return choose_layout(
            "plain" if self._begin.plain else requested or self._begin.layout,
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
        self._channel.send(OpenEditor(editor.name, command, file, find_todo(state.path), rows))
        state.running, state.offset = place, None

    def _open_beside(self, editor: Editor) -> None:
        self.leave()
        path = self._state.path
        started = replace(editor, command=editor.command + self._remote.begin(editor, path))
        self._beside = editors.open_beside(started, path, find_todo(path), self._app.environ)

    def _open_pane(self, editor: Editor) -> None:
        """Open the file in a pane; if that fails, open it in rows and say why."""
        self.leave()
        path, columns, environ = self._state.path, self._state.size.columns, self._app.environ
        started = replace(editor, command=editor.command + self._remote.begin(editor, path))
        command = started.open_at(path, find_todo(path))
        try:
            name = find_multiplexer(environ)
            self._beside = open_pane(name, command, path.parent, columns, environ)
        except EditorError as error:
            layout = self._layout(editor, "rows")
            self._state.notify(error.message, error.remedy, layout.says)
            self._open_here(editor, layout.place)

    def open_in_running(self, file: Path) -> bool:
        """Open another file in the running editor; return False if that is not possible."""
        return self._remote.open(file, find_todo(file))

    def reload(self) -> str:
        """Have the running editor read the file again; return what to do where it cannot be told.

        Editors with windows notice by themselves that a file has changed.
        """
        if not self.has_file_open or self._remote.reload(self._state.path):
            return ""
        usual = re.split("[-.]", self.name)[0]  # of emacs-nox and vim.tiny
        how = _RELOAD.get(usual, f"Read it again in {self.name}, or leave it without saving.")
        return f"{self.name} still shows the old text. {how}"

    # ------------------------------------------------------------ the end of the editor

    def editor_ended(self, left: EditorExited) -> str:
        """Record that the editor in the terminal ended; return a problem, or an empty string."""
        state = self._state
        state.running, state.asking = "", None
        self._remote.close()
        assert self._editor is not None, "an editor was started"
        return left.problem or self._describe(self._editor, left)

    @staticmethod
    def _describe(editor: Editor, left: EditorExited) -> str:
        return editors.describe_exit(editor, left.status, left.seconds, left.output) or ""

    def poll_beside(self) -> str | None:
        """Return why an editor in a window or pane ended, empty if normally; None if it is open."""
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
        """Release an editor in a window or pane, which stays open."""
        if isinstance(self._beside, editors.WindowedEditor):
            self._beside.leave()
        elif self._beside is not None:
            self._beside.close()
        self._beside, self._window_stays = None, False
        self._remote.close()

    def close(self) -> None:
        """Release every editor."""
        self.leave()
        self._remote.close()


def _problem(beside: editors.WindowedEditor | Pane | None) -> str | None:
    if isinstance(beside, editors.WindowedEditor):
        return None if beside.process.poll() is None else beside.report() or ""
    return "" if beside is not None and not beside.is_open() else None


def find_todo(path: Path) -> int:
    """Return the line of the first TODO, or 1."""
    try:
        text = workspace.read(path).text
    except TutorError:
        return 1
    return next((n for n, line in enumerate(split_lines(text), 1) if "TODO" in line), 1)
