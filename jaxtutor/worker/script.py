"""Runs a learner's own program as Python would, and reports how it ended and what was observed."""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

from jaxtutor.core.data.facts import (
    REPORT,
    CaughtFailure,
    Event,
    Machine,
    NoDevice,
    ObservationFacts,
    ScriptFacts,
    Started,
)
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lines import whole_lines
from jaxtutor.core.data.observations import Observation
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.core.data.values import Tree
from jaxtutor.worker import own_files, process_limits, program_environment, sources
from jaxtutor.worker.failures import plain_failure
from jaxtutor.worker.import_hooks import ImportHooks
from jaxtutor.worker.watching.local_types import FirstReturns

if TYPE_CHECKING:
    from jaxtutor.worker.kept_values import KeptValues
    from jaxtutor.worker.watching.instrument import Instrumentation

MOST_NAMES = 200
MOST_CAUGHT = 8
MOST_TRACEBACK = 100_000
"""Characters of a traceback; the middle of a longer one is left out."""

STRICT = "JAXTUTOR_STRICT"
"""The variable under which a fault of the observation is raised, for tests."""

_PACKAGE = str(Path(__file__).parent.parent) + os.sep

Send = Callable[[Event], None]


class ProgramRun:
    """One run of a learner's program in this interpreter."""

    def __init__(self, request: ScriptRequest, device: str | None, send: Send) -> None:
        self.request = request
        self.is_own = own_files.ownership(request.file)
        self._device = device
        self._send = send
        self._process = os.getpid()
        self._has_jax = False
        self._watch: Instrumentation | None = None
        self._sent: list[Observation] = []
        self._sending = threading.RLock()  # a signal handler may draw too
        self._caught: list[CaughtFailure] = []
        self._main: ModuleType | None = None
        self._kept: KeptValues | None = None
        self._returns = FirstReturns(self.is_own)
        self._file = request.file
        self._is_reported = False
        self._start = time.time()
        self._leave = os._exit

    @property
    def first_folder(self) -> str:
        """The folder in which the program's imports are looked for first."""
        if self.request.kind in ("script", "notebook"):
            return os.path.realpath(Path(os.path.realpath(self.request.file)).parent)
        return "" if self.request.kind == "command" else os.getcwd()  # noqa: PTH109 - as Python

    @property
    def is_in_first_process(self) -> bool:
        """Return False in a process that the program has forked, which reports nothing."""
        return os.getpid() == self._process

    def run(self) -> int:
        """Run the program, report, and return the exit status that Python would return."""
        status, error = 0, None
        hooks = ImportHooks(
            {
                "jax": self._watch_jax,
                "_pytest.runner": self._watch_pytest,
                "_pytest.assertion.rewrite": self._replace_tests,
                "unittest.result": self._watch_unittest,
            }
        )
        os._exit = self._exit_at_once  # type: ignore[assignment]
        try:
            self._prepare()
            hooks.install()
            process_limits.hear_interrupts()
            if self.request.types:
                self._returns.start()
            for code, may_raise in self._codes():
                with contextlib.suppress(Exception) if may_raise else contextlib.nullcontext():
                    exec(code, self._names())
            _wait_for_callbacks()
        except SystemExit as leaving:
            status = _exit_status(leaving)
            if status and leaving.__context__ is not None:
                self._note_caught("", leaving.__context__)
        except BaseException as raised:  # the learner's program may raise anything
            if not self.is_in_first_process:
                raise
            error = _interrupt_behind(raised) or raised
            status = _status_of(error)
        finally:
            hooks.remove()
            self._returns.stop()
        if self.is_in_first_process:
            self._report(status, error)
            if error is not None:
                _call_excepthook(error)
        return status

    # ------------------------------------------------------------ before

    def _prepare(self) -> None:
        request = self.request
        if request.keep:
            self._keep_results()
        program_environment.replace_sources(request.edits, self._compilers())
        for file, text in request.edits.items():
            sources.keep(file, text)
        module = self._main = program_environment.clear_main()
        if not sys.flags.safe_path:
            sys.path.insert(0, self.first_folder)
        if request.kind == "notebook":
            os.chdir(self.first_folder)
        elif request.folder:
            with contextlib.suppress(OSError):  # removed since
                os.chdir(request.folder)
        if request.kind in ("command", "notebook"):
            program_environment.become_command(module)
        else:
            program_environment.become_script(module, request.file)
        sys.argv[:] = [request.name or request.file, *request.arguments]
        if request.kind != "module":
            sources.keep(self._file, request.source)

    def _names(self) -> dict[str, Any]:
        assert self._main is not None
        return vars(self._main)

    def _codes(self) -> Iterator[tuple[CodeType, bool]]:
        """Yield the program's parts, and whether the program goes on if one raises.

        A module is found when the program begins, as in Python.
        """
        request = self.request
        if request.kind == "module":
            yield self._find_module(), False
        elif request.kind == "notebook":
            yield from self._cells()
        else:
            yield self._compile(request.source, self._file), False

    def _keep_results(self) -> None:
        from jaxtutor.worker.kept_values import KeptValues

        self._kept = KeptValues()
        self._kept.install()

    def _compile(self, source: str, file: str) -> CodeType:
        """Compile the program, which reports further results if the request wants them."""
        if self._kept is not None:
            with contextlib.suppress(Exception):  # a program that cannot be rewritten runs as it is
                return self._kept.compile(source, file, self.request.functions.get(file, ()))
        return program_environment.compile_file(source, file)

    def _compilers(self) -> dict[str, program_environment.Compile]:
        """Return what compiles the other files of the program that report results."""
        kept = self._kept
        if kept is None:
            return {}

        def compile_other(paths: tuple[str, ...]) -> program_environment.Compile:
            def compile_it(text: str, file: str) -> CodeType:
                with contextlib.suppress(Exception):
                    return kept.compile_module(text, file, paths)
                return program_environment.compile_file(text, file)

            return compile_it

        return {file: compile_other(paths) for file, paths in self.request.functions.items()}

    def _find_module(self) -> CodeType:
        sys.argv[0] = "-m"  # while the packages around the module are imported
        spec = program_environment.find_module(self.request.name)
        code = spec.loader.get_code(spec.name) if spec.loader is not None else None  # type: ignore[attr-defined]
        if code is None:
            raise ImportError(f"No code object available for {spec.name}")
        assert self._main is not None
        program_environment.become_module(self._main, spec)
        self._file = sys.argv[0] = spec.origin or self.request.name
        return code  # type: ignore[no-any-return]

    def _cells(self) -> Iterator[tuple[CodeType, bool]]:
        """Yield the cells of a notebook, each at its lines of the whole source."""
        lines = whole_lines(self.request.source)
        starts = self.request.cells
        for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True):
            text = "\n" * (start - 1) + "".join(lines[start - 1 : end - 1])
            yield self._compile(text, self._file), start in self.request.may_raise

    # ------------------------------------------------------------ during

    def _watch_jax(self, _: ModuleType) -> None:
        """Start observing: the program has imported jax."""
        try:
            from jaxtutor.worker.internals import callback_errors, tracebacks

            tracebacks.keep_unfiltered()
            callback_errors.keep()
            self._apply_options()
            if self.request.watched:
                self._start_watch()
            self._has_jax = True
        except Exception:  # a jax that we do not know must not stop the program
            if STRICT in os.environ:
                raise

    def _start_watch(self) -> None:
        from jaxtutor.worker.compilation_cache import cache_in
        from jaxtutor.worker.watching.instrument import Instrumentation

        cache = cache_in(self.request.cache)
        watch = Instrumentation(self.is_own, report=self._send_observation, cache=cache)
        watch.__enter__()
        self._watch = watch

    def _apply_options(self) -> None:
        import jax

        if not self.request.jit:
            jax.config.update("jax_disable_jit", True)
        if not self.request.maps:
            from jaxtutor.worker import looped_maps

            looped_maps.install()
        if self._device and self._device != "cpu":  # the variable JAX_PLATFORMS does for `cpu`
            from jaxtutor.worker import devices

            if not devices.choose(self._device):
                known = tuple(map(devices.name, devices.all_devices()))
                self._send(NoDevice(self._device, known))
                self._leave(0)

    def _watch_pytest(self, module: Any) -> None:
        """Keep the exceptions of failing tests, which pytest catches."""
        original = getattr(module, "check_interactive_exception", None)
        if original is None:
            return

        def check_interactive_exception(call: Any, report: Any) -> bool:
            failed = bool(original(call, report))
            if failed:
                error = call.excinfo.value
                is_collecting = type(error).__name__ == "CollectError"
                self._note_caught(report.nodeid, (is_collecting and error.__cause__) or error)
            return failed

        module.check_interactive_exception = check_interactive_exception

    def _replace_tests(self, module: ModuleType) -> None:
        """Make pytest import the edited texts, among them that of a script which runs pytest."""
        edits = dict(self.request.edits)
        with contextlib.suppress(OSError, ValueError):
            source = self.request.source
            if source and Path(self._file).read_text(encoding="utf-8") != source:
                edits[self._file] = source
        program_environment.replace_test_sources(module, edits)

    def _watch_unittest(self, module: Any) -> None:
        """Keep the exceptions of failing tests, which unittest catches."""
        for name in ("addError", "addFailure"):
            setattr(module.TestResult, name, self._adding(getattr(module.TestResult, name)))

    def _adding(self, original: Callable[..., None]) -> Callable[..., None]:
        def add(result: Any, test: Any, error: Any) -> None:
            self._note_caught(test.id(), error[1])
            original(result, test, error)

        add.__name__, add.__qualname__ = original.__name__, original.__qualname__
        return add

    def _note_caught(self, test: str, error: BaseException) -> None:
        """Describe an exception that a test or the program's own handler has caught."""
        if len(self._caught) < MOST_CAUGHT and self.is_in_first_process:
            found = self._describe(error)
            if found.frames or test:
                self._caught.append(CaughtFailure(test, found))

    def _exit_at_once(self, status: int) -> None:
        """Report before `os._exit` ends the program without any clean-up."""
        if self.is_in_first_process and not self._is_reported:
            self._report(status, None)
        self._leave(status)

    # ------------------------------------------------------------ after

    def _report(self, status: int, error: BaseException | None) -> None:
        self._is_reported = True
        interrupts = signal.getsignal(signal.SIGINT)
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._send(Started(REPORT))  # a Ctrl-C from here on is not for the program
        for stream in (sys.stdout, sys.stderr):  # the report follows the program's output
            with contextlib.suppress(Exception):  # the program may have replaced them
                stream.flush()
        coverage = self._watch.coverage if self._watch is not None else None
        described = self._describe(error) if error is not None else None
        if described is None or isinstance(error, KeyboardInterrupt):
            self._send_observations()
        files = own_files.imported(self.is_own, self._file)
        text = _traceback(error) if error is not None else ""
        names = tuple(self._values()) if error is None else ()
        machine = self._machine()
        if machine is not None:
            self._send(machine)
        caught = tuple(self._caught)
        kept = tuple(self._kept.values) if self._kept is not None and error is None else ()
        changed = tuple(sources.changed_files(files, self._start))
        types = self._returns.types
        self._send(
            ScriptFacts(
                status, files, names, described, text, caught, kept, changed, coverage, types
            )
        )
        with contextlib.suppress(ValueError, TypeError):
            signal.signal(signal.SIGINT, interrupts)

    def _send_observation(self, observation: Observation) -> None:
        """Send an observation once, from the first process only; any thread may make one."""
        if not self.is_in_first_process:
            return
        with self._sending, contextlib.suppress(OSError, ValueError):  # nobody reads any longer
            if observation not in self._sent:
                self._sent.append(observation)
                self._send(ObservationFacts(observation))

    def _send_observations(self) -> None:
        if self._watch is None:
            return
        try:
            for observation in self._watch.observations():
                self._send_observation(observation)
        except Exception:  # an observation must not change how the program ends
            if STRICT in os.environ:
                raise
        finally:
            self._watch.__exit__()

    def _describe(self, error: BaseException) -> Failure:
        if not self._has_jax:  # the program has not imported it, or could not
            return plain_failure.describe(error, self.is_own)
        from jaxtutor.worker.failures import failure

        return failure.describe(error, self.is_own)

    def _values(self) -> Iterator[tuple[str, Tree]]:
        """Yield the program's variables that hold arrays, numbers, or pytrees of them."""
        if not self._has_jax:
            return
        from jaxtutor.worker import values

        for name, value in list(self._names().items())[:MOST_NAMES]:
            if not name.startswith("_") and values.is_data(value):
                yield name, values.to_tree(value)

    def _machine(self) -> Machine | None:
        """Describe the machine as far as the program has started it."""
        if not self._has_jax:
            return None
        from jaxtutor.worker import devices
        from jaxtutor.worker.internals import evaluation

        try:
            if evaluation.backend_is_started():
                return devices.describe_machine()
        except Exception:  # a backend that the program has left unusable
            pass
        import jax
        import jaxlib

        return Machine(jax.__version__, jaxlib.__version__, platform.python_version())


