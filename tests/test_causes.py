"""Tests the cause pages: each has its form, and its Python does what it says."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest

from jaxtutor.core.diagnosis.engine.pages import FACTS, Cause, fill, read_cause
from page_runner import FENCE, marked_line, raises_of, read_front
from program_pool import of_cause, selected

ROOT = Path(__file__).parent.parent
CAUSES = ROOT / "jaxtutor" / "causes"
PAGES = tuple(sorted(CAUSES.glob("*.md")))
CLASS_PAGES = tuple(sorted((CAUSES / "classes").glob("*.md")))
SLUGS = frozenset(page.stem for page in PAGES)
SECTIONS = ("## Why", "## Ways out", "## Read on")
KEYS = {"title", "raises", "advice", "see", "docs"}
OPTIONAL = {"alone", "costs", "example", "line", "message", "needs", "forms", "proof", "seen"}
DOCS = (
    "https://docs.jax.dev/en/latest/",
    "https://docs.python.org/3/",
    "https://flax.readthedocs.io/en/latest/",
    "https://flax-linen.readthedocs.io/en/latest/",
    "https://optax.readthedocs.io/en/latest/",
    "https://orbax.readthedocs.io/en/latest/",
    "https://docs.kidger.site/",
    "https://num.pyro.ai/en/stable/",
    "https://dm-haiku.readthedocs.io/en/latest/",
    "https://google-grain.readthedocs.io/en/latest/",
)
MANUAL = {
    "101": "arrays convolutions default_dtypes errors pytrees random rank_promotion_warning state"
    " transformations type_promotion",
    "201": "aot callbacks control-flow controlling-xla debugging gpu-memory jit memory-spaces"
    " placement precision profiling shard-map sharding slow-compilation",
    "301": "cookbook custom-derivatives custom-jvp-vjp hijax-types refs remat sharding-ad"
    " vjp-objects",
    "401": "cute-dsl ffi pallas",
    "501": "compilation-cache data-loading export fault-tolerance multiprocess security"
    " shape-polymorphism transfer-guard",
    "601": "jax-primitives jaxpr",
}
"""The pages of JAX's manual of 2026, by its parts."""

LINK = re.compile(r"https://docs\.jax\.dev/en/latest/(\d01)/([\w-]+)\.html")
BRACES = re.compile(r"\{(\w*)\}")


def page_id(page: Path) -> str:
    """Name a page in a test's id."""
    return page.stem


each_page = pytest.mark.parametrize("page", [of_cause(p.stem, p) for p in PAGES], ids=page_id)
each_class_page = pytest.mark.parametrize("page", CLASS_PAGES, ids=page_id)


@each_page
def test_front_matter_is_complete(page: Path) -> None:
    """A page's front matter has its five keys, and at most those that are optional as well."""
    assert KEYS == set(read_front(page.read_text())) - OPTIONAL


@each_page
def test_product_reads_page(page: Path) -> None:
    """The product's own parser reads every page and finds a failing and a fixed block."""
    cause = read_cause(page.stem, page.read_text())
    assert {"failing", "fixed"} <= {example.kind for example in cause.examples}


@each_page
def test_see_names_pages(page: Path) -> None:
    """Related causes exist, and a page does not refer to itself."""
    see = read_front(page.read_text())["see"]
    assert isinstance(see, list)
    assert [] == [slug for slug in see if slug not in SLUGS or slug == page.stem]


def test_links_lead_to_pages_of_the_manual() -> None:
    """Causes and lessons name only pages that JAX's manual has."""
    texts = [path.read_text() for path in (*PAGES, *CLASS_PAGES, *ROOT.glob("lessons/**/lesson.*"))]
    links = {match.groups() for text in texts for match in LINK.finditer(text)}
    assert len(links) > 20
    assert [] == [link for link in links if link[1] not in MANUAL[link[0]].split()]


@each_page
def test_sections_stand_in_order(page: Path) -> None:
    """A page says why, gives the ways out, and where to read on, in this order."""
    text = page.read_text()
    assert list(SECTIONS) == re.findall(r"^## .*$", text, re.MULTILINE)


