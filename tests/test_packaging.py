"""Tests what is shipped: wheel and sdist, and the wheel installed on its own."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import hatch_build
import jaxtutor

ROOT = Path(__file__).parent.parent
WHEEL = f"jaxtutor-{jaxtutor.__version__}-py3-none-any.whl"
SDIST = f"jaxtutor-{jaxtutor.__version__}.tar.gz"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of this checkout, and the wheel built from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run("build", "--no-isolation", "--outdir", str(folder), str(ROOT))
    return folder


@pytest.fixture(scope="module")
def in_wheel(built: Path) -> set[str]:
    """The names of the files in the wheel."""
    return set(zipfile.ZipFile(built / WHEEL).namelist())


def run(module: str, *arguments: str, python: str = sys.executable) -> str:
    ran = subprocess.run(
        [python, "-m", module, *arguments], capture_output=True, text=True, check=False
    )
    assert 0 == ran.returncode, ran.stdout + ran.stderr
    return ran.stdout


def files(folder: str) -> set[str]:
    """Name what a folder of the checkout holds, relative to the checkout."""
    paths = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    return {str(path.relative_to(ROOT)) for path in paths if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_package(in_wheel: set[str]) -> None:
    """Every file of the package is in the wheel: modules, causes and the mark of being typed."""
    package = files("jaxtutor")
    assert {"jaxtutor/py.typed", "jaxtutor/core/data/facts.py"} < package
    assert set() == package - in_wheel


def test_the_wheel_holds_the_lessons(in_wheel: set[str]) -> None:
    """Every file of the course is in the wheel, inside the package."""
    lessons = files("lessons")
    assert "lessons/course.toml" in lessons
    assert set() == {f"jaxtutor/{packed(name)}" for name in lessons} - in_wheel


def packed(name: str) -> str:
    """Return the name of a lesson's file in the wheel."""
    *_, folder, file = Path(name).parts
    is_answer = file == "solution.py" or (folder in ("also", "mistakes") and file.endswith(".py"))
    return f"{name}.txt" if is_answer else name


def test_no_answer_can_be_imported_from_the_wheel(in_wheel: set[str]) -> None:
    """Solutions and known submissions are text: pip compiles no bytecode of them."""
    programs = {Path(name) for name in in_wheel if name.endswith((".py", ".pyc"))}
    lessons = [it for it in programs if it.is_relative_to("jaxtutor/lessons")]

    assert {"starter.py", "checks.py"} >= {it.name for it in lessons}


def test_the_wheel_holds_the_manual(in_wheel: set[str]) -> None:
    """Every page of the manual is where `man` looks, by its section."""
    data = f"jaxtutor-{jaxtutor.__version__}.data/data/share/man"
    pages = {f"{data}/man{Path(name).suffix[1:]}/{Path(name).name}" for name in files("man")}
    assert pages
    assert set() == pages - in_wheel


def test_the_wheel_holds_nothing_else(in_wheel: set[str]) -> None:
    """The wheel contains only the package, its metadata, its licence and its man pages."""
    info = f"jaxtutor-{jaxtutor.__version__}"
    tops = {name.partition("/")[0] for name in in_wheel}
    assert set() == tops - {"jaxtutor", f"{info}.dist-info", f"{info}.data"}
    assert f"{info}.dist-info/licenses/LICENSE" in in_wheel


