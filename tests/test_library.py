"""Tests the library `jaxtutor.diagnosis`: what it names, how it is shown, and what it imports."""

from __future__ import annotations

import importlib
import linecache
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.diagnosis import Diagnosis, diagnose, explain, is_own_file, watch
from jaxtutor.worker import sources

OPTIONS: Any = jax.config  # jax does not annotate its options

FAILING = """\
import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    total = x.sum()
    if total > 0:
        return x
    return -x


keep(jnp.arange(3.0))
"""


def run_file(folder: Path, source: str) -> ModuleType:
    file = folder / "program.py"
    file.write_text(source)
    module = ModuleType("program")
    exec(compile(source, str(file), "exec"), module.__dict__)
    return module


def failure_of(folder: Path, source: str) -> Diagnosis | None:
    try:
        run_file(folder, source)
    except Exception as error:
        return diagnose(error)
    raise AssertionError("the program did not fail")


@pytest.fixture
def found(tmp_path: Path) -> Diagnosis:
    """Return the diagnosis of a condition on a tracer."""
    found = failure_of(tmp_path, FAILING)
    assert found is not None
    return found


def test_an_exception_is_named(found: Diagnosis, tmp_path: Path) -> None:
    """The cause, the expression, its position and the way the value came are given."""
    assert "traced-bool-in-if" == found.cause
    assert "TracerBoolConversionError" == found.error_class
    assert (str(tmp_path / "program.py"), 8) == (found.file, found.line)
    assert "total > 0" == found.expression
    assert ["x", "float32[3]"] == [found.origin[0].expression, found.origin[0].aval]
    assert "jnp.where" in found.advice


def test_a_suggested_edit_is_a_diff(found: Diagnosis) -> None:
    """Where an edit is known it is given as a unified diff, and called untried."""
    assert "+" in found.fix
    assert "Suggested edit, not tried:" in found.text()


def test_the_text_shows_what_to_do_before_where(found: Diagnosis) -> None:
    """The text names the remedy, the marked expression and the cause, in this order."""
    text = found.text("model.py")
    parts = [found.advice[:20], "model.py, line 8:", "^^^^^^^^^", "Cause: traced-bool-in-if"]
    places = [text.index(part) for part in parts]
    assert sorted(places) == places
    assert max(map(len, found.text().split("Where the")[0].splitlines())) <= 100


def test_html_is_escaped(tmp_path: Path) -> None:
    """Source that looks like HTML is shown as text."""
    found = failure_of(tmp_path, FAILING.replace("total > 0", "total > len('<script>')"))
    assert found is not None
    assert "<script>" not in found.html()
    assert "&lt;script&gt;" in found.html()


def test_the_options_of_jax_stay_as_they_are(tmp_path: Path) -> None:
    """A diagnosis reads the frames that JAX removes without changing its setting."""
    program = (
        "import jax\nfrom jaxtutor.diagnosis import diagnose\n"
        "try:\n    jax.jit(lambda x: x[x > 0])(jax.numpy.arange(3.0))\n"
        "except Exception as error:\n    print(diagnose(error).cause)\n"
        "print(jax.config.jax_traceback_filtering)\n"
    )
    assert "boolean-mask-index\nauto\n" == run_script(tmp_path, program).stdout


def test_an_unknown_cause_is_described(tmp_path: Path) -> None:
    """An exception without a known cause has its position, and no advice."""
    found = failure_of(tmp_path, "import jax\n{}['absent']\n")
    assert found is not None
    assert ("", "KeyError", 2, "") == (found.cause, found.error_class, found.line, found.advice)


def test_an_exception_elsewhere_is_not_diagnosed() -> None:
    """An exception that never passed through a file of the user's has no diagnosis."""
    with pytest.raises(KeyError) as raised:
        explain("nothing")
    assert diagnose(raised.value, is_own=lambda name: False) is None


def test_a_watched_block_reports_silent_mistakes(tmp_path: Path) -> None:
    """A key that is used twice raises nothing, and is found after the block."""
    source = (
        "import jax\n\n\ndef draw():\n    key = jax.random.key(0)\n"
        "    return jax.random.normal(key) + jax.random.uniform(key)\n"
    )
    program = run_file(tmp_path, source)
    with watch() as seen:
        program.draw()
    (found,) = seen.findings
    assert ("prng-key-reuse", "", 6) == (found.cause, found.error_class, found.line)


