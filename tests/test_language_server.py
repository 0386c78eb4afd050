"""Tests the language server as an editor uses it: over its standard streams."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from jaxtutor.core import addresses
from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.positions import Span
from jaxtutor.language_server import convert
from jaxtutor.storage.consents import Consents
from trials.built_in import learner_file, lesson_folder

ROOT = Path(__file__).parent.parent
LONG = 120.0
"""Seconds after which a message that does not come fails a test, and does not stop them all."""
FAILING = """\
import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    if x.sum() > 0:
        return x
    return -x


if __name__ == "__main__":
    print(keep(jnp.arange(3.0)))
"""
Message = dict[str, Any]


class Editor:
    """A client that talks to one server process."""

    def __init__(
        self,
        home: Path,
        answer: str | None = "Run",
        capabilities: Message | None = None,
        meanwhile: Callable[[], object] | None = None,
        **options: object,
    ) -> None:
        self.answer = answer
        self.questions = 0
        self.notes: list[Message] = []
        self._last = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "jaxtutor", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "JAXTUTOR_HOME": str(home), "PYTHONPATH": str(ROOT)},
        )
        if meanwhile is not None:
            meanwhile()
        self.capabilities = self.ask(
            "initialize",
            processId=None,
            rootUri=None,
            capabilities=capabilities or {},
            initializationOptions=options,
        )
        self.tell("initialized")

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        self._last += 1
        number = self._last
        self._send({"id": number, "method": method, "params": params})
        return self.await_message(lambda message: message.get("id") == number)["result"]

    def tell(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def save(self, file: Path, text: str) -> None:
        """Write a file and report it as opened and saved."""
        file.write_text(text)
        self.open(file, text)
        self.tell("textDocument/didSave", textDocument={"uri": file.as_uri()})

    def open(self, file: Path, text: str) -> None:
        """Report a file as opened, with a text that need not be saved."""
        document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)

    def change(self, file: Path, text: str) -> None:
        """Report another text of an open file."""
        document = {"uri": file.as_uri(), "version": 2}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def diagnostics(self, file: Path) -> list[Message]:
        """Wait for the next diagnostics of a file."""

        def is_theirs(message: Message) -> bool:
            return (
                message.get("method") == "textDocument/publishDiagnostics"
                and message["params"]["uri"] == file.as_uri()
            )

        return list(self.await_message(is_theirs)["params"]["diagnostics"])

    def await_message(self, wanted: Callable[[Message], bool]) -> Message:
        """Read until a message arrives, answering the server's own requests meanwhile."""
        watchdog = threading.Timer(LONG, self._process.kill)  # which ends what is read
        watchdog.start()
        try:
            while True:
                message = self._receive()
                if wanted(message) and ("method" in message) != ("result" in message):
                    return message
                if "id" in message and "method" in message:
                    self._respond(message)
                else:
                    self.notes.append(message)
        finally:
            watchdog.cancel()

    def _respond(self, message: Message) -> None:
        result = None
        if message["method"] == "window/showMessageRequest":
            self.questions += 1
            if self.answer is None:  # as helix, which has no such dialog
                error = {"code": -32601, "message": "Method not found"}
                self._send({"id": message["id"], "error": error})
                return
            result = {"title": self.answer}
        self._send({"id": message["id"], "result": result})

    def _send(self, message: Message) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send_bytes(self, data: bytes) -> None:
        """Send bytes, which need not be a message."""
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def _receive(self) -> Message:
        assert self._process.stdout is not None
        length = 0
        while (line := self._process.stdout.readline().strip()) or not length:
            assert line, "the server ended"
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return dict(json.loads(self._process.stdout.read(length)))

    def close(self) -> int:
        """Disconnect as an editor that dies does; return the server's exit status."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            return self._process.wait(60)
        finally:
            assert self._process.stdout is not None
            self._process.stdout.close()


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    editor = Editor(tmp_path / "home")
    yield editor
    editor.close()


def test_a_saved_script_is_diagnosed(editor: Editor, tmp_path: Path) -> None:
    """A save brings a diagnostic at the expression, a page on hover and a verified fix."""
    file = tmp_path / "train.py"
    editor.save(file, FAILING)

    (found,) = editor.diagnostics(file)
    while found["severity"] != 1:  # the text alone shows it too
        (found,) = editor.diagnostics(file)

    assert found["code"] == "traced-bool-in-if"
    place = {"start": {"line": 6, "character": 7}, "end": {"line": 6, "character": 18}}
    assert place == found["range"]
    document = {"uri": file.as_uri()}
    hover = editor.ask("textDocument/hover", textDocument=document, position=place["start"])
    assert hover["contents"]["value"].startswith("# traced-bool-in-if")
    editor.diagnostics(file)  # again, once a fix was tried
    (action,) = editor.ask(
        "textDocument/codeAction",
        textDocument=document,
        range=place,
        context={"diagnostics": [found]},
    )
    fixed = apply(FAILING, action["edit"]["changes"][file.as_uri()])
    assert "jnp.where" in fixed
    editor.save(file, fixed)
    assert [] == editor.diagnostics(file)


DROPPED = "import jax.numpy as jnp\n\ntable = jnp.zeros(3)\ntable.at[0].set(1.0){}\nprint(table)\n"


def test_a_text_is_linted_while_one_types(editor: Editor, tmp_path: Path) -> None:
    """What the open text shows appears without a save or a question; a half line keeps it."""
    file = tmp_path / "module.py"
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtutor]\nignore = ["prng-key-reuse"]\n')
    editor.open(file, DROPPED.format(""))
    (found,) = editor.diagnostics(file)
    assert ("at-set-result-dropped", 2, 3) == (
        found["code"],
        found["severity"],
        found["range"]["start"]["line"],
    )
    document = {"uri": file.as_uri()}
    place = found["range"]["start"]
    hover = editor.ask("textDocument/hover", textDocument=document, position=place)
    assert hover["contents"]["value"].startswith("# at-set-result-dropped")
    for number in range(20):
        editor.change(file, DROPPED.format(f" + ({number}"))
    editor.change(file, DROPPED.format("  # jaxtutor: ignore[argmax-over-all]"))
    (_, unused) = editor.diagnostics(file)
    assert "This comment allows argmax-over-all" in unused["message"]
    editor.change(file, DROPPED.format("  # jaxtutor: ignore[at-set-result-dropped]"))
    assert [] == editor.diagnostics(file)
    assert 0 == editor.questions


WALLS = "def hold(new):\n    new = new.at[0].set(0)\n    return new\n"
STEPS = "from walls import hold\n\n\ndef step(new):\n    hold(new)\n    return new\n"


def test_what_a_text_shows_has_an_edit(editor: Editor, tmp_path: Path) -> None:
    """The edit that `lint` knows is offered while one types; its title says that it is untried."""
    file = tmp_path / "module.py"
    editor.open(file, DROPPED.format(""))
    (found,) = editor.diagnostics(file)
    (action,) = editor.ask(
        "textDocument/codeAction",
        textDocument={"uri": file.as_uri()},
        range=found["range"],
        context={"diagnostics": [found]},
    )
    assert (
        "Apply the suggested fix for at-set-result-dropped, which was not tried" == action["title"]
    )
    assert not action["isPreferred"]
    fixed = apply(DROPPED.format(""), action["edit"]["changes"][file.as_uri()])
    assert "table = table.at[0].set(1.0)" in fixed


def test_open_files_are_read_together(editor: Editor, tmp_path: Path) -> None:
    """A file is linted with those that it imports, as they are in the editor or on disk."""
    (tmp_path / "pyproject.toml").write_text("[tool.jaxtutor]\n")
    walls, steps = tmp_path / "walls.py", tmp_path / "steps.py"
    walls.write_text(WALLS)
    editor.open(steps, STEPS)
    (found,) = editor.diagnostics(steps)
    assert 4 == found["range"]["start"]["line"]
    editor.open(walls, WALLS.replace("new = new.at[0].set(0)", "print(new)"))
    assert [] == editor.diagnostics(steps)
    editor.change(walls, WALLS)
    assert [found] == editor.diagnostics(steps)


def test_broken_settings_of_one_project_leave_the_other(editor: Editor, tmp_path: Path) -> None:
    """The message names the broken file once, and files of other projects are linted."""
    files = [tmp_path / name / "module.py" for name in ("broken", "right")]
    for file, table in zip(files, ("[tool.jaxtutor]\nselect = 3\n", ""), strict=True):
        file.parent.mkdir()
        (file.parent / "pyproject.toml").write_text(table)
        editor.open(file, DROPPED.format(""))
    assert ["at-set-result-dropped"] == [each["code"] for each in editor.diagnostics(files[1])]
    said = [n["params"] for n in editor.notes if n["method"] == "window/showMessage"]
    assert [True] == [str(files[0].parent) in each["message"] for each in said]


def test_findings_move_with_the_lines(editor: Editor, tmp_path: Path) -> None:
    """What was found stays at its expression while a half-written line is above it."""
    file = tmp_path / "module.py"
    editor.open(file, DROPPED.format(""))
    (found,) = editor.diagnostics(file)
    editor.change(file, DROPPED.format("").replace("\n\n", "\n\n\nx = (\n", 1))
    (moved,) = editor.diagnostics(file)
    assert 2 == moved["range"]["start"]["line"] - found["range"]["start"]["line"]
    editor.change(file, DROPPED.format("[").replace("\n\n", "\n\n\nx = (\n", 1))
    assert [] == editor.diagnostics(file)


def test_edits_that_are_faster_than_the_reader_are_left_out(editor: Editor, tmp_path: Path) -> None:
    """Of thousands of edits in a row, the last text is linted, and little in between."""
    file = tmp_path / "module.py"
    editor.open(file, "")
    for number in range(3000):
        editor.change(file, f"# {number}\n" * 50)
    editor.change(file, DROPPED.format(""))
    assert ["at-set-result-dropped"] == [found["code"] for found in editor.diagnostics(file)]
    published = [n for n in editor.notes if n["method"] == "textDocument/publishDiagnostics"]
    assert len(published) < 10


def test_a_lesson_has_its_verdict_above_the_function(editor: Editor, tmp_path: Path) -> None:
    """A lesson's starter fails with its cause, and the lens above the function says so."""
    file = tmp_path / "home" / "workspace" / learner_file("safe-clip-positive")
    file.parent.mkdir(parents=True)
    lesson = lesson_folder("safe-clip-positive")
    editor.save(file, (lesson / "starter.py").read_text())

    assert "traced-bool-in-if" in [found["code"] for found in editor.diagnostics(file)]
    (lens,) = editor.ask("textDocument/codeLens", textDocument={"uri": file.as_uri()})
    assert lens["command"]["title"].startswith("safe-clip-positive: ")
    assert 0 == editor.questions


