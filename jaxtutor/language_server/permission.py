"""Decides in which folders programs may be run, and asks the person who uses the editor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from jaxtutor.errors import TutorError
from jaxtutor.storage.consents import Consents

RUN, ALWAYS, REFUSE, NEVER = "Run", "Always", "Not now", "Not here"
CANNOT_ASK = (
    "jaxtutor runs nothing here, because this editor cannot ask you. To allow it, add the folder to"
    " the option `folders` of the language server:"
)


class Permission:
    """Asks once for each project, or folder without one, and remembers the answers."""

    def __init__(self, consents: Consents, server: Any, say: Callable[[str], None]) -> None:
        self._consents = consents
        self._server = server
        self._say = say
        self._answers: dict[Path, asyncio.Future[bool]] = {}
        self._allowed: tuple[Path, ...] = ()

    def allow(self, names: Iterable[object]) -> None:
        """Allow folders without a question; what is not the absolute path of one is ignored."""
        expanded = (Path(name).expanduser() for name in names if isinstance(name, str))
        self._allowed = tuple(folder.resolve() for folder in expanded if folder.is_absolute())

    def forget(self) -> None:
        """Forget all answers; what the settings allow stays. Raises TutorError."""
        self._answers.clear()
        self._consents.forget()

    async def is_given(self, path: Path, root: Path) -> bool:
        """Return whether a file of a project may be run, and ask if nobody has answered yet."""
        if any(path.parent.resolve().is_relative_to(allowed) for allowed in self._allowed):
            return True
        answer = self._consents.answer(root)
        if answer is not None:
            return answer
        if root not in self._answers:  # saves during the question wait for the same answer
            self._answers[root] = asyncio.ensure_future(self._ask(root))
        return await self._answers[root]

    async def _ask(self, folder: Path) -> bool:
        question = (
            f"jaxtutor runs the programs in {folder} each time you save one, to diagnose them. "
            "They can do what you can. Run them?"
        )
        request = lsp.ShowMessageRequestParams(
            type=lsp.MessageType.Info,
            message=question,
            actions=[lsp.MessageActionItem(name) for name in (RUN, ALWAYS, REFUSE, NEVER)],
        )
        try:
            answer = await self._server.window_show_message_request_async(request)
        except JsonRpcException:  # helix has no such dialog
            self._say(f"{CANNOT_ASK} {folder}")
            return False
        chosen = REFUSE if answer is None else answer.title
        if chosen in (ALWAYS, NEVER):
            try:
                self._consents.remember(folder, chosen == ALWAYS)
            except TutorError as error:
                self._say(f"The answer was not kept. {error.message} {error.remedy}")
        return chosen in (RUN, ALWAYS)
