"""Tests the pages of the site before Sphinx reads them, and the finder that runs in the browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.loading import load_course
from jaxtutor.core.reporting.outputs.schemas import OUTPUTS, make_schema
from website import finder, links
from website.cause_pages import cause_page, check_causes, report_name
from website.class_pages import causes_by_class
from website.course_pages import course_pages
from website.records import read_run
from website.reference import DOCS, complete_links
from website.schema_pages import schemas_page, write_schemas
from website.screens import screens
from website.sources import Names, SiteError, SourcePage, shorten

LIBRARY = Library()
FINDER = Path(__file__).parent.parent / "website" / "theme" / "static" / "finder.js"
NAMES = Names(
    {slug: f"causes/{slug}" for slug in LIBRARY.slugs},
    {name: f"classes/{name}" for name in causes_by_class(LIBRARY)},
    {it.slug: f"lessons/{it.slug}" for it in load_course(None).every_lesson},
)
THREE = ("traced-bool-in-if", "prng-key-reuse", "linen-missing-collection")


def page_of(slug: str) -> SourcePage:
    return cause_page(LIBRARY[slug], LIBRARY, read_run(slug, LIBRARY), NAMES)


# ---------------------------------------------------------------- pages


@pytest.mark.parametrize("slug", THREE)
def test_a_page_speaks_of_its_own_example(slug: str) -> None:
    """The sentences have the names of the example, and every link leads to a known page."""
    page = page_of(slug)
    text = page.markdown()

    assert f"causes/{slug}" == page.path
    assert not re.search(r"\{(?:expression|condition|function|argument|name|aval)\}", text)
    assert {"Fails", "Works"} == set(re.findall(r"^:caption: (\w+)$", text, re.M))
    paths = {*NAMES.causes.values(), *NAMES.classes.values(), *NAMES.lessons.values()}
    linked = set(re.findall(r"\]\(/([^)#]+)\.md", text))
    assert set() == linked - paths - {"causes/index"}


def test_the_title_of_a_page_has_the_message_that_people_search_for() -> None:
    """The tab begins with the class and the message; the heading says what the mistake is."""
    page = page_of("traced-bool-in-if")
    assert page.tab.startswith("TracerBoolConversionError: Attempted boolean conversion of traced")
    assert "An `if` on a traced condition" == page.title
    assert "`excess > 0.0` is traced" in page.text


def test_a_screen_is_what_diagnose_prints() -> None:
    """The picture has the sentence and the line at fault, and names the file as the page does."""
    with screens() as drawing:
        drawn = drawing.draw(read_run("traced-bool-in-if", LIBRARY), "a title")
    assert "<title>a title</title>" in drawn
    assert "example.py: TracerBoolConversionError" in drawn
    assert "cooling_power" in drawn


def test_the_course_has_no_solutions() -> None:
    """Each lesson is a page with its text and its minutes, and without our answer."""
    course = load_course(None)
    pages = {page.path: page for page in course_pages(course, LIBRARY.terms, NAMES)}
    assert {f"lessons/{it.slug}" for it in course.every_lesson} <= set(pages)
    assert {f"course/{part.name}" for part in course.parts} <= set(pages)
    lesson = course.find("safe-clip-positive")
    assert f"{lesson.info.minutes} minutes" in pages[f"lessons/{lesson.slug}"].text
    for it in course.lessons:
        text = pages[f"lessons/{it.slug}"].text
        assert it.solution.strip() not in text
        assert "## After you pass" not in text


def test_each_schema_has_an_address_and_the_page_links_to_all(tmp_path: Path) -> None:
    """A file has what `jaxtutor schema` prints; the page of the outputs leads to their list."""
    write_schemas(tmp_path)
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.json")]
    assert {Path(f"schemas/1/{name}.json") for name in OUTPUTS} == set(files)
    check = json.loads((tmp_path / "schemas/1/check.json").read_text(encoding="utf-8"))
    assert make_schema("check") == check

    page = schemas_page()
    addresses = re.findall(r'<a href="([^"]+)">', page.text)
    assert set(files) == {Path("schemas", it) for it in addresses}
    guide = (DOCS / "json.md").read_text(encoding="utf-8")
    assert f"](/{page.path}.md)" in complete_links(DOCS / "json.md", guide, "")
    headings = set(re.findall(r"^## (.+)$", guide, re.M))
    assert set() == set(re.findall(r"guides/json\.md#([\w-]+)", page.text)) - headings


# ---------------------------------------------------------------- mistakes in pages


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with the pages of a cause and of a class."""
    (tmp_path / "classes").mkdir()
    for name in ("traced-bool-in-if.md", "classes/TracerBoolConversionError.md"):
        text = (LIBRARY.folder / name).read_text(encoding="utf-8")
        text = re.sub(r"^see = .*$", "see = []", text, flags=re.M)
        text = re.sub(r"^\| `[a-z-]+` \|.*\n", "", text, flags=re.M)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "says"),
    [
        ("traced-bool-in-if.md", "see = []", 'see = ["no-such-cause"]', 5, "no cause 'no-such"),
        ("traced-bool-in-if.md", '"ValueError"', '"NoSuchError"', 3, "no class 'NoSuchError'"),
        (
            "classes/TracerBoolConversionError.md",
            "see = []",
            'see = ["traced-bool-in-fi"]',
            3,
            "no cause 'traced-bool-in-fi'",
        ),
    ],
)
def test_a_page_that_names_what_does_not_exist_fails_with_its_line(
    few: Path, file: str, old: str, new: str, line: int, says: str
) -> None:
    """An unknown cause or class ends the build, with the file and the line that names it."""
    check_causes(Library(few))
    path = few / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SiteError, match=re.escape(f"{path}:{line}: ")) as raised:
        check_causes(Library(few))
    assert says in str(raised.value)


