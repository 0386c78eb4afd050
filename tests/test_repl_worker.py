"""Tests the worker of the prompt in a real process: cells, commands, completion and recovery.

Most tests share one worker; a test that ends it starts another.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import psutil
import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.diagnosis.engine.findings import SessionFindings
from jaxtutor.core.repl import messages
from jaxtutor.core.repl.messages import PageStyle, page_text
from jaxtutor.core.repl.transcript import Transcript
from jaxtutor.processes import spawn
from jaxtutor.repl import cell_diagnosis
from jaxtutor.repl.kernel import CellResult, Kernel

MARK = "JAXTUTOR_TEST_PROMPT"


@dataclass
class Prompt:
    """A kernel and the session of its cells."""

    kernel: Kernel
    session: Transcript = field(default_factory=Transcript)
    printed: str = ""

    def run(self, source: str, command: str = "") -> CellResult:
        """Run a cell, or a command on its argument."""
        self.printed = ""
        line = self.session.add(source).line
        return self.kernel.run(messages.RunCell(line, source, PageStyle(), command), self._print)

    def _print(self, text: str) -> None:
        self.printed += text

    def show(self, source: str, command: str = "") -> str:
        """Run a cell and return the page that it shows."""
        ended = self.run(source, command)
        pages = [
            page_text(reply.page)
            for reply in ended.replies
            if isinstance(reply, messages.PageShown)
        ]
        problems = [reply for reply in ended.replies if isinstance(reply, messages.CellRaised)]
        assert not problems, problems
        return "\n".join(pages)

    def raised(self, source: str, command: str = "") -> cell_diagnosis.DiagnosedFailure:
        """Run a cell that fails and return its diagnosis."""
        ended = self.run(source, command)
        failures = [
            reply.failure for reply in ended.replies if isinstance(reply, messages.CellRaised)
        ]
        return cell_diagnosis.examine(failures[0], self.session, (), Library())

    def found(self, source: str) -> list[tuple[str | None, int]]:
        """Run a cell and return the causes and lines of its findings."""
        ended = self.run(source)
        seen = [
            o for r in ended.replies if isinstance(r, messages.CellObserved) for o in r.observations
        ]
        finder = SessionFindings(Library())
        findings = cell_diagnosis.find_silent_mistakes(finder, tuple(seen), self.session, ())
        return [(one.cause, one.span.line if one.span else 0) for one, _ in findings]

    def matches(self, kind: str, subject: str, prefix: str, call: str = "") -> list[str]:
        """Return the completions of a name."""
        reply = self.kernel.worker.ask(
            lambda number: messages.Complete(number, kind, subject, prefix, call), 10.0
        )
        assert isinstance(reply, messages.Matches)
        return [candidate.text for candidate in reply.candidates]


def alive() -> list[int]:
    """Return the processes started by this module's workers that are still running."""
    found = []
    for process in psutil.process_iter():
        try:
            if (
                process.environ().get(MARK) == str(os.getpid())
                and process.status() != psutil.STATUS_ZOMBIE
            ):
                found.append(process.pid)
        except psutil.Error:
            continue
    return [pid for pid in found if pid != os.getpid()]


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    patch = pytest.MonkeyPatch()
    patch.setenv(MARK, str(os.getpid()))
    made = Kernel(spawn.for_prompt("cpu"), None, lambda _: None, lambda: None)
    yield made
    made.close()
    patch.undo()


@pytest.fixture
def prompt(kernel: Kernel, lines: Iterator[int]) -> Prompt:
    """Return a prompt on the shared worker, with lines after those of earlier tests."""
    made = Prompt(kernel)
    made.session.add("pass", next(lines))
    return made


@pytest.fixture(scope="module")
def lines() -> Iterator[int]:
    return count(100, 100)


# ---------------------------------------------------------------- files that cells import


