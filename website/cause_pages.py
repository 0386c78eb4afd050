"""Writes the pages of causes, with the names of their own examples, and the lists of them."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import urlsplit

from jaxtutor.content.cause_pages import OF_EXAMPLE, Library
from jaxtutor.core.addresses import anchor
from jaxtutor.core.diagnosis.engine.index import INDEX
from jaxtutor.core.diagnosis.engine.pages import Cause, Example, fill
from jaxtutor.core.reporting.cause_groups import GROUPS, group_causes
from website.records import Run, known_classes
from website.sources import Names, SiteError, SourcePage, bare_links, line_of, link, shorten

LONGEST_MESSAGE = 1200
"""Characters of an exception that a page quotes."""
LIBRARIES = ("flax", "optax", "orbax", "equinox", "diffrax", "numpyro", "grain", "haiku")
OTHER_CLASSES = frozenset({"XlaRuntimeError", "AxisError", "JaxTransformError"})
"""Classes that no record has: of older versions of JAX, of NumPy and of Haiku."""
_BLOCK = re.compile(r"^```python (failing|fixed)[^\n]*\n(.*?)^```", re.M | re.S)


def check_causes(library: Library) -> None:
    """Check that each page names existing classes and causes. Raises SiteError with the line."""
    known = {*known_classes(), *vars(builtins), *library.classes, *OTHER_CLASSES}
    for slug, cause in library.items():
        _refuse_unknown(library, slug, "cause", set(cause.see) - {*library.slugs})
        own = {name for name in cause.raises if "." not in name}
        _refuse_unknown(library, slug, "class", own - known)
    for name in library.classes:
        text = (library.folder / "classes" / f"{name}.md").read_text(encoding="utf-8")
        rows = set(re.findall(r"^\| `([a-z0-9-]+)` \|", text, re.M))
        seen = re.search(r"^see = \[(.*)\]$", text, re.M)
        rows |= set(re.findall(r'"([^"]+)"', seen[1])) if seen else set()
        _refuse_unknown(library, f"classes/{name}", "cause", rows - {*library.slugs})


def _refuse_unknown(library: Library, page: str, kind: str, names: set[str]) -> None:
    if names:
        name = min(names)
        path = library.folder / f"{page}.md"
        line = line_of(path.read_text(encoding="utf-8"), name)
        raise SiteError(f"{path}:{line}: there is no {kind} {name!r}")


# ---------------------------------------------------------------- one cause


def cause_page(cause: Cause, library: Library, run: Run, names: Names) -> SourcePage:
    """Write the page of a cause."""
    first = _first_line(run.message)
    summary = library.summaries.get(cause.slug) or fill(cause.summary, cause.example)
    _, _, rest = cause.body.partition("\n\n")
    parts = [
        _facts_line(cause),
        _quoted(run.message),
        summary,
        f"*{OF_EXAMPLE.strip('()')}*" if cause.slug in library.summaries else "",
        _advice(cause, run, names),
        bare_links(names.linked(_with_labels(rest), f"causes/{cause.slug}")),
        _screen(cause, run),
        _related(cause, library),
        _reports(cause),
    ]
    return SourcePage(
        f"causes/{cause.slug}",
        cause.title,
        "\n\n".join(filter(None, parts)),
        description=f"{summary} {_advice_text(cause, run)}",
        tab=f"{first} | {cause.title}" if first else cause.title,
    )


def _first_line(message: str) -> str:
    """Return the class and the first line of a message, short enough for a title."""
    return shorten(" ".join(message.partition("\n")[0].split()), 80)


def _facts_line(cause: Cause) -> str:
    """Say the name of a cause, what it raises and where it belongs."""
    classes = [link(f"`{last_part(name)}`", f"classes/{last_part(name)}") for name in cause.raises]
    kinds = ["costs time or memory"] if cause.costs else ["raises nothing"]
    raises = "raises " + " or ".join(dict.fromkeys(classes)) if classes else kinds[0]
    (topic,) = group_causes([cause.slug])
    return f"`{cause.slug}` · {raises} · {link(topic, 'causes/index', anchor(topic))}"


def last_part(name: str) -> str:
    """Return the last name of a dotted path."""
    return name.rpartition(".")[2]


def _quoted(message: str) -> str:
    """Quote an exception, without its end if it is long."""
    if not message:
        return ""
    text = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]} …"
    return f"````{{code-block}} text\n:class: message\n\n{text.rstrip()}\n````"


def _advice_text(cause: Cause, run: Run) -> str:
    return run.diagnosis.advice if run.diagnosis is not None else fill(cause.advice, cause.example)


def _advice(cause: Cause, run: Run, names: Names) -> str:
    text = names.linked(_advice_text(cause, run), f"causes/{cause.slug}")
    return f"````{{admonition}} What to do\n:class: tip\n\n{text}\n````" if text else ""


def _with_labels(text: str) -> str:
    """Say above each block of code whether it fails or works, and mark the line at fault."""

    def label(block: re.Match[str]) -> str:
        kind, source = block.groups()
        example = Example(kind, source, 1)
        failing = kind == "failing"
        options = [f":caption: {'Fails' if failing else 'Works'}", f":class: {kind}"]
        marked = next(
            (n for n, line in enumerate(source.split("\n"), 1) if line.endswith("# error")), None
        )
        if failing and marked:
            options.append(f":emphasize-lines: {marked}")
        return "\n".join(["```{code-block} python", *options, "", f"{example.source}```"])

    return _BLOCK.sub(label, text)


def _screen(cause: Cause, run: Run) -> str:
    if run.diagnosis is None:
        return ""
    says = f"The screen of jaxtutor diagnose for the example that fails: {cause.title}"
    image = f"```{{image}} /screens/{cause.slug}.svg\n:alt: {says.replace('`', '')}\n```"
    return f"## What jaxtutor shows\n\n{image}"


def _related(cause: Cause, library: Library) -> str:
    rows = [f"- {link(library[slug].title, f'causes/{slug}')} (`{slug}`)" for slug in cause.see]
    return "\n".join(["## Related causes", "", *rows]) if rows else ""


def _reports(cause: Cause) -> str:
    rows = [f"- [{report_name(address)}]({address})" for address in cause.seen]
    return "\n".join(["## Seen in", "", *rows]) if rows else ""


def report_name(address: str) -> str:
    """Return how a public report is called: its site and number, or its path."""
    parts = urlsplit(address)
    issue = re.fullmatch(r"/([^/]+/[^/]+)/(?:issues|pull|discussions)/(\d+)", parts.path)
    return f"{issue[1]} #{issue[2]}" if issue else f"{parts.netloc}{parts.path}"


# ---------------------------------------------------------------- the lists


def list_pages(library: Library) -> Iterator[SourcePage]:
    """Write the lists of all causes: by mechanism, by symptom and by library."""
    groups = group_causes(library.slugs)
    yield SourcePage(
        "causes/index",
        "Causes of JAX errors",
        "By what they are about. Also: "
        f"{link('by symptom', 'symptoms/index')}, {link('by error class', 'classes/index')}, "
        f"{link('by library', 'libraries/index')}. To find the cause of an error that you have, "
        f"{link('paste its traceback', 'paste/index')}.\n\n" + _sections(groups, library),
        f"{len(library)} mistakes in JAX programs, each with code that fails and code that works.",
    )
    yield SourcePage(
        "symptoms/index",
        "Causes by symptom",
        _sections(_by_symptom(library), library),
        "What a JAX program does wrong: it raises, returns wrong numbers, is slow, never ends.",
    )
    yield SourcePage(
        "libraries/index",
        "Causes by library",
        _sections(_by_library(groups, library), library),
        "Mistakes with Flax, Optax, Orbax, Equinox, Diffrax, NumPyro, Grain and Haiku.",
    )


def _sections(groups: Mapping[str, Iterable[str]], library: Library) -> str:
    parts = []
    for head, slugs in groups.items():
        rows = [cause_row(library[slug]) for slug in slugs]
        parts.append("\n".join([f"## {head}", "", *rows]))
    return "\n\n".join(parts)


def cause_row(cause: Cause) -> str:
    """Write an item of a list: the title of a cause, its name, and what it raises."""
    classes = ", ".join(f"`{last_part(name)}`" for name in dict.fromkeys(cause.raises))
    says = f": {classes}" if classes else ""
    return f"- {link(cause.title, f'causes/{cause.slug}')} (`{cause.slug}`){says}"


def _by_symptom(library: Library) -> dict[str, list[str]]:
    """Group causes by what a program does; one that raises is listed below its class as well."""
    stops = {entry.slug for entry in INDEX if entry.kind == "stopped"}
    found: dict[str, list[str]] = {
        "It ends with an exception while JAX traces a function": [],
        "It ends with an exception about shapes or types": [],
        "It ends with another exception": [],
        "It runs, and a result is wrong": [],
        "It runs, and takes more time or memory than it has to": [],
        "It does not end": [],
    }
    tracing, kinds, others, silent, costs, endless = found.values()
    for slug, cause in library.items():
        names = {last_part(name) for name in cause.raises}
        if slug in stops:
            endless.append(slug)
        if cause.costs:
            costs.append(slug)
        elif not names:
            silent.append(slug)
        elif any("Trace" in name or "Concret" in name for name in names):
            tracing.append(slug)
        elif names & {"TypeError", "ValueError", "IndexError"}:
            kinds.append(slug)
        else:
            others.append(slug)
    return {head: slugs for head, slugs in found.items() if slugs}


def _by_library(groups: Mapping[str, list[str]], library: Library) -> dict[str, list[str]]:
    """Group the causes of libraries, among them those whose examples import one."""
    found: dict[str, list[str]] = {}
    for name in LIBRARIES:
        head = GROUPS[name]
        needs = [slug for slug, cause in library.items() if name in cause.needs]
        slugs = sorted({*groups.get(head, ()), *needs})
        if slugs:
            found[head] = slugs
    return found