def test_a_document_that_links_to_no_file_fails_with_its_line() -> None:
    """The links of a document become addresses of the site, and an unknown file ends the build."""
    text = "See [all](json.md#list) and [this](../dev), not `[x](y)`.\n"
    here = DOCS / "api.md"
    assert "[all](/guides/json.md#list) and this," in complete_links(here, text, "")
    whole = complete_links(here, text, "https://example.org/x")
    assert "[this](https://example.org/x/blob/HEAD/dev)" in whole
    with pytest.raises(SiteError, match=r"api\.md:4: there is no file 'gone\.md'"):
        complete_links(here, f"\n\n{text.replace('json.md', 'gone.md')}", "")


def test_names_become_links_in_sentences_only() -> None:
    """A cause in backticks is linked, and not in a block of code, in a link or in a heading."""
    text = "# `x-a`\n\n`x-a` [`x-a`](y)\n\n```python\n`x-a`\n```\n"
    names = Names({"x-a": "causes/x-a"}, {}, {})
    assert text.replace("\n`x-a` [", "\n[`x-a`](/causes/x-a.md) [") == names.linked(text)
    assert text == names.linked(text, but="causes/x-a")


def test_long_texts_are_cut_at_a_word() -> None:
    """A description ends with a whole word and an ellipsis."""
    assert "one two …" == shorten("one two three", 11)
    assert "one" == shorten("one", 3)


def test_a_report_is_called_by_its_number() -> None:
    """An address of an issue is shown as its project and number."""
    assert "google/jax #12" == report_name("https://github.com/google/jax/issues/12")
    assert "example.org/a" == report_name("https://example.org/a")


# ---------------------------------------------------------------- addresses elsewhere


def test_every_address_elsewhere_is_in_the_list() -> None:
    """`links.tsv` has the addresses that pages name, and no others: `./dev index`."""
    assert list(links.addresses()) == list(links.read_list())


def test_an_address_is_expected_to_have_what_it_names() -> None:
    """A new address gets the text that its page must contain: an anchor, a number, a name."""
    assert 'id="b"' == links.text_for("https://example.org/a.html#b")
    assert "#12" == links.text_for("https://github.com/google/jax/issues/12")
    assert "jax.lax.scan" == links.text_for("https://example.org/jax.lax.scan.html")


def test_a_visited_address_without_its_text_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that lacks the text keeps its date; one that has it gets today's."""
    answers = {"https://a.org/": b"the word", "https://b.org/": b"another"}
    monkeypatch.setattr(
        "urllib.request.urlopen", lambda asked, timeout: BytesIO(answers[asked.full_url])
    )
    rows = {address: links.Expected("word") for address in answers}
    found = {address: (it.seen, why) for address, it, why in links.visit(rows)}
    assert "" == found["https://a.org/"][1]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found["https://a.org/"][0])
    assert ("-", "its page does not contain 'word'") == found["https://b.org/"]


# ---------------------------------------------------------------- the finder

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def in_node(script: str, given: object) -> Any:
    """Run a script with the finder and a value, and return what it returns."""
    program = (
        f"const f = require({json.dumps(str(FINDER))});"
        "const given = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        f"console.log(JSON.stringify(((f, given) => {{ {script} }})(f, given)));"
    )
    text = json.dumps(given)
    ran = subprocess.run(
        ["node", "-e", program], input=text, capture_output=True, text=True, check=False
    )
    assert 0 == ran.returncode, ran.stderr
    return json.loads(ran.stdout)


