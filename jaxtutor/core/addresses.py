"""Returns the addresses of pages on the site: causes, error classes, terms, lessons and chapters.

A checkout has no site. A wheel has one if the variable JAXTUTOR_SITE named it when it was built:
`hatch_build.py` puts it into this file. Without one each address is None, and callers name the
command that shows the page instead.
"""

from __future__ import annotations

import re

SITE = ""
"""The address of the site, without a slash at its end; empty without a site."""


def page_address(slug: str) -> str | None:
    """Return the address of a cause's page."""
    return _address(f"causes/{slug}/")


def class_address(name: str) -> str | None:
    """Return the address of an error class's page; of a library's class, by its last name."""
    return _address(f"classes/{name.rpartition('.')[2]}/")


def term_address(name: str) -> str | None:
    """Return the address of what a term means."""
    return _address(f"terms/#{anchor(name)}")


def lesson_address(slug: str) -> str | None:
    """Return the address of a lesson's page, or of a project's step."""
    return _address(f"lessons/{slug}/")


def chapter_address(name: str) -> str | None:
    """Return the address of the page of a chapter or project, by the name of its folder."""
    return _address(f"course/{name}/")


def guide_address(name: str) -> str | None:
    """Return the address of one of the guides that `explain` shows, such as `numpy`."""
    return _address(f"guides/coming-from-{name}/")


def anchor(name: str) -> str:
    """Return how a name is written after the # of an address."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _address(path: str) -> str | None:
    return f"{SITE}/{path}" if SITE else None
