"""Looks at the built site in Chromium: `./dev site`, then `./dev trials site`.

The pages are served from the folder `build/site/html`. Messages that are pasted are those of
programs of the tests, none of which is the example of a page.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

from trials import Figure, Share

ROOT = Path(__file__).parent.parent
HTML = ROOT / "build" / "site" / "html"
MESSAGES = 40
FIRST = 3
"""A message finds its page if that is among so many hits."""
ENOUGH = 0.92
"""The share of messages that have to find their page: some fit several causes alike."""
SAMPLE = (
    "",
    "causes/",
    "causes/traced-bool-in-if/",
    "causes/prng-key-reuse/",
    "causes/linen-missing-collection/",
    "classes/",
    "classes/TypeError/",
    "classes/ConcretizationTypeError/",
    "symptoms/",
    "libraries/",
    "terms/",
    "course/",
    "course/orbits/",
    "lessons/safe-clip-positive/",
    "guides/api/",
    "guides/json/",
    "schemas/",
    "man/jaxtutor-check/",
    "api/",
    "changelog/",
    "paste/",
    "search/?q=vmap",
)
NARROW = {"width": 360, "height": 740}
WIDE = {"width": 1280, "height": 900}
PASTED = (
    "x = 1\n" * 900_000,
    "Ошибка: форма (3,) не подходит. 形状不匹配。 الشكل غير صحيح",
    "\x1b[0;31mTypeError\x1b[0m: \x1b[1mscanned function carry\x1b[0m",
    "<img src=x onerror=alert(1)>",
    "((((((((" * 5000,
)
"""Texts that are long, of other languages, coloured, of markup, or of brackets only."""


def run(share: Share) -> Iterator[Figure]:
    """Try what the site promises; `share` is a share of the messages and of the pages."""
    if not (HTML / "index.html").exists() or find_spec("playwright") is None:
        why = "the site is not built, or the extra `site` is not installed: ./dev site"
        yield Figure(promise="the site is looked at", tried=0, held=0, not_tried=why)
        return
    yield links()
    with browser() as (chromium, address):
        yield requests(chromium, address, share.of(SAMPLE))
        yield violations(chromium, address, share.of(SAMPLE))
        yield sideways(chromium, address, share.of(SAMPLE))
        yield without_scripts(chromium, address, share.of(SAMPLE))
        yield messages(chromium, address, share.of(held_out()))
        yield pasted(chromium, address)
        yield many_pages(chromium, address)


def figure(promise: str, tried: int, failures: Sequence[str], detail: str = "") -> Figure:
    """Return the figure of a promise that was broken once for each failure."""
    held = tried - len(failures)
    return Figure(promise=promise, tried=tried, held=held, detail=detail, failures=tuple(failures))


# ---------------------------------------------------------------- links


class Links(HTMLParser):
    """Collects the links of a page, and the names that links may lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names = {""}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and names of a tag."""
        for name, value in attrs:
            if name == "id" and value:
                self.names.add(value)
            if name in ("href", "src") and value and (tag, name) != ("use", "href"):
                self.links.append(value)


@cache
def read_page(path: Path) -> Links:
    """Read a page."""
    found = Links()
    found.feed(path.read_text(encoding="utf-8"))
    return found


def links() -> Figure:
    """Follow every link of every page that stays on the site, with its anchor."""
    tried, broken = 0, []
    for path in sorted(HTML.rglob("*.html")):
        here = f"/{path.relative_to(HTML).as_posix()}".removesuffix("index.html")
        for link in read_page(path).links:
            parts = urlsplit(urljoin(here, link))
            if parts.scheme or parts.netloc or link.startswith("data:"):
                continue
            tried += 1
            target = HTML / unquote(parts.path).lstrip("/")
            target = target / "index.html" if target.is_dir() else target
            is_page = target.suffix == ".html" and target.exists()
            names = read_page(target).names if is_page and parts.fragment else None
            if not target.exists() or (names is not None and unquote(parts.fragment) not in names):
                broken.append(f"{here}: {link}")
    return figure("every link of the site, and its anchor, leads somewhere", tried, broken)


# ---------------------------------------------------------------- the browser


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@contextmanager
def browser() -> Iterator[tuple[Any, str]]:
    """Start Chromium and a server of the site; yield the browser and the site's address."""
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(HTML)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = shutil.which("chromium") or shutil.which("google-chrome")
    flags = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    try:
        with sync_playwright() as playwright:
            yield (
                playwright.chromium.launch(executable_path=found, args=flags),
                f"http://127.0.0.1:{server.server_port}/",
            )
    finally:
        server.shutdown()


