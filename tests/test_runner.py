"""Tests the real worker process: whatever a submission does, an outcome is returned.

Each ends as expected, none of its processes stays alive, and the next request is answered.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from msgspec.structs import replace

from jaxtutor.core.data.facts import CaseFacts, NoDevice, Outcome, StageFacts
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.requests import CheckRequest, DevicesRequest
from jaxtutor.core.judging.outcomes import first_failure, pick
from jaxtutor.errors import TutorError
from jaxtutor.processes import spawn, watched_run
from jaxtutor.processes.cpu_time import StarvedTime
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind
from jaxtutor.processes.watched_run import KEPT_OUTPUT, Cancel
from sampling import sampled
from trials.sample_lessons import SOLUTION, make_lesson

MARK = "JAXTUTOR_TEST"
CPU = Kind("cpu", memory=1024)
SECONDS = 1.5
PATIENCE = 20.0


def alive(mark: str) -> set[int]:
    """Return the processes that a test's workers started, themselves included."""
    found = set()
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.add(process.pid)
        except psutil.Error:
            continue
    return found - {os.getpid()}


def kill_marked(mark: str) -> None:
    """Wait for a test's workers, then kill them.

    They are looked for once: a process has no mark while it is becoming another program, as a
    worker does on its way into its control group.
    """
    found: set[int] = set()

    def are_seen() -> bool:
        found.update(alive(mark))
        return bool(found)

    assert eventually(are_seen)
    for pid in found:
        os.kill(pid, signal.SIGKILL)


def eventually(holds: Callable[[], bool]) -> bool:
    """Wait for something that is bound to come."""
    end = time.monotonic() + PATIENCE
    while not (held := holds()) and time.monotonic() < end:
        time.sleep(0.05)
    return held


def is_dead(pid: int) -> bool:
    """Return whether a process is gone, or only waits to be reaped by someone else."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


class Workshop:
    """A lesson, a runner, and what it takes to run a submission and see that nothing is left."""

    def __init__(self, folder: Path) -> None:
        self.runner = Runner()
        self.lesson = make_lesson(folder / "lesson").folder

    def request(self, source: str) -> CheckRequest:
        file = self.lesson.parent / "mine.py"
        return CheckRequest(str(self.lesson), "double", str(file), source)

    def run(self, source: str, seconds: float = SECONDS, kind: Kind = CPU) -> Outcome:
        return self.runner.run(self.request(source), kind, seconds)


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    """One runner for all; each request has a worker of its own anyway."""
    made = Workshop(tmp_path_factory.mktemp("workshop"))
    yield made
    made.runner.close()


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Mark the processes of one test; afterwards none of them may be alive."""
    mark = os.urandom(8).hex()
    monkeypatch.setenv(MARK, mark)
    yield mark
    assert eventually(lambda: not alive(mark))


def doubling(before: str, within: str = "pass") -> str:
    """Return a right submission that does something else on the way."""
    return f"import os, sys, time\n{before}\n\ndef double(x):\n    {within}\n    return 2 * x\n"


def failure_of(outcome: Outcome) -> Failure:
    """Return what a submission raised, which it did."""
    failure = first_failure(outcome)
    assert failure is not None, outcome
    return failure


def answers(outcome: Outcome) -> int:
    """Count the calls that gave an answer."""
    return sum(case.output is not None for case in pick(outcome, CaseFacts))


# ---------------------------------------------------------------- what ends well


def test_a_right_submission_runs_to_its_end(workshop: Workshop, mark: str) -> None:
    """Every stage is reported, in order, and every call has its answer."""
    outcome = workshop.run(SOLUTION, 30.0)

    assert ("finished", "") == (outcome.end, outcome.end_detail)
    assert ["import", "function", "jaxpr", "jit", "values", "leaks"] == [
        stage.name for stage in pick(outcome, StageFacts)
    ]
    assert 3 == answers(outcome)
    assert "cpu:0" == outcome.device
    assert "" == outcome.stderr


