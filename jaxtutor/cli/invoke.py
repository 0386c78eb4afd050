"""Runs a command and turns its errors into messages and an exit status."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtutor.errors import OutputError, TutorError, UsageError, fault
from jaxtutor.options import Options

if TYPE_CHECKING:
    from jaxtutor.app import App
    from jaxtutor.processes.spawn import Process

Run = Callable[["App"], int]
"""A command whose own arguments are known."""
WORKING_WITHOUT_SETTINGS = {"config", "doctor"}
"""Commands that work, and say what is wrong, if the settings file is broken."""


def invoke(
    words: Sequence[str],
    options: Options,
    command: Run,
    early: Process | None = None,
) -> int:
    """Run the command of these words and return its exit status.

    This is the only place that turns errors into messages and exit statuses. `early` is a worker
    that was started while the command line was read.
    """
    from jaxtutor.app import App

    app = App(options, early=early)
    try:
        if not WORKING_WITHOUT_SETTINGS & set(words):
            app.settings.require_sound()
        app.find_added_course()
        status = command(app)
        app.stdout.flush()
    except OutputError as error:
        status = error.status
        app.warn(error.message, error.remedy)
    except TutorError as error:
        status = error.status
        _report(app, error.message, error.remedy, status)
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except Exception as error:  # a bug of ours must not look like the learner's
        from jaxtutor.system.shadowing import find_shadowed

        if os.environ.get("JAXTUTOR_DEBUG") or find_shadowed():
            raise
        expected = _explain_os_error(error) or fault(error)
        status = expected.status
        _report(app, expected.message, expected.remedy, status)
    finally:
        app.close()
    return status


def _explain_os_error(error: Exception) -> TutorError | None:
    """Explain errors that any use of a path may raise; they are not bugs of jaxtutor."""
    if not isinstance(error, OSError):
        return None
    if error.errno == errno.ENAMETOOLONG:
        return UsageError("A path is longer than this system allows.", "Use a shorter one.")
    try:
        Path.cwd()
    except FileNotFoundError:
        return TutorError("The working directory no longer exists.", "Change to another one: cd")
    return None


def _report(app: App, message: str, remedy: str, status: int) -> None:
    if app.options.json:
        from jaxtutor.core.reporting.system_reports import error_report

        app.print_json(error_report(message, remedy, status))
    else:
        app.warn(message, remedy and f"\n  {remedy}")
