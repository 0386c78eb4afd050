"""Builds folders of a class in which Python, submissions and private files lie in each other.

It runs as a program within an outer bubblewrap, in which /opt, /srv, /home and others are empty and
writable, so that a layout uses them without touching those of the machine:

    layouts.py look LAYOUT     print what a confined Python sees of the private files
    layouts.py grade LAYOUT    print the report of `grade`, of a file that tries to open them
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

MARK = "s3cret"
"""In the name and the text of each private file."""

EMPTY = ("/usr/src", "/usr/share/man", "/opt", "/srv", "/home", "/tmp")
"""Folders of the machine that a layout may fill, unless Python lies in one of them."""

LOOKING = """
import json, os, sys
files, tops = json.loads(sys.argv[1])
opened, listed = [], []
for path in files:
    try:
        open(path).close()
        opened.append(path)
    except OSError:
        pass
for top in tops:
    for folder, folders, names in os.walk(top):
        listed += [folder + "/" + name for name in names if "s3cret" in name]
print(json.dumps([opened, listed, open("/proc/1/cmdline").read().split(chr(0))]))
"""
"""Tries to open each private file, and searches for others. Prints its parent's command, too."""

RIGHT = "def double(x):\n    return 2 * x\n"
TRYING = """import os
for path in {secrets}:
    try:
        open(path).close()
    except OSError:
        continue
    raise AssertionError("opened " + path)
for top in {tops}:
    for folder, _, names in os.walk(top):
        for name in names:
            assert "s3cret" not in name, "found " + folder


"""
"""What a submission does while it is imported. It passes if nothing of it succeeds."""


@dataclass(frozen=True)
class Layout:
    """Where things lie: in a folder of the machine, a home (`~`), the class (`C`), Python's (`V`).

    `search` is PYTHONPATH, and `directory` the working directory. `link` is a second name of the
    class's folder, by which everything is named.
    """

    home: str
    classroom: str
    environment: str
    submissions: str
    roster: str
    data: str
    course: str
    search: str
    directory: str
    link: str
    is_editable: bool


@dataclass(frozen=True)
class Places:
    """The folders of a layout that was built, and the private files in them."""

    python: str
    classroom: str
    submissions: str
    roster: str
    out: str
    course: str
    directory: str
    environ: dict[str, str]
    secrets: tuple[str, ...]
    tops: tuple[str, ...]


def build(layout: Layout) -> Places:
    """Make the folders, an environment, and a file of each person's that no other may read."""
    from trials.sample_lessons import make_lesson

    home = layout.home
    names = {"~": home}
    names["V"] = _place(layout.environment, names | {"C": _place(layout.classroom, names)})
    names["C"] = _place(layout.classroom, names)
    for folder in (home, names["C"]):
        Path(folder).mkdir(parents=True, exist_ok=True)
    _make_environment(Path(names["V"]), names["C"] if layout.is_editable else "")
    if layout.link:
        link = Path(_place(layout.link, names))
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(names["C"])
        names["C"] = str(link)
    submissions, roster, data, course = (
        Path(_place(it, names))
        for it in (layout.submissions, layout.roster, layout.data, layout.course)
    )
    out = Path(names["C"], "out")
    secrets = [
        *(submissions / name / f"{MARK}.py" for name in ("ann", "bob")),
        *(roster.parent / f"{MARK}.csv", data / "data" / f"{MARK}.bin", out / f"{MARK}.html"),
        *(Path(home, ".ssh", MARK), course / "01_a" / "01_double" / f"{MARK}.py"),
    ]
    if layout.directory != "/":
        secrets.append(Path(_place(layout.directory, names), f"{MARK}.txt"))
    make_lesson(course / "01_a" / "01_double")
    for path in (*secrets, roster):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("name\nann\nbob\neve\n")
    real = {os.path.realpath(path) for path in secrets}
    return Places(
        python=f"{names['V']}/bin/python",
        classroom=names["C"],
        submissions=str(submissions),
        roster=str(roster),
        out=str(out),
        course=str(course),
        directory=_place(layout.directory, names),
        environ={
            "HOME": home,
            "JAXTUTOR_HOME": str(data),
            "PYTHONPATH": _place(layout.search, names) if layout.search else "",
        },
        secrets=tuple(sorted({*map(str, secrets), *real})),
        tops=tuple(sorted({str(Path(path).parent.parent) for path in real})),
    )


