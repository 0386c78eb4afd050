"""Keeps the list of all addresses outside of the site: `python -m website.links [--visit]`.

`links.tsv` has, for each address, a text that its page must contain, and when that was last seen
there, or in the sources of the page: a date, or `-` if nobody has looked.

Without `--visit`, the list is brought up to date with the pages: new addresses get a text that is
derived from the address, and those that no page names any more are removed. With `--visit` each
address is opened, and what was found is dated.
"""

from __future__ import annotations

import argparse
import re
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

from msgspec import Struct

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).with_name("links.tsv")
NEVER = "-"
FOLDERS = ("jaxtutor/causes", "lessons", "docs")
_ADDRESS = re.compile(r"https?://[^\s<>\"'`)\]|]*[^\s<>\"'`)\]|.,:;]")
_EXAMPLE = re.compile(r"https?://(?:[\w-]+\.)*(?:example\.(?:org|com|edu)|localhost|127\.)")


class Expected(Struct, frozen=True):
    """What a page must contain, and when it was last seen there."""

    text: str
    seen: str = NEVER


def addresses() -> dict[str, str]:
    """Return every address that a page names, with the first file that names it."""
    found: dict[str, str] = {}
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".md", ".toml") and path.is_file():
                for address in _ADDRESS.findall(path.read_text(encoding="utf-8")):
                    if not _EXAMPLE.match(address):
                        found.setdefault(address, path.relative_to(ROOT).as_posix())
    return dict(sorted(found.items()))


def text_for(address: str) -> str:
    """Return what the page of an address should contain, as far as the address says it."""
    parts = urlsplit(address)
    if parts.fragment:
        return f'id="{parts.fragment}"'
    if number := re.fullmatch(r".*/(?:issues|pull|discussions)/(\d+)/?", parts.path):
        return f"#{number[1]}"
    name = unquote(parts.path.rstrip("/").rpartition("/")[2])
    return re.sub(r"\.(?:html|md|ipynb)$", "", name) or parts.netloc


def read_list() -> dict[str, Expected]:
    """Return the list: what is expected at each address."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    rows = (line.split("\t") for line in lines[1:])
    return {address: Expected(text, seen) for address, text, seen in rows}


def updated(known: Mapping[str, Expected]) -> dict[str, Expected]:
    """Return the list as it should be: what is known of each address that a page names."""
    return {it: known.get(it) or Expected(text_for(it)) for it in addresses()}


def write_list(rows: Mapping[str, Expected]) -> None:
    """Write the list."""
    lines = [f"{address}\t{it.text}\t{it.seen}" for address, it in sorted(rows.items())]
    LIST.write_text("\n".join(["address\tcontains\tseen", *lines]) + "\n", encoding="utf-8")


def visit(rows: Mapping[str, Expected]) -> Iterator[tuple[str, Expected, str]]:
    """Open each address; yield it with what is expected, and why that was not found."""
    today = datetime.now(UTC).date().isoformat()
    for address, it in rows.items():
        request = urllib.request.Request(address, headers={"User-Agent": "jaxtutor links"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                page = answer.read().decode("utf-8", "replace")
        except OSError as error:
            yield address, it, str(error)
            continue
        if it.text in page:
            yield address, Expected(it.text, today), ""
        else:
            yield address, it, f"its page does not contain {it.text!r}"


def main(words: Sequence[str] | None = None) -> int:
    """Update the list. Return 1 if an address that was visited is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visit", action="store_true", help="open each address")
    rows = updated(read_list())
    wrong = []
    if parser.parse_args(words).visit:
        places = addresses()
        for address, it, why in visit(dict(rows)):
            rows[address] = it
            if why:
                wrong.append(f"{places[address]}: {address}: {why}\n")
    write_list(rows)
    sys.stderr.writelines(wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