@each_page
def test_one_failing_block_is_marked(page: Path) -> None:
    """A page has one failing block, which shows the first of `raises` on its one marked line."""
    text = page.read_text()
    failing = [source for kind, source in FENCE.findall(text) if kind == "failing"]
    assert 1 == len(failing)
    silent = raises_of(read_front(text))[0] == "none"
    assert marked_line(failing[0], "# wrong" if silent else "# error") is not None


@each_page
def test_fixed_blocks_state_the_right_result(page: Path) -> None:
    """Each fixed block asserts something, so that it can fail."""
    fixed = [source for kind, source in FENCE.findall(page.read_text()) if kind == "fixed"]
    assert [] == [source for source in fixed if "assert" not in source]


def sentences(cause: Cause) -> list[str]:
    """List the summaries and the advice of a cause, in all its forms."""
    forms = [cause.form(name) for name in ("", *cause.forms)]
    forms += [cause.alone.form] if cause.alone is not None else []
    return [text for form in forms for text in (form.summary, form.advice)]


@each_page
def test_sentences_hold_known_facts_only(page: Path) -> None:
    """Summary and advice hold no braces but those of facts that are filled in."""
    cause = read_cause(page.stem, page.read_text())
    found = [name for text in sentences(cause) for name in BRACES.findall(text)]
    assert [] == [name for name in found if name not in FACTS], f"known are {', '.join(FACTS)}"


@each_page
def test_sentences_read_well_without_facts(page: Path) -> None:
    """With no fact known, each sentence begins with a capital and each code keeps its quotes."""
    cause = read_cause(page.stem, page.read_text())
    filled = [fill(text, {}) for text in sentences(cause)]
    assert [0] * len(filled) == [text.count("`") % 2 for text in filled]
    plain = [re.sub(r"`[^`]*`", "CODE", text) for text in filled]
    assert [] == [found for text in plain for found in re.findall(r"\. [a-z]\w*", text)]


@pytest.mark.parametrize("page", PAGES + CLASS_PAGES, ids=page_id)
def test_docs_point_to_jax(page: Path) -> None:
    """A page's links lead to the documentation of JAX, or of the library that it is about."""
    docs = read_front(page.read_text())["docs"]
    assert isinstance(docs, str)
    assert docs.startswith(DOCS)


@pytest.mark.parametrize("page", PAGES + CLASS_PAGES, ids=page_id)
def test_prose_keeps_the_house_style(page: Path) -> None:
    """Prose has no exclamation marks, no dashes for commas, and no filler words."""
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    assert [] == re.findall(r"!|\u2014|\bsimply\b|\bjust\b", prose)


@each_class_page
def test_class_page_names_its_causes(page: Path) -> None:
    """A class's page exists for a public class and lists causes that have pages."""
    front = read_front(page.read_text())
    assert {"title", "docs", "see"} == set(front)
    assert isinstance(front["see"], list)
    assert [] == [slug for slug in front["see"] if slug not in SLUGS]


@each_class_page
def test_class_page_lists_what_surfaces_as_it(page: Path) -> None:
    """Every cause whose page names a class is listed on that class's page."""
    surfacing = {p.stem for p in PAGES if page.stem in raises_of(read_front(p.read_text()))}
    see = read_front(page.read_text())["see"]
    assert isinstance(see, list)
    assert set() == surfacing - set(see)


@each_class_page
def test_class_page_says_how_to_tell_each_cause(page: Path) -> None:
    """Every cause that a class page refers to has a row in its table."""
    front = read_front(page.read_text())
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \|$", page.read_text(), re.MULTILINE)
    assert front["see"] == rows


@cache
def public_error_classes() -> dict[str, list[str]]:
    """Ask the installed jax, in a process of its own, for each class of `jax.errors` and its MRO.

    Private bases and those of every exception are left out.
    """
    code = """
import json, jax.errors
classes = {n: c for n, c in vars(jax.errors).items() if isinstance(c, type) and n[0] != "_"}
print(json.dumps({n: [b.__name__ for b in c.__mro__] for n, c in classes.items()}))
"""
    asked = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    hidden = {"LookupError", "BaseException", "object", "_JAXErrorMixin"}
    return {n: [b for b in mro if b not in hidden] for n, mro in json.loads(asked.stdout).items()}