def test_garbage_is_collected_while_a_submission_runs(workshop: Workshop, mark: str) -> None:
    """Python looks for cycles as it does elsewhere; only the worker's own start goes without."""
    outcome = workshop.run(doubling("import gc\nif not gc.isenabled(): raise ValueError"), 30.0)
    assert ("finished", None) == (outcome.end, first_failure(outcome))


HIDDEN = str(1000 + os.getpid())  # seconds that only this run's daemon sleeps
LIVES_ON = {
    "a thread": "import threading\nthreading.Thread(target=time.sleep, args=(1000,)).start()",
    "a busy thread": (
        "import threading\ndef spin():\n    while True: pass\nthreading.Thread(target=spin).start()"
    ),
    "an exit hook": "import atexit\natexit.register(time.sleep, 1000)",
    "a child": "import subprocess\nsubprocess.Popen(['sleep', '1000'])",
    "a forked child": "if os.fork() == 0:\n    time.sleep(1000)\n    os._exit(0)",
    "a child in a session of its own": (
        "import subprocess\nsubprocess.Popen(['sleep', '1000'], start_new_session=True)"
    ),
    "a fork that goes on": "if os.fork() == 0:\n    print('both of us')",
    "a child of a thread": (
        "import subprocess, threading\n"
        "thread = threading.Thread(target=subprocess.Popen, args=(['sleep', '1000'],))\n"
        "thread.start()\nthread.join()"
    ),
    "a daemon": (
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        time.sleep(1000)\n    os._exit(0)\nos.wait()"
    ),
    "a daemon that hides its environment": (
        "import subprocess\n"
        f"subprocess.run(['sh', '-c', 'setsid env -i sleep {HIDDEN} >/dev/null 2>&1 &'])"
    ),
}


@pytest.mark.parametrize("what", sampled(LIVES_ON, 2))
def test_what_a_submission_leaves_running_is_ended(
    workshop: Workshop, mark: str, what: str
) -> None:
    """The answers are right, and nothing that was started lives on."""
    outcome = workshop.run(doubling(LIVES_ON[what]), 30.0)

    assert ("finished", 3) == (outcome.end, answers(outcome))
    assert eventually(lambda: not hidden_sleepers())


def hidden_sleepers() -> list[int]:
    """Return the processes of the daemon that shows no environment."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline", "status"])
        if process.info["cmdline"] == ["sleep", HIDDEN]
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_prints_are_kept_by_stage(workshop: Workshop, mark: str) -> None:
    """What was printed while importing, tracing and calling can be told apart."""
    source = doubling("print('imported')\nsys.stderr.write('alas\\n')", "print('traced')")
    outcome = workshop.run(source, 30.0)
    printed = {stage: text for stage, text in outcome.printed if text}

    assert "imported\n" == printed["import"]
    assert "traced\n" == printed["jaxpr"]
    assert "alas\n" == outcome.stderr


def test_odd_answers_are_described(workshop: Workshop, mark: str) -> None:
    """Text, dates, objects that cannot be shown: each has a description."""
    source = """
import datetime
import jax, jax.numpy as jnp, numpy as np

class Odd:
    def __repr__(self):
        raise ValueError("no")

def double(x):
    if isinstance(x, jax.core.Tracer):
        return 2 * x
    return (
        np.array(["text"]), np.datetime64("2020-01-01"), np.array([object()]), Odd(), 2**100,
        (lambda: 1), iter([]), None, np.longdouble(1.5), np.clongdouble(1.5),
        jnp.bfloat16(1.5), jax.random.key(42), jax.random.key(42, impl="rbg"), "t" * 10**7,
        np.zeros(2, jax.dtypes.float0), np.zeros(1, [("a", "i4")]), {1, 2}, float("nan"), 1 + 2j,
    )
