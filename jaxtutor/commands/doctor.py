"""Examines an installation: gathers facts for `core.reporting.health` to judge.

jax is started once, in a worker, the way a check starts it.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, distributions
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from jaxtutor.content.course import Course
from jaxtutor.core.data.ownership import find_folder_problem, find_intrusion
from jaxtutor.core.reporting.health import (
    LEAST_SPACE,
    Hardware,
    HealthItem,
    Package,
    Screen,
    judge_accelerators,
    judge_jax,
    judge_jaxlib,
    judge_libraries,
    judge_limits,
    judge_plugins,
    judge_programs,
    judge_python,
    judge_sandbox,
    judge_screen,
    judge_start,
)
from jaxtutor.errors import CourseError, StoreError, TutorError
from jaxtutor.storage import clock
from jaxtutor.storage.caches import STAMP
from jaxtutor.storage.workspace import Workspace, explain, write_atomically
from jaxtutor.system import accelerators, packages

if TYPE_CHECKING:
    from jaxtutor.app import App

SAVE_TIMEOUT = 5.0
"""Seconds within which a save must be noticed."""


def examine(app: App) -> Iterator[HealthItem]:
    """Examine everything that a session needs; a failed item does not stop the examination."""
    yield judge_python(platform.python_version())
    jax = find_package("jax")
    yield judge_jax(jax)
    if jax.version:
        yield judge_jaxlib(jax, find_package("jaxlib"))
        yield from judge_plugins(jax, find_plugins())
        yield look_at_libraries()
        yield from try_worker(app)
    yield from try_sandbox()
    yield from look_for_editor(app)
    yield from judge_screen(look_at_screen(app))
    yield from look_at_settings(app)
    try:
        workspace = app.workspace
    except TutorError as error:
        yield _wrong("files", error)
    else:
        yield from look_at_folders(workspace)
        yield from look_at_programs(workspace.programs)
        yield try_watch(workspace.root)
        yield from look_at_store(app)
    yield from look_at_course(app)


def _wrong(name: str, error: TutorError) -> HealthItem:
    return HealthItem(name, "wrong", error.message.rstrip("."), error.remedy)


# ---------------------------------------------------------------- jax


def find_package(name: str) -> Package:
    """Look up an installed package by its metadata, without importing it."""
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return Package(name)
    return Package(name, found.version, tuple(found.requires or ()))


def look_at_libraries() -> HealthItem:
    """Look up the versions of the libraries that lessons use."""
    names = map(packages.name_of, packages.LIBRARIES)
    versions = {name: packages.installed_version(name) for name in names}
    return judge_libraries(packages.LIBRARIES, versions, packages.INSTALL_LIBRARIES)


def find_plugins() -> list[Package]:
    """Find the packages that add devices to jax, such as `jax-cuda13-plugin`."""
    found = {(it.metadata["Name"] or "").lower().replace("_", "-"): it for it in distributions()}
    names = [name for name in sorted(found) if name.startswith("jax-") and name.endswith("-plugin")]
    return [Package(name, found[name].version) for name in names]


def try_worker(app: App) -> Iterator[HealthItem]:
    """Start a worker and list the devices that JAX finds."""
    from jaxtutor.core.data.requests import DevicesRequest
    from jaxtutor.processes.environment import refuse_environment
    from jaxtutor.processes.runner import Runner
    from jaxtutor.processes.spawn import Kind

    runner = Runner()
    started = time.monotonic()
    seen: list[str] = []
    try:
        outcome = runner.run(DevicesRequest(), Kind(app.options.device))
        refuse_environment(outcome)
        if outcome.machine is not None:
            seen = [device.name for device in outcome.machine.devices]
            yield judge_start(seen, time.monotonic() - started)
    except TutorError as error:
        yield _wrong("devices", error)
    finally:
        runner.close()
    found = accelerators.look(app.environ)
    hardware = Hardware(found.cards, found.ready, found.plugins)
    yield from judge_accelerators(hardware, seen, app.environ)


def try_sandbox() -> Iterator[HealthItem]:
    """Try how submissions are limited and confined here."""
    from jaxtutor.processes import sandbox
    from jaxtutor.processes.limits import find_limits

    found, limits = sandbox.probe(), find_limits()
    yield judge_sandbox(found.problem, found.remedy)
    yield judge_limits(limits.sentence.rstrip("."), limits.tasks != "none")


# ---------------------------------------------------------------- editor and screen


def look_for_editor(app: App) -> Iterator[HealthItem]:
    """Find the editor that `start` opens."""
    from jaxtutor.system.editor import NoEditor

    try:
        remembered = app.store.setting("editor")
    except TutorError:
        remembered = None
    try:
        found = app.find_editor(remembered)
    except TutorError as error:
        yield _wrong("editor", error)
        return
    if isinstance(found, NoEditor):
        remedy = "Install one, or name yours: jaxtutor config set editor COMMAND"
        yield HealthItem("editor", "wrong", "no editor is set, and no known one was found", remedy)
        return
    by = {
        "remembered": "chosen in an earlier session",
        "found": "the first one found; VISUAL and EDITOR are not set",
    }
    yield HealthItem(
        "editor", "well", f"{found.name}, {by.get(found.origin, f'from {found.origin}')}"
    )


def look_at_screen(app: App) -> Screen:
    """Collect what the terminal reports about itself."""
    colours = {None: "no colour", "standard": "16 colours", "256": "256 colours"}
    size = shutil.get_terminal_size()
    return Screen(
        is_terminal=app.stdout.isatty(),
        columns=size.columns,
        rows=size.lines,
        term=app.environ.get("TERM", ""),
        encoding=app.stdout.encoding or "ascii",
        colours=colours.get(app.console.color_system, "all colours"),
    )


def look_at_settings(app: App) -> Iterator[HealthItem]:
    """Report the settings in force that are not defaults, and what is wrong with any."""
    from jaxtutor.commands.config import describe_origin, look_up, write
    from jaxtutor.core.data.settings import DEFAULT

    found, problems = look_up(app.settings)
    for message, remedy in problems:
        yield HealthItem("settings", "wrong", message.rstrip("."), remedy)
    chosen = [it for it in found if it.origin != DEFAULT]
    says = [f"{it.setting.name} is {write(it.value)}, {describe_origin(it)}" for it in chosen]
    path = app.settings.path
    there = path is not None and path.exists()
    file = f"{path}" if there else f"no settings file; it would be {path}"
    yield HealthItem("settings", "well", "; ".join([*(says or ["all are defaults"]), file]))


# ---------------------------------------------------------------- files


def look_at_folders(workspace: Workspace) -> Iterator[HealthItem]:
    """Report whether both folders are writable and have space."""
    for name, folder in (("workspace", workspace.root), ("data", workspace.data)):
        there = _nearest(folder)
        free = shutil.disk_usage(there).free
        if not os.access(there, os.W_OK | os.X_OK):
            remedy = "Check the permissions, or set JAXTUTOR_HOME to another folder."
            yield HealthItem(name, "wrong", f"{there} is not writable", remedy)
        elif free < LEAST_SPACE:
            says = f"the disk of {folder} has {free >> 20} MiB free"
            yield HealthItem(name, "wrong", says, "Free some disk space.")
        else:
            created = "" if there == folder else ", created when needed"
            yield HealthItem(name, "well", f"{folder}{created}")


def look_at_programs(folder: Path) -> Iterator[HealthItem]:
    """Report whether the compiled programs of earlier checks are used; nothing if there are none.

    What they hold is run as machine code, so what others could have written is not loaded.
    """
    user = os.geteuid() if hasattr(os, "geteuid") else None
    try:
        status = folder.lstat()
    except OSError:
        return
    problem = find_folder_problem(status.st_mode, status.st_uid, user)
    unusable = 0
    if not problem:
        for entry in os.scandir(folder):
            if entry.name == STAMP:  # empty, and never loaded
                continue
            held = entry.stat(follow_symlinks=False)
            is_plain = stat.S_ISREG(held.st_mode)
            unusable += not is_plain or bool(find_intrusion(held.st_mode, held.st_uid, user))
    yield judge_programs(str(folder), problem, unusable)


def _nearest(folder: Path) -> Path:
    """Return the folder, or its nearest ancestor that exists."""
    return next(it for it in (folder, *folder.parents) if it.is_dir())


def try_watch(root: Path) -> HealthItem:
    """Save a file in the workspace, and measure how long the watcher takes to notice."""
    from jaxtutor.core.debounce import Saved
    from jaxtutor.watch.file_watcher import FileWatcher

    events: SimpleQueue[object] = SimpleQueue()
    try:
        with tempfile.TemporaryDirectory(dir=_nearest(root), prefix=".jaxtutor-doctor-") as folder:
            path = Path(folder, "saved.py")
            write_atomically(path, b"x = 1\n")
            with FileWatcher(path, lambda _, event: events.put(event), known=b"x = 1\n"):
                time.sleep(0.1)
                started = time.monotonic()
                write_atomically(path, b"x = 2\n")
                event = events.get(timeout=SAVE_TIMEOUT)
                seconds = time.monotonic() - started
    except Empty:
        says = f"a save in {root} was not noticed within {SAVE_TIMEOUT:g} s"
        remedy = "Use a folder on another file system: --workspace DIR."
        return HealthItem("watch", "wrong", says, remedy)
    except (OSError, TutorError) as error:
        why = explain(error) if isinstance(error, OSError) else error.message
        remedy = "Check the permissions, or choose another folder: --workspace DIR."
        return HealthItem("watch", "wrong", f"cannot watch files in {root}: {why}", remedy)
    if not isinstance(event, Saved):
        says, remedy = f"a save in {root} was not recognised", "Choose another: --workspace DIR."
        return HealthItem("watch", "wrong", says, remedy)
    return HealthItem("watch", "well", f"a save is noticed after {seconds * 1000:.0f} ms")


def look_at_store(app: App) -> Iterator[HealthItem]:
    """Read the whole progress file, and look for files set aside as damaged."""
    from jaxtutor.storage.store import Store

    path = app.workspace.progress
    notices: list[str] = []
    try:
        with Store(path, "jaxtutor", clock.now, notices.append) as store:
            problem = store.examine()
            attempts = sum(done.attempts for done in store.progress().values())
    except StoreError as error:
        yield _wrong("progress", error)
        return
    if problem:
        remedy = "Make a copy of it. jaxtutor moves what it can read to a new file when needed."
        yield HealthItem("progress", "wrong", f"{path} is damaged: {problem}", remedy)
    else:
        yield HealthItem("progress", "well", f"{attempts} attempts in {path}")
    for notice in notices:
        yield HealthItem("progress", "note", notice.rstrip("."))
    for aside in sorted(path.parent.glob(f"{path.stem}.damaged-*{path.suffix}")):
        remedy = "Delete it if nothing is missing from your progress."
        yield HealthItem(
            "progress", "note", f"a damaged progress file was set aside: {aside.name}", remedy
        )


def look_at_course(app: App) -> Iterator[HealthItem]:
    """Read the files of every lesson."""
    try:
        course = app.course
    except CourseError as error:
        yield _wrong("course", error)
        return
    broken = [
        problem for lesson in course.every_lesson if (problem := _problem(course, lesson.slug))
    ]
    for problem in broken:
        yield HealthItem(
            "course", "wrong", problem, "Reinstall jaxtutor, or report it to the course's author."
        )
    if not broken:
        count, chapters = len(course.lessons), len(course.chapters)
        yield HealthItem(
            "course", "well", f"{count} lessons in {chapters} chapters, {course.folder}"
        )


def _problem(course: Course, slug: str) -> str:
    lesson = course.find(slug)
    try:
        info, page, starter, solution = lesson.info, lesson.page, lesson.starter, lesson.solution
    except CourseError as error:
        return error.message.rstrip(".")
    whole = info.hints and page and starter and solution
    return "" if whole else f"Lesson {slug} has an empty file"
