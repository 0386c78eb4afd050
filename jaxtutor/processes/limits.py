"""Reports which limits on tasks and memory are in force for confined runs on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache

from jaxtutor.core.data.worker_options import JOINED_VARIABLE
from jaxtutor.processes import control_groups, scopes

PROBE_SECONDS = 5.0

GROUP, RESOURCE_LIMIT, WATCHED, NONE = "control group", "resource limit", "watched", "none"


@dataclass(frozen=True)
class Limits:
    """How the tasks and the memory of a run are limited."""

    tasks: str
    memory: str

    @property
    def sentence(self) -> str:
        """One line for a person."""
        tasks = {
            GROUP: "The number of processes is limited by a control group",
            RESOURCE_LIMIT: "The number of processes is limited by RLIMIT_NPROC",
            NONE: "The number of processes is not limited",
        }
        memory = {GROUP: "so is memory", WATCHED: "memory is checked ten times a second"}
        if self.tasks != GROUP and self.memory == GROUP:
            return f"{tasks[self.tasks]}; memory is limited by a control group."
        return f"{tasks[self.tasks]}; {memory[self.memory]}."


@cache
def find_limits() -> Limits:
    """Find out which limits hold, by running a process under them."""
    name = f"probe-{os.getpid()}"
    group = control_groups.create(name, 16, 64) or scopes.create(name, 16, 64)
    if group is not None:
        try:
            if _can_join(group):
                return Limits(GROUP, GROUP if group.limits_memory else WATCHED)
        finally:
            group.remove()
    return Limits(RESOURCE_LIMIT if _has_task_limit() else NONE, WATCHED)


def _can_join(group: control_groups.ControlGroup) -> bool:
    command = [*group.prefix, "/bin/sh", "-c", f'[ "${JOINED_VARIABLE}" ]']
    try:
        tried = subprocess.run(
            command, stdin=subprocess.DEVNULL, timeout=PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tried.returncode == 0


def _has_task_limit() -> bool:
    """Return whether RLIMIT_NPROC exists; outside Linux it does not hold for root."""
    try:
        from resource import RLIMIT_NPROC
    except ImportError:
        return False
    return RLIMIT_NPROC >= 0 and (sys.platform.startswith("linux") or os.geteuid() != 0)