"""
    checks = workshop.lesson / "checks.py"
    kept = checks.read_text()
    checks.write_text(kept + "\n\nJIT = False\n")
    try:
        outcome = workshop.run(source, 30.0)
    finally:
        checks.write_text(kept)
    case, *_ = pick(outcome, CaseFacts)

    assert "finished" == outcome.end
    assert case.output is not None
    assert 18 == len(case.output.leaves)  # None is not a leaf


# ---------------------------------------------------------------- what raises

RAISES = {
    "an import that does not exist": ("import no_such_thing", "ModuleNotFoundError"),
    "sys.exit": ("sys.exit(0)", "SystemExit"),
    "an interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "input": ("input('name? ')", "EOFError"),
    "endless recursion": ("def f(): return f()\nf()", "RecursionError"),
    "a huge block": ("x = b'x' * 10**12", "MemoryError"),
    "a group of exceptions": ("raise ExceptionGroup('all', [ValueError('one')])", "ExceptionGroup"),
    "an exception that cannot be shown": (
        "class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad",
        "Bad",
    ),
}


@pytest.mark.parametrize("what", sampled(RAISES, 2))
def test_what_a_submission_raises_is_a_failure(workshop: Workshop, mark: str, what: str) -> None:
    """However it is raised, the worker runs to its end, and the class is reported."""
    before, error_class = RAISES[what]
    outcome = workshop.run(doubling(before), 30.0)

    assert ("finished", error_class) == (outcome.end, failure_of(outcome).error_class)


def test_a_failure_has_the_line(workshop: Workshop, mark: str) -> None:
    """The frame is in the learner's file, at the line that raised."""
    failure = failure_of(workshop.run(doubling("import no_such_thing"), 30.0))

    assert [("mine.py", 2)] == [(Path(f.file).name, f.span.line) for f in failure.frames]


# ---------------------------------------------------------------- what does not end

ENDLESS = {
    "a loop": ("while True: pass", "import"),
    "a loop that catches everything": (
        "while True:\n    try:\n        while True: time.sleep(0.01)\n"
        "    except BaseException: pass",
        "import",
    ),
    "signals that are ignored": (
        "import signal\n"
        "for it in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    signal.signal(it, signal.SIG_IGN)\nwhile True: pass",
        "import",
    ),
    "prints": ("while True: print('x' * 1000)", "import"),
    "errors": ("while True: sys.stderr.write('x' * 1000)", "import"),
    "a process that stops itself": (
        "import signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        "import",
    ),
    "computing without a pause": ("10 ** (10 ** 9)", "import"),
}


@pytest.mark.parametrize("what", sampled(ENDLESS, 3))
def test_what_does_not_end_is_ended(workshop: Workshop, mark: str, what: str) -> None:
    """After its time limit a submission is killed, and the stage that was running is reported."""
    before, stage = ENDLESS[what]
    outcome = workshop.run(doubling(before))

    assert ("timed_out", stage) == (outcome.end, outcome.end_detail)


