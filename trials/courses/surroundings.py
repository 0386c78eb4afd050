"""Tries broken environments: unusual variables, folders, limits and users.

A command must continue, or report one error with a remedy.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from trials import Figure, sample_lessons
from trials.courses.driver import Result
from trials.courses.foreign import environment, faults_of
from trials.courses.traps import OBEYED, SECRET, Spot

SECONDS = 120.0


@dataclass(frozen=True)
class Oddity:
    """One broken environment: its variables, its files, and what a command prints in it.

    `{top}` in a variable is the trial's folder. `says` must be in the output, `statuses` are the
    right ones, and `limit` is set in the child process before the command starts.
    """

    words: tuple[str, ...]
    environ: Mapping[str, str | None] = field(default_factory=dict)
    statuses: frozenset[int] = frozenset({0})
    says: str = ""
    folder: str = "cwd"
    limit: Callable[[], object] | None = None
    make: Callable[[Path], object] | None = None


REFUSED = frozenset({3})
LIST = ("list", "--plain")
CHECK = ("check", "double", "--plain")
RESET = ("reset", "double")
HISTORY = ("history", "double")
DIAGNOSE = ("diagnose", "{top}/files/script.py", "--plain")


def _module(name: str) -> Callable[[Path], object]:
    def make(top: Path) -> None:
        path = top / "shadows" / name
        path.parent.mkdir(parents=True)
        path.write_text("x = 1\n")

    return make


def _grow_weak() -> None:
    """Drop root's rights over the files of others, from the next exec on."""
    for capability in (1, 2, 3):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
        ctypes.CDLL(None).prctl(24, capability)  # PR_CAPBSET_DROP


def _give_away(top: Path) -> None:
    (top / "home" / "data").mkdir()
    for path in (top / "home" / "data", top / "home"):
        path.chmod(0o500)
        if os.geteuid() == 0:
            os.chown(path, 65534, 65534)


SHADOWED: Mapping[str, str | None] = {"PYTHONPATH": "{top}/shadows:{path}"}