def test_no_file_moves_while_the_editor_has_one_open(editor: Editor, tmp_path: Path) -> None:
    """The server holds the workspace from the first file that is opened to the last closed."""
    root = tmp_path / "home" / "workspace"
    root.mkdir(parents=True)
    first, second = root / "first.py", root / "second.py"

    def is_held(method: str, file: Path) -> bool:
        document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": ""}
        editor.tell(f"textDocument/{method}", textDocument=document)
        editor.ask("textDocument/codeLens", textDocument={"uri": first.as_uri()})
        handle = os.open(root, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(handle)
        return False

    assert is_held("didOpen", first)
    assert is_held("didOpen", second)
    assert is_held("didClose", first)
    assert not is_held("didClose", second)


def test_nothing_runs_without_consent(tmp_path: Path) -> None:
    """The editor asks once for a folder; after a refusal, none of its programs runs."""
    editor = Editor(tmp_path / "home", answer="Not now")
    file, ran = tmp_path / "train.py", tmp_path / "ran"
    source = f"open({str(ran)!r}, 'w')\nif __name__ == '__main__':\n    pass\n"
    editor.save(file, source)
    editor.save(file, source)
    editor.ask("textDocument/codeLens", textDocument={"uri": file.as_uri()})
    while not editor.questions:
        editor.ask("textDocument/codeLens", textDocument={"uri": file.as_uri()})
    assert 0 == editor.close()
    assert (1, False) == (editor.questions, ran.exists())


def test_an_editor_that_cannot_ask_says_how_to_allow_it(tmp_path: Path) -> None:
    """An editor without dialogs gets a message that names the option and the folder."""
    editor, file = Editor(tmp_path / "home", answer=None), tmp_path / "train.py"
    editor.save(file, FAILING)
    note = editor.await_message(lambda message: message.get("method") == "window/showMessage")
    assert "`folders`" in note["params"]["message"]
    assert str(tmp_path) in note["params"]["message"]
    assert 0 == editor.close()


def test_folders_in_the_settings_need_no_question(tmp_path: Path) -> None:
    """A file below a folder that the editor's settings name runs at once."""
    editor, file = Editor(tmp_path / "home", folders=[str(tmp_path), 3]), tmp_path / "train.py"
    editor.save(file, FAILING)
    assert ["traced-bool-in-if"] == [found["code"] for found in editor.diagnostics(file)]
    assert 0 == editor.questions
    assert 0 == editor.close()


RUNS = "open({!r}, 'a').write('x')\nif __name__ == '__main__':\n    pass\n"


@pytest.mark.slow
@pytest.mark.parametrize(("answer", "runs"), [("Always", "x"), ("Not here", "")])
def test_an_answer_is_kept_until_it_is_forgotten(answer: str, runs: str, tmp_path: Path) -> None:
    """The next editor does not ask for this project; after the command, it asks again."""
    work = tmp_path / "work"
    (work / "deep").mkdir(parents=True)
    (work / "pyproject.toml").write_text("[tool.jaxtutor]\n")
    log, file = tmp_path / "log", work / "deep" / "train.py"
    log.touch()
    first = Editor(tmp_path / "home", answer=answer)
    first.save(file, RUNS.format(str(log)))
    while not (first.questions and log.read_text() == runs):
        first.ask("textDocument/codeLens", textDocument={"uri": file.as_uri()})
    first.close()
    second = Editor(tmp_path / "home", answer="Not now")
    second.save(work / "other.py", FAILING)
    if runs:
        assert await_some(second, work / "other.py")
    assert 0 == second.questions
    second.ask("workspace/executeCommand", command="jaxtutor.forgetConsent", arguments=[])
    second.save(work / "other.py", FAILING)
    while not second.questions:
        second.ask("textDocument/codeLens", textDocument={"uri": file.as_uri()})
    second.close()


@pytest.mark.slow
def test_the_entry_point_runs_when_a_file_of_the_project_is_saved(tmp_path: Path) -> None:
    """What it raises is shown in the file at fault, and progress while it runs."""
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtutor]\nentry-point = "train.py"\n')
    (tmp_path / "train.py").write_text("import walls\nwalls.keep(walls.jnp.arange(3.0))\n")
    walls = tmp_path / "walls.py"
    can_show = {"window": {"workDoneProgress": True}}
    editor = Editor(tmp_path / "home", capabilities=can_show, folders=[str(tmp_path)])
    editor.save(walls, FAILING.partition("if __name__")[0])
    assert ["traced-bool-in-if"] == [found["code"] for found in await_some(editor, walls)]
    kinds = [
        note["params"]["value"]["kind"]
        for note in editor.notes
        if note.get("method") == "$/progress"
    ]
    assert ["begin"] == kinds
    editor.await_message(
        lambda it: it.get("method") == "$/progress" and it["params"]["value"]["kind"] == "end"
    )
    editor.close()


