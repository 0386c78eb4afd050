"""Owns the entry: a worker is started before anything else is imported, then the command runs."""

from __future__ import annotations

import os
import sys

# Nothing else is imported up here: on PYTHONPATH may lie a `typing.py`, which is to be said.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxtutor.processes.spawn import Process

UNLOADED = (ImportError, AttributeError, NameError, TypeError, ValueError, SyntaxError)
"""What is raised where a module is not the one that was meant."""


def main() -> None:
    """Run the command line and exit with its status."""
    try:
        _heed_signals()
        sys.exit(_run())
    except KeyboardInterrupt:  # before there was a command to take it
        sys.exit(130)
    except UNLOADED as error:
        if os.environ.get("JAXTUTOR_DEBUG"):
            raise
        from jaxtutor.system.shadowing import say_why

        sys.stderr.write("jaxtutor: {}\n  {}\n".format(*say_why(error)))
        sys.exit(3)


def _heed_signals() -> None:
    """Have a signal that ends us give back first what was taken: a terminal, processes, files."""
    import signal

    ending = [
        getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
    ]

    def end(number: int, _: object) -> None:
        for each in ending:  # one is enough: another must not cut short what the first began
            if signal.getsignal(each) is end:
                signal.signal(each, lambda *_: None)
        sys.exit(128 + number)

    for number in ending:
        if signal.getsignal(number) is signal.SIG_DFL:  # else somebody wants it otherwise
            signal.signal(number, end)


def _run() -> int:
    if "_JAXTUTOR_COMPLETE" in os.environ:  # a shell asks what can be completed
        # typer would load all of rich to take markup out of texts that have none.
        sys.modules["rich"] = None  # type: ignore[assignment]
    from jaxtutor.system.streams import take_over

    take_over()
    early = _start_early(sys.argv[1:])
    from jaxtutor.cli import run

    return run(sys.argv[1:], early)


def _start_early(arguments: list[str]) -> Process | None:
    """Start the worker that `check` or `repl` will need: jax is imported while we are.

    It only looks for what is plainly there; a lesson with needs of its own starts another.
    """
    if arguments[:1] not in (["check"], ["repl"]) or {"--help", "-h"} & set(arguments):
        return None
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
        kind = spawn.Kind(device)
        return (None if "--no-keep" in arguments else standby.acquire(kind)) or spawn.start(kind)
    except OSError:
        return None  # the command will meet the same and say so


if __name__ == "__main__":
    main()
