"""Keeps the courses that a learner added: copies of git repositories at one commit, or folders.

Each course has a folder and a record of the same name beside it. git runs only here; it runs no
hook, no submodule and no helper of the repository, and asks for no password.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from jaxtutor.content.course_digest import FORM, digest
from jaxtutor.content.loading import load_course
from jaxtutor.errors import CourseError, TutorError, UsageError
from jaxtutor.storage import workspace

LONGEST = 600
"""Seconds that one git command may take: a course is small, but a network may be slow."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[\w.-]+@[\w.-]+:")
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_OPTIONS = (
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "http.lowSpeedLimit=100", "-c", "http.lowSpeedTime=30"),  # bytes per second, seconds
    *("-c", "filter.lfs.smudge=", "-c", "filter.lfs.required=false"),
    *("-c", "advice.detachedHead=false", "-c", "submodule.recurse=false"),
)
_PROTOCOLS = "file:git:http:https:ssh"
"""Not `ext`, which runs a command that the address names."""


_OTHER_REPOSITORY = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"}
"""Variables that a git hook sets for the repository that it runs in."""


class AddedCourse(Struct, frozen=True):
    """The record of a course. `commit` and `digest` are empty for a folder that is used in place.

    `ref` is the branch, tag or commit to follow; empty for the default branch.
    """

    name: str
    source: str
    folder: str
    ref: str = ""
    commit: str = ""
    digest: str = ""

    @property
    def shown_source(self) -> str:
        """The source without a password."""
        return hide_password(self.source)

    @property
    def state(self) -> str:
        """Whether the course is as it was added: sound, changed or missing."""
        folder = Path(self.folder)
        if not folder.is_dir():
            return "missing"
        if not self.digest.startswith(FORM):
            return "sound"
        try:
            return "sound" if digest(folder) == self.digest else "changed"
        except CourseError:  # a file that was read when it was added cannot be read now
            return "changed"


def hide_password(text: str) -> str:
    """Remove the user and the password from the addresses in a text."""
    return re.sub(r"(\w://)[^/@\s]*@", r"\1", text)


@dataclass(frozen=True)
class AddedCourses:
    """The courses in one folder of jaxtutor's data."""

    home: Path

    def all(self) -> list[AddedCourse]:
        """Return the courses by name; a record that cannot be read is left out."""
        found = (self._read(path) for path in sorted(self.home.glob("*.json")))
        return [course for course in found if course is not None]

    def find(self, name: str) -> AddedCourse:
        """Return a course by its name. Raises UsageError."""
        found = self._read(self.home / f"{name}.json") if NAME.fullmatch(name) else None
        if found is None:
            raise UsageError(f"No course {name!r} was added.", "See: jaxtutor course list")
        return found

    def _read(self, path: Path) -> AddedCourse | None:
        try:
            return msgspec.json.decode(path.read_bytes(), type=AddedCourse)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            return None

    def add(self, source: str, name: str = "", ref: str = "") -> AddedCourse:
        """Add the course at an address or in a folder. Raises TutorError."""
        name = name or _name_of(source)
        if not NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} cannot be a course's name.", "Choose one of letters and digits: --name"
            )
        if (self.home / f"{name}.json").exists():
            raise UsageError(
                f"A course {name} was added already.",
                f"Update it: jaxtutor course update {name}. Or choose another name: --name NAME",
            )
        return self._install(name, source, ref)

    def update(self, course: AddedCourse, ref: str = "") -> AddedCourse:
        """Replace a course by what its address has now. Raises TutorError, and then keeps it."""
        return self._install(course.name, course.source, ref or course.ref)

    def _install(self, name: str, source: str, ref: str) -> AddedCourse:
        is_address = bool(_ADDRESS.match(source))
        folder = Path(source).expanduser()
        if not is_address and not folder.is_dir():
            raise UsageError(
                f"{source} is neither a folder nor an address.",
                "Give a folder, or an address such as https://HOST/OWNER/COURSE.git",
            )
        if not is_address and not (folder / ".git").exists():
            if ref:
                raise UsageError(f"{source} is not a git repository.", "Leave out --ref.")
            load_course(folder)
            return self._record(AddedCourse(name, str(folder.resolve()), str(folder.resolve())))
        address = source if is_address else str(folder.resolve())
        with self._building() as building:
            commit = _fetch(address, ref, building / name)
            load_course(building / name)
            made = AddedCourse(name, address, str(self.home / name), ref, commit)
            made = msgspec.structs.replace(made, digest=digest(building / name))
            _replace(building / name, self.home / name)
        return self._record(made)

    def _record(self, course: AddedCourse) -> AddedCourse:
        data = msgspec.json.encode(course)
        workspace.write_atomically(self.home / f"{course.name}.json", data)
        return course

    @contextmanager
    def _building(self) -> Iterator[Path]:
        """Create a temporary folder on the same disk, which is removed whatever happens."""
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.home, prefix=".adding-") as folder:
                yield Path(folder)
        except OSError as error:
            raise TutorError(
                f"{self.home} could not be written: {workspace.explain(error)}.",
                "The course was not changed.",
            ) from error

    def remove(self, course: AddedCourse) -> None:
        """Remove a course: its copy, or only the record of a folder that is used in place."""
        (self.home / f"{course.name}.json").unlink(missing_ok=True)
        if course.commit:
            shutil.rmtree(self.home / course.name, ignore_errors=True)


