"""Writes a small project of three steps to disk, for tests."""

from __future__ import annotations

from pathlib import Path

from jaxtutor.content.course import Course
from jaxtutor.content.loading import load_course
from trials.sample_lessons import CHECKS, INFO, PAGE, SOLUTION, STARTER, make_lesson

NAMES = ("double", "fourfold", "eightfold")
FOURFOLD = '''def fourfold(x):
    """Return x with every element times four."""
    return double(double(x))
'''
EIGHTFOLD = '''def eightfold(x):
    """Return x with every element times eight."""
    return fourfold(double(x))
'''
TODO = '''def {name}(x):
    """Return x with every element times {times}."""
    # TODO: multiply.
    return x
'''
SOLUTIONS = (SOLUTION, f"{SOLUTION}\n\n{FOURFOLD}", f"{SOLUTION}\n\n{FOURFOLD}\n\n{EIGHTFOLD}")
"""The texts that pass steps 1, 2 and 3."""
STARTERS = (
    STARTER,
    TODO.format(name="fourfold", times="four"),
    TODO.format(name="eightfold", times="eight"),
)


def make_project(course: Path) -> Course:
    """Write a course with the project `small`, whose steps double, once more at each step."""
    (course / "projects" / "01_small").mkdir(parents=True)
    (course / "course.toml").write_text('title = "Small"\n')
    project = course / "projects" / "01_small"
    (project / "project.toml").write_text('title = "Small"\nsummary = "It doubles."\n')
    (project / "project.md").write_text("# Small\n\nA program that doubles, three times.\n")
    for n, name in enumerate(NAMES):
        times = 2 ** (n + 1)
        checks = CHECKS.replace("[2.0, 4.0]", f"[{times}.0, {2 * times}.0]")
        page = PAGE.replace("[2.0, 4.0]", f"[{times}.0, {2 * times}.0]").replace(
            "double(", f"{name}("
        )
        one = f"{times / 2}"
        files = {
            "starter.py": STARTERS[n],
            "solution.py": SOLUTIONS[n],
            "checks.py": checks.replace("gives([1.0])", f"gives([{one}])"),
            "lesson.md": page.replace("# [1.0]", f"# [{one}]"),
            "lesson.toml": INFO.replace('"double"', f'"{name}"'),
            "mistakes/triple.py": "# expects: check values\n"
            + SOLUTIONS[n].replace("2 * x", "3 * x")
            if n == 0
            else f"# expects: check values\ndef {name}(x):\n    return 3 * x\n",
        }
        make_lesson(project / f"{n + 1:02}_{name}", files)
    return load_course(course)
