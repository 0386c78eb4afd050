"""Defines spoilt courses, careless or malicious, each with one fault.

Every course has two lessons, and the fault is in the first. Their programs leave a mark next to the
course if they are run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from trials import sample_lessons

SECRET = "the-neighbours-secret-5b1f"
OBEYED = "\x1b[7777m\x1b]0;owned\x07\x1b]8;;file:///etc/passwd\x1b\\x\x1b]8;;\x1b\\"
"""Escape sequences: a style that nothing else sets, a title, and a link."""
NASTY = OBEYED + "\x00\x07\x08\x0b\x0c\r\x7f\x9b31m\x9d\u202eback\u2066\u200f"
IN_TOML = "".join(f"\\u{ord(sign):04x}" for sign in NASTY)
MARKUP = "[red]markup[/red] [link=file:///etc/passwd]link[/link] [/nothing] :bomb:"


@dataclass(frozen=True)
class Spot:
    """The folders of one trial. Only `course` may be read."""

    top: Path

    @property
    def course(self) -> Path:
        """The course's folder."""
        return self.top / "course"

    @property
    def lesson(self) -> Path:
        """The spoilt lesson's folder."""
        return self.course / "01_basics" / "01_double"

    @property
    def outside(self) -> Path:
        """Files that no command may open: a secret, a lesson, a pipe."""
        return self.top / "outside"

    @property
    def ran(self) -> Path:
        """The mark that a program of the course leaves."""
        return self.top / "ran"

    def write(self, name: str, text: str | bytes) -> None:
        """Write one of the lesson's files."""
        path = self.lesson / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)

    def link(self, name: str, target: Path | str) -> None:
        """Replace one of the lesson's files by a link."""
        (self.lesson / name).unlink()
        (self.lesson / name).symlink_to(target)


Trap = Callable[[Spot], None]
TRAPS: dict[str, Trap] = {}


def trap(made: Trap) -> Trap:
    """Register a trap under the words of its function's name."""
    TRAPS[made.__name__.strip("_").replace("_", " ")] = made
    return made


def lay_out(top: Path, name: str) -> Spot:
    """Create the folders of a trial, and spoil the course."""
    spot = Spot(top)
    spot.outside.mkdir(parents=True)
    (spot.top / "home").mkdir()
    (spot.top / "cwd").mkdir()
    marked = f'open({str(spot.ran)!r}, "a").write(__name__)\n'
    files = {
        name: text + marked if name.endswith(".py") else text
        for name, text in sample_lessons.FILES.items()
    }
    mistake = (
        f"# expects: check values\n{sample_lessons.SOLUTION.replace('2 * x', '3 * x')}{marked}"
    )
    files["mistakes/triple.py"] = mistake
    sample_lessons.make_lesson(spot.lesson, files)
    sample_lessons.make_lesson(spot.course / "01_basics" / "02_other", files)
    sample_lessons.make_lesson(spot.outside / "01_outside" / "01_elsewhere", files)
    (spot.course / "course.toml").write_text('title = "Others\' course"\n')
    (spot.outside / "secret.txt").write_text(SECRET)
    (spot.outside / "secret.py").write_text(f"# {SECRET}\n{marked}")
    (spot.outside / "secret.toml").write_text(
        sample_lessons.INFO.replace("Double it", SECRET).replace("Think", SECRET)
    )
    os.mkfifo(spot.outside / "pipe")
    TRAPS[name](spot)
    return spot


def info(**changed: str) -> str:
    """Return a `lesson.toml` with some keys replaced."""
    lines = dict(line.split(" = ", 1) for line in sample_lessons.INFO.strip().split("\n"))
    tables = changed.pop("tables", "")
    return "".join(f"{key} = {text}\n" for key, text in {**lines, **changed}.items()) + tables


def _in_files(names: Mapping[str, str]) -> Trap:
    def spoil(spot: Spot) -> None:
        for name, text in names.items():
            spot.write(name, text)

    return spoil


# ---------------------------------------------------------------- links to the outside


@trap
def page_is_a_link_outside(spot: Spot) -> None:
    spot.link("lesson.md", spot.outside / "secret.txt")


@trap
def toml_is_a_link_outside(spot: Spot) -> None:
    spot.link("lesson.toml", spot.outside / "secret.toml")


@trap
def starter_is_a_link_outside(spot: Spot) -> None:
    spot.link("starter.py", "../../../outside/secret.py")