def test_the_sdist_can_be_tested(built: Path) -> None:
    """The sdist holds the lessons, the tests and the command that runs them."""
    with tarfile.open(built / SDIST) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = {"dev", "LICENSE", "README.md", "pyproject.toml", "noxfile.py"}
    for folder in ("lessons", "tests", "docs", "man", "examples", ".github"):
        wanted |= files(folder)
    assert set() == wanted - names


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The Python of a clean environment in which nothing but the wheel is installed."""
    if not importlib.util.find_spec("ensurepip"):
        pytest.skip("this Python cannot make an environment with pip")
    home = tmp_path_factory.mktemp("clean") / "env"
    run("venv", str(home))
    python = str(home / "bin" / "python")
    run("pip", "install", "--no-deps", "--no-index", str(built / WHEEL), python=python)
    return python


def test_the_installed_wheel_gives_its_version(installed: str, tmp_path: Path) -> None:
    """The installed package runs from any folder and gives its version."""
    said = shipped(installed, tmp_path, "--version")
    assert said.startswith(f"jaxtutor {jaxtutor.__version__} (")


def test_the_installed_wheel_reads_its_solutions(installed: str, tmp_path: Path) -> None:
    """Under the names that the wheel gives them, with the folders of known submissions."""
    program = (
        "from jaxtutor.content.loading import load_course\n"
        "lessons = load_course(None).lessons\n"
        "print(all(it.solution and not it.fault and list(it.mistakes()) for it in lessons))\n"
    )
    ran = subprocess.run(
        [installed, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "True" == ran.stdout.strip()


def test_the_installed_wheel_finds_its_lessons(installed: str, tmp_path: Path) -> None:
    """The installed package lists the lessons that came in the wheel."""
    assert '"safe-clip-positive"' in shipped(installed, tmp_path, "list", "--json")


def shipped(python: str, folder: Path, *arguments: str) -> str:
    """Run the installed jaxtutor, with the libraries of the environment that runs the tests.

    A folder on PYTHONPATH lends its packages, but not the checkout that a `.pth` file in it names.
    """
    libraries = Path(pytest.__file__).parent.parent
    environment = {
        **os.environ,
        "PYTHONPATH": str(libraries),
        "JAXTUTOR_HOME": str(folder / "home"),
    }
    ran = subprocess.run(
        [python, "-m", "jaxtutor", *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (ran.returncode, ran.stderr)
    return ran.stdout


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_page_without_an_address_has_no_dead_links() -> None:
    """Where the address of the project is not known, relative links become text."""
    page = hatch_build.complete_links(README, "", "v1")

    assert set(re.findall(r"\]\(([^)]+)\)", page)) == {"https://docs.jax.dev"}
    assert "check-raised.svg" not in page


def test_a_page_with_an_address_has_complete_links() -> None:
    """Every link and picture of the README leads to the file of the release's tag."""
    page = hatch_build.complete_links(README, "https://example.org/ann/x", "v1")
    targets = re.findall(r"\]\(([^)]+)\)", page)

    assert len(targets) > 10
    assert all(it.startswith("https://") for it in targets)
    assert "(https://example.org/ann/x/raw/v1/docs/pictures/check-raised.svg)" in page
    assert "(https://example.org/ann/x/blob/v1/LICENSE)" in page
    for target in targets:
        if "example.org" in target:
            inside = target.split("/v1/")[1].partition("#")[0]
            assert (ROOT / inside).exists()


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://example.org/ann/x.git", "https://example.org/ann/x"),
        ("https://ann:secret@example.org/ann/x.git", ""),
        ("git@example.org:ann/x.git", ""),
        ("/srv/x", ""),
        ("", ""),
    ],
)
def test_a_clone_knows_its_address(
    remote: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build from a clone links to where it came from, if that is public; no tag is assumed."""
    monkeypatch.delenv("JAXTUTOR_REPOSITORY", raising=False)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    if remote:
        subprocess.run(["git", "remote", "add", "origin", remote], cwd=tmp_path, check=True)

    assert (address, False) == hatch_build.find_address(tmp_path)


def test_a_source_distribution_knows_the_address_of_its_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel that is built from it has the same addresses."""
    monkeypatch.delenv("JAXTUTOR_REPOSITORY", raising=False)
    text = "Name: jaxtutor\nProject-URL: Repository, https://example.org/ann/x\n\nA page.\n"
    (tmp_path / "PKG-INFO").write_text(text, encoding="utf-8")

    assert ("https://example.org/ann/x", True) == hatch_build.find_address(tmp_path)


def test_a_wheel_knows_the_site_that_it_was_built_with() -> None:
    """The site's address becomes the constant of the module, and nothing else changes."""
    text = (ROOT / hatch_build.ADDRESSES).read_text(encoding="utf-8")
    changed = hatch_build.put_site(text, "https://example.org/x")

    assert 'SITE = "https://example.org/x"\n' in changed
    assert text == changed.replace('"https://example.org/x"', '""')
    with pytest.raises(ValueError, match="SITE"):
        hatch_build.put_site("", "https://example.org/x")


@pytest.mark.parametrize("given", ["https://example.org/x", "https://example.org/x/"])
def test_the_site_is_named_at_build_time(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variable names the site, or the source distribution that was built with it."""
    monkeypatch.delenv("JAXTUTOR_SITE", raising=False)
    assert "" == hatch_build.find_site(tmp_path)
    (tmp_path / "PKG-INFO").write_text(f"Project-URL: Homepage, {given}\n", encoding="utf-8")
    assert "https://example.org/x" == hatch_build.find_site(tmp_path)
    monkeypatch.setenv("JAXTUTOR_SITE", "https://example.com/")
    assert "https://example.com" == hatch_build.find_site(tmp_path)


def test_the_citation_names_the_version() -> None:
    """CITATION.cff has the version of the package."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")

    assert f"\nversion: {jaxtutor.__version__}\n" in citation
    assert f"## [{jaxtutor.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
