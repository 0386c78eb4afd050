"""Ships the answers of the lessons as text, and a README whose links work on other pages.

A checkout and the source distribution hold plain Python files. In the wheel `solution.py`, and what
lies in `also/` and `mistakes/`, gets the suffix `.txt`: bytecode of a solution could be imported
without its text ever being opened, which a check would not notice.

The links of README.md are relative, so they work in every clone and archive. On the page of a
package index they would lead nowhere. With the address of the repository they are completed, and
`project.urls` is filled in; without it, a link becomes its text and a picture is left out. The
address is the variable JAXTUTOR_REPOSITORY, which the release workflow sets, or where the clone or
the source distribution came from.

With the address of the site, the variable JAXTUTOR_SITE, the wheel's programs link to its pages:
it is put into `jaxtutor/core/addresses.py`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ANSWERS = ("**/solution.py", "**/also/*.py", "**/mistakes/*.py")


ADDRESSES = "jaxtutor/core/addresses.py"


class CompleteWheel(BuildHookInterface[Any]):
    """Renames the lessons' answers on their way into the wheel, and puts the site's address in."""

    PLUGIN_NAME = "custom"
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the changed files; pyproject.toml excludes the original answers from the wheel."""
        if self.target_name != "wheel" or version == "editable":
            return
        if site := find_site(Path(self.root)):
            self._folder = tempfile.TemporaryDirectory()
            changed = Path(self._folder.name, "addresses.py")
            text = Path(self.root, ADDRESSES).read_text(encoding="utf-8")
            changed.write_text(put_site(text, site), encoding="utf-8")
            build_data["force_include"][str(changed)] = ADDRESSES
        lessons = Path(self.root) / "lessons"
        for pattern in ANSWERS:
            for path in sorted(lessons.glob(pattern)):
                place = path.relative_to(self.root).as_posix()
                build_data["force_include"][str(path)] = f"jaxtutor/{place}.txt"

    def finalize(self, *_: Any) -> None:
        """Remove the changed file."""
        if self._folder is not None:
            self._folder.cleanup()


def put_site(text: str, site: str) -> str:
    """Return the module of addresses with the site's. Raises ValueError if it has no place."""
    changed, times = re.subn('^SITE = ""$', f"SITE = {json.dumps(site)}", text, flags=re.M)
    if times != 1:
        raise ValueError(f'{ADDRESSES} has no line SITE = ""')
    return changed


_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)]+)\)")


class CompleteMetadata(MetadataHookInterface):
    """Fills in the README and the addresses of the project."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add `readme` and, if the repository's address is known, `urls`."""
        address, is_release = find_address(Path(self.root))
        tag = f"v{metadata['version']}" if is_release else "HEAD"
        page = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = complete_links(page, address, tag)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        site = find_site(Path(self.root))
        if address:
            metadata["urls"] = {
                **({"Homepage": site} if site else {}),
                "Repository": address,
                "Documentation": site or f"{address}/tree/{tag}/docs",
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }


def find_site(root: Path) -> str:
    """Return the address of the site without a slash at its end; empty if it is not known."""
    address = os.environ.get("JAXTUTOR_SITE", "") or _project_url(root, "Homepage")
    return address.strip().rstrip("/")


def _project_url(root: Path, label: str) -> str:
    """Return an address that a source distribution names, if the folder is one."""
    about = root / "PKG-INFO"
    text = about.read_text(encoding="utf-8") if about.is_file() else ""
    found = re.search(rf"^Project-URL: {label}, (.+)$", text, re.M)
    return found[1] if found else ""


def find_address(root: Path) -> tuple[str, bool]:
    """Return the web address of the repository, and whether it has a tag for this version.

    The address has no slash at its end, and is empty if it is not known.
    """
    if address := os.environ.get("JAXTUTOR_REPOSITORY", ""):
        is_release = True
    elif is_release := (root / "PKG-INFO").is_file():  # a source distribution
        address = _project_url(root, "Repository")
    else:
        address = _address_of_clone(root) if (root / ".git").exists() else ""
    return address.strip().rstrip("/").removesuffix(".git"), is_release


def _address_of_clone(root: Path) -> str:
    """Return where a clone came from, if a browser can open that."""
    try:
        ran = subprocess.run(
            ["git", "remote", "get-url", "origin"],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:  # no git
        return ""
    # One with a name or a password would publish it.
    return ran.stdout if re.match(r"https://[^@]+$", ran.stdout.strip()) else ""


def complete_links(page: str, address: str, tag: str) -> str:
    """Complete the relative links of a page, or replace them by their text if there is no address.

    A picture's address has to return the file itself, which `raw` does.
    """

    def complete(link: re.Match[str]) -> str:
        picture, text, target = link.groups()
        if not address:
            return "" if picture else text
        return f"{picture}[{text}]({address}/{'raw' if picture else 'blob'}/{tag}/{target})"

    return _LINK.sub(complete, page)