@trap
def solution_is_a_link_outside(spot: Spot) -> None:
    spot.link("solution.py", spot.outside / "secret.py")


@trap
def checks_is_a_link_outside(spot: Spot) -> None:
    spot.link("checks.py", spot.outside / "secret.py")


@trap
def chapter_page_is_a_link_outside(spot: Spot) -> None:
    (spot.course / "01_basics" / "chapter.md").symlink_to(spot.outside / "secret.txt")


@trap
def course_toml_is_a_link_outside(spot: Spot) -> None:
    (spot.course / "course.toml").unlink()
    (spot.course / "course.toml").symlink_to(spot.outside / "secret.txt")


@trap
def chapter_is_a_link_outside(spot: Spot) -> None:
    (spot.course / "03_gone").symlink_to(spot.outside / "01_outside")


@trap
def lesson_is_a_link_outside(spot: Spot) -> None:
    (spot.course / "01_basics" / "03_gone").symlink_to(spot.outside / "01_outside/01_elsewhere")


@trap
def mistakes_are_a_link_outside(spot: Spot) -> None:
    (spot.lesson / "mistakes" / "triple.py").unlink()
    (spot.lesson / "mistakes").rmdir()
    (spot.lesson / "mistakes").symlink_to(spot.outside)
    (spot.lesson / "also").symlink_to(spot.outside)


@trap
def a_mistake_is_a_link_outside(spot: Spot) -> None:
    (spot.lesson / "mistakes" / "odd.py").symlink_to(spot.outside / "secret.py")
    (spot.lesson / "also").mkdir()
    (spot.lesson / "also" / "odd.py").symlink_to(spot.outside / "secret.py")


@trap
def links_in_a_circle(spot: Spot) -> None:
    spot.link("lesson.md", "starter.py")
    spot.link("starter.py", "lesson.md")
    (spot.course / "01_basics" / "03_round").symlink_to("../01_basics")
    (spot.course / "02_round").symlink_to(spot.course)


@trap
def files_are_links_to_zeros(spot: Spot) -> None:
    for name in ("lesson.md", "lesson.toml", "starter.py"):
        spot.link(name, "/dev/zero")


@trap
def checks_is_a_link_to_zeros(spot: Spot) -> None:
    spot.link("checks.py", "/dev/zero")


@trap
def files_are_pipes(spot: Spot) -> None:
    for name in ("lesson.md", "lesson.toml", "starter.py", "solution.py", "checks.py"):
        (spot.lesson / name).unlink()
        os.mkfifo(spot.lesson / name)


@trap
def checks_is_a_pipe(spot: Spot) -> None:
    (spot.lesson / "checks.py").unlink()
    os.mkfifo(spot.lesson / "checks.py")


@trap
def pages_are_pipes(spot: Spot) -> None:
    (spot.lesson / "lesson.md").unlink()
    os.mkfifo(spot.lesson / "lesson.md")
    os.mkfifo(spot.course / "01_basics" / "chapter.md")
    (spot.course / "course.toml").unlink()
    os.mkfifo(spot.course / "course.toml")


@trap
def files_are_folders(spot: Spot) -> None:
    for name in ("lesson.md", "checks.py", "starter.py"):
        (spot.lesson / name).unlink()
        (spot.lesson / name).mkdir()


@trap
def files_cannot_be_read(spot: Spot) -> None:
    for name in ("lesson.md", "lesson.toml", "checks.py", "solution.py"):
        (spot.lesson / name).chmod(0)


# ---------------------------------------------------------------- names


def _odd_lessons(spot: Spot, *names: str) -> None:
    for name in names:
        sample_lessons.make_lesson(spot.course / "01_basics" / name)


@trap
def names_with_escapes(spot: Spot) -> None:
    _odd_lessons(spot, "03_\x1b[7777mred", "04_new\nline", "05_\u202eback", "06_tab\t")
    sample_lessons.make_lesson(spot.course / "02_\x1b[7777mred" / "01_a")
    spot.write("mistakes/\x1b[7777m\n\u202e.py", "# expects: check values\ndef double(x): pass\n")
    spot.write("also/\x1b[7777m.py", sample_lessons.SOLUTION)


@trap
def names_of_broken_bytes(spot: Spot) -> None:
    _odd_lessons(spot, os.fsdecode(b"03_\xff\xfe"))
    spot.write(os.fsdecode(b"mistakes/\xff.py"), "# expects: check values\ndef double(x): pass\n")
    spot.write(os.fsdecode(b"\xff.txt"), "stray")


