"""Builds the site: `./dev site [--out FOLDER] [--address URL]`.

The pages are written as Markdown, and Sphinx turns them into HTML. A warning of Sphinx, and a page
that names a class, cause or file that does not exist, ends the build with status 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from hatch_build import find_address
from website.pages import EXTRA, all_pages
from website.sources import SiteError, write_pages

ROOT = Path(__file__).parent.parent
OUT = ROOT / "build" / "site"


def main(words: Sequence[str] | None = None) -> int:
    """Build the site and print what it has. Return 1 if a page is wrong."""
    parser = argparse.ArgumentParser(prog="dev site", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder, build/site by default")
    parser.add_argument("--address", default="", help="where the site will be, such as https://…")
    given = parser.parse_args(words)
    began = time.monotonic()
    try:
        status = build(given.out.absolute(), given.address.rstrip("/"))
    except SiteError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    if status == 0:
        size = sum(path.stat().st_size for path in files(given.out / "html"))
        pages = sum(path.suffix == ".html" for path in files(given.out / "html"))
        seconds = time.monotonic() - began
        print(f"{pages} pages, {size / 1e6:.1f} MB, in {seconds:.0f} s: {given.out / 'html'}")
    return status


def build(out: Path, address: str) -> int:
    """Write the pages and run Sphinx on them. Return its status. Raises SiteError."""
    from sphinx.cmd.build import build_main

    source = out / "source"
    for folder in (source, out / "html"):
        shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True)
    repository, _ = find_address(ROOT)
    for _ in write_pages(all_pages(source, repository), source):
        pass
    os.environ["JAXTUTOR_SITE"] = address
    conf = str(ROOT / "website" / "theme")
    flags = ["--fail-on-warning", "--keep-going", "-q", "--fresh-env", "-j", "auto"]
    static = ["-D", f"html_static_path={conf}/static,{source}/_static"]
    extra = ["-D", f"html_extra_path={source / EXTRA}"]
    places = ["-c", conf, "-d", str(out / "doctrees"), str(source), str(out / "html")]
    return int(build_main(["-b", "site", *flags, *static, *extra, *places]))


def files(folder: Path) -> Iterator[Path]:
    """Yield every file below a folder."""
    return (path for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