@pytest.fixture
def starved(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Return a function that makes workers seem to have no CPU for a share of the time."""

    def starve(share: float) -> None:
        begin = time.monotonic()
        waited = property(lambda _: share * (time.monotonic() - begin), lambda *_: None)
        monkeypatch.setattr(StarvedTime, "seconds", waited, raising=False)

    return starve


def test_time_spent_waiting_for_a_processor_does_not_count(
    workshop: Workshop, mark: str, starved: Callable[[float], None]
) -> None:
    """A submission that other programs kept from running gets the time that it waited."""
    starved(0.9)
    outcome = workshop.run(doubling("import time; time.sleep(1.5)"), 1.0)

    assert "finished" == outcome.end


def test_waiting_ends_too(workshop: Workshop, mark: str, starved: Callable[[float], None]) -> None:
    """A submission that never ends is ended after a multiple of its time, however busy it was."""
    starved(1.0)
    outcome = workshop.run(doubling("while True: pass"), 0.5)

    assert "timed_out" == outcome.end
    assert 2.0 <= outcome.seconds < 4.0


def test_a_compiled_loop_that_does_not_end_is_ended(workshop: Workshop, mark: str) -> None:
    """What runs inside XLA hears no Python, and is killed all the same."""
    within = "x = jax.lax.while_loop(lambda x: jnp.all(x < jnp.inf), lambda x: x * 0.5, x)"
    outcome = workshop.run(doubling("import jax, jax.numpy as jnp", within), 2.5)

    assert ("timed_out", "jit") == (outcome.end, outcome.end_detail)


def test_a_child_that_prints_does_not_keep_a_submission_running(
    workshop: Workshop, mark: str
) -> None:
    """The end of a submission does not wait for the ends of its pipes."""
    before = "import subprocess\nsubprocess.Popen(['sh', '-c', 'while :; do echo x; done'])"
    outcome = workshop.run(doubling(before), 30.0)

    assert ("finished", 3) == (outcome.end, answers(outcome))


def test_floods_keep_their_head_and_tail(workshop: Workshop, mark: str) -> None:
    """Of 10 MB of prints the first and the last are kept, and what was dropped is counted."""
    before = "print('first')\nfor i in range(10000): print('x' * 1000)\nprint('last')"
    outcome = workshop.run(doubling(before), 30.0)
    printed = dict(outcome.printed)["import"]

    assert "finished" == outcome.end
    assert printed.startswith("first\n")
    assert "bytes more …" in printed
    assert "last\n" in printed
    assert len(printed) < 3 * KEPT_OUTPUT


# ---------------------------------------------------------------- memory

HUNGRY = {
    "Python": "kept = []\nwhile True: kept.append(b'x' * 10**7)",
    "numpy": "import numpy as np\nkept = []\nwhile True: kept.append(np.ones(10**6))",
    "XLA": (
        "import jax.numpy as jnp\nkept = []\n"
        "while True: kept.append(jnp.ones(10**6).block_until_ready())"
    ),
    "one array": "import jax.numpy as jnp\nx = jnp.ones((10**6, 10**5)).block_until_ready()",
    "children": (
        "import subprocess\n"
        "eat = 'import time; x = [b\"x\" * 10**6 for _ in range(600)]; time.sleep(1000)'\n"
        "for _ in range(3): subprocess.Popen([sys.executable, '-S', '-c', eat])\ntime.sleep(1000)"
    ),
}


@pytest.mark.parametrize("what", sampled(HUNGRY, 2))
def test_memory_has_an_end(workshop: Workshop, mark: str, what: str) -> None:
    """A request for too much memory is refused, and reported: by Python, by XLA, or by jaxtutor."""
    outcome = workshop.run(doubling(HUNGRY[what]), 30.0)

    if outcome.end == "finished":
        failure = failure_of(outcome)
        said = f"{failure.error_class} {failure.message}"
        assert "MemoryError" in said or "RESOURCE_EXHAUSTED" in said
    else:
        assert "out_of_memory" == outcome.end


def test_what_forks_share_is_counted_once(workshop: Workshop, mark: str) -> None:
    """Twenty children that only wait take no memory of their own."""
    before = (
        "for _ in range(20):\n    if os.fork() == 0:\n        time.sleep(1000)\n"
        "        os._exit(0)\ntime.sleep(1)"
    )
    outcome = workshop.run(doubling(before), 30.0)

    assert ("finished", 3) == (outcome.end, answers(outcome))


# ---------------------------------------------------------------- what ends the process

DEADLY = {
    "os._exit(0)": ("os._exit(0)", "it left with exit status 0"),
    "os._exit(3)": ("os._exit(3)", "it left with exit status 3"),
    "os.abort": ("os.abort()", "it was ended by SIGABRT"),
    "a signal": ("import signal\nos.kill(os.getpid(), signal.SIGKILL)", "it was ended by SIGKILL"),
    "the whole group": ("import signal\nos.killpg(0, signal.SIGTERM)", "it was ended by SIGTERM"),
    "a wild pointer": ("import ctypes\nctypes.string_at(0)", "it was ended by SIGSEGV"),
    "a daemon that hides its environment, then an exit": (
        "import subprocess\n"
        f"subprocess.run(['sh', '-c', 'setsid env -i sleep {HIDDEN} >/dev/null 2>&1 &'])\n"
        "os._exit(6)",
        "it left with exit status 6",
    ),
    "a daemon, then an exit": (
        "if os.fork() == 0:\n    os.setsid()\n    time.sleep(1000)\nos._exit(5)",
        "it left with exit status 5",
    ),
}


@pytest.mark.parametrize("what", sampled(DEADLY, 2))
def test_what_ends_the_process_is_a_crash(workshop: Workshop, mark: str, what: str) -> None:
    """The exit status or the signal's name is reported."""
    before, detail = DEADLY[what]
    outcome = workshop.run(doubling(before), 30.0)

    assert ("crashed", detail) == (outcome.end, outcome.end_detail)
    assert eventually(lambda: not hidden_sleepers())


def test_a_new_program_in_the_same_process_is_a_crash(workshop: Workshop, mark: str) -> None:
    """A submission that turns into another program gives no answer."""
    outcome = workshop.run(doubling("os.execvp('sleep', ['sleep', '1000'])"), 30.0)

    assert "crashed" == outcome.end


MEDDLES = {
    "writing to every descriptor": (
        "for fd in range(3, 1024):\n    try: os.write(fd, b'hello')\n    except OSError: pass"
    ),
    "closing every descriptor": "os.closerange(0, 1024)",
    "writing to all but the standard ones, from a thread": (
        "import threading\ndef scribble():\n    while True:\n"
        "        for fd in range(3, 300):\n            try: os.write(fd, b'x')\n"
        "            except OSError: pass\nthreading.Thread(target=scribble).start()\ntime.sleep(1)"
    ),
}


@pytest.mark.parametrize("what", MEDDLES)
def test_whoever_meddles_with_our_pipe_gets_no_verdict(
    workshop: Workshop, mark: str, what: str
) -> None:
    """Bytes on the pipe that are not ours are never taken for facts."""
    outcome = workshop.run(doubling(MEDDLES[what]), 30.0)

    assert "crashed" == outcome.end
    assert 0 == answers(outcome)


# ---------------------------------------------------------------- one after the other


def test_the_next_request_knows_nothing_of_the_last(workshop: Workshop, mark: str) -> None:
    """What a module changes in jax, in Python or in the process is gone with it."""
    before = (
        "import jax\njax.config.update('jax_enable_x64', True)\n"
        "jax.config.update('jax_disable_jit', True)\nos.environ['JAX_ENABLE_X64'] = '1'\n"
        "os.chdir('/')\nsys.modules['numpy'] = None"
    )
    workshop.run(doubling(before), 30.0)
    after = workshop.run(doubling("import jax, numpy\nprint(jax.numpy.ones(1).dtype)"), 30.0)

    assert ("finished", 3) == (after.end, answers(after))
    assert "float32\n" == dict(after.printed)["import"]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Kind]:
    """Note the kind of each worker that is started."""
    kinds: list[Kind] = []
    start = spawn.start

    def noting(kind: Kind) -> spawn.Process:
        kinds.append(kind)
        return start(kind)

    monkeypatch.setattr(spawn, "start", noting)
    return kinds