@trap
def names_that_climb(spot: Spot) -> None:
    _odd_lessons(spot, "03_..", "04_.", "05_-rf", "06_~", "07_$HOME", "08_a'b\"c")


@trap
def names_very_long(spot: Spot) -> None:
    _odd_lessons(spot, f"03_{'a' * 240}")
    sample_lessons.make_lesson(spot.course / f"02_{'b' * 240}" / f"01_{'c' * 240}")


@trap
def numbers_very_long(spot: Spot) -> None:
    _odd_lessons(spot, f"{'9' * 250}_a")
    sample_lessons.make_lesson(spot.course / f"{'8' * 250}_b" / "01_c")


@trap
def names_alike_but_for_case(spot: Spot) -> None:
    _odd_lessons(spot, "01_Double", "01_DOUBLE", "03_caf\u00e9", "03_cafe\u0301")
    sample_lessons.make_lesson(spot.course / "01_Basics" / "01_double")


@trap
def names_twice(spot: Spot) -> None:
    _odd_lessons(spot, "03_double", "003_double", "3_double")
    sample_lessons.make_lesson(spot.course / "02_more" / "01_double")


@trap
def names_of_digits(spot: Spot) -> None:
    _odd_lessons(spot, "03_12", "04_1", "\u0665_five", "05__", "06_-")


@trap
def folder_of_escapes(spot: Spot) -> None:
    (spot.course / "01_basics").rename(spot.course / "01_basics_")
    (spot.course / "01_basics_").rename(spot.course / "01_basics")
    (spot.course / "\x1b[7777m").mkdir()


# ---------------------------------------------------------------- escape sequences and markup


@trap
def escapes_in_every_text_of_the_toml(spot: Spot) -> None:
    text = f'"{IN_TOML}"'
    question = (
        f'\n[[predict]]\nasks = "shape"\ncode = "x = jnp.ones(3)  # {IN_TOML}"\nof = "x"\n'
        f'answer = "(3,)"\nwhy = {text}\nsays = {text}\n'
    )
    spot.write(
        "lesson.toml",
        info(
            title=text,
            new=text,
            hints=f"[{text}, {text}, {text}]",
            tags=f"[{text}]",
            requires=f"[{text}]",
            docs=f"[{text}]",
            tables=question,
        ),
    )


@trap
def escapes_in_the_functions_name(spot: Spot) -> None:
    spot.write("lesson.toml", info(function=f'"{IN_TOML}"'))


@trap
def escapes_in_a_difficulty(spot: Spot) -> None:
    spot.write("lesson.toml", info(difficulty=f'"{IN_TOML}"'))


@trap
def escapes_in_unknown_keys(spot: Spot) -> None:
    spot.write("lesson.toml", info() + f'"{IN_TOML}" = 1\n')


@trap
def escapes_raw_in_the_toml(spot: Spot) -> None:
    spot.write("lesson.toml", info(title=f'"{NASTY}"'))


@trap
def escapes_in_pages(spot: Spot) -> None:
    page = sample_lessons.PAGE.replace("It does.", NASTY).replace("# Double it", f"# {OBEYED}")
    spot.write("lesson.md", page.replace("assert 2", f"# {NASTY}\nassert 2"))
    (spot.course / "01_basics" / "chapter.md").write_text(f"# {NASTY.replace(chr(13), '')}\n")


@trap
def escapes_in_programs(spot: Spot) -> None:
    line = f'"""{OBEYED}\x0c\u202e"""\n'
    for name in ("starter.py", "solution.py"):
        spot.write(name, line + (spot.lesson / name).read_text())
    spot.write("mistakes/triple.py", f"# expects: check values {OBEYED}\n")


@trap
def escapes_in_checks(spot: Spot) -> None:
    says = repr(NASTY)
    spot.write(
        "checks.py",
        (spot.lesson / "checks.py").read_text()
        + "from jaxtutor.core.vocabulary import Custom, Finite\n"
        + f"def test(subject):\n    print({says})\n    return {says}\n"
        + f"PROPERTIES = [Finite(EXAMPLES, name={says}, says={says}),"
        + f" Custom({says}, {says}, test)]\n",
    )


@trap
def escapes_in_what_checks_raises(spot: Spot) -> None:
    spot.write("checks.py", f"raise type({OBEYED!r}, (Exception,), {{}})({NASTY!r})\n")


@trap
def escapes_in_what_the_solution_raises(spot: Spot) -> None:
    spot.write("solution.py", f"def double(x):\n    print({NASTY!r})\n    raise OSError({NASTY!r})")