def test_a_module_is_paired_with_the_text_that_runs(prompt: Prompt, tmp_path: Path) -> None:
    """An edited module has no cause until it is loaded again; then it has its new lines."""
    file = tmp_path / "edited_at_prompt.py"
    text = "import jax\n\n\n@jax.jit\ndef keep(x):\n    return x[x > 0]\n"
    file.write_text(text)
    prompt.run(f"import importlib, sys; sys.path.insert(0, {str(tmp_path)!r})")
    prompt.run("import edited_at_prompt")

    def fail() -> tuple[str | None, int]:
        ended = prompt.run("edited_at_prompt.keep(jnp.arange(3.0))")
        (failure,) = (r.failure for r in ended.replies if isinstance(r, messages.CellRaised))
        (done,) = (r for r in ended.replies if isinstance(r, messages.CellDone))
        known = failure, prompt.session, done.files, Library(), done.changed
        found = cell_diagnosis.examine(*known).diagnosis
        assert found is not None
        return found.cause, found.span.line if found.span else 0

    assert ("boolean-mask-index", 6) == fail()
    file.write_text("\n\n" + text)
    assert (None, 0) == fail()
    prompt.run("importlib.reload(edited_at_prompt)")
    assert ("boolean-mask-index", 8) == fail()


# ---------------------------------------------------------------- values and prints


def test_the_value_of_the_last_expression_is_shown(prompt: Prompt) -> None:
    """The value of the last expression is shown with type and device, and stored as `_`."""
    assert "int32[2]   cpu:0\n[1, 2]" == prompt.show("x = jnp.array([1, 2])\nx")
    assert "3   int32[]   cpu:0" == prompt.show("_.sum()")


def test_garbage_is_collected_while_cells_run(prompt: Prompt) -> None:
    """Python looks for cycles as it does elsewhere; only the worker's own start goes without."""
    assert "True" == prompt.show("import gc\ngc.isenabled()")


@pytest.mark.parametrize("source", ["x = 1", "None", "3;", "def f(): pass"])
def test_what_has_nothing_to_show_shows_nothing(prompt: Prompt, source: str) -> None:
    """An assignment, None and an expression that ends with a semicolon show nothing."""
    assert "" == prompt.show(source)


def test_prints_come_in_order_and_whole(prompt: Prompt) -> None:
    """Output to both streams, from Python, from C and from callbacks, arrives in order."""
    prompt.run(
        "import os, sys\nprint('a')\nsys.stderr.write('b\\n')\nos.write(1, b'c\\n')\n"
        "jax.jit(lambda x: jax.debug.print('d {}', x))(1)"
    )
    assert "a\nb\nc\nd 1\n" == prompt.printed


def test_a_flood_is_capped(prompt: Prompt) -> None:
    """Excessive output is cut in the middle, with the size of what is left out."""
    prompt.run("for i in range(60_000): print('line', i)")
    assert (True, True, True) == (
        len(prompt.printed) < 100_000,
        "more characters" in prompt.printed,
        prompt.printed.endswith("line 59999\n"),
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("jnp.arange(60_000).reshape(300, 200)", "how the values are spread"),
        ("{'w': jnp.ones(3), 'b': 0.5}", "['b']  float       0.5"),
        ("jnp.array([1.0, jnp.nan])", "1 NaN, at [1]"),
        ("jnp.arange(4) > 1", "[False, False, True, True]"),
        ("jnp.zeros(2, jnp.bfloat16)", "bfloat16[2]"),
        ("np.ones(2)", "float64[2]   numpy"),
        ("jax.random.key(0)", "key<fry>"),
        ("'text'", "'text'"),
    ],
)
def test_values_read_as_what_they_are(prompt: Prompt, source: str, expected: str) -> None:
    """Arrays, pytrees, narrow floats, numpy arrays, keys and Python values are shown as such."""
    assert expected in prompt.show(source)


# ---------------------------------------------------------------- failures and findings


def test_a_failing_cell_is_diagnosed_across_cells(prompt: Prompt) -> None:
    """A function of an earlier cell that fails in a later one is diagnosed in the earlier cell."""
    prompt.run("@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x")
    line = prompt.session.cells[-1].line
    result = prompt.raised("f(1.0)")
    assert result.diagnosis is not None
    assert result.diagnosis.span is not None
    assert ("traced-bool-in-if", line + 2) == (result.diagnosis.cause, result.diagnosis.span.line)


def test_a_dropped_update_is_found(prompt: Prompt) -> None:
    """A cell that silently does nothing gets a finding."""
    prompt.run("x = jnp.zeros(3)")
    line = prompt.session.next_line
    assert [("at-set-result-dropped", line)] == prompt.found("x.at[0].set(1.0)\nx.sum()")


def test_an_update_that_is_shown_is_not_dropped(prompt: Prompt) -> None:
    """An update whose value is shown is not reported, unless a semicolon hides the value."""
    prompt.run("x = jnp.zeros(3)")
    assert [] == prompt.found("x.at[0].set(1.0)")
    assert ["at-set-result-dropped"] == [cause for cause, _ in prompt.found("x.at[0].set(2.0);")]