def _name_of(source: str) -> str:
    last = re.split(r"[/:\\]", source.rstrip("/\\"))[-1].removesuffix(".git")
    return last if last not in ("", ".", "..") else Path(source).resolve().name


def _replace(new: Path, old: Path) -> None:
    """Put a folder in the place of another; a crash in between leaves the record of the old one."""
    aside = new.with_name("replaced")
    if old.exists():
        old.replace(aside)
    new.replace(old)


# ---------------------------------------------------------------- git


def _fetch(address: str, ref: str, folder: Path) -> str:
    """Fetch one commit of a repository into a new folder, without its history; return its name."""
    if shutil.which("git") is None:
        raise TutorError(
            "git is not installed, and a course's repository is read with it.",
            "Install git. Or unpack the course, and add its folder: jaxtutor course add FOLDER",
        )
    _git(["init", "--quiet", str(folder)], folder.parent, address)
    inside = ["--git-dir", str(folder / ".git"), "--work-tree", str(folder)]
    target = "FETCH_HEAD"
    try:
        fetch = [*inside, "fetch", "--quiet", "--depth=1", "--", address, ref or "HEAD"]
        _git(fetch, folder, address)
    except CourseError:
        if not _COMMIT.fullmatch(ref):
            raise
        # Some servers send a commit only with the branches that contain it.
        branches = "+refs/heads/*:refs/remotes/origin/*"
        _git([*inside, "fetch", "--quiet", "--tags", "--", address, branches], folder, address)
        target = ref
    _git([*inside, "checkout", "--quiet", "--force", target], folder, address)
    commit = _git([*inside, "rev-parse", "HEAD"], folder, address).strip()
    shutil.rmtree(folder / ".git")
    return commit


def _git(words: list[str], folder: Path, address: str) -> str:
    """Run git. Raises CourseError with what git says."""
    environ = {
        **{name: value for name, value in os.environ.items() if name not in _OTHER_REPOSITORY},
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_SSH_COMMAND": os.environ.get("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
        "GIT_ALLOW_PROTOCOL": _PROTOCOLS,
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            ["git", *_OPTIONS, *words],
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        says = f"{hide_password(address)} did not answer within {LONGEST} s."
        raise CourseError(says) from error
    if done.returncode:
        says = f"{address} could not be read: {_reason(done.stderr)}"
        raise CourseError(hide_password(says), *_remedy(done))
    return done.stdout


def _reason(said: str) -> str:
    lines = [line.removeprefix("fatal: ").removeprefix("error: ") for line in said.splitlines()]
    lines = [line.rstrip(".") for line in lines if line.strip()]
    return f"{lines[0]}." if lines else "git gives no reason."


_REMEDIES = {
    "could not resolve host": "Is this machine connected? Behind a proxy, set HTTPS_PROXY.",
    "failed to connect": "Is this machine connected? Behind a proxy, set HTTPS_PROXY.",
    "proxy": "Check the variable HTTPS_PROXY.",
    "no space left": "Free some disk space and try again.",
    "couldn't find remote ref": "Check --ref: a branch, a tag, or a commit in full.",
    "not our ref": "The commit is not there any more. See what is: git ls-remote ADDRESS",
    "not a tree": "The commit is not there any more. See what is: git ls-remote ADDRESS",
    "could not read username": "The address is wrong, or the repository is not public.",
    "not found": "The address is wrong, or the repository is not public.",
    "does not exist": "The address is wrong, or the repository was moved.",
}


def _remedy(done: subprocess.CompletedProcess[str]) -> list[str]:
    said = done.stderr.lower()
    return [next((remedy for words, remedy in _REMEDIES.items() if words in said), "")]
