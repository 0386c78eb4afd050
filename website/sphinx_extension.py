"""Extends Sphinx: the builder of the site, what the head of each page says, and the sitemap."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from sphinx.application import Sphinx
from sphinx.builders.dirhtml import DirectoryHTMLBuilder


class SiteBuilder(DirectoryHTMLBuilder):
    """Writes a folder with an index for each page, and leaves the search to the site's own."""

    name = "site"
    search = False


_WIDE = re.compile(r'<(pre|div(?= class="table-wrapper))')
"""The beginning of what scrolls sideways: code and tables."""


def add_meta(app: Sphinx, _name: str, _template: str, context: dict[str, Any], _: Any) -> None:
    """Set the title of a tab, the description, and what is shown where a page is shared."""
    meta = context.get("meta") or {}
    title, about = meta.get("tab") or context.get("title", ""), meta.get("about", "")
    if meta.get("tab"):
        context["title"] = escape(title)
    tags = {
        "og:title": title,
        "og:description": about,
        "og:type": "article",
        "og:site_name": app.config.project,
        "og:url": context.get("pageurl") or "",
    }
    lines = [_meta("property", name, text) for name, text in tags.items() if text]
    names = {"twitter:card": "summary", "description": about}
    lines += [_meta("name", name, text) for name, text in names.items() if text]
    context["metatags"] = "\n    ".join(lines)


def make_accessible(
    _app: Sphinx, _name: str, _template: str, context: dict[str, Any], _: Any
) -> None:
    """Let the keyboard scroll what is wider than the screen, and give headings of lists a level."""
    body = context.get("body") or ""
    context["body"] = _WIDE.sub(r'<\1 tabindex="0"', body)
    tree = context.get("furo_navigation_tree") or ""
    context["furo_navigation_tree"] = tree.replace(
        'role="heading"', 'role="heading" aria-level="2"'
    )


def _meta(kind: str, name: str, text: str) -> str:
    quoted = escape(text, {'"': "&quot;"})
    return f'<meta {kind}="{name}" content="{quoted}">'


def write_sitemap(app: Sphinx, problem: Exception | None) -> None:
    """List the addresses of all pages, if the site has an address."""
    site = app.config.html_baseurl
    if problem is not None or not site:
        return
    places = (app.builder.get_target_uri(name) for name in sorted(app.env.found_docs))
    rows = [f"<url><loc>{escape(f'{site}/{place}')}</loc></url>" for place in places]
    text = "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
            *rows,
            "</urlset>",
        ]
    )
    Path(app.outdir, "sitemap.xml").write_text(text + "\n", encoding="utf-8")
    robots = f"User-agent: *\nAllow: /\nSitemap: {site}/sitemap.xml\n"
    Path(app.outdir, "robots.txt").write_text(robots, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the builder, the tags of each page and the sitemap."""
    app.add_builder(SiteBuilder)
    app.connect("html-page-context", add_meta)
    app.connect("html-page-context", make_accessible, priority=900)  # after the theme
    app.connect("build-finished", write_sitemap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
