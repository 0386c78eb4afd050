"""Starts a worker process before any slow import, then runs the command line."""

from __future__ import annotations

import atexit
import gc
import os
import sys

# Import nothing more at module level. PYTHONPATH may contain a `typing.py` that hides the real
# one, and `main` reports that in one line instead of a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxtutor.processes.spawn import Process

UNLOADED = (ImportError, AttributeError, NameError, TypeError, ValueError, SyntaxError)
"""What an import raises when it finds another module of the same name."""


CLEAN_UP_SECONDS = 10
"""Time to end in after a signal; the system ends what waits longer, in a library for example."""

OBJECTS = 50_000
"""New objects after which Python looks for cycles; most commands end before they make as many."""


def main() -> None:
    """Run the command line and exit with its status."""
    gc.set_threshold(OBJECTS)
    atexit.register(gc.freeze)  # the system frees the memory at once, Python object by object
    try:
        _exit_on_signals()
        _repeat_swallowed_interrupts()
        sys.exit(_run())
    except KeyboardInterrupt:  # raised before the command installed its own handling
        sys.exit(130)
    except UNLOADED as error:
        if os.environ.get("JAXTUTOR_DEBUG"):
            raise
        from jaxtutor.system.shadowing import explain_import_error

        sys.stderr.write("jaxtutor: {}\n  {}\n".format(*explain_import_error(error)))
        sys.exit(3)


def _exit_on_signals() -> None:
    """Turn signals that would end the process into SystemExit.

    `finally` blocks and context managers then restore the terminal, end the processes and remove
    the temporary files. If that does not end, SIGALRM ends the process.
    """
    import signal

    ending = [
        getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
    ]

    def leave(number: int, _: object) -> None:
        for each in ending:  # a second signal must not interrupt the clean-up of the first
            if signal.getsignal(each) is leave:
                signal.signal(each, lambda *_: None)
        if hasattr(signal, "alarm"):
            signal.alarm(CLEAN_UP_SECONDS)
        sys.exit(128 + number)

    for number in ending:
        if signal.getsignal(number) is signal.SIG_DFL:  # keep `nohup` and the like as they are
            signal.signal(number, leave)


def _repeat_swallowed_interrupts() -> None:
    """Send Ctrl-C again if Python swallowed it in a callback, and went on as if nothing happened.

    Each import creates and ends such callbacks, of weak references to its lock.
    """
    import _thread
    import signal
    import time

    before = sys.unraisablehook

    def repeat() -> None:
        time.sleep(0.01)  # until the callback and this hook have returned
        os.kill(os.getpid(), signal.SIGINT)

    def look(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(repeat, ())
        else:
            before(unraisable)

    sys.unraisablehook = look


def _run() -> int:
    if "_JAXTUTOR_COMPLETE" in os.environ:  # a shell asks for completions
        # Without this, typer imports all of rich to strip markup from texts that contain none.
        sys.modules["rich"] = None  # type: ignore[assignment]
    from jaxtutor.system.streams import take_over

    take_over()
    early = _start_early(sys.argv[1:])
    from jaxtutor.cli import run

    return run(sys.argv[1:], early)


def _start_early(arguments: list[str]) -> Process | None:
    """Start the worker that the command needs, so that it gets ready while we parse.

    That of `check` and `repl` imports jax. It recognises only the plain forms of the options; a
    lesson with other needs starts its own.
    """
    starting = (["check"], ["repl"], ["diagnose"])
    if arguments[:1] not in starting or {"--help", "-h"} & set(arguments):
        return None
    from itertools import takewhile

    from jaxtutor.processes import spawn, standby

    device = None
    for index, argument in enumerate(arguments):
        if argument == "--device" and index + 1 < len(arguments):
            device = arguments[index + 1]
        elif argument.startswith("--device="):
            device = argument.partition("=")[2]
    try:
        if arguments[0] == "repl":
            return spawn.start(spawn.for_prompt(device))
        if arguments[0] == "diagnose":  # the words after the first name are the program's
            ours = list(takewhile(lambda word: word.startswith("-"), arguments[1:]))
            if any(word.startswith("--device") for word in ours):
                return None
            return spawn.start(spawn.for_program(None, shares_terminal="--json" not in ours))
        kind = spawn.Kind(device)
        if "--confine" in arguments:  # confined checks need another kind of worker
            return None
        return (None if "--no-keep" in arguments else standby.acquire(kind)) or spawn.start(kind)
    except OSError:
        return None  # the command meets the same error later and reports it


if __name__ == "__main__":
    main()