def test_watching_leaves_jax_as_it_was() -> None:
    """After the block, JAX's functions are the same objects as before."""
    before = jax.random.normal, jax.grad, OPTIONS.jax_explain_cache_misses
    with watch() as seen:
        assert jax.jit(jnp.sin)(0.0) == 0.0
    assert before == (jax.random.normal, jax.grad, OPTIONS.jax_explain_cache_misses)
    assert () == seen.findings


WARNING = """\
import warnings

import jax
import jax.numpy as jnp


def warn():
    jnp.asarray([1.0], dtype="float64")
    jax.random.normal(jax.random.key(0), dtype="float64")
    warnings.warn("plain", stacklevel=1)
    through_a_wrapper()


def through_a_wrapper():
    jnp.asarray(Warns())


class Warns:
    def __array__(self, dtype=None, copy=None):
        import numpy

        warnings.warn("by position", UserWarning, 2)
        return numpy.zeros(2)
"""


def test_warnings_keep_their_places(tmp_path: Path) -> None:
    """The functions that record calls do not count as levels of a warning's stack."""
    program = run_file(tmp_path, WARNING)

    def places() -> list[tuple[str, int]]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            program.warn()
        return [(warning.filename, warning.lineno) for warning in caught]

    expected = places()
    assert len(expected) >= 4
    with watch():
        actual = places()
    assert expected == actual


LATER = """\
import jax
import jax.numpy as jnp


@jax.jit
def keep(x):
    {line}
    return x[x > 0]


def draw():
    key = jax.random.key(0)
    return jax.random.normal(key) + jax.random.uniform(key)
"""


@pytest.fixture
def edited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Path]]:
    """Import a module whose text was shown already, and edit its file: all lines move."""
    file = tmp_path / "edited_model.py"
    file.write_text(LATER.format(line="pass"))
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("edited_model")
    linecache.getlines(str(file))
    file.write_text("# one more line\n" + LATER.format(line="x = x + 1"))
    yield module, file
    del sys.modules["edited_model"]


def diagnose_call(function: Any) -> Diagnosis:
    with pytest.raises(jax.errors.JAXIndexError) as raised:
        function(jnp.arange(3.0))
    found = diagnose(raised.value)
    assert found is not None
    return found


def test_a_module_that_was_loaded_again_is_read_again(edited: tuple[Any, Path]) -> None:
    """After a reload, the text that is shown is the one that runs."""
    module = importlib.reload(edited[0])
    found = diagnose_call(module.keep)
    assert ("boolean-mask-index", 9) == (found.cause, found.line)
    assert "return x[x > 0]" in found.text()
    with watch() as seen:
        module.draw()
    assert [("prng-key-reuse", 14)] == [(it.cause, it.line) for it in seen.findings]
    assert () == seen.outdated


def test_nothing_is_certain_of_a_text_that_did_not_run(edited: tuple[Any, Path]) -> None:
    """If the file is newer than the code, the diagnosis says so, and names no cause."""
    module, file = edited
    found = diagnose_call(module.keep)
    assert ("", True, 0) == (found.cause, found.is_outdated, found.line)
    assert "`edited_model.py` has changed since it was loaded" in found.text()
    assert "x[x > 0]" not in found.text()
    with watch() as seen:
        module.draw()
    assert ((), (str(file),)) == (seen.findings, seen.outdated)


def test_a_function_from_before_a_reload_is_not_taken_for_its_successor(
    edited: tuple[Any, Path],
) -> None:
    """A function that was kept from before the reload has no text any more."""
    module, _ = edited
    keep, draw = module.keep, module.draw
    importlib.reload(module)
    assert diagnose_call(keep).is_outdated
    with watch() as seen:
        draw()
    assert () == seen.findings


def test_the_text_of_what_runs_is_read(tmp_path: Path) -> None:
    """A dropped update is found in a function that runs, and not in a file that does not."""
    source = "import jax.numpy as jnp\n\n\ndef fill(x):\n    x.at[0].set(1.0)\n    return x\n"
    program = run_file(tmp_path, source)
    with watch() as seen:
        pass
    assert () == seen.findings
    with watch() as seen:
        program.fill(jnp.zeros(3))
    expected = [("at-set-result-dropped", 5)] if sys.version_info >= (3, 12) else []
    assert expected == [(found.cause, found.line) for found in seen.findings]