def test_every_public_class_has_a_page() -> None:
    """Each class of `jax.errors` has a page; some are of classes that older versions lack."""
    assert set(public_error_classes()) <= {page.stem for page in CLASS_PAGES}


@each_class_page
def test_class_page_tells_the_class_tree(page: Path) -> None:
    """The first line of "In the class tree" is the class's chain of bases on the installed jax."""
    text = page.read_text().partition("## In the class tree\n\n")[2]
    named = re.findall(r"`(\w+)`", text.partition("\n")[0])
    real = public_error_classes().get(page.stem)
    if real is None:
        pytest.skip("this jax has no such class")
    assert named == (real if named[-1] == "Exception" else real[:-1])


GONE = re.compile(r"^\| `([\w.]+)` \| `([\w.]+)` \|$", re.MULTILINE)
RESOLVE = """
import builtins, functools, importlib, json, sys, warnings
warnings.simplefilter("ignore")
def found(path):
    if hasattr(builtins, path):
        return True
    parts = path.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        try:
            return functools.reduce(getattr, parts[cut:], value) is not None
        except AttributeError:
            return False
    return False
print(json.dumps([name for name in sys.argv[1:] if found(name)]))
"""


def test_names_called_gone_are_gone_and_their_heirs_exist() -> None:
    """On the installed jax each name in the left column is missing; those in the right exist."""
    rows = GONE.findall((CAUSES / "removed-api.md").read_text())
    gone, heirs = [old for old, _ in rows], sorted({new for _, new in rows})
    command = [sys.executable, "-c", RESOLVE, *gone, *heirs]
    asked = subprocess.run(command, capture_output=True, text=True, check=True)
    assert heirs == sorted(json.loads(asked.stdout))


# ---------------------------------------------------------------- running the blocks


def needs_of_page(page: Path) -> tuple[str, ...]:
    """Return the libraries that a page's blocks need in addition to jax."""
    needs = read_front(page.read_text()).get("needs", [])
    return tuple(map(str, needs)) if isinstance(needs, list) else ()


def run_pages(*pages: Path) -> str:
    """Run the blocks of pages; return what is wrong with them, in a line for each."""
    runner = Path(__file__).with_name("page_runner.py")
    command = [sys.executable, "-W", "ignore", str(runner), *map(str, pages)]
    ran = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    return (ran.stdout or ran.stderr) if ran.returncode else ""


@pytest.fixture(scope="module")
def problems(request: pytest.FixtureRequest) -> dict[Path, str]:
    """Run the selected pages, two at a time; return what is wrong with them.

    A page has a process to itself, except that pages about the same library share one: importing
    the library takes longer than the blocks.
    """
    groups: dict[object, list[Path]] = {}
    for page in selected(request, "ran"):
        groups.setdefault(needs_of_page(page) or page, []).append(page)
    with ThreadPoolExecutor(max_workers=2) as pool:
        said = pool.map(lambda pages: run_pages(*pages), groups.values())
        return {
            page: "".join(
                line for line in text.splitlines(True) if len(group) == 1 or page.stem in line
            )
            for group, text in zip(groups.values(), said, strict=True)
            for page in group
        }


@pytest.mark.parametrize(
    "ran",
    [of_cause(p.stem, p, slow=bool(n % 36), needs=needs_of_page(p)) for n, p in enumerate(PAGES)],
    ids=page_id,
)
def test_blocks_do_what_they_say(ran: Path, problems: dict[Path, str]) -> None:
    """The failing block of a page fails as it says, and the fixed blocks run."""
    assert "" == problems[ran]


BROKEN = """+++
raises = "TracerBoolConversionError"
+++
```python failing
import jax
jax.jit(lambda x: x + 1)(1)  # error
```
```python fixed
assert 1 + 1 == 3
```
"""


def test_runner_sees_broken_blocks(tmp_path: Path) -> None:
    """The runner reports a failing block that runs and a fixed block that raises."""
    page = tmp_path / "broken.md"
    page.write_text(BROKEN)
    assert 2 == len(run_pages(page).splitlines())