def open_page(chromium: Any, address: str, **how: Any) -> Any:
    """Open a page in a context of its own."""
    page = chromium.new_context(**{"viewport": WIDE} | how).new_page()
    page.goto(address, wait_until="load")
    return page


def requests(chromium: Any, address: str, paths: Sequence[str]) -> Figure:
    """Watch what pages request, and that none fails."""
    wrong: list[str] = []
    asked: list[str] = []
    answers: list[tuple[int, str]] = []
    page = chromium.new_context(viewport=WIDE).new_page()
    page.on("request", lambda it: asked.append(it.url))
    page.on("response", lambda it: answers.append((it.status, it.url)))
    page.on("pageerror", lambda it: wrong.append(str(it)))
    for path in paths:
        page.goto(address + path, wait_until="networkidle")
    page.context.close()
    wrong += [url for url in asked if not url.startswith((address, "data:"))]
    wrong += [f"{status} {url}" for status, url in answers if status >= 400]
    return figure("a page requests nothing from elsewhere, and has no error", len(paths), wrong)


def violations(chromium: Any, address: str, paths: Sequence[str]) -> Figure:
    """Let axe-core look at pages, light and dark, wide and narrow."""
    from axe_playwright_python.sync_playwright import Axe

    axe, tried, wrong = Axe(), 0, []
    for path in paths:
        for how in ({}, {"color_scheme": "dark"}, {"viewport": NARROW}):
            page = open_page(chromium, address + path, **how)
            tried += 1
            found = axe.run(page).response["violations"]
            bad = {it["id"] for it in found if it["impact"] in ("serious", "critical")}
            if bad:
                wrong.append(f"/{path} {how}: {', '.join(sorted(bad))}")
            page.context.close()
    return figure("axe-core finds no serious violation", tried, wrong)


def sideways(chromium: Any, address: str, paths: Sequence[str]) -> Figure:
    """Measure whether a page is wider than a narrow screen."""
    wrong = []
    for path in paths:
        page = open_page(chromium, address + path, viewport=NARROW)
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > NARROW["width"]:
            wrong.append(f"/{path}: {width} px")
        page.context.close()
    return figure("at 360 px no page scrolls sideways", len(paths), wrong)


def without_scripts(chromium: Any, address: str, paths: Sequence[str]) -> Figure:
    """Compare what a page says with and without JavaScript."""
    wrong = []
    chosen = [path for path in paths if not path.startswith(("paste", "search"))]
    for path in chosen:
        texts = []
        for scripts in (True, False):
            page = open_page(chromium, address + path, java_script_enabled=scripts)
            texts.append(re.sub(r"\s+", " ", page.inner_text("article")))
            page.context.close()
        if len(set(texts)) > 1:
            wrong.append(f"/{path}")
    return figure("a page reads the same without JavaScript", len(chosen), wrong)


# ---------------------------------------------------------------- the finder