@trap
def markup_everywhere(spot: Spot) -> None:
    text = f"'{MARKUP}'"
    spot.write("lesson.toml", info(title=text, new=text, hints=f"[{text}, {text}, {text}]"))
    spot.write("lesson.md", f"# {MARKUP}\n{MARKUP}\n")
    (spot.course / "01_basics" / "chapter.md").write_text(f"# {MARKUP}\n")
    spot.write("mistakes/[bold]a[-bold].py", "# expects: check values\ndef double(x): pass\n")


@trap
def html_and_images_in_pages(spot: Spot) -> None:
    spot.write(
        "lesson.md",
        "# Double it\n<script>alert(1)</script>\n\n<img src='file:///etc/passwd'>\n\n"
        "![picture](file:///etc/passwd) [words](javascript:run) <https://example.com>\n\n"
        "&#27;[7777m &#x1b;]8;;file:///etc/passwd&#x1b;\\\\x &#0; &#x9b;31m &#x202e;\n\n"
        "```\x1b[7777m\ncode\n```\n\n```python &#27;[7777m\ncode\n```\n"
        "| &#27;[7777m | b |\n|--|--|\n| &#27; | &#155; |\n",
    )


@trap
def pages_deeply_nested(spot: Spot) -> None:
    spot.write("lesson.md", ">" * 5000 + " deep\n" + "[" * 5000 + "\n" + "- " * 2000 + "a\n")


@trap
def pages_of_one_long_line(spot: Spot) -> None:
    spot.write("lesson.md", "# Double it\n" + "a" * 900_000 + "\n" + "*a **b" * 10_000)


# ---------------------------------------------------------------- excessive sizes


@trap
def huge_files(spot: Spot) -> None:
    for name in ("lesson.md", "lesson.toml", "starter.py", "solution.py", "checks.py"):
        with (spot.lesson / name).open("r+b") as file:
            file.truncate(100 << 20)
    with (spot.course / "01_basics" / "chapter.md").open("wb") as file:
        file.truncate(100 << 20)


@trap
def huge_checks(spot: Spot) -> None:
    with (spot.lesson / "checks.py").open("r+b") as file:
        file.truncate(4 << 30)


@trap
def many_hints(spot: Spot) -> None:
    spot.write("lesson.toml", info(hints="[" + '"a",' * 100_000 + "]"))


@trap
def many_lessons(spot: Spot) -> None:
    for number in range(3, 1003):
        folder = spot.course / "02_many" / f"{number}_lesson_{number}"
        folder.mkdir(parents=True)
        for name, text in sample_lessons.FILES.items():
            (folder / name).write_text(text)


@trap
def deep_toml(spot: Spot) -> None:
    spot.write("lesson.toml", info(title="[" * 50_000 + "]" * 50_000))


@trap
def deep_keys_in_toml(spot: Spot) -> None:
    spot.write("lesson.toml", info() + ".".join(["a"] * 20_000) + " = 1\n")


@trap
def long_numbers_in_toml(spot: Spot) -> None:
    spot.write("lesson.toml", info(minutes="9" * 100_000))


@trap
def deep_programs(spot: Spot) -> None:
    for name in ("starter.py", "solution.py", "mistakes/deep.py"):
        spot.write(name, "# expects: check values\nx = " + "(" * 90_000 + "1" + ")" * 90_000 + "\n")
    spot.write("also/deep.py", "x = " + "-" * 200_000 + "1\n")


# ---------------------------------------------------------------- wrong types


@trap
def absurd_needs(spot: Spot) -> None:
    spot.write("lesson.toml", info(tables="[needs]\ndevices = 1000000\n"))


@trap
def endless_needs(spot: Spot) -> None:
    spot.write("lesson.toml", info(tables="[needs]\nseconds = inf\nmemory = 99999999999999999\n"))


@trap
def needs_that_are_no_numbers(spot: Spot) -> None:
    spot.write("lesson.toml", info(tolerance="[nan, inf]", tables="[needs]\nseconds = nan\n"))


@trap
def huge_minutes(spot: Spot) -> None:
    spot.write("lesson.toml", info(minutes="99999999999999999999999999"))


@trap
def not_utf_8(spot: Spot) -> None:
    for name in ("lesson.md", "lesson.toml", "starter.py", "solution.py", "checks.py"):
        spot.write(name, b"\xff\xfe\x00\x1b[7777m" + (spot.lesson / name).read_bytes())