def patterns() -> list[tuple[str, str]]:
    """Return every pattern of a page with the name of the page."""
    alone = ((slug, it.alone.message) for slug, it in LIBRARY.items() if it.alone is not None)
    messages = ((slug, it.message) for slug, it in LIBRARY.items() if it.message)
    return [*messages, *alone]


@needs_node
def test_patterns_match_in_the_browser_what_they_match_in_python() -> None:
    """Each pattern is valid in JavaScript, and occurs in the same recorded messages."""
    said = [read_run(slug, LIBRARY).message for slug in LIBRARY.slugs[::8]]
    given = [(finder.to_javascript(pattern), said) for _, pattern in patterns()]
    found = in_node("return given.map(([p, all]) => all.map((it) => f.occurs(p, it)))", given)
    expected = [[re.search(p, it) is not None for it in said] for _, p in patterns()]
    wrong = [name for (name, _), a, b in zip(patterns(), found, expected, strict=True) if a != b]
    assert [] == wrong
    assert any(map(any, expected))


@pytest.mark.parametrize("pattern", ["a(?i:b)", "(?x)a", r"\Aa", "a*+", "(?P=a)"])
def test_a_pattern_that_javascript_lacks_is_refused(pattern: str) -> None:
    """What has no equal in JavaScript ends the build, and is not left out."""
    with pytest.raises(ValueError, match="JavaScript"):
        finder.to_javascript(pattern)


def small_data() -> dict[str, object]:
    """Return the finder's data of three causes."""
    runs = {slug: read_run(slug, LIBRARY) for slug in THREE}
    return finder.data(list(finder.cause_items(LIBRARY, runs, {})))


@needs_node
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("jax.errors.TracerBoolConversionError: Attempted boolean", "traced-bool-in-if"),
        ("\x1b[31mE   jax.errors.\x1b[0mTracerBoolConversionError: Attempted", "traced-bool-in-if"),
        ("│ TracerBoolConversionError: Attempted boolean conversion", "traced-bool-in-if"),
        ("x\n" * 2_500_000 + "TracerBoolConversionError: no", "traced-bool-in-if"),
        ("the same random key twice", "prng-key-reuse"),
        ("Ошибка: 形状不匹配 جاكس", ""),
        ("", ""),
        ("((((" * 1000 + "\\" * 1000, ""),
    ],
    ids=["error", "colours", "box", "5 MB", "words", "languages", "empty", "brackets"],
)
def test_the_finder_reads_what_people_paste(text: str, found: str) -> None:
    """The first hit is the cause, and a text without a word that is known finds nothing."""
    script = "return f.find(given[0], given[1]).hits.map((it) => it.page.name)"
    names = in_node(script, [small_data(), text])
    assert [found] * bool(found) == names[:1]


@needs_node
@pytest.mark.parametrize(("function", "leak"), [("<module>", True), ("forward", False)])
def test_a_traced_value_that_is_used_outside_its_trace_is_a_leak(function: str, leak: bool) -> None:
    """A traceback that is not in the traced function finds the pages of leaks first."""
    text = (
        "Traceback (most recent call last):\n"
        f'  File "train.py", line 18, in {function}\n'
        "    print(np.asarray(acts))\n"
        "TracerArrayConversionError: The numpy.ndarray conversion method __array__() was called on "
        "traced array with shape float32[2]\n"
        "The error occurred while tracing the function forward at train.py:11 for jit.\n"
    )
    slugs = ("numpy-call-on-tracer", "traced-index-into-numpy", "leaked-by-attribute")
    runs = {slug: read_run(slug, LIBRARY) for slug in slugs}
    items = finder.data(list(finder.cause_items(LIBRARY, runs, {})))
    script = "return f.find(given[0], given[1]).hits.map((it) => it.page.name)"
    names = in_node(script, [items, text])
    assert leak is ("leaked-by-attribute" == names[0])


@needs_node
def test_a_quoted_exception_belongs_to_the_message() -> None:
    """A message that quotes another exception is read to its end, up to the next traceback."""
    text = "Traceback (most recent call last):\nValueError: a\nThe error was:\nTypeError: b\n"
    script = "return given.map((it) => f.readError(it).name)"
    after = f"{text}\nTraceback (most recent call last):\nKeyError: 'c'"
    assert ["ValueError", "KeyError"] == in_node(script, [text, after])
