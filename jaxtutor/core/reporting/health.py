"""Owns the judging of an installation: from what was found to what is wrong, and its remedy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

Standing = Literal["well", "note", "wrong"]

OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 13)
OLDEST_JAX, NEWEST_JAX = (0, 10), (0, 12)
FEWEST_COLUMNS, FEWEST_ROWS = 40, 16
LEAST_SPACE = 64 << 20
SLOW_START = 20.0


class HealthItem(Struct, frozen=True):
    """One thing that was looked at. A `note` does not keep lessons from working; a `wrong` does."""

    name: str
    standing: Standing
    says: str
    remedy: str = ""


class Package(Struct, frozen=True):
    """An installed package of jax's: its version, empty where it is missing."""

    name: str
    version: str = ""
    requires: tuple[str, ...] = ()


def numbers(version: str) -> tuple[int, ...]:
    """Read the numbers that a version begins with: `0.12.0rc1` is (0, 12, 0)."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def judge_python(version: str) -> HealthItem:
    """Tell whether this Python is one that jaxtutor was tried with."""
    here = numbers(version)[:2]
    if here > NEWEST_PYTHON:
        newest = ".".join(map(str, NEWEST_PYTHON))
        says = f"{version} is newer than {newest}, the newest that jaxtutor was tried with"
        return HealthItem("Python", "note", says, f"If something is odd, try Python {newest}.")
    return HealthItem("Python", "well", version)


# ---------------------------------------------------------------- packages


def judge_jax(jax: Package) -> HealthItem:
    """Tell whether jax is there, in a version that is supported."""
    if not jax.version:
        return HealthItem("jax", "wrong", "jax is not installed", "Install it: pip install jax")
    here = numbers(jax.version)[:2]
    if here < OLDEST_JAX:
        says = f"jax {jax.version} is too old; 0.10 is the oldest that works"
        return HealthItem("jax", "wrong", says, "Upgrade it: pip install --upgrade jax jaxlib")
    if here > NEWEST_JAX:
        says = f"jax {jax.version} is newer than 0.12, the newest that jaxtutor was tried with"
        return HealthItem("jax", "note", says, "If a diagnosis is odd, look for a newer jaxtutor.")
    return HealthItem("jax", "well", jax.version)


def judge_jaxlib(jax: Package, jaxlib: Package) -> HealthItem:
    """Tell whether jaxlib is there, and one that this jax takes."""
    mend = f"Install both anew: pip install --upgrade jax=={jax.version} jaxlib"
    if not jaxlib.version:
        return HealthItem(
            "jaxlib", "wrong", "jaxlib is not installed", "Install it: pip install jax"
        )
    wanted = [text for text in jax.requires if re.match(r"jaxlib\b", text) and ";" not in text]
    for requirement in wanted:
        if not meets(jaxlib.version, requirement):
            asked = requirement.removeprefix("jaxlib").strip()
            says = f"jaxlib {jaxlib.version} does not fit jax {jax.version}, which takes {asked}"
            return HealthItem("jaxlib", "wrong", says, mend)
    return HealthItem("jaxlib", "well", jaxlib.version)


def judge_plugins(jax: Package, plugins: Iterable[Package]) -> Iterable[HealthItem]:
    """Tell of every plugin whether it is of the same version as jax."""
    for plugin in plugins:
        if numbers(plugin.version)[:2] == numbers(jax.version)[:2]:
            yield HealthItem(plugin.name, "well", plugin.version)
            continue
        says = f"{plugin.name} {plugin.version} does not fit jax {jax.version}: jax passes it over"
        extra = plugin.name.removeprefix("jax-").removesuffix("-plugin")
        remedy = f'Install both of one version: pip install --upgrade "jax[{extra}]"'
        yield HealthItem(plugin.name, "wrong", says, remedy)


_CLAUSE = re.compile(r"(<=|>=|==|<|>)\s*([\d.]+)")


def meets(version: str, requirement: str) -> bool:
    """Tell whether a version is within the bounds of a requirement, `jaxlib<=0.12,>=0.11`."""
    here = numbers(version)
    for sign, text in _CLAUSE.findall(requirement):
        bound = numbers(text)
        size = max(len(here), len(bound))
        ours, theirs = (_padded(side, size) for side in (here, bound))
        holds = {
            "<=": ours <= theirs,
            ">=": ours >= theirs,
            "==": ours == theirs,
            "<": ours < theirs,
            ">": ours > theirs,
        }
        if not holds[sign]:
            return False
    return True


def _padded(version: tuple[int, ...], size: int) -> tuple[int, ...]:
    return version + (0,) * (size - len(version))


# ---------------------------------------------------------------- devices


class Hardware(Struct, frozen=True):
    """What there is besides the CPU: cards on the bus, devices whose driver answers, plugins."""

    cards: Mapping[str, int]
    ready: Mapping[str, int]
    plugins: tuple[str, ...]


MAKERS = {"nvidia": ("NVIDIA", "cuda"), "amd": ("AMD", "rocm"), "tpu": ("Google", "tpu")}
DRIVERS = {
    "nvidia": "Install NVIDIA's driver; `nvidia-smi` lists the card when it works. "
    "A container has to be given it (docker run --gpus all).",
    "amd": "Install ROCm's driver, which makes /dev/kfd. A container has to be given that file.",
}
PLUGINS = {"nvidia": "jax[cuda13]", "amd": "jax[rocm]", "tpu": "jax[tpu]"}


def judge_accelerators(
    hardware: Hardware, seen: Sequence[str], environ: Mapping[str, str]
) -> list[HealthItem]:
    """Tell of every accelerator why JAX sees it or not; `seen` are the names of JAX's devices."""
    if any(not name.startswith("cpu") for name in seen):
        return []  # what is seen is told already
    points = []
    for vendor in MAKERS:
        reason = _find_reason(vendor, hardware, environ)
        if reason:
            name = "TPU" if vendor == "tpu" else "GPU"
            points.append(HealthItem(name, "note", *reason))
    return points