@pytest.fixture
def runner(mark: str) -> Iterator[Runner]:
    """A runner of the test's own."""
    made = Runner()
    yield made
    made.close()


def test_a_spare_is_used_once(runner: Runner, started: list[Kind], mark: str) -> None:
    """A spare that was prepared serves the next request, and only that one."""
    runner.prepare(CPU)
    runner.prepare(CPU)
    assert [CPU] == started

    runner.run(DevicesRequest(), CPU)
    assert [CPU] == started
    runner.run(DevicesRequest(), CPU)
    assert [CPU, CPU] == started


def test_a_spare_serves_its_own_kind_only(runner: Runner, started: list[Kind], mark: str) -> None:
    """A lesson that needs two devices is not given the spare that has one."""
    two = Kind("cpu", cpus=2)
    runner.prepare(CPU)
    outcome = runner.run(DevicesRequest(), two)

    assert [CPU, two] == started
    assert outcome.machine is not None
    assert ["cpu:0", "cpu:1"] == [device.name for device in outcome.machine.devices]


def test_a_spare_that_died_is_replaced(runner: Runner, started: list[Kind], mark: str) -> None:
    """Something else ended it: the next one is prepared, and the request is served."""
    runner.prepare(CPU)
    kill_marked(mark)  # a moment before it can be waited for

    def is_replaced() -> bool:
        runner.prepare(CPU)
        return started == [CPU, CPU]

    assert eventually(is_replaced)
    assert "finished" == runner.run(DevicesRequest(), CPU).end
    assert [CPU, CPU] == started


