"""Ships the answers of the lessons as text, and a README whose links work on other pages.

A checkout and the source distribution hold plain Python files. In the wheel `solution.py`, and what
lies in `also/` and `mistakes/`, gets the suffix `.txt`: bytecode of a solution could be imported
without its text ever being opened, which a check would not notice.

The links of README.md are relative, so they work in every clone and archive. On the page of a
package index they would lead nowhere. With the address of the repository they are completed, and
`project.urls` is filled in; without it, a link becomes its text and a picture is left out. The
address is the variable JAXTUTOR_REPOSITORY, which the release workflow sets, or where the clone or
the source distribution came from.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ANSWERS = ("**/solution.py", "**/also/*.py", "**/mistakes/*.py")


class AnswersAsText(BuildHookInterface[Any]):
    """Renames the lessons' answers on their way into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the renamed files; pyproject.toml excludes the originals from the wheel."""
        if self.target_name != "wheel" or version == "editable":
            return
        lessons = Path(self.root) / "lessons"
        for pattern in ANSWERS:
            for path in sorted(lessons.glob(pattern)):
                place = path.relative_to(self.root).as_posix()
                build_data["force_include"][str(path)] = f"jaxtutor/{place}.txt"


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
        if address:
            metadata["urls"] = {
                "Repository": address,
                "Documentation": f"{address}/tree/{tag}/docs",
                "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
                "Issues": f"{address}/issues",
            }


def find_address(root: Path) -> tuple[str, bool]:
    """Return the web address of the repository, and whether it has a tag for this version.

    The address has no slash at its end, and is empty if it is not known.
    """
    about = root / "PKG-INFO"  # of a source distribution
    if address := os.environ.get("JAXTUTOR_REPOSITORY", ""):
        is_release = True
    elif is_release := about.is_file():
        found = re.search(r"^Project-URL: Repository, (.+)$", about.read_text("utf-8"), re.M)
        address = found[1] if found else ""
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