@pytest.mark.slow
def test_two_projects_in_one_editor_keep_their_settings(tmp_path: Path) -> None:
    """Each runs its own entry point, in its own folder, and is asked about by itself."""
    editor = Editor(tmp_path / "home")
    table = '[tool.jaxtutor]\nentry-point = "main.py"\nignore = {}\n'
    for name, ignored in (("one", []), ("two", ["at-set-result-dropped"])):
        root = tmp_path / name
        root.mkdir()
        (root / "pyproject.toml").write_text(table.format(ignored))
        (root / "main.py").write_text("open('ran', 'w')\n")
        editor.save(root / "part.py", DROPPED.format(""))
        while not (root / "ran").exists():
            editor.ask("textDocument/codeLens", textDocument={"uri": root.as_uri()})
    assert 2 == editor.questions
    shown = {
        note["params"]["uri"]
        for note in editor.notes
        if note["method"] == "textDocument/publishDiagnostics" and note["params"]["diagnostics"]
    }
    assert {(tmp_path / "one" / "part.py").as_uri()} == shown
    editor.close()


@pytest.mark.slow
def test_a_file_that_is_no_longer_loaded_loses_its_diagnostics(tmp_path: Path) -> None:
    """After a run that does not import a file, what an earlier run showed there is gone."""
    editor = Editor(tmp_path / "home", folders=[str(tmp_path)])
    script, walls = tmp_path / "train.py", tmp_path / "walls.py"
    walls.write_text(FAILING.partition("if __name__")[0])
    main = "if __name__ == '__main__':\n    {}\n"
    editor.save(script, "import walls\n" + main.format("walls.keep(walls.jnp.arange(3.0))"))
    assert await_some(editor, walls)
    editor.save(script, main.format("pass"))
    assert [] == editor.diagnostics(walls)
    editor.close()