def test_a_stale_global_is_found_in_the_cell_that_calls(prompt: Prompt) -> None:
    """A stale global is found in the cell that calls the function, unless it is compiled again."""
    prompt.run("scale = 2.0\n@jax.jit\ndef scaled(x):\n    return scale * x\nscaled(1.0)")
    assert [] == prompt.found("scale = 3.0")
    assert ["stale-global"] == [cause for cause, _ in prompt.found("scaled(1.0)")]


def test_a_gradient_made_in_another_cell_is_watched(prompt: Prompt) -> None:
    """A NaN from a gradient function of an earlier cell is located."""
    prompt.run("def safe(x):\n    return jnp.where(x > 0, jnp.log(x), 0.0)")
    prompt.run("slope = jax.grad(safe)")
    assert "nan-grad-through-where" in [cause for cause, _ in prompt.found("slope(0.0)")]


@pytest.mark.parametrize(
    "source",
    [
        "x = jnp.ones(3)\nx.sum()",
        "f = jax.jit(lambda x: x + 1)\nf(1), f(2.0)",
        "print(jnp.ones(2))",
    ],
)
def test_right_cells_get_no_finding(prompt: Prompt, source: str) -> None:
    """A correct cell gets no finding."""
    assert [] == prompt.found(source)


def test_an_exception_of_the_value_itself(prompt: Prompt) -> None:
    """A `__repr__` that raises is reported like any failing cell."""
    result = prompt.raised("class Bad:\n    def __repr__(self): raise RuntimeError('no')\nBad()")
    assert ("RuntimeError", True) == (result.failure.error_class, bool(result.failure.frames))


# ---------------------------------------------------------------- recovery


def replies(ended: CellResult, kind: type) -> list[object]:
    return [reply for reply in ended.replies if isinstance(reply, kind)]


@pytest.mark.parametrize(
    "source",
    [
        "jax = jnp = None",
        "import builtins; del builtins.len; builtins.print = 3",
        "import sys; sys.stdout.close(); sys.stderr = None",
        "import os; os.close(1); os.close(2)",
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)",
        "import os\nif os.fork() == 0: 1 / 0",
        "tutor = _ = None",
        "import sys; sys.modules.pop('__main__')",
    ],
)
def test_a_hostile_cell_costs_nothing(prompt: Prompt, source: str) -> None:
    """After a hostile cell, names remain, output arrives, commands work, and Ctrl-C stops cells."""
    prompt.run("kept = np.float32(3)")
    assert not prompt.run(source).gone
    assert "here\n" == (prompt.run("print('here')"), prompt.printed)[1]
    assert "float32[]" == prompt.show("kept", "shape")
    prompt.run("import jax, jax.numpy as jnp")


def test_exit_is_asked_for_and_not_obeyed(prompt: Prompt) -> None:
    """A cell that exits is reported with its status, and the prompt continues."""
    assert [messages.CellExited("4")] == replies(
        prompt.run("import sys; sys.exit(4)"), messages.CellExited
    )


def test_there_is_no_keyboard(prompt: Prompt) -> None:
    """A cell that reads standard input gets an error that says what to do."""
    result = prompt.raised("input('name? ')")
    assert result.diagnosis is not None
    assert "There is no keyboard for a cell" in result.diagnosis.summary


def interrupt_soon() -> threading.Thread:
    """Send Ctrl-C after a short delay."""
    thread = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    thread.start()
    return thread


def test_an_interrupt_keeps_the_names(prompt: Prompt) -> None:
    """Ctrl-C stops a Python loop with KeyboardInterrupt and keeps the names."""
    prompt.run("n = 0")
    interrupt_soon()
    ended = prompt.run("while True: n += 1")
    (raised,) = replies(ended, messages.CellRaised)
    assert isinstance(raised, messages.CellRaised)
    assert ("KeyboardInterrupt", "True") == (raised.failure.error_class, prompt.show("n > 0"))


