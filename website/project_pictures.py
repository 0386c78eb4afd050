"""Runs the program of each project and keeps its picture: `python -m website.project_pictures`.

It takes minutes and needs matplotlib, so the pictures are stored in `docs/pictures/projects`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from jaxtutor.content.course import Chapter
from jaxtutor.content.loading import load_course

PICTURES = Path(__file__).parent.parent / "docs" / "pictures" / "projects"


def draw(project: Chapter) -> None:
    """Run a project's finished program and keep the PNG that it saves."""
    name = project.name.replace("-", "_")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, f"{name}.py")
        program.write_text(project.lessons[-1].solution, encoding="utf-8")
        subprocess.run([sys.executable, str(program)], cwd=folder, check=True)
        PICTURES.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(program.with_suffix(".png"), PICTURES / f"{project.name}.png")


def main(names: Sequence[str]) -> None:
    """Draw the pictures of the projects with these names, or of all."""
    for project in load_course(None).projects:
        if not names or project.name in names:
            draw(project)


if __name__ == "__main__":
    main(sys.argv[1:])