TYPED = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    h = x @ w
    if h.sum() > 0:
        return h
    return -h


if __name__ == "__main__":
    w, x = jnp.ones((3, 4)), jnp.ones((2, 3))
    y = step(w, x)
"""


@pytest.mark.slow
@pytest.mark.parametrize("shows", [True, False])
def test_types_are_shown_beside_names_after_a_run(shows: bool, tmp_path: Path) -> None:
    """The types are those of the run, and hidden while the text is another, or by a setting."""
    file = tmp_path / "train.py"
    refresh = {"workspace": {"inlayHint": {"refreshSupport": True}}}
    editor = Editor(
        tmp_path / "home", capabilities=refresh, folders=[str(tmp_path)], inlayHints=shows
    )
    everywhere = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}

    def hints() -> set[tuple[int, str]]:
        found = editor.ask(
            "textDocument/inlayHint", textDocument={"uri": file.as_uri()}, range=everywhere
        )
        return {(hint["position"]["line"], hint["label"]) for hint in found}

    editor.save(file, TYPED)
    assert await_some(editor, file)
    expected = {
        (5, ": float32[3,4]"),
        (5, ": float32[2,3]"),
        (6, ": float32[2,4]"),
        (13, ": float32[3,4]"),
        (13, ": float32[2,3]"),
    }
    assert (expected if shows else set()) == hints()
    editor.change(file, TYPED + "#")
    assert set() == hints()
    editor.close()


@pytest.mark.slow
def test_a_save_before_the_server_is_ready_is_not_lost(tmp_path: Path) -> None:
    """A file that was saved while the server started runs when the editor reports it as open."""
    file = tmp_path / "train.py"
    editor = Editor(
        tmp_path / "home",
        folders=[str(tmp_path)],
        meanwhile=lambda: file.write_text(FAILING),
    )
    editor.open(file, FAILING)
    assert ["traced-bool-in-if"] == [found["code"] for found in await_some(editor, file)]
    editor.close()


def test_consents_are_kept_in_a_file(tmp_path: Path) -> None:
    """An answer is for one folder, and a broken file has none."""
    place = tmp_path / "consents.json"
    Consents(place).remember(tmp_path, True)
    Consents(place).remember(tmp_path / "a", False)
    answers = [Consents(place).answer(each) for each in (tmp_path, tmp_path / "a", tmp_path / "b")]
    assert [True, False, None] == answers
    assert (2, 0) == (Consents(place).forget(), Consents(place).forget())
    assert Consents(place).answer(tmp_path) is None
    place.write_text("{")
    assert Consents(place).answer(tmp_path) is None


def test_a_module_without_a_main_part_is_not_run(editor: Editor, tmp_path: Path) -> None:
    """A file that is only imported is neither run nor asked about."""
    module, script = tmp_path / "module.py", tmp_path / "train.py"
    editor.save(module, "raise SystemExit\n")
    editor.save(script, FAILING)
    editor.diagnostics(script)
    assert not any(note.get("params", {}).get("uri") == module.as_uri() for note in editor.notes)


def test_only_the_last_of_many_saves_is_run(editor: Editor, tmp_path: Path) -> None:
    """Ten saves in a row run twice at most: the first, and the last."""
    file, log = tmp_path / "train.py", tmp_path / "log"
    body = f"if __name__ == '__main__':\n    print('x', file=open({str(log)!r}, 'a'))\n"
    for number in range(10):
        editor.save(file, f"# {number}\n{body}")
    editor.save(file, FAILING)
    assert ["traced-bool-in-if"] == [found["code"] for found in await_some(editor, file)]
    assert not log.exists() or len(log.read_text().splitlines()) <= 2


def test_what_is_no_message_does_not_end_the_server(editor: Editor, tmp_path: Path) -> None:
    """Unknown requests, other schemes and files that do not exist leave the server working."""
    editor.tell("no/such/method")
    for uri in ("untitled:1", "http://host/a.py", (tmp_path / "absent.py").as_uri(), "file:///dev"):
        editor.tell("textDocument/didSave", textDocument={"uri": uri})
    script = tmp_path / "train.py"
    editor.save(script, FAILING)
    assert await_some(editor, script)


def test_a_client_can_end_the_server(tmp_path: Path) -> None:
    """The server ends with status 0 when it is asked to shut down and exit."""
    editor = Editor(tmp_path / "home")
    editor.ask("shutdown")
    editor.tell("exit")
    assert 0 == editor.close()


def test_a_client_that_goes_away_ends_the_server(tmp_path: Path) -> None:
    """The server ends, with status 0, when its standard input ends."""
    assert 0 == Editor(tmp_path / "home").close()


ENDLESS = (
    "import time\nif __name__ == '__main__':\n    print(open({flag!r}, 'w'))\n    time.sleep(500)\n"
)


def save_endless(editor: Editor, file: Path, flag: Path) -> None:
    """Save a script that does not end, and wait until it runs."""
    editor.save(file, ENDLESS.format(flag=str(flag)))
    while not flag.exists():
        editor.ask("textDocument/codeLens", textDocument={"uri": file.as_uri()})


def test_a_client_that_dies_during_a_run_ends_it(tmp_path: Path) -> None:
    """The server does not wait for a running script when its client is gone."""
    editor = Editor(tmp_path / "home", folders=[str(tmp_path)])
    save_endless(editor, tmp_path / "train.py", tmp_path / "flag")
    before = time.monotonic()
    assert 0 == editor.close()
    assert time.monotonic() - before < 30  # seconds; the script itself may take 60


def test_a_later_save_cancels_a_run(tmp_path: Path) -> None:
    """A script that is saved while it runs is ended, and the new text runs."""
    editor = Editor(tmp_path / "home", folders=[str(tmp_path)])
    file = tmp_path / "train.py"
    save_endless(editor, file, tmp_path / "flag")
    before = time.monotonic()
    editor.save(file, FAILING)
    assert ["traced-bool-in-if"] == [found["code"] for found in editor.diagnostics(file)]
    assert time.monotonic() - before < 55  # seconds; the first script would have taken 60
    editor.close()


def test_garbage_does_not_end_the_server(editor: Editor, tmp_path: Path) -> None:
    """Messages that are not JSON, or not of the protocol, leave the server working."""
    for data in (b"{", b"[1, 2]", b'{"jsonrpc": "2.0", "method": 3}', b"\xff\xfe", b'{"id": {}}'):
        editor.send_bytes(b"Content-Length: %d\r\n\r\n" % len(data) + data)
    editor.tell("textDocument/didSave", textDocument=7)
    script = tmp_path / "train.py"
    editor.save(script, FAILING)
    assert await_some(editor, script)


def test_two_servers_share_a_folder(tmp_path: Path) -> None:
    """Two editors on one folder get the same diagnostics."""
    editors = [Editor(tmp_path / "home", folders=[str(tmp_path)]) for _ in range(2)]
    file = tmp_path / "train.py"
    for editor in editors:
        editor.save(file, FAILING)
    found = [await_some(editor, file)[0]["code"] for editor in editors]
    assert ["traced-bool-in-if"] * 2 == found
    assert [0, 0] == [editor.close() for editor in editors]


def await_some(editor: Editor, file: Path) -> list[Message]:
    while not (found := editor.diagnostics(file)):
        pass
    return found


def apply(text: str, edits: list[Message]) -> str:
    """Apply edits of whole lines, the last first."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda edit: -edit["range"]["start"]["line"]):
        start, end = (edit["range"][name]["line"] for name in ("start", "end"))
        lines[start:end] = [edit["newText"]]
    return "".join(lines)