def test_the_text_around_the_block_is_read(tmp_path: Path) -> None:
    """A dropped update in the block itself is found."""
    source = (
        "import jax.numpy as jnp\nfrom jaxtutor.diagnosis import watch\n\n"
        "x = jnp.zeros(3)\nwith watch() as seen:\n    x.at[0].set(1.0)\n"
    )
    seen = run_file(tmp_path, source).seen
    assert [("at-set-result-dropped", 6, False)] == [
        (found.cause, found.line, found.is_observed) for found in seen.findings
    ]


def test_text_of_a_file_is_read_if_named(tmp_path: Path) -> None:
    """A dropped update is visible in the text, so the file has to be named."""
    file = tmp_path / "module.py"
    file.write_text("import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx.at[0].set(1.0)\n")
    with watch([str(file)]) as seen:
        pass
    assert ["at-set-result-dropped"] == [found.cause for found in seen.findings]


@pytest.mark.parametrize(
    ("comment", "table", "ignore"),
    [
        ("  # jaxtutor: ignore[at-set-result-dropped]", "", []),
        ("", 'ignore = ["at-set-result-dropped"]', []),
        ("", 'select = ["prng-key-reuse"]', []),
        ("", 'select = ["at-set-result-dropped"]', ["at-set-result-dropped"]),
    ],
)
def test_what_is_allowed_is_counted_only(
    comment: str, table: str, ignore: list[str], tmp_path: Path
) -> None:
    """Comments, the settings of the file's project and arguments allow a finding."""
    file = tmp_path / "module.py"
    file.write_text(f"import jax.numpy as jnp\n\nx = jnp.zeros(3)\nx.at[0].set(1.0){comment}\n")
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxtutor]\n{table}\n")
    with watch([str(file)], ignore=ignore) as seen:
        pass
    assert ((), 1) == (seen.findings, seen.allowed)


CELL = "<ipython-input-1-x>"