def _place(text: str, names: dict[str, str]) -> str:
    """Replace the letter for a folder at the beginning of a path."""
    head, slash, rest = text.partition("/")
    return names.get(head, head) + slash + rest


def _make_environment(folder: Path, editable: str) -> None:
    """Make an environment as `python -m venv` does, which also finds what this Python finds."""
    base = Path(getattr(sys, "_base_executable", sys.executable))
    packages = folder / "lib" / "python{}.{}".format(*sys.version_info) / "site-packages"
    for inner in (folder / "bin", folder / "include", packages):
        inner.mkdir(parents=True, exist_ok=True)
    (folder / "lib64").symlink_to("lib")
    (folder / "bin" / "python").symlink_to(base)
    (folder / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    found = [*filter(None, sys.path[1:]), *([editable] if editable else [])]
    (packages / "layout.pth").write_text("\n".join(found))


def look(places: Places) -> None:
    """Run a confined Python that looks for the private files, and print what it saw."""
    from jaxtutor.content.lesson import Lesson
    from jaxtutor.errors import TutorError
    from jaxtutor.processes import sandbox
    from jaxtutor.processes.spawn import confined_command

    data = Path(places.environ["JAXTUTOR_HOME"])
    private = (places.submissions, places.roster, places.out, data / "workspace", data / "data")
    lesson = Lesson(Path(places.course, "01_a", "01_double"), "1.1", "double")
    try:
        wrap = sandbox.wrap(lesson, tuple(Path(it) for it in private))
    except TutorError as error:
        print(json.dumps({"refused": error.message}))
        return
    program = [sys.executable, "-I", "-c", LOOKING, json.dumps([places.secrets, places.tops])]
    with confined_command(wrap, program) as (command, arguments):
        ran = subprocess.run(
            command, pass_fds=arguments, check=True, stdout=subprocess.PIPE, text=True
        )
    opened, listed, parent = json.loads(ran.stdout)
    named = [word for word in parent[: parent.index("-c")] if "/" in word]
    print(json.dumps({"opened": opened, "listed": listed, "named": named}))


def grade(places: Places) -> None:
    """Grade a right file, and one that is right if it finds no private file."""
    # Opening the lesson's solution is noticed, whether it exists or not.
    secrets = [it for it in places.secrets if not it.startswith(os.path.realpath(places.course))]
    trying = TRYING.format(secrets=secrets, tops=places.tops)
    for name, source in (("bob", RIGHT), ("eve", trying + RIGHT)):
        file = Path(places.submissions, name, "double.py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(source)
    command = [sys.executable, "-m", "jaxtutor", "grade", places.submissions, "--json"]
    command += ["--lesson", "double", "--course", places.course, "--roster", places.roster]
    os.execv(sys.executable, [*command, "--feedback", places.out])


# ---------------------------------------------------------------- from outside


def outside() -> Iterator[str]:
    """Yield the outer bubblewrap's arguments: the machine, with some of its folders empty."""
    yield from ("bwrap", "--dev-bind", "/", "/")
    if os.geteuid() == 0:
        yield from ("--cap-add", "ALL")
    for place in empty_folders():
        yield from ("--tmpfs", place)
    yield "--"


def empty_folders() -> list[str]:
    """Return the folders that can be emptied: all that hold neither Python nor these tests."""
    needed = filter(None, (sys.prefix, sys.base_prefix, __file__, *sys.path))
    real = [Path(os.path.realpath(it)) for it in needed]
    return [
        place
        for place in EMPTY
        if Path(place).is_dir() and not any(it.is_relative_to(place) for it in real)
    ]


def run(action: str, layout: Layout) -> str:
    """Build a layout, do one of this program's actions in it, and return what it printed."""
    command = [*outside(), sys.executable, __file__, action, json.dumps(asdict(layout))]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, env=environ, check=False, capture_output=True, text=True)
    assert ran.stdout, ran.stderr
    return ran.stdout


def main() -> None:
    """Build the layout, and go on with its Python in its working directory."""
    action, text = sys.argv[1:]
    fields = json.loads(text)
    if "python" in fields:
        {"look": look, "grade": grade}[action](Places(**fields))
        return
    places = build(Layout(**fields))
    os.chdir(places.directory)
    os.environ.update(places.environ)
    words = [places.python, __file__, action, json.dumps(asdict(places))]
    os.execv(places.python, words)


if __name__ == "__main__":
    main()