# ---------------------------------------------------------------- conversions


@pytest.mark.parametrize(
    ("site", "address"), [("", None), ("https://a.org", "https://a.org/causes/b/")]
)
def test_the_code_of_a_diagnostic_leads_to_its_page(
    site: str, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a site, editors link the code of a diagnostic to the page of its cause."""
    monkeypatch.setattr(addresses, "SITE", site)
    found = Diagnosis(None, "", "b", "a.py", None, "", "", "")
    description = convert.diagnostic(found, "").code_description
    assert address == (description and description.href)


def test_columns_are_counted_in_utf16() -> None:
    """A character outside the basic plane counts as two columns, as the protocol wants."""
    region = convert.span_range(Span(1, 4, 1, 7), "x = 🙂 + y\n")
    assert (4, 8) == (region.start.character, region.end.character)


@pytest.mark.parametrize(
    ("before", "after"),
    [("a\nb\nc\n", "a\nB\nB\nc\n"), ("a\n", ""), ("", "a\n"), ("a", "b\n"), ("a\nb", "a\nc")],
)
def test_edits_turn_one_text_into_another(before: str, after: str) -> None:
    """The edits of whole lines give exactly the new text."""
    edits = [
        {"range": {"start": {"line": e.range.start.line}, "end": {"line": e.range.end.line}},
         "newText": e.new_text}
        for e in convert.edits(before, after)
    ]  # fmt: skip
    assert after == apply(before, edits)


@pytest.mark.parametrize(
    ("source", "runs"),
    [
        ("if __name__ == '__main__':\n    pass\n", True),
        ("x = 1\n", False),
        ("def f(:\n", False),
        ("'__name__'\n", False),
    ],
)
def test_which_files_are_programs(source: str, runs: bool) -> None:
    """Only a file with a main part is a program; one that does not parse is not."""
    assert runs == convert.is_program(source)


def test_a_position_at_the_end_of_a_range_is_inside() -> None:
    """Editors place the cursor behind the last character."""
    region = lsp.Range(start=lsp.Position(1, 2), end=lsp.Position(1, 4))
    assert [True, True, False] == [
        convert.contains(region, lsp.Position(1, column)) for column in (2, 4, 5)
    ]