ODDITIES: dict[str, Oddity] = {
    "an empty home": Oddity(LIST, {"JAXTUTOR_HOME": ""}),
    "a relative home": Oddity(RESET, {"JAXTUTOR_HOME": "relative"}),
    "a home of blanks": Oddity(RESET, {"JAXTUTOR_HOME": "  "}),
    "a home with blanks, letters and a newline": Oddity(
        RESET, {"JAXTUTOR_HOME": "{top}/a b \u00e9\u4e2d\n'\"$x"}
    ),
    "a home of escapes": Oddity(RESET, {"JAXTUTOR_HOME": "{top}/" + OBEYED.replace("/", "_")}),
    "a home of broken bytes": Oddity(RESET, {"JAXTUTOR_HOME": "{top}/\udcff\udcfe"}),
    "a home of broken bytes, for a check": Oddity(
        CHECK, {"JAXTUTOR_HOME": "{top}/\udcff\udcfe"}, frozenset({1})
    ),
    "a home that is a file": Oddity(
        RESET, {"JAXTUTOR_HOME": "{top}/files/script.py"}, REFUSED, "not a folder"
    ),
    "a home that is a file, for the history": Oddity(
        HISTORY, {"JAXTUTOR_HOME": "{top}/files/script.py"}, REFUSED, "not a folder"
    ),
    "a home that is a file, for a hint": Oddity(
        ("hint", "double"), {"JAXTUTOR_HOME": "{top}/files/script.py"}, says="not a folder"
    ),
    "a home that cannot be": Oddity(RESET, {"JAXTUTOR_HOME": "/proc/1/x"}, REFUSED, "could not"),
    "a home that is too long": Oddity(RESET, {"JAXTUTOR_HOME": "/" + "x" * 5000}, REFUSED, "long"),
    "a home of nobody's": Oddity(
        RESET, {"JAXTUTOR_HOME": "~nobody-at-all/x"}, REFUSED, "cannot be resolved"
    ),
    "no home": Oddity(LIST, {"HOME": None}),
    "a home directory that is relative": Oddity(LIST, {"HOME": "here"}),
    "a path that is empty": Oddity(CHECK, {"PATH": ""}, frozenset({1})),
    "no path": Oddity(LIST, {"PATH": None}),
    "a folder for temporary files that is missing": Oddity(
        CHECK, {"TMPDIR": "/nowhere/at/all"}, frozenset({1})
    ),
    "a folder for temporary files that is a file": Oddity(
        DIAGNOSE, {"TMPDIR": "{top}/files/script.py"}
    ),
    "a module of Python's hidden": Oddity(
        LIST, SHADOWED, REFUSED, "typing.py hides the standard", make=_module("typing.py")
    ),
    # Whether it is refused depends on what imports it.
    "another module of Python's hidden": Oddity(
        CHECK, SHADOWED, REFUSED | {1}, make=_module("json.py")
    ),
    "a package of Python's hidden": Oddity(
        CHECK, SHADOWED, REFUSED, "random hides the standard", make=_module("random/__init__.py")
    ),
    "jax hidden": Oddity(CHECK, SHADOWED, REFUSED, "env -u PYTHONPATH", make=_module("jax.py")),
    "jax hidden where we are": Oddity(
        CHECK, {}, frozenset({1}), folder="shadows", make=_module("jax.py")
    ),
    "typing hidden where we are": Oddity(
        CHECK, {}, frozenset({1}), folder="shadows", make=_module("typing.py")
    ),
    "a startup file": Oddity(LIST, {"PYTHONSTARTUP": "{top}/files/script.py"}),
    "an unknown platform": Oddity(CHECK, {"JAX_PLATFORMS": "nonsense"}, REFUSED, "JAX_PLATFORMS"),
    "a flag that XLA does not know": Oddity(
        CHECK, {"XLA_FLAGS": "--nonsense"}, REFUSED, "env -u PYTHONPATH -u XLA_FLAGS"
    ),
    "a number of devices that is not a number": Oddity(
        CHECK, {"JAX_NUM_CPU_DEVICES": "x"}, REFUSED, "JAX_NUM_CPU_DEVICES"
    ),
    "an invalid option of jax": Oddity(
        CHECK, {"JAX_DEFAULT_MATMUL_PRECISION": "x"}, REFUSED, "JAX_DEFAULT_MATMUL_PRECISION"
    ),
    "an invalid setting of 64 bits": Oddity(CHECK, {"JAX_ENABLE_X64": "maybe"}, frozenset({1})),
    "no threads": Oddity(CHECK, {"OMP_NUM_THREADS": "0"}, frozenset({1})),
    "an encoding with few letters": Oddity(LIST, {"PYTHONIOENCODING": "ascii:strict"}),
    "an unknown encoding": Oddity(LIST, {"LANG": "xx_YY.NONSENSE", "LC_ALL": "none"}),
    "no columns": Oddity(LIST, {"COLUMNS": "0"}),
    "negative columns": Oddity(LIST, {"COLUMNS": "-3"}),
    "columns of 30 digits": Oddity(LIST, {"COLUMNS": "9" * 30}),
    "columns that look like a number": Oddity(("list",), {"COLUMNS": "\u00b2", "LINES": "\u00b2"}),
    "help for no columns": Oddity(("--help",), {"COLUMNS": "0", "LINES": "x"}),
    "an empty name of the terminal": Oddity(("list",), {"TERM": ""}),
    "an unknown terminal": Oddity(("list",), {"TERM": OBEYED}),
    "an editor that is missing": Oddity(
        ("doctor",), {"VISUAL": "nowhere-at-all"}, frozenset({1}), "nowhere-at-all"
    ),
    "an editor that cannot be parsed": Oddity(
        ("doctor",), {"EDITOR": "'unclosed"}, frozenset({1}), "EDITOR"
    ),
    "a pager that is missing": Oddity(("show", "double"), {"PAGER": "nowhere-at-all"}),
    "a deleted folder": Oddity(LIST, folder="gone"),
    "a deleted folder, for a check": Oddity(CHECK, folder="gone", statuses=frozenset({1})),
    "a deleted folder, for a file in it": Oddity(
        ("check", "double.py"), {}, REFUSED, "no longer exists", folder="gone"
    ),
    "a deleted folder, for a script": Oddity(
        ("diagnose", "x.py"), {}, REFUSED, "no longer exists", folder="gone"
    ),
    "a deleted folder, for the prompt": Oddity(
        ("repl",), {}, REFUSED, "no longer exists", folder="gone"
    ),
    "a deleted folder, for a new lesson": Oddity(
        ("lesson", "new", "01_a/01_b"), {}, REFUSED, "no longer exists", folder="gone"
    ),
    "few open files": Oddity(
        LIST, limit=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
    ),
    "small files only": Oddity(
        RESET,
        {},
        REFUSED,
        "could not",
        limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    ),
    "another user's home": Oddity(
        RESET, {}, REFUSED, "permission denied", limit=_grow_weak, make=_give_away
    ),
    "another user's progress": Oddity(
        HISTORY, {}, REFUSED, "permission denied", limit=_grow_weak, make=_give_away
    ),
    "another user's home, for a hint": Oddity(
        ("hint", "double"),
        {},
        frozenset({0}),
        "permission denied",
        limit=_grow_weak,
        make=_give_away,
    ),
    "files for nobody else": Oddity(RESET, limit=lambda: os.umask(0o077)),
    "files for nobody at all": Oddity(LIST, limit=lambda: os.umask(0o777)),
}