def test_a_loop_in_compiled_code_is_ended_by_force(prompt: Prompt) -> None:
    """A compiled loop is reported as not stopping, and a second Ctrl-C ends the worker."""
    said: list[str] = []
    prompt.kernel._report = said.append
    # Compiled before, because an interrupt of the compiler would end the cell at once.
    prompt.run("go = lambda n: jax.lax.while_loop(lambda s: s >= n, lambda s: s / 2 + 1, 1.0)")
    prompt.run("f = jax.jit(go)")
    prompt.run("f(1e9).block_until_ready()")
    (pid,) = alive()
    worker = psutil.Process(pid)
    before = worker.cpu_times().user

    def interrupt_twice() -> None:
        while worker.cpu_times().user - before < 1.0:  # the call itself takes a few ms
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)
        while not said:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt_twice, daemon=True).start()
    ended = prompt.run("f(-1.0).block_until_ready()")
    prompt.kernel.restart()
    assert (True, True) == (ended.by_force, "has not stopped yet" in said[0])


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import os; os._exit(3)", "it exited with status 3"),
        ("import os; os.kill(os.getpid(), 9)", "it was killed by SIGKILL"),
        ("import ctypes; ctypes.string_at(0)", "it was killed by SIGSEGV"),
        ("import os; os.write(190, b'x' * 100)", "it was killed by SIGKILL"),
    ],
)
def test_a_crash_is_reported_and_the_next_worker_serves(
    prompt: Prompt, source: str, why: str
) -> None:
    """The end of a crashed process is reported, and a new worker serves the next cell."""
    ended = prompt.run(source)
    prompt.kernel.restart()
    assert (why, "2") == (ended.gone, prompt.show("1 + 1"))


def test_nothing_stays_behind(kernel: Kernel) -> None:
    """Processes that a cell started end with its worker, in any process group."""
    prompt = Prompt(kernel)
    prompt.run("import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)")
    prompt.run("import os; os._exit(0)")
    kernel.restart()
    end = time.monotonic() + 20
    while (count := len(alive())) != 1 and time.monotonic() < end:
        time.sleep(0.1)
    assert count == 1


# ---------------------------------------------------------------- commands


@pytest.fixture
def taught(prompt: Prompt) -> Prompt:
    """Return a prompt with a function and arrays."""
    prompt.run("x = jnp.arange(3.)\ndef g(x):\n    y = jnp.sin(x) * 2\n    return y.sum()")
    return prompt


@pytest.mark.parametrize(
    ("command", "argument", "says"),
    [
        ("jaxpr", "g(x)", "reduce_sum[axes=(0,)]"),
        ("jaxpr", "x * 2 + x", "mul a 2.0"),
        ("jaxpr", "jax.grad(g)(x)", "cos"),
        ("trace", "g(x)", "y = jnp.sin(x) * 2"),
        ("jit", "g(x)", "With jit and without: the same"),
        ("grad", "g(x)", "gradient by x"),
        ("vmap", "g(jnp.ones((4, 3)))", "one example: float32[3]"),
        ("cost", "g(x)", "estimated by XLA"),
        ("hlo", "g(x)", "stablehlo.sine"),
        ("time", "g(x)", "run under jit"),
        ("shape", "{'a': x, 'b': [x, 1]}", "['b'][0]"),
        ("shape", "", "float32[3]"),
        ("device", "", "(default)"),
        ("device", "x", "cpu:0"),
    ],
)
def test_a_command_shows_what_it_found(
    taught: Prompt, command: str, argument: str, says: str
) -> None:
    """Each command works on a call, an expression, a value, or on nothing."""
    assert says in taught.show(argument, command)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("tutor.jaxpr(g, x).primitives", "('mul', 'reduce_sum', 'sin')"),
        ("tutor.jaxpr(g, x).equations", "3"),
        ("tutor.cost(g, x).flops > 0", "True"),
        ("tutor.jit(g, x).same", "True"),
        ("list(tutor.grad(g, x).grads)", "['x']"),
        ("tutor.time(g, x).run > 0", "True"),
        ("tutor.vmap(g, jnp.ones((4, 3))).value.shape", "(4,)"),
        ("'stablehlo' in tutor.hlo(g, x).text", "True"),
        ("'HloModule' in tutor.hlo(g, x, optimized=True).text", "True"),
        ("tutor.shape(x).types['']", "'float32[3]'"),
        ("tutor.device(x).rows[0][1]", "'cpu:0'"),
        ("type(str(tutor.cost(g, x))).__name__", "'str'"),
    ],
)
def test_a_command_is_a_function_whose_figures_compose(
    taught: Prompt, source: str, expected: str
) -> None:
    """The result of a command's function has its numbers as attributes."""
    assert expected == taught.show(source)


