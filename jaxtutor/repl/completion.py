"""Completes names at the prompt, and shows the signature of the call at the cursor.

Both ask the worker from their own threads and with a short timeout, so keys are never delayed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.repl import messages
from jaxtutor.core.repl.commands import COMMANDS
from jaxtutor.core.repl.context import Context, read_context
from jaxtutor.repl.kernel import Kernel

TIMEOUT = 0.5
"""Seconds that the worker has to answer; a later answer would disturb typing."""

_WORD = re.compile(r"[A-Za-z_]\w*")


class Names(Completer):
    """Completes what is being typed; a Completer of prompt_toolkit."""

    def __init__(self, kernel: Kernel, library: Library) -> None:
        self._kernel = kernel
        self._library = library

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield the completions at the cursor."""
        del complete_event  # the answer is the same whether a key or typing requested it
        context = read_context(document.text_before_cursor)
        for candidate in self._candidates(context, document):
            yield Completion(
                candidate.text,
                start_position=-len(context.prefix),
                display_meta=candidate.kind,
            )

    def _candidates(self, context: Context, document: Document) -> Iterator[messages.Completion]:
        prefix = context.prefix
        if context.kind == "nothing":
            return
        if context.kind == "command":
            found = (messages.Completion(c.name, c.says) for c in COMMANDS.values())
            yield from (one for one in found if one.text.startswith(prefix))
        elif context.kind == "argument":
            yield from _matching(self._arguments(context.subject), prefix)
        else:
            live = self._ask(context)
            yield from live
            if context.kind == "name" and prefix:
                known = {candidate.text for candidate in live}
                yield from _typed(document.text, prefix, known)

    def _arguments(self, command: str) -> Iterable[str]:
        if command == "explain":
            return (*self._library.slugs, *self._library.classes)
        return tuple(COMMANDS) if command == "help" else ()

    def _ask(self, context: Context) -> tuple[messages.Completion, ...]:
        reply = self._kernel.worker.ask(
            lambda number: messages.Complete(
                number, context.kind, context.subject, context.prefix, context.call
            ),
            TIMEOUT,
        )
        return reply.candidates if isinstance(reply, messages.Matches) else ()


def _matching(texts: Iterable[str], prefix: str) -> Iterator[messages.Completion]:
    yield from (messages.Completion(text) for text in texts if text.startswith(prefix))


def _typed(text: str, prefix: str, known: set[str]) -> Iterator[messages.Completion]:
    """Yield words of the cell itself: parameters, and names that it is about to bind."""
    for word in dict.fromkeys(_WORD.findall(text)):
        if word.startswith(prefix) and word != prefix and word not in known:
            yield messages.Completion(word, "in this cell")


class CallHelp:
    """Tracks the signature of the call at the cursor."""

    def __init__(self, kernel: Kernel, changed: Callable[[], None]) -> None:
        self._kernel = kernel
        self._changed = changed
        self._requested: str | None = None
        self._wake = threading.Event()
        self._known: dict[str, messages.Described] = {}
        self.context = Context()
        threading.Thread(target=self._work, daemon=True).start()

    def update(self, before: str) -> None:
        """Read the text before the cursor; the signature follows when the worker has answered."""
        self.context = read_context(before) if "(" in before else Context()
        if self.context.call and self.context.call not in self._known:
            self._requested = self.context.call
            self._wake.set()

    def clear(self) -> None:
        """Discard the known signatures, because a cell may redefine any function."""
        self._known.clear()
        self.context = Context()

    @property
    def described(self) -> messages.Described | None:
        """The signature of the call at the cursor, if known."""
        found = self._known.get(self.context.call)
        return found if found is not None and (found.parameters or found.says) else None

    @property
    def current(self) -> int | None:
        """The index of the parameter at the cursor, if known."""
        found = self.described
        if found is None:
            return None
        names = [text.lstrip("*").partition("=")[0] for text in found.parameters]
        if self.context.keyword:
            return names.index(self.context.keyword) if self.context.keyword in names else None
        stars = [n for n, text in enumerate(found.parameters) if text.startswith("*")]
        position = self.context.position
        if stars and not found.parameters[stars[0]].startswith("**"):
            position = min(position, stars[0])
        return position if position < len(names) else None

    def _work(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            requested = self._requested
            if requested is None:
                continue
            reply = self._kernel.worker.ask(
                lambda number, subject=requested: messages.Describe(number, subject),  # type: ignore[misc]
                TIMEOUT,
            )
            if isinstance(reply, messages.Described):
                self._known[requested] = reply
                self._changed()
