"""Measures a cold `jaxtutor check` on each kind of device that JAX finds on this machine."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping

from benchmarks import Columns, Options, Row
from benchmarks.cold import OF_FLOOR, bare_script
from benchmarks.interleave import TUTOR, compare, process, surroundings
from benchmarks.lessons import choose, file_of, save

COLUMNS = Columns(
    "devices: `jaxtutor check LESSON --device NAME`, a whole process",
    floor="a bare script on it",
    notes=(
        "The script is that of the cold checks. Whether every lesson's solution and known mistakes",
        "hold on a device is what `jaxtutor lesson test --device NAME` says.",
    ),
)
USUAL = ("immutable-update", "exact-matmul")


def run(options: Options) -> Iterator[Row]:
    """Measure each lesson on each platform."""
    environ = surroundings(options.home)
    for lesson in choose(options, USUAL):
        save(file_of(options.home, lesson), lesson.solution)
        for platform in platforms(environ):
            sides = {
                "ours": process(
                    *TUTOR, "check", lesson.slug, "--device", platform, environ=environ
                ),
                "floor": bare_script(
                    lesson,
                    lesson.folder / "solution.py",
                    {**environ, "JAX_PLATFORMS": {"gpu": "cuda"}.get(platform, platform)},
                ),
            }
            taken = compare(options.repeats, sides)
            yield Row(name=f"{lesson.number} on {platform}", **taken, of_floor=OF_FLOOR)


def platforms(environ: Mapping[str, str]) -> list[str]:
    """Return the platforms of this machine's devices, such as `gpu` and `cpu`."""
    listed = subprocess.run(
        [*TUTOR, "devices", "--json"], env=environ, capture_output=True, check=True
    )
    names = [device["name"].partition(":")[0] for device in json.loads(listed.stdout)["devices"]]
    return list(dict.fromkeys(names))