def test_a_command_finds_what_cells_traced(prompt: Prompt) -> None:
    """A command calls the function as cells do, so that nothing is traced again."""
    prompt.run("@jax.jit\ndef once(x):\n    return x + x.sum()\nonce(jnp.ones(3))")
    prompt.show("once(jnp.ones(3))", "retraces")
    prompt.show("once(jnp.ones(3))", "time")
    prompt.run("once(jnp.ones(3))")
    assert "1" == prompt.show("len(tutor.retraces(once))")


def test_what_works_without_jit_is_reported(prompt: Prompt) -> None:
    """If a call works without jit, that is shown before the diagnosis of its failure."""
    prompt.run("def sign(x):\n    return 1 if x > 0 else -1")
    ended = prompt.run("sign(jnp.float32(2))", "jit")
    (shown,) = replies(ended, messages.PageShown)
    assert isinstance(shown, messages.PageShown)
    assert "Without jit this call works" in page_text(shown.page)


def test_a_column_that_meets_a_row_warns_nobody(prompt: Prompt) -> None:
    """JAX's warning about rank promotion is recorded but not printed."""
    prompt.show("jnp.ones((3, 1)) + jnp.ones(3)", "shape")
    assert "" == prompt.printed


def test_retraces_say_why(prompt: Prompt) -> None:
    """`retraces` shows the changed shape, dtype, weak type or static value, and the line."""
    prompt.run(
        "from functools import partial\n"
        "@partial(jax.jit, static_argnames='n')\ndef h(x, n=2):\n    return x * n"
    )
    prompt.run("h(jnp.ones(3)); h(jnp.ones(4)); h(jnp.ones(4), n=3); h(1.0)")
    shown = prompt.show("h", "retraces")
    assert ["shape [3] became [4]", "n is new", "4 times"] == [
        text for text in ("shape [3] became [4]", "n is new", "4 times") if text in shown
    ]
    assert 4 == len(shown.split("line ")) - 2


@pytest.mark.parametrize(
    ("command", "argument", "says"),
    [
        ("jaxpr", "g", "`g` is a function: give it arguments"),
        ("grad", "3", "`3` is an int. What is wanted is a call"),
        ("cost", "x(1)", "Expected a function"),
    ],
)
def test_a_command_without_what_it_needs_says_so(
    taught: Prompt, command: str, argument: str, says: str
) -> None:
    """A command without a usable argument is refused with a sentence, not an exception."""
    (refused,) = replies(taught.run(argument, command), messages.CommandRefused)
    assert isinstance(refused, messages.CommandRefused)
    assert says in refused.message


def test_a_command_that_fails_is_diagnosed(prompt: Prompt) -> None:
    """A failing command is diagnosed like the call itself."""
    prompt.run("def branch(x):\n    return x if x > 0 else -x")
    result = prompt.raised("branch(jnp.float32(1))", "jaxpr")
    assert result.diagnosis is not None
    assert "traced-bool-in-ternary" == result.diagnosis.cause


def test_a_function_of_the_prompt_is_sent_back(prompt: Prompt) -> None:
    """A command that only the prompt can carry out is sent back to it."""
    ended = prompt.run("tutor.explain('traced-bool-in-if')")
    assert [messages.PromptAction("explain", "traced-bool-in-if")] == replies(
        ended, messages.PromptAction
    )


# ---------------------------------------------------------------- completion


@pytest.mark.parametrize(
    ("kind", "subject", "prefix", "name"),
    [
        ("name", "", "learn", "learned"),
        ("name", "", "iso", ""),
        ("attribute", "jnp", "cums", "cumsum"),
        ("attribute", "learned", "resh", "reshape"),
        ("attribute", "learned.at[0]", "se", "set"),
        ("attribute", "learned.T", "su", "sum"),
        ("attribute", "jnp.zeros(3)", "me", "mean"),
        ("attribute", "tree['w']", "sha", "shape"),
        ("attribute", "Box(1)", "open", "opened"),
        ("key", "tree", "w", "w"),
        ("module", "", "jax.num", "jax.numpy"),
        ("member", "jax", "num", "numpy"),
    ],
)
def test_live_names_are_completed(
    prompt: Prompt, kind: str, subject: str, prefix: str, name: str
) -> None:
    """Names, attributes, array attributes and dict keys are completed."""
    prompt.run(
        "learned = jnp.ones(3)\ntree = {'w': learned}\n"
        "class Box:\n    def __init__(self, size): pass\n    def opened(self): pass"
    )
    found = prompt.matches(kind, subject, prefix)
    assert (name in found) if name else not [n for n in found if n.startswith("iso")]