@trap
def zero_bytes(spot: Spot) -> None:
    for name in ("lesson.md", "starter.py", "solution.py", "checks.py"):
        spot.write(name, (spot.lesson / name).read_bytes() + b"\0\x1b[7777m\0")


@trap
def empty_files(spot: Spot) -> None:
    for name in ("lesson.md", "lesson.toml", "starter.py", "solution.py", "checks.py"):
        spot.write(name, b"")


@trap
def empty_texts(spot: Spot) -> None:
    spot.write("lesson.toml", info(title='""', new='""', hints="[]", function='""', minutes="1"))
    spot.write("lesson.md", "")
    (spot.course / "01_basics" / "chapter.md").write_text("#\n")


@trap
def requires_in_a_circle(spot: Spot) -> None:
    spot.write("lesson.toml", info(requires='["other", "double", "nowhere"]'))
    other = spot.course / "01_basics" / "02_other" / "lesson.toml"
    other.write_text(info(requires='["double"]'))


@trap
def unknown_keys(spot: Spot) -> None:
    spot.write("lesson.toml", info() + 'exec = "rm"\n[needs]\ngpus = 3\n')


@trap
def wrong_types(spot: Spot) -> None:
    spot.write("lesson.toml", info(title="3", hints='"one"', minutes="-1"))


@trap
def a_question_that_is_a_format(spot: Spot) -> None:
    spot.write(
        "lesson.toml",
        info(
            tables='[[predict]]\nasks = "traces"\ncode = "f = 1"\nof = "{0.__class__} {of}"\n'
            'answer = "yes"\nwhy = "{x}"\n'
        ),
    )


@trap
def names_of_pythons_own_modules(spot: Spot) -> None:
    marked = f'open({str(spot.ran)!r}, "a").write(__name__)\n'
    for name in ("typing", "jax", "json", "sitecustomize", "usercustomize"):
        for folder in (spot.course, spot.lesson, spot.lesson.parent, spot.top / "cwd"):
            (folder / f"{name}.py").write_text(marked)


@trap
def no_lessons(spot: Spot) -> None:
    spot.course.rename(spot.top / "moved")
    spot.course.mkdir()


# ---------------------------------------------------------------- harmful programs

HARM: Mapping[str, str] = {
    "checks never end": "while True: pass\n",
    "checks leave": "import os, sys\nsys.exit(0)\n",
    "checks end the process": "import os\nos._exit(0)\n",
    "checks kill themselves": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "checks print a flood": "import sys\nwhile True: print('x' * 1000)\n",
    "checks take all memory": "x = []\nwhile True: x.append(bytearray(1 << 26))\n",
    "checks fork": (
        "import os, time\nfor _ in range(4):\n    if os.fork() == 0:\n"
        "        os.setsid()\n        time.sleep(600)\n        os._exit(0)\n"
    ),
    "checks write to every pipe": (
        "import os\nfor n in range(3, 256):\n    try: os.write(n, b'garbage' * 100)\n"
        "    except OSError: pass\n"
    ),
    "checks has no examples": "EXAMPLES = []\n",
    "checks has examples without end": (
        "import itertools\nfrom jaxtutor.core.vocabulary import Call\n"
        "EXAMPLES = (Call(1.0) for _ in itertools.count())\n"
    ),
    "checks has odd properties": "PROPERTIES = [1, None, 'x']\nSTATIC = 3\nsubject = 5\n",
    "checks has invalid syntax": "def (:\n",
}
HANGING = "def double(x):\n    while True: pass\n"


def _harm(text: str) -> Trap:
    def spoil(spot: Spot) -> None:
        after = (spot.lesson / "checks.py").read_text() if not text.startswith("EXAMPLES") else ""
        before = "" if "PROPERTIES" in text else text
        spot.write("checks.py", before + after + (text if not before else ""))

    return spoil


TRAPS.update({name: _harm(text) for name, text in HARM.items()})
TRAPS["the solution hangs"] = _in_files({"solution.py": HANGING})
TRAPS["a page's program hangs"] = _in_files(
    {"lesson.md": sample_lessons.PAGE.replace("assert 2 * 2 == 4", "while True: pass")}
)
TRAPS["a question hangs"] = _in_files(
    {
        "lesson.toml": info(
            tables='[[predict]]\nasks = "shape"\ncode = "while True: pass"\nof = "x"\n'
            'answer = "(3,)"\nwhy = "It does."\n'
        )
    }
)
