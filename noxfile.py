"""Builds the distributions, installs them in clean environments, and tries them.

nox                       everything, for every installed Python
nox -s "wheel-3.13"       the wheel in one clean environment
nox -s "sdist-3.13"       the source distribution in one clean environment
nox -s pipx uv            the wheel as a tool
nox -s suite              the test suite against the installed wheel, twice, with bytecode
nox -s confined           what confines submissions, against the installed wheel; if root runs it,
                          as root and as a plain user; `-- -m trials forgeries` runs that instead
nox -s trials -- PART...  the long trials against the installed wheel; the workflow runs all of
                          them at size 1 every week, some in shards, with `soak --hours 4`
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import nox

ROOT = Path(__file__).resolve().parent
PYTHONS = ["3.11", "3.12", "3.13", "3.14"]
LESSON = "safe-clip-positive"

CONFINED = tuple(
    f"tests/test_{name}.py"
    for name in "cheats confine grading hostile layouts limits meter mounts templates".split()
)
"""Tests of what submissions must not be able to do."""

PLAIN_USER = "60123"
"""A user that nobody is assigned."""

nox.options.sessions = ["build", "wheel", "sdist", "pipx", "uv"]
nox.options.error_on_missing_interpreters = False
nox.options.reuse_existing_virtualenvs = False
nox.options.default_venv_backend = "virtualenv"


@nox.session
def build(session: nox.Session) -> None:
    """Build the source distribution, and the wheel from it. Log their sizes."""
    if os.environ.get("JAXTUTOR_DIST"):
        session.skip("the files of JAXTUTOR_DIST are used")
    folder = Path(session.cache_dir) / "dist"
    shutil.rmtree(folder, ignore_errors=True)
    session.install("build")
    session.run("python", "-m", "build", "--outdir", str(folder), silent=True)
    for path in sorted(folder.glob("jaxtutor-*")):
        session.log(f"{path.name}: {path.stat().st_size / 1e3:.0f} kB")


@nox.session(python=PYTHONS, requires=["build"])
def wheel(session: nox.Session) -> None:
    """Install the wheel with pip, and try it."""
    session.install(str(built(session, "*.whl")))
    use(session, Path(session.bin))


@nox.session(python=PYTHONS, requires=["build"])
def sdist(session: nox.Session) -> None:
    """Install the source distribution with pip, and try it."""
    session.install(str(built(session, "*.tar.gz")))
    use(session, Path(session.bin))


@nox.session(requires=["build"])
def pipx(session: nox.Session) -> None:
    """Install the wheel as a tool with pipx, and try it."""
    session.install("pipx")
    home = Path(session.create_tmp()).resolve()
    environ = {
        "PIPX_HOME": str(home / "pipx"),
        "PIPX_BIN_DIR": str(home / "bin"),
        "PIPX_MAN_DIR": str(home / "man"),
    }
    shutil.rmtree(home / "pipx", ignore_errors=True)
    session.run("pipx", "install", str(built(session, "*.whl")), env=environ)
    use(session, home / "bin")
    assert (home / "man" / "man1" / "jaxtutor.1").exists(), "pipx found no man page"


@nox.session(requires=["build"])
def uv(session: nox.Session) -> None:
    """Install the wheel as a tool with uv, and try it."""
    session.install("uv")
    home = Path(session.create_tmp()).resolve()
    environ = {"UV_TOOL_DIR": str(home / "tools"), "UV_TOOL_BIN_DIR": str(home / "bin")}
    shutil.rmtree(home / "tools", ignore_errors=True)
    session.run("uv", "tool", "install", "--force", str(built(session, "*.whl")), env=environ)
    use(session, home / "bin")


@nox.session(python=PYTHONS[-1:], requires=["build"])
def suite(session: nox.Session) -> None:
    """Run the tests against the installed wheel, twice: the second run finds bytecode."""
    away = copy_without_package(session)
    for _ in range(2):
        # `-m` puts the working directory on the path, in which `trials` is.
        words = ("-m", "pytest", "-n", "auto", "--dist", "loadfile", *session.posargs)
        session.run("python", *words, env=OUTSIDE)
    session.log(f"the tests ran in {away}")


@nox.session(python=PYTHONS[-1:], requires=["build"])
def confined(session: nox.Session) -> None:
    """Run the tests of confinement against the installed wheel; root runs them as a user, too."""
    words = session.posargs or ["-m", "pytest", "-n", "auto", "--dist", "loadfile", *CONFINED]
    copy_without_package(session)
    session.run("python", *words, env=OUTSIDE)
    if os.geteuid() == 0:
        with tempfile.TemporaryDirectory(prefix="jaxtutor-") as folder:
            run_as_plain_user(session, Path(folder), words)


def run_as_plain_user(session: nox.Session, folder: Path, words: Sequence[str]) -> None:
    """Install the wheel where another user can read it, and run Python there as that user."""
    folder.chmod(0o755)
    ids = (f"--reuid={PLAIN_USER}", f"--regid={PLAIN_USER}", "--clear-groups")
    home, away, python = folder / "home", folder / "away", folder / "venv" / "bin" / "python"
    home.mkdir()
    environ = {"HOME": str(home), "USER": "plain", "LOGNAME": "plain", **OUTSIDE}
    base = str(session.run("python", "-c", "import sys; print(sys.base_prefix)", silent=True))
    if subprocess.call(["setpriv", *ids, "test", "-x", f"{base.strip()}/bin"]) != 0:
        shutil.copytree(base.strip(), folder / "python", symlinks=True)  # such as root's pyenv
        base, environ["LD_LIBRARY_PATH"] = str(folder / "python"), str(folder / "python" / "lib")
    # Not session.install, whose environment lies in the checkout.
    new = [f"{base.strip()}/bin/python{session.python}", "-m", "venv", str(folder / "venv")]
    session.run(*new, external=True, env=environ)
    wheel = f"{built(session, '*.whl')}[dev]"
    session.run(str(python), "-m", "pip", "install", wheel, external=True, silent=True, env=environ)
    copy_checkout(session, away, str(python))
    for path in (home, *home.rglob("*"), away, *away.rglob("*")):
        os.chown(path, int(PLAIN_USER), int(PLAIN_USER), follow_symlinks=False)
    with session.chdir(away):
        session.run("setpriv", *ids, str(python), *words, external=True, env=environ)


@nox.session(python=PYTHONS[-1:], requires=["build"])
def trials(session: nox.Session) -> None:
    """Run the long trials against the installed wheel."""
    commit = str(session.run("git", "rev-parse", "--short", "HEAD", external=True, silent=True))
    copy_without_package(session)
    # The copy is no checkout, so it is told the commit.
    env = OUTSIDE | {"TRIALS_COMMIT": commit.strip()}
    session.run("python", "-m", "trials", *session.posargs, env=env)


# Temporary files lie where they do for users, not in the environment of nox.
OUTSIDE = {
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPATH": "",
    "TMPDIR": os.environ.get("TMPDIR") or tempfile.gettempdir(),
}


def copy_without_package(session: nox.Session) -> Path:
    """Install the wheel, and change to a copy of the checkout in which the package is a link to it.

    Tests that read the package's sources then read the installed ones.
    """
    session.install(f"{built(session, '*.whl')}[dev]")
    away = Path(session.create_tmp()).resolve() / "away"
    shutil.rmtree(away, ignore_errors=True)
    copy_checkout(session, away, "python")
    session.chdir(away)
    return away


def copy_checkout(session: nox.Session, away: Path, python: str) -> None:
    """Copy what git tracks to a folder, with a link to the package that a Python has installed."""
    away.mkdir()
    git = ("git", "-C", str(ROOT))  # the working directory may be a copy
    listed = session.run(*git, "ls-files", "-z", external=True, silent=True)
    for name in filter(None, str(listed).split("\0")):
        if not name.startswith("jaxtutor/"):
            (away / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, away / name, follow_symlinks=False)
    find = (
        "import importlib.util as u; print(u.find_spec('jaxtutor').submodule_search_locations[0])"
    )
    with session.chdir(away):
        installed = str(session.run(python, "-c", find, external=True, silent=True)).strip()
    (away / "jaxtutor").symlink_to(installed)


def built(session: nox.Session, pattern: str) -> Path:
    """Return the file that the session `build` created, or the one in the folder JAXTUTOR_DIST."""
    given = os.environ.get("JAXTUTOR_DIST")
    folder = ROOT / given if given else Path(session.cache_dir) / "dist"
    (found,) = folder.glob(f"jaxtutor-{pattern}")
    return found.resolve()


def use(session: nox.Session, programs: Path) -> None:
    """Run a person's first commands in a folder from which the checkout is not importable."""
    away = Path(session.create_tmp()).resolve() / "away"
    shutil.rmtree(away, ignore_errors=True)
    away.mkdir(parents=True)
    environ = {"JAXTUTOR_HOME": str(away / "home"), **OUTSIDE}

    def tutor(*arguments: str, success: tuple[int, ...] = (0,)) -> str:
        return str(
            session.run(
                str(programs / "jaxtutor"),
                *arguments,
                env=environ,
                external=True,
                silent=True,
                success_codes=success,
            )
        )

    with session.chdir(away):
        session.log(tutor("--version").strip())
        assert len(json.loads(tutor("list", "--json"))["lessons"]) > 10
        assert "tracer" in tutor("explain", "traced-bool-in-if", "--plain")
        starter = json.loads(tutor("check", LESSON, "--json", success=(1,)))
        assert starter["diagnosis"]["cause"] == "traced-bool-in-if"
        mine = Path("mine.py")
        mine.write_text(tutor("solution", LESSON), encoding="utf-8")
        passed = json.loads(tutor("check", "mine.py", "--lesson", LESSON, "--json"))
        assert passed["status"] == "passed"
        session.log(f"checked with jax {passed['jax_version']}")