def _find_reason(
    vendor: str, hardware: Hardware, environ: Mapping[str, str]
) -> tuple[str, str] | None:
    """Find the first thing in the way, from the hardware up; None where there is no such thing."""
    maker, kind = MAKERS[vendor]
    plugin = next((it for it in hardware.plugins if it.startswith(kind)), None)
    ready, cards = hardware.ready.get(vendor, 0), hardware.cards.get(vendor, 0)
    if not ready and cards and vendor in DRIVERS:
        return f"there is a card of {maker}'s, and no driver answers for it", DRIVERS[vendor]
    if not ready:
        if plugin is None:
            return None
        return f"the plugin {plugin} is installed, and no device of {maker}'s is here", (
            "Nothing is to be done where there is none; a container has to be given it."
        )
    if plugin is None:
        wanted = PLUGINS[vendor]
        return f"{maker}'s driver answers, and JAX has no plugin for it", (
            f'Install one: pip install "{wanted}". JAX\'s installation guide says which fits.'
        )
    return _find_setting(kind, environ)


def _find_setting(kind: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Blame the environment: the hardware, its driver and the plugin are all there."""
    platforms = environ.get("JAX_PLATFORMS", "")
    if platforms and not {kind, "gpu"} & {*platforms.split(",")}:
        return f"JAX_PLATFORMS is {platforms!r}, so JAX looks no further", (
            f"Unset it, or set it to {kind},cpu."
        )
    for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        if environ.get(name, "0").strip() in ("", "-1"):
            return f"{name} is {environ[name]!r}, which hides every device", "Unset it."
    return "driver and plugin are there, and JAX took neither", (
        'See what JAX says of it: python -c "import jax; jax.devices()"'
    )


def judge_start(seen: Sequence[str], seconds: float) -> HealthItem:
    """Tell what JAX can run on, once a worker has started."""
    says = f"{', '.join(seen)}; a worker is ready in {seconds:.1f} s"
    if seconds > SLOW_START:
        remedy = "Is the disk of a network, or is a virus scanner reading along?"
        return HealthItem("devices", "note", says, remedy)
    return HealthItem("devices", "well", says)


def judge_sandbox(problem: str, remedy: str) -> HealthItem:
    """Report whether `grade` can confine submissions; lessons work without that."""
    if not problem:
        return HealthItem("sandbox", "well", "bubblewrap works: grade confines submissions")
    return HealthItem("sandbox", "note", f"grade cannot confine submissions: {problem}", remedy)


def judge_limits(sentence: str, holds: bool) -> HealthItem:
    """Report how the processes and the memory of a submission are limited."""
    if holds:
        return HealthItem("limits", "well", sentence)
    remedy = "Check only programs that you trust, or run them in a container with a limit."
    return HealthItem("limits", "note", sentence, remedy)


# ---------------------------------------------------------------- the screen


class Screen(Struct, frozen=True):
    """What is known of the terminal."""

    is_terminal: bool
    columns: int
    rows: int
    term: str
    encoding: str
    colours: str


def judge_screen(screen: Screen) -> Iterable[HealthItem]:
    """Tell what the terminal cannot do, of what the session would like."""
    if not screen.is_terminal:
        yield HealthItem("terminal", "note", "the output goes to no terminal", "Run this in yours.")
        return
    size = f"{screen.columns} columns, {screen.rows} rows"
    if screen.term in ("", "dumb"):
        remedy = "Set TERM to what your terminal is, such as xterm-256color."
        yield HealthItem(
            "terminal", "note", f"TERM is {screen.term!r}: text cannot be placed", remedy
        )
    elif screen.columns < FEWEST_COLUMNS or screen.rows < FEWEST_ROWS:
        says = f"{size}: too few for an editor and the verdict below it"
        remedy = f"Give it {FEWEST_COLUMNS} columns and {FEWEST_ROWS} rows or more."
        yield HealthItem("terminal", "note", says, remedy)
    else:
        yield HealthItem("terminal", "well", f"{size}, {screen.colours}")
    if screen.encoding.lower().replace("-", "") != "utf8":
        says = f"the encoding is {screen.encoding}, so marks are drawn in ASCII"
        remedy = "Set LANG to a UTF-8 locale, such as C.UTF-8, to have them drawn."
        yield HealthItem("encoding", "note", says, remedy)