@cache
def held_out() -> tuple[tuple[str, str], ...]:
    """Return pasted texts with their causes: one program of each of 40 causes, none of a page."""
    sys.path.insert(0, str(ROOT / "tests"))
    from catalogue import catalogue
    from recordings import corners, records

    known = records(corners()[-1])
    found: dict[str, str] = {}
    for name, program in catalogue().items():
        record = known.get(name)
        group = name.partition("/")[0]
        if group not in ("programs", "corpus") or program.is_right or record is None:
            continue
        if record.failure is not None and program.cause and program.cause not in found:
            lines = program.source.splitlines()
            places = [it for it in record.failure.frames if it.span is not None]
            quoted = (_quoted(it.span.line, it.function, lines) for it in places)
            said = f"{record.failure.error_class}: {record.failure.message}"
            begin = "Traceback (most recent call last):"
            found[program.cause] = "\n".join([begin, *quoted, said])
    causes = sorted(found)
    chosen = [causes[n * len(causes) // MESSAGES] for n in range(MESSAGES)]
    return tuple((cause, found[cause]) for cause in chosen)


def _quoted(line: int, function: str, lines: Sequence[str]) -> str:
    """Return a frame of a traceback as Python prints it."""
    name = function.rpartition(".")[2]
    return f'  File "train.py", line {line}, in {name}\n    {lines[line - 1].strip()}'


PASTE = """text => {
  const field = document.getElementById("finder-text"), data = new DataTransfer();
  data.setData("text", text);
  field.value = "";
  const event = new ClipboardEvent("paste", { clipboardData: data, cancelable: true });
  if (field.dispatchEvent(event)) {
    field.value = text;  // as the browser does, unless the page has put the text in itself
    field.dispatchEvent(new Event("input"));
  }
}"""


def hits_of(page: Any, text: str) -> list[str]:
    """Paste a text and return the paths of the hits."""
    page.evaluate(PASTE, text)
    page.wait_for_timeout(400)  # the page waits for the end of typing
    return [it.get_attribute("href") for it in page.query_selector_all("#finder-results a")]


def messages(chromium: Any, address: str, texts: Sequence[tuple[str, str]]) -> Figure:
    """Paste a traceback of each cause."""
    page = open_page(chromium, f"{address}paste/")
    missed = []
    for cause, text in texts:
        first = hits_of(page, text)[:FIRST]
        if not any(it.endswith(f"/causes/{cause}/") for it in first):
            missed.append(cause)
    page.context.close()
    found = len(texts) - len(missed)
    detail = f"{found} of {len(texts)}; not {', '.join(missed)}"
    broken = [] if found >= ENOUGH * len(texts) else missed
    promise = (
        f"a pasted traceback finds its cause in the first {FIRST} hits, {ENOUGH:.0%} of the time"
    )
    return figure(promise, len(texts), broken, detail)


def pasted(chromium: Any, address: str) -> Figure:
    """Paste what nobody should; the page stays as it is, and answers the next text."""
    wrong: list[str] = []
    page = open_page(chromium, f"{address}paste/")
    page.on("pageerror", lambda it: wrong.append(str(it)))
    page.on("dialog", lambda it: wrong.append(f"a dialog: {it.message}"))
    last = "jax.errors.TracerBoolConversionError: Attempted boolean conversion of traced array"
    for text in PASTED:
        hits_of(page, text)
        if not any("traced-bool" in it for it in hits_of(page, last)):
            wrong.append(f"no answer after {text[:20]!r}")
    page.context.close()
    return figure("whatever is pasted, the next error is found", len(PASTED), wrong)


def many_pages(chromium: Any, address: str) -> Figure:
    """Search among 2,000 causes: those of the site, several times."""
    page = open_page(chromium, f"{address}paste/")
    milliseconds = page.evaluate(
        """() => {
          const data = window.finderData, count = data.pages.length;
          const times = Math.ceil(2000 / count);
          for (let n = 1; n < times; n++) data.pages.push(...data.pages.slice(0, count));
          for (let n = 1; n < times; n++) data.lengths.push(...data.lengths.slice(0, count));
          for (const word in data.words) {
            const own = data.words[word].slice();
            for (let n = 1; n < times; n++)
              own.forEach((it, at) => data.words[word].push(at % 2 ? it : it + n * count));
          }
          const text = "ValueError: " + "shapes of the carry do not match x ".repeat(100);
          const began = performance.now();
          find(data, text);
          return performance.now() - began;
        }"""
    )
    page.context.close()
    slow = [f"{milliseconds:.0f} ms"] if milliseconds > 1000 else []
    return figure(
        "among 2,000 pages a search takes less than a second", 1, slow, f"{milliseconds:.0f} ms"
    )