def try_oddity(name: str, top: Path) -> list[str]:
    """Run a command in one broken environment and return the faults."""
    odd = ODDITIES[name]
    spot = Spot(top)
    sample_lessons.make_lesson(spot.lesson)
    for folder in ("outside", "home", "cwd", "files", "gone"):
        (top / folder).mkdir()
    (spot.outside / "secret.txt").write_text(SECRET)
    (top / "files" / "script.py").write_text("print('hello')\n")
    (top / "home").chmod(0o755)
    top.chmod(0o755)
    if odd.make:
        odd.make(top)
    answer = _carry_out(odd, spot)
    printed = (answer.out + answer.err).decode(errors="replace")
    faults = list(faults_of(answer, spot))
    if answer.status not in odd.statuses:
        faults.append(f"exit status {answer.status}: {printed[-300:]!r}")
    if odd.says not in printed:
        faults.append(f"{odd.says!r} is not in {printed[-300:]!r}")
    return faults


def _carry_out(odd: Oddity, spot: Spot) -> Result:
    here = os.pathsep.join(path for path in sys.path if path)
    places = {"{top}": str(spot.top), "{path}": here}
    environ = environment(spot, {"PYTHONPATH": here, "JAXTUTOR_TRUST_COURSE": "yes"})
    for name, text in odd.environ.items():
        environ.pop(name, None)
        if text is not None:
            environ[name] = _fill(text, places)
    words = tuple(_fill(word, places) for word in odd.words)
    course = () if words[0] in ("diagnose", "lesson", "--help") else ("--course", str(spot.course))

    def begin() -> None:
        if odd.folder == "gone":
            shutil.rmtree(spot.top / "gone")
        if odd.limit:
            odd.limit()

    done = subprocess.run(
        [sys.executable, "-P", "-m", "jaxtutor", *words, *course],
        cwd=spot.top / odd.folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
        preexec_fn=begin,
    )
    return Result(words, False, done.returncode, done.stdout, done.stderr, 0.0, (), ())


def _fill(text: str, places: Mapping[str, str]) -> str:
    for name, place in places.items():
        text = text.replace(name, place)
    return text


def run(size: float) -> Iterator[Figure]:
    """Try every environment, or a selection."""
    names = list(ODDITIES)[:: max(round(1 / size), 1)]
    failures: list[str] = []
    held = 0
    for name in names:
        with tempfile.TemporaryDirectory(prefix="odd-") as folder:
            faults = try_oddity(name, Path(folder) / "trial")
        held += not faults
        failures += [f"{name}: {fault}" for fault in faults]
    yield Figure(
        promise="in an odd environment, commands work or name the problem",
        tried=len(names),
        held=held,
        failures=tuple(failures),
    )