def _exit_status(leaving: SystemExit) -> int:
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF
    sys.stderr.write(f"{leaving.code}\n")
    return 1


def _interrupt_behind(error: BaseException) -> KeyboardInterrupt | None:
    """Return the Ctrl-C that compiled code turned into an ImportError, if it did.

    A module in C reports whatever ended one of its own imports as an error of its own.
    """
    behind: BaseException | None = error
    while isinstance(behind, ImportError):
        behind = behind.__cause__ or behind.__context__
    return behind if isinstance(behind, KeyboardInterrupt) else None


def _status_of(error: BaseException) -> int:
    return 128 + signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1


def _own_traceback(error: BaseException) -> TracebackType | None:
    """Return a traceback without the levels of this package at its beginning."""
    level = error.__traceback__
    while level is not None and level.tb_frame.f_code.co_filename.startswith(_PACKAGE):
        level = level.tb_next
    return level


def _traceback(error: BaseException) -> str:
    """Return what Python prints about an exception that nothing catches."""
    try:
        lines = traceback.format_exception(type(error), error, _own_traceback(error))
        text = plain_failure.without_own_frames("".join(lines))
    except Exception as wrong:  # the learner's own __str__ may raise
        text = f"(the traceback could not be written: {type(wrong).__name__})\n"
    half = MOST_TRACEBACK // 2
    return text if len(text) <= MOST_TRACEBACK else f"{text[:half]}\n…\n{text[-half:]}"


def _wait_for_callbacks() -> None:
    """Wait for host callbacks that are still to run: on a GPU they raise only then."""
    wait = getattr(sys.modules.get("jax"), "effects_barrier", None)
    if wait is not None:
        wait()


def _call_excepthook(error: BaseException) -> None:
    """Call the program's own `sys.excepthook`, if it has one, as Python would."""
    hook = sys.excepthook
    if hook is not sys.__excepthook__:
        try:
            hook(type(error), error, _own_traceback(error))
        except BaseException:  # as Python does
            traceback.print_exc()
