"""The language server: it lints what one types, and on a save runs a lesson's file or a script.

It runs programs, so it asks once for each project, or folder without one, and keeps the answer if
the person wants that. Files in the learner's own workspace, and in folders that the editor's
settings name, need no question. Programs run in one thread, one at a time; of several saves of a
file that arrive meanwhile, only the last is run, and a run in progress is cancelled. Texts are
linted in another thread, and nothing of them runs.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import psutil
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from jaxtutor import __version__
from jaxtutor.app import App
from jaxtutor.core.data.diagnoses import Fix
from jaxtutor.core.linting.source_lint import READ
from jaxtutor.errors import TutorError
from jaxtutor.language_server import convert, type_hints
from jaxtutor.language_server.analysis import (
    Analysis,
    Cancelled,
    analyse,
    lesson_for,
    program_for,
)
from jaxtutor.language_server.permission import Permission
from jaxtutor.language_server.typing_lint import Findings, lint_open
from jaxtutor.linting.project_files import Project, Projects
from jaxtutor.processes.watched_run import Cancel
from jaxtutor.storage.consents import Consents

STARTED = psutil.Process().create_time()
"""When this process started, in seconds since the epoch."""
PAUSE = 0.3
"""Seconds without an edit after which a text is linted."""
FORGET = "jaxtutor.forgetConsent"
"""The command that forgets all answers, so that the server asks again."""


class ClientAbilities(NamedTuple):
    """What a client can show, or can be asked to ask for again."""

    show_progress: bool = False
    refresh_lenses: bool = False
    refresh_hints: bool = False

    @classmethod
    def of(cls, given: lsp.ClientCapabilities) -> ClientAbilities:
        """Read what a client says that it can do."""
        window, workspace = given.window, given.workspace
        lens = workspace.code_lens if workspace is not None else None
        hint = workspace.inlay_hint if workspace is not None else None
        return cls(
            bool(window is not None and window.work_done_progress),
            bool(lens is not None and lens.refresh_support),
            bool(hint is not None and hint.refresh_support),
        )


class JaxServer:
    """One server process: what it knows of each file, and the thread that runs them."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.server: Any = LanguageServer(
            "jaxtutor", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full
        )
        self.known: dict[str, Analysis] = {}
        self._saves: Counter[str] = Counter()
        self.permission = Permission(Consents(app.workspace.consents), self.server, self._say)
        self._uris: dict[Path, str] = {}
        self._can = ClientAbilities()
        self._shows_types = True
        self._ready = 0.0
        self._is_ending = False
        self._running: tuple[str, Cancel] | None = None
        self._open: set[str] = set()
        self._shown_by: dict[str, set[str]] = {}
        self._linted: dict[str, Analysis] = {}
        self._published: dict[str, list[lsp.Diagnostic]] = {}
        self._edits: Counter[str] = Counter()
        self._said: set[str] = set()
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._held = ExitStack()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="jaxtutor")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="jaxtutor-lint")
        self._handle(lsp.INITIALIZE, self.initialize)
        self.server.command(FORGET)(partial(self.forget_consent))
        self._handle(lsp.TEXT_DOCUMENT_DID_OPEN, self.did_open)
        self._handle(lsp.TEXT_DOCUMENT_DID_CHANGE, self.did_change)
        self._handle(lsp.TEXT_DOCUMENT_DID_SAVE, self.did_save)
        self._handle(lsp.TEXT_DOCUMENT_DID_CLOSE, self.did_close)
        self._handle(lsp.TEXT_DOCUMENT_HOVER, self.hover)
        self._handle(lsp.TEXT_DOCUMENT_CODE_LENS, self.code_lens)
        self._handle(lsp.TEXT_DOCUMENT_INLAY_HINT, self.inlay_hints)
        kinds = [lsp.CodeActionKind.QuickFix]
        options = lsp.CodeActionOptions(code_action_kinds=kinds)
        self._handle(lsp.TEXT_DOCUMENT_CODE_ACTION, self.code_actions, options)

    def _handle(self, name: str, method: Callable[[Any], object], options: object = None) -> None:
        # pygls sets attributes on what it registers, and a bound method accepts none.
        self.server.feature(name, options)(partial(method))

    def serve(self) -> None:
        """Serve one client on standard input and output until it disconnects."""
        # pygls logs the client's bad requests; standard error belongs to the editor's own log.
        logging.getLogger("pygls").setLevel(logging.CRITICAL)
        # pygls closes its streams when the client asks the server to exit. Ours are used later.
        streams = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        try:
            self.server.start_io(*streams)
        finally:
            self._is_ending = True
            self._held.close()
            self._cancel()
            self._reader.shutdown(cancel_futures=True)
            self._pool.submit(self.app.close)
            self._pool.shutdown()

    # ------------------------------------------------------------ what the client sends

    def initialize(self, given: lsp.InitializeParams) -> None:
        """Read the editor's own settings, and what it can show."""
        options = given.initialization_options
        settings = options if isinstance(options, Mapping) else {}
        names = settings.get("folders")
        if isinstance(names, Sequence) and not isinstance(names, str):
            self.permission.allow(names)
        self._shows_types = settings.get("inlayHints") is not False
        self._can = ClientAbilities.of(given.capabilities)
        self._ready = time.time()

    def forget_consent(self, *_arguments: object) -> None:
        """Forget in which folders programs may run; those of the editor's settings stay."""
        try:
            self.permission.forget()
        except TutorError as error:
            self._say(f"{error.message} {error.remedy}")

    async def did_open(self, given: lsp.DidOpenTextDocumentParams) -> None:
        """Lint a file. Keep commands from moving the learner's while the editor has one open."""
        uri = given.text_document.uri
        self._lint_soon(uri, 0.0)
        name = to_fs_path(uri) if uri.startswith("file:") else None
        if name is not None and Path(name).is_relative_to(self.app.workspace.root):
            if not self._open:
                self._held.enter_context(self.app.holding_files())
            self._open.add(uri)
        if name is not None:
            self._uris[Path(name)] = uri
            if self._was_saved_before(Path(name)):
                document = lsp.TextDocumentIdentifier(uri)
                await self.did_save(lsp.DidSaveTextDocumentParams(document))

    def _was_saved_before(self, path: Path) -> bool:
        """Return whether a file was saved while the server started: no editor reports that."""
        try:
            saved = path.stat().st_mtime
        except OSError:
            return False
        return STARTED - 1.0 <= saved <= self._ready  # the time of the start is in whole seconds

    async def did_close(self, given: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a closed file."""
        uri = given.text_document.uri
        self._open.discard(uri)
        if not self._open:
            self._held.close()
        self._saves[uri] += 1
        self._edits[uri] += 1
        if uri in self._due:
            self._due.pop(uri).cancel()
        self._cancel(uri)
        for kept in (self.known, self._linted):
            kept.pop(uri, None)
        self._publish(uri)
        self._shown_by.pop(uri, None)

    async def did_change(self, given: lsp.DidChangeTextDocumentParams) -> None:
        """Lint a text, once the person has stopped to type."""
        self._lint_soon(given.text_document.uri, PAUSE)

    async def did_save(self, given: lsp.DidSaveTextDocumentParams) -> None:
        """Run a saved file, unless a later save of it overtakes this one."""
        uri = given.text_document.uri
        name = to_fs_path(uri) if uri.startswith("file:") else None
        if name is None or not name.endswith(".py"):
            return
        self._saves[uri] += 1
        self._cancel(uri)
        number, path = self._saves[uri], Path(name)
        self._uris[path] = uri
        loop = asyncio.get_running_loop()
        if not await loop.run_in_executor(self._pool, self._runs, path):
            return

        def show(results: Mapping[Path, Analysis]) -> None:
            loop.call_soon_threadsafe(self._show, uri, number, {**results})

        def work() -> None:
            cancel = Cancel()
            self._running = uri, cancel
            try:
                if number == self._saves[uri] and not self._is_ending:
                    analyse(self.app, path, self._folder(path), show, cancel)
            finally:
                self._running = None
                cancel.close()

        try:
            if await self._may_run(path):
                async with self._progress(f"Running {path.name}"):
                    await loop.run_in_executor(self._pool, work)
        except Cancelled:
            pass
        except TutorError as error:
            self._say(f"{error.message} {error.remedy}".strip())

    # ------------------------------------------------------------ while one types

    def _lint_soon(self, uri: str, seconds: float) -> None:
        """Lint the text of an open file after a pause, unless it is edited again meanwhile."""
        name = to_fs_path(uri) if uri.startswith("file:") else None
        if name is None or not name.endswith(".py"):
            return
        self._edits[uri] += 1
        if uri in self._due:
            self._due.pop(uri).cancel()
        start = partial(self._lint, uri, Path(name), self._edits[uri])
        self._due[uri] = asyncio.get_running_loop().call_later(seconds, start)

    def _lint(self, uri: str, path: Path, number: int) -> None:
        self._due.pop(uri, None)
        texts, loop = self._open_texts(), asyncio.get_running_loop()

        def work() -> None:
            if number != self._edits[uri] or lesson_for(self.app, path) is not None:
                return  # a lesson has its verdict
            try:
                found = lint_open(path, texts, self.app.library)
            except TutorError as error:
                loop.call_soon_threadsafe(self._say_once, f"{error.message} {error.remedy}")
                return
            loop.call_soon_threadsafe(self._show_lint, uri, number, found)

        if not self._is_ending and path in texts:
            self._reader.submit(work)

    def _open_texts(self) -> dict[Path, str]:
        """Return the texts of the open Python files."""
        documents = dict(self.server.workspace.text_documents)
        names = {uri: to_fs_path(uri) for uri in documents if uri.startswith("file:")}
        return {
            Path(name): str(documents[uri].source)
            for uri, name in names.items()
            if name is not None and name.endswith(".py")
        }

    def _show_lint(self, uri: str, number: int, found: Findings) -> None:
        """Show what was found; the findings of a text that cannot be parsed stay as they were."""
        if number != self._edits[uri]:
            return
        for path, here in found.items():
            name = self._uris.get(path) or path.as_uri()
            is_open = name in self.server.workspace.text_documents  # it may have been closed since
            if not is_open or lesson_for(self.app, path) is not None:
                continue
            if here is not None:
                self._linted[name] = here
            if self._diagnostics(name) != self._published.get(name, []):
                self._publish(name)

    def _cancel(self, uri: str | None = None) -> None:
        """Cancel the run in progress, or that of one file."""
        running = self._running
        if running is not None and uri in (None, running[0]):
            running[1]()

    def hover(self, given: lsp.HoverParams) -> lsp.Hover | None:
        """Return the page of the cause at a position."""
        for item in self._diagnostics(given.text_document.uri):
            if item.code is not None and convert.contains(item.range, given.position):
                summary = str(item.message).partition("\n\n")[0]
                page = self.app.library.markdown(str(item.code), summary)
                text = lsp.MarkupContent(lsp.MarkupKind.Markdown, page)
                return lsp.Hover(contents=text, range=item.range)
        return None

    def code_actions(self, given: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        """Return the fixes in a range, if the text is still the one that was run or read."""
        uri = given.text_document.uri
        text = self._text(uri)
        results = [it for kept in (self.known, self._linted) if (it := kept.get(uri)) is not None]
        fixes = [pair for result in results if result.source == text for pair in result.fixes]
        verified = [(item.code, item.range) for item, fix in fixes if fix.verified]
        return [
            lsp.CodeAction(
                title=_title(item, fix),
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[item],
                edit=lsp.WorkspaceEdit(changes={uri: convert.edits(text, fix.source)}),
                is_preferred=fix.verified or fix.keeps_results,
            )
            for item, fix in fixes
            if fix.verified or (item.code, item.range) not in verified
            if convert.contains(item.range, given.range.start)
            or convert.contains(given.range, item.range.start)
        ]

    def code_lens(self, given: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        """Return the verdict on a lesson's file, above its function."""
        result = self.known.get(given.text_document.uri)
        return [result.lens] if result is not None and result.lens is not None else []

    def inlay_hints(self, given: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        """Return the types of arrays in a range, if the text is still the one that was run."""
        uri = given.text_document.uri
        result = self.known.get(uri)
        if not self._shows_types or result is None or self._text(uri) != result.source:
            return []
        return [
            hint
            for hint in type_hints.hints(result.source, result.types)
            if convert.contains(given.range, hint.position)
        ]

    # ------------------------------------------------------------ consent

    def _runs(self, path: Path) -> bool:
        """Return whether something runs when a file is saved."""
        if lesson_for(self.app, path) is not None:
            return True
        try:
            return program_for(path, self._project(path)) is not None
        except TutorError:
            return False

    def _project(self, path: Path) -> Project:
        return Projects(self.app.library.slugs).find(path)

    async def _may_run(self, path: Path) -> bool:
        """Return whether a file may be run; the learner's workspace needs no question."""
        if path.parent.is_relative_to(self.app.workspace.root):
            return True
        return await self.permission.is_given(path, self._project(path).root.resolve())

    def _folder(self, path: Path) -> Path | None:
        """Return the innermost folder of the editor's workspace that a file is in."""
        names = (to_fs_path(uri) for uri in self.server.workspace.folders)
        around = (Path(name) for name in names if name and path.is_relative_to(name))
        return max(around, key=lambda folder: len(folder.parts), default=None)

    # ------------------------------------------------------------ what the client gets

    def _show(self, saved: str, number: int, results: Mapping[Path, Analysis]) -> None:
        if number != self._saves[saved]:
            return  # saved again, or closed, meanwhile
        shown = {self._uris.get(path) or path.as_uri(): it for path, it in results.items()}
        gone = self._shown_by.get(saved, set()) - shown.keys()
        self._shown_by[saved] = {*shown}
        for uri in gone:
            self.known.pop(uri, None)
        self.known |= shown
        for uri in (*shown, *gone):
            if uri == saved or self._diagnostics(uri) != self._published.get(uri, []):
                self._publish(uri)
        if self._can.refresh_lenses and any(result.lens for result in results.values()):
            self.server.workspace_code_lens_refresh(None)
        if self._can.refresh_hints and self._shows_types:
            self.server.workspace_inlay_hint_refresh(None)

    @asynccontextmanager
    async def _progress(self, title: str) -> AsyncIterator[None]:
        """Show that a program runs, where the editor can."""
        token, progress = str(uuid4()), self.server.work_done_progress
        if self._can.show_progress:
            await progress.create_async(token)
            progress.begin(token, lsp.WorkDoneProgressBegin(title=title))
        try:
            yield
        finally:
            if self._can.show_progress:
                progress.end(token, lsp.WorkDoneProgressEnd())

    def _publish(self, uri: str) -> None:
        self._published[uri] = diagnostics = self._diagnostics(uri)
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
        )

    def _diagnostics(self, uri: str) -> list[lsp.Diagnostic]:
        """Return what the text shows, and what the last run showed beside it."""
        result, linted = self.known.get(uri), self._linted.get(uri)
        is_open = uri in self.server.workspace.text_documents
        text = self._text(uri) if is_open else None
        ran, read = (_moved(each, text) for each in (result, linted))
        if linted is None:
            return ran
        seen = [item for item in ran if not _is_of_source(item)]
        told = {(item.code, item.range.start.line) for item in seen}  # what raised says more
        foreseen = (item for item in read if (item.code, item.range.start.line) not in told)
        return [*foreseen, *seen]

    def _text(self, uri: str) -> str:
        return str(self.server.workspace.get_text_document(uri).source)

    def _say_once(self, message: str) -> None:
        if message not in self._said:
            self._said.add(message)
            self._say(message)

    def _say(self, message: str) -> None:
        self.server.window_show_message(
            lsp.ShowMessageParams(type=lsp.MessageType.Warning, message=message)
        )


def _title(item: lsp.Diagnostic, fix: Fix) -> str:
    if fix.verified:
        return f"Apply the verified fix for {item.code}"
    if fix.keeps_results:
        return f"Apply the fix for {item.code}, which keeps the results"
    return f"Apply the suggested fix for {item.code}, which was not tried"


def _moved(result: Analysis | None, text: str | None) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a result where they are in the present text, if there is one."""
    if result is None:
        return []
    return [
        *convert.moved(result.diagnostics, result.source, result.source if text is None else text)
    ]


def _is_of_source(item: lsp.Diagnostic) -> bool:
    """Return whether a run's diagnostic is one that the text shows, which was read since."""
    return item.severity == lsp.DiagnosticSeverity.Warning and item.code in READ