@pytest.mark.parametrize(
    ("comment", "table", "count"),
    [
        ("", "", 1),
        ("  # jaxtutor: ignore[at-set-result-dropped]", "", 0),
        ("", 'ignore = ["at-set-result-dropped"]', 0),
        ("", "ignore = 3", 1),
    ],
)
@pytest.mark.filterwarnings("ignore:.*ignore is not a list")
def test_cells_keep_comments_and_the_settings_of_the_working_directory(
    comment: str, table: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cell is in no file. Settings that cannot be used are warned of, and allow nothing."""
    text = f"import jax.numpy as jnp\nx = jnp.zeros(3)\nx.at[0].set(1.0){comment}\nx += 1\n"
    lines = text.splitlines(keepends=True)
    monkeypatch.setitem(linecache.cache, CELL, (len(text), None, lines, CELL))
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxtutor]\n{table}\n")
    monkeypatch.chdir(tmp_path)
    with watch([CELL]) as seen:
        pass
    assert count == len(seen.findings)


def test_a_name_that_no_cause_has_is_refused() -> None:
    """The error names the nearest."""
    with (
        pytest.raises(ValueError, match="Did you mean `prng-key-reuse`"),
        watch(ignore=["prng-key-resue"]),
    ):
        pass


def test_pages_are_given_by_name() -> None:
    """A page is given for a cause and for an error class; another name is a KeyError."""
    assert explain("traced-bool-in-if").startswith("# traced-bool-in-if: ")
    assert explain("UnexpectedTracerError").startswith("# ")
    assert "```python\n" in explain("traced-bool-in-if")
    assert "```python " not in explain("traced-bool-in-if")
    with pytest.raises(KeyError):
        explain("nothing")


@pytest.mark.parametrize(
    ("name", "own"),
    [
        (__file__, True),
        ("<ipython-input-3-abc>", True),
        ("/tmp/ipykernel_12/345.py", True),
        (jax.__file__, False),
        (subprocess.__file__, False),
        ("<frozen runpy>", False),
    ],
)
def test_which_files_are_own(name: str, own: bool) -> None:
    """Cells and files outside the libraries are the user's own."""
    assert own == is_own_file(name)


def test_the_engine_gets_ready_without_what_few_failures_need() -> None:
    """The first failure without a cause imports the table of other libraries and the refusals."""
    engine = "jaxtutor.core.diagnosis.engine"
    program = (
        f"import sys, {engine}.diagnose, {engine}.findings\n"
        f"print([it for it in sys.modules if it == '{engine}.counterparts'"
        " or '.refusals' in it])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ("[]\n", "") == (done.stdout, done.stderr)


def test_the_import_is_light() -> None:
    """The library imports neither JAX, nor the command line's libraries, nor the lessons."""
    program = (
        "import sys, jaxtutor.diagnosis\n"
        "print({'jax', 'numpy', 'typer', 'rich', 'prompt_toolkit', 'jaxtutor.content.lesson'}"
        " & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert ("set()\n", "") == (done.stdout, done.stderr)


COMMAND_LINE = "fsrs platformdirs prompt_toolkit psutil pygls pygments rich tomlkit typer"
WITHOUT = """\
import sys
sys.modules.update(dict.fromkeys({names!r}))  # importing any of these fails
import jax
import jaxtutor
from jaxtutor.diagnosis import diagnose, explain, watch
jaxtutor.install()
key = jax.random.key(0)
with watch() as seen:
    jax.random.normal(key), jax.random.uniform(key)
try:
    jax.jit(lambda x: x[x > 0])(jax.numpy.arange(3.0))
except Exception as error:
    found = diagnose(error)
print(found.cause, [item.cause for item in seen.findings], explain(found.cause)[:20])
"""


def test_the_engine_needs_nothing_of_the_command_line(tmp_path: Path) -> None:
    """The library works where none of the command line's libraries can be imported."""
    done = run_script(tmp_path, WITHOUT.format(names=COMMAND_LINE.split()))
    assert "" == done.stderr
    assert "boolean-mask-index ['prng-key-reuse'] # boolean-mask-index\n" == done.stdout


PAGE = Path(__file__).parent.parent / "docs" / "api.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)


def test_the_page_runs(tmp_path: Path) -> None:
    """Every Python block of docs/api.md runs, in order, as one program."""
    assert len(BLOCKS) >= 4
    done = run_script(tmp_path, "\n".join(BLOCKS))
    assert ("", 0) == (done.stderr, done.returncode)
    assert "Cause: boolean-mask-index" in done.stdout


# ---------------------------------------------------------------- uncaught exceptions

INSTALLED = (
    "import sys\nsys.excepthook = lambda *given: print('earlier hook', file=sys.stderr)\n"
    "import jaxtutor\njaxtutor.install()\njaxtutor.install()\n"
)


def run_script(tmp_path: Path, source: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "script.py"
    file.write_text(source)
    return subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)


def test_an_uncaught_exception_is_diagnosed_once(tmp_path: Path) -> None:
    """The earlier hook runs first and once, then the diagnosis follows; the status stays 1."""
    done = run_script(tmp_path, INSTALLED + FAILING)
    assert 1 == done.returncode
    assert done.stderr.startswith("earlier hook\n\n")
    assert 1 == done.stderr.count("Cause: traced-bool-in-if")


def test_a_program_without_jax_is_left_alone(tmp_path: Path) -> None:
    """Where JAX was not imported the hook prints nothing, and imports nothing."""
    done = run_script(tmp_path, INSTALLED + "{}['absent']\n")
    assert "earlier hook\n" == done.stderr


def test_uninstalling_restores_the_hook(tmp_path: Path) -> None:
    """After `uninstall`, the earlier hook is the only one."""
    done = run_script(tmp_path, INSTALLED + "jaxtutor.uninstall()\n" + FAILING)
    assert "earlier hook\n" == done.stderr


# ---------------------------------------------------------------- lines after %autoreload

AFTER = "# new\ndef scale(x):\n    return 2 * x\n\n\ndef shift(x):\n    return x + 2\n"


def test_functions_that_were_replaced_get_their_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function with the program of the file gets its lines; another one keeps its own."""
    file = tmp_path / "replaced.py"
    file.write_text(AFTER.replace("# new\n", ""))
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module("replaced")
    own: dict[str, FunctionType] = {}
    text = "def shift(x):\n    return x - 1"
    exec(compile(text, str(file), "exec", dont_inherit=True), own)
    module.shift.__code__ = own["shift"].__code__
    file.write_text(AFTER)
    sources.follow_edits(str(file))
    assert (2, 1) == tuple(f.__code__.co_firstlineno for f in (module.scale, module.shift))
    file.write_text(AFTER.replace("x + 2", "x - 1"))
    os.utime(file, (9e8, 9e8))
    sources.follow_edits(str(file))
    assert (6, 0) == (module.shift.__code__.co_firstlineno, module.shift(1))