def test_a_spare_that_dies_when_it_is_needed_is_replaced(
    runner: Runner, started: list[Kind], mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Something else ended it before it came to the request, which another serves."""
    monkeypatch.setattr(Runner, "_drop_dead", lambda _: None)
    runner.prepare(CPU)
    kill_marked(mark)

    assert "finished" == runner.run(DevicesRequest(), CPU).end
    assert [CPU, CPU] == started


def test_closing_ends_the_spares(started: list[Kind], mark: str) -> None:
    """A runner that is closed leaves no process behind."""
    made = Runner()
    made.prepare(CPU)
    assert eventually(lambda: bool(alive(mark)))
    made.close()

    assert eventually(lambda: not alive(mark))


def test_a_cancelled_run_ends_at_once(workshop: Workshop, mark: str) -> None:
    """Another thread's word ends a submission that would run for minutes."""
    cancel = Cancel()
    timer = threading.Timer(1.0, cancel)
    timer.start()
    outcome = workshop.runner.run(workshop.request(doubling("time.sleep(500)")), CPU, 600.0, cancel)
    timer.join()
    cancel.close()

    assert "cancelled" == outcome.end


def test_a_run_cancelled_before_it_began_ends_too(workshop: Workshop, mark: str) -> None:
    """A word spoken early is heard."""
    cancel = Cancel()
    cancel()
    outcome = workshop.runner.run(workshop.request(SOLUTION), CPU, 600.0, cancel)
    cancel.close()
    cancel()  # harmless when it is over

    assert "cancelled" == outcome.end


TUTOR = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_runner import CPU, Workshop, doubling

workshop = Workshop(Path(sys.argv[2]))
workshop.runner.prepare(CPU)
before = '''
import subprocess
subprocess.Popen(['sleep', '1000'])
print('running', file=open(__file__ + '.started', 'w'), flush=True)
while True: pass
'''
workshop.run(doubling(before), 600.0)
"""


@pytest.mark.parametrize("signal_", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_outlives_the_tutor(tmp_path: Path, mark: str, signal_: signal.Signals) -> None:
    """When the tutor dies, its workers and what they started die too, whatever they are doing."""
    here = str(Path(__file__).parent)
    tutor = subprocess.Popen(
        [sys.executable, "-c", TUTOR, here, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    try:
        assert eventually((tmp_path / "mine.py.started").exists)
        # A process that is just being executed has no environment yet, so it has no mark.
        assert eventually(lambda: 3 <= len(alive(mark)))
    finally:
        tutor.send_signal(signal_)
        tutor.wait()

    assert eventually(lambda: not alive(mark))


TUTOR_OF_A_PROGRAM = """
import sys
from pathlib import Path
from jaxtutor.core.data.requests import ScriptRequest
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import for_program

file = Path(sys.argv[1])
request = ScriptRequest(str(file), file.read_text())
Runner().run(request, for_program("cpu", shares_terminal=True), 600.0)
"""

FAMILY = """
import os, time
for n in range(12):
    if os.fork() == 0:
        if n % 3 == 0:
            os.setsid()
        if n % 4 == 0 and os.fork():
            os._exit(0)
        break
open(__file__ + '.started', 'a').write('x')
while True:
    time.sleep(0.01)
"""


def test_no_child_of_a_program_outlives_the_tutor(tmp_path: Path, mark: str) -> None:
    """A program that shares the tutor's terminal dies with its children if the tutor is killed."""
    (tmp_path / "train.py").write_text(FAMILY)
    started = tmp_path / "train.py.started"
    tutor = subprocess.Popen(
        [sys.executable, "-c", TUTOR_OF_A_PROGRAM, str(tmp_path / "train.py")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert eventually(lambda: started.exists() and len(started.read_text()) == 13)
    tutor.kill()
    tutor.wait()

    assert eventually(lambda: not alive(mark))


def test_what_a_program_leaves_running_outlives_a_tutor_that_ends_well(
    tmp_path: Path, mark: str
) -> None:
    """A program that ends by itself may leave a server behind, as it may without jaxtutor."""
    source = (
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '1000'])\n"
        "print(child.pid, file=open(__file__ + '.pid', 'w'))\n"
    )
    (tmp_path / "train.py").write_text(source)
    subprocess.run(
        [sys.executable, "-c", TUTOR_OF_A_PROGRAM, str(tmp_path / "train.py")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
    )
    left = int((tmp_path / "train.py.pid").read_text())
    time.sleep(0.5)

    assert {left} == alive(mark)
    os.kill(left, signal.SIGKILL)


# ---------------------------------------------------------------- what cannot be served


def test_a_device_that_is_not_there_is_reported(workshop: Workshop, mark: str) -> None:
    """The message lists the available devices."""
    outcome = workshop.run(SOLUTION, 30.0, Kind("tpu:7"))

    assert (NoDevice("tpu:7", ("cpu:0",)),) == tuple(
        replace(event, message="") for event in pick(outcome, NoDevice)
    )


def test_a_broken_installation_is_reported(
    workshop: Workshop, mark: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """If jax cannot be imported, the reason is reported, and the learner is not blamed."""
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("raise ImportError('libjax is gone')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))

    monkeypatch.setenv("XLA_FLAGS", "--nonsense")

    with pytest.raises(
        TutorError, match="jax could not be started: ImportError: libjax is gone"
    ) as raised:
        workshop.run(SOLUTION, 30.0, Kind("cpu", memory=3000))
    assert "env -u PYTHONPATH -u XLA_FLAGS jaxtutor devices" in raised.value.remedy


def test_an_installation_that_hangs_is_reported(
    workshop: Workshop, mark: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where jax never gets ready, the wait has an end, though the request does not fit the pipe."""
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("import time\ntime.sleep(1000)\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.setattr(watched_run, "START_SECONDS", 1.0)

    with pytest.raises(TutorError, match="jax could not be started: jax did not start"):
        workshop.run(SOLUTION + "# padding\n" * 100_000, 30.0, Kind("cpu", memory=3001))


def test_a_long_submission_arrives_whole(workshop: Workshop, mark: str) -> None:
    """A request larger than a pipe holds is taken as the worker reads it."""
    outcome = workshop.run(SOLUTION + "# padding\n" * 100_000, 30.0)

    assert ("finished", 3) == (outcome.end, answers(outcome))


def test_a_process_that_cannot_be_started_is_reported(
    runner: Runner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the system refuses one more process, its word is passed on."""

    def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)

    with pytest.raises(TutorError, match="could not be started: Resource temporarily unavailable"):
        runner.run(DevicesRequest(), CPU)


# ---------------------------------------------------------------- the environment

RESERVES = "XLA_PYTHON_CLIENT_PREALLOCATE"


def test_gpu_memory_is_left_to_the_next_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """JAX reserves most of a GPU's memory; only a learner's own program may."""
    monkeypatch.delenv(RESERVES, raising=False)
    lesson = spawn.environment(Kind(), "run")
    program = spawn.environment(spawn.for_program(None, False), "run")
    trial = spawn.environment(spawn.for_trial(None, False), "run")
    assert ["false", None, "false"] == [each.get(RESERVES) for each in (lesson, program, trial)]

    monkeypatch.setenv(RESERVES, "true")
    assert "true" == spawn.environment(Kind(), "run")[RESERVES]