def test_arguments_come_first(prompt: Prompt) -> None:
    """Inside a call, parameter names are offered first."""
    assert "axis=" == prompt.matches("name", "", "ax", "jnp.sum")[0]


def test_completion_runs_nothing(prompt: Prompt) -> None:
    """Completion calls no property, `__getattr__`, `__dir__` or `__repr__` of the learner."""
    prompt.run(
        "ran = []\n"
        "class Loud:\n"
        "    def __getattr__(self, name): ran.append(name); raise AttributeError\n"
        "    def __dir__(self): ran.append('dir'); return []\n"
        "    def __repr__(self): ran.append('repr'); return ''\n"
        "    @property\n    def voice(self): ran.append('voice'); return self\n"
        "loud = Loud()"
    )
    assert ["voice"] == prompt.matches("attribute", "loud", "vo")
    prompt.matches("attribute", "loud.voice", "vo")
    prompt.matches("name", "", "lo", "loud")
    prompt.matches("attribute", "loud()", "x")
    prompt.matches("attribute", "loud[0]", "x")
    prompt.kernel.run(messages.Inspect("loud", True, PageStyle()), lambda _: None)
    assert "[]" == prompt.show("ran")


@pytest.mark.parametrize(
    ("subject", "parameter"),
    [("jnp.sum", "axis=None"), ("Box", "size"), ("Box(1).opened", "lid=2"), ("jax.jit(f)", "")],
)
def test_a_call_is_described(prompt: Prompt, subject: str, parameter: str) -> None:
    """A call is described by its parameters without `self`, unless that would run code."""
    prompt.run(
        "class Box:\n    def __init__(self, size): pass\n    def opened(self, lid=2): pass\n"
        "def f(x): return x"
    )
    reply = prompt.kernel.worker.ask(lambda number: messages.Describe(number, subject), 10.0)
    assert isinstance(reply, messages.Described)
    assert (parameter in reply.parameters) if parameter else reply.parameters == ()
    assert "self" not in reply.parameters


def test_inspection(prompt: Prompt) -> None:
    """Inspection shows a value's type, signature and documentation, and with `??` its source."""
    prompt.run('def tidy(x, n=1):\n    """Tidy up."""\n    return x')
    ended = prompt.kernel.run(messages.Inspect("tidy", True, PageStyle()), lambda _: None)
    (shown,) = replies(ended, messages.PageShown)
    assert isinstance(shown, messages.PageShown)
    assert [True] * 3 == [
        text in page_text(shown.page) for text in ("tidy(x, n=1)", "Tidy up.", "return x")
    ]


def test_a_busy_worker_is_not_asked(prompt: Prompt) -> None:
    """While a cell runs, completion returns nothing at once."""
    prompt.kernel.post(messages.RunCell(9000, "import time; time.sleep(0.5)", PageStyle()))
    assert (
        prompt.kernel.worker.ask(lambda number: messages.Describe(number, "jnp.sum"), 5.0) is None
    )
    prompt.kernel.collect(lambda _: None)


# ---------------------------------------------------------------- a lesson's files


def test_a_lesson_s_names_are_there(prompt: Prompt) -> None:
    """The names of lesson and submission are at the prompt; the later file takes precedence."""
    files = (
        messages.File("starter", "/lesson/starter.py", "def f(): return 'starter'\nN = 1\n"),
        messages.File("submission", "/work/file.py", "def f(): return 'mine'\n"),
    )
    prompt.kernel.run(messages.LoadFiles(files, PageStyle()), lambda _: None)
    assert "('mine', 'starter', 1)" == prompt.show("f(), starter.f(), N")


def test_a_lesson_s_file_that_fails_is_diagnosed(prompt: Prompt) -> None:
    """A failing file is diagnosed in its own frames, and the names it defined before are kept."""
    files = (messages.File("submission", "/work/file.py", "M = 7\n1 / 0\n"),)
    ended = prompt.kernel.run(messages.LoadFiles(files, PageStyle()), lambda _: None)
    (raised,) = replies(ended, messages.CellRaised)
    assert isinstance(raised, messages.CellRaised)
    assert ("/work/file.py", "7") == (raised.failure.frames[0].file, prompt.show("M"))
