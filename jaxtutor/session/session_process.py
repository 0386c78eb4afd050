"""Starts the process of the session, and is that process: it serves the process at the terminal.

Both ends are connected by two pipes. The libraries of the session are imported only in its process.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

from jaxtutor.session.messages import Begin, Message, MessageChannel, SessionOver
from jaxtutor.session.tty import restore_named


class SessionProcess:
    """The session's process, in a session of its own, which Ctrl-C and Ctrl-Z do not reach."""

    def __enter__(self) -> SessionProcess:
        theirs_read, ours_write = os.pipe()
        ours_read, theirs_write = os.pipe()
        self._errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-m",
                "jaxtutor.session.session_process",
                str(theirs_read),
                str(theirs_write),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            pass_fds=(theirs_read, theirs_write),
            start_new_session=True,
        )
        os.close(theirs_read)
        os.close(theirs_write)
        os.set_blocking(ours_write, False)
        self.channel = MessageChannel(ours_read, ours_write)
        return self

    def __exit__(self, *_: object) -> None:
        self.channel.send(SessionOver(""))  # so that it does not take us for killed
        self.channel.close()
        if not self.channel.has_received:  # it imports its libraries yet, and nothing is at stake
            self.process.kill()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._errors.close()

    def last_error(self) -> str:
        """Return the last line that the process wrote to standard error."""
        self._errors.seek(0)
        text = self._errors.read()[-4000:].decode("utf-8", "replace")
        return text.strip().rpartition("\n")[2] or "no error message."


class EncodedStream(io.TextIOWrapper):
    """A stream to draw on, with the encoding of the real terminal."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding, errors="replace")

    def isatty(self) -> bool:
        """Return True: the output will be shown on a terminal."""
        return True


def main(arguments: list[str]) -> None:
    """Serve the process at the terminal through two pipes, whose numbers are the arguments."""
    warnings.simplefilter("ignore")  # a line of text would damage the screen
    read, write = map(int, arguments)
    channel = MessageChannel(read, write)
    try:
        begin, *others = channel.receive()
        assert isinstance(begin, Begin), "the first message is Begin"
        _serve(channel, begin, others)
    except EOFError:
        return


def _serve(channel: MessageChannel, begin: Begin, others: list[Message]) -> None:
    """Run a session until it is over.

    If the process at the terminal was killed, it could not restore the terminal. That is done here,
    unless an editor runs: then the leader of its session does it.
    """
    from jaxtutor.app import App
    from jaxtutor.options import Options
    from jaxtutor.session.session import Session

    options = Options(
        device=begin.device,
        plain=begin.plain,
        course=Path(begin.course) if begin.course else None,
        workspace=Path(begin.workspace) if begin.workspace else None,
    )
    app = App(options, EncodedStream(begin.encoding), io.StringIO(), os.environ)
    try:
        session = Session(app, app.course.find(begin.lesson), channel, begin)
        session.run(others)
    except EOFError:
        if begin.terminal and not session.has_editor:
            restore_named(begin.terminal)
    finally:
        app.close()


if __name__ == "__main__":
    main(sys.argv[1:])
