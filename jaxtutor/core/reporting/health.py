"""Judges an installation: turns gathered facts into problems and remedies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

Standing = Literal["well", "note", "wrong"]

OLDEST_PYTHON, NEWEST_PYTHON = (3, 11), (3, 14)
OLDEST_JAX, NEWEST_JAX = (0, 10), (0, 12)
FEWEST_COLUMNS, FEWEST_ROWS = 40, 16
LEAST_SPACE = 64 << 20
SLOW_START = 20.0


class HealthItem(Struct, frozen=True):
    """One item of the examination. Lessons work in spite of a `note`, but not of a `wrong`."""

    name: str
    standing: Standing
    says: str
    remedy: str = ""


class Package(Struct, frozen=True):
    """An installed package; its version is empty if it is not installed."""

    name: str
    version: str = ""
    requires: tuple[str, ...] = ()


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers at the start of a version: `0.12.0rc1` is (0, 12, 0)."""
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, found[0].split("."))) if found else ()


def judge_python(version: str) -> HealthItem:
    """Judge whether jaxtutor was tested with this version of Python."""
    here = numbers(version)[:2]
    if here > NEWEST_PYTHON:
        newest = ".".join(map(str, NEWEST_PYTHON))
        says = f"{version} is newer than {newest}, the newest version tested with jaxtutor"
        return HealthItem("Python", "note", says, f"If something fails, try Python {newest}.")
    return HealthItem("Python", "well", version)


def judge_programs(folder: str, problem: str, unusable: int) -> HealthItem:
    """Judge the folder of compiled programs; `unusable` of its files are not read."""
    if problem:
        says = f"compiled programs are not kept in {folder}: {problem}"
        return HealthItem(
            "compiled", "note", says, "Checks are slower. Remove it; it is created again."
        )
    if unusable:
        count = "1 file" if unusable == 1 else f"{unusable} files"
        says = f"{count} in {folder} that others could have written, or not files, are not used"
        return HealthItem("compiled", "note", says, "Remove them, or the whole folder.")
    return HealthItem("compiled", "well", f"compiled programs are kept in {folder}")


# ---------------------------------------------------------------- packages


def judge_jax(jax: Package) -> HealthItem:
    """Judge whether a supported version of jax is installed."""
    if not jax.version:
        return HealthItem("jax", "wrong", "jax is not installed", "Install it: pip install jax")
    here = numbers(jax.version)[:2]
    if here < OLDEST_JAX:
        says = f"jax {jax.version} is too old; the oldest supported version is 0.10"
        return HealthItem("jax", "wrong", says, "Upgrade it: pip install --upgrade jax jaxlib")
    if here > NEWEST_JAX:
        says = f"jax {jax.version} is newer than 0.12, the newest version tested with jaxtutor"
        return HealthItem("jax", "note", says, "If a diagnosis looks wrong, update jaxtutor.")
    return HealthItem("jax", "well", jax.version)


def judge_jaxlib(jax: Package, jaxlib: Package) -> HealthItem:
    """Judge whether jaxlib is installed in a version that this jax accepts."""
    remedy = f"Reinstall both: pip install --upgrade jax=={jax.version} jaxlib"
    if not jaxlib.version:
        return HealthItem(
            "jaxlib", "wrong", "jaxlib is not installed", "Install it: pip install jax"
        )
    requirements = [
        text for text in jax.requires if re.match(r"jaxlib\b", text) and ";" not in text
    ]
    for requirement in requirements:
        if not meets(jaxlib.version, requirement):
            required = requirement.removeprefix("jaxlib").strip()
            versions = f"jaxlib {jaxlib.version} is incompatible with jax {jax.version}"
            says = f"{versions}, which requires {required}"
            return HealthItem("jaxlib", "wrong", says, remedy)
    return HealthItem("jaxlib", "well", jaxlib.version)


def judge_plugins(jax: Package, plugins: Iterable[Package]) -> Iterable[HealthItem]:
    """Judge for every plugin whether its version matches that of jax."""
    for plugin in plugins:
        if numbers(plugin.version)[:2] == numbers(jax.version)[:2]:
            yield HealthItem(plugin.name, "well", plugin.version)
            continue
        says = f"{plugin.name} {plugin.version} does not match jax {jax.version}, so jax ignores it"
        extra = plugin.name.removeprefix("jax-").removesuffix("-plugin")
        remedy = f'Install matching versions: pip install --upgrade "jax[{extra}]"'
        yield HealthItem(plugin.name, "wrong", says, remedy)


def judge_libraries(
    requirements: Sequence[str], versions: Mapping[str, str], install: str
) -> HealthItem:
    """Judge the libraries that some lessons need; `versions` has those that are installed."""
    says, are_met = [], True
    for requirement in requirements:
        name = requirement.partition(">=")[0]
        found = versions.get(name, "")
        is_met = bool(found) and meets(found, requirement)
        oldest = "" if is_met or not found else f" ({requirement} needed)"
        says.append(f"{name} {found or 'not installed'}{oldest}")
        are_met &= is_met
    if are_met:
        return HealthItem("libraries", "well", ", ".join(says))
    remedy = f"Some lessons need them: {install}"
    return HealthItem("libraries", "note", ", ".join(says), remedy)


_CLAUSE = re.compile(r"(<=|>=|==|<|>)\s*([\d.]+)")


def meets(version: str, requirement: str) -> bool:
    """Return whether a version meets a requirement such as `jaxlib<=0.12,>=0.11`."""
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
    """The accelerators found: cards on the bus, devices with a working driver, plugins."""

    cards: Mapping[str, int]
    ready: Mapping[str, int]
    plugins: tuple[str, ...]


MAKERS = {"nvidia": ("NVIDIA", "cuda"), "amd": ("AMD", "rocm"), "tpu": ("Google", "tpu")}
DRIVERS = {
    "nvidia": "Install the NVIDIA driver; `nvidia-smi` lists the card when it works. "
    "In a container, pass the devices through (docker run --gpus all).",
    "amd": "Install the ROCm driver, which creates /dev/kfd. In a container, pass it through.",
}
PLUGINS = {"nvidia": "jax[cuda13]", "amd": "jax[rocm]", "tpu": "jax[tpu]"}


def judge_accelerators(
    hardware: Hardware, seen: Sequence[str], environ: Mapping[str, str]
) -> list[HealthItem]:
    """Explain for every accelerator why JAX does not use it; `seen` are JAX's own device names."""
    if any(not name.startswith("cpu") for name in seen):
        return []  # the devices that JAX uses are reported already
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
    """Find the first obstacle, from the hardware up; None if there is no such accelerator."""
    maker, kind = MAKERS[vendor]
    plugin = next((it for it in hardware.plugins if it.startswith(kind)), None)
    ready, cards = hardware.ready.get(vendor, 0), hardware.cards.get(vendor, 0)
    if not ready and cards and vendor in DRIVERS:
        return f"an {maker} card was found, but no working driver", DRIVERS[vendor]
    if not ready:
        if plugin is None:
            return None
        return f"the plugin {plugin} is installed, but no {maker} device was found", (
            "Ignore this if the machine has none. In a container, pass the device through."
        )
    if plugin is None:
        extra = PLUGINS[vendor]
        return f"the {maker} driver works, but JAX has no plugin for it", (
            f'Install one: pip install "{extra}". See the JAX installation guide for the right one.'
        )
    return _find_setting(kind, environ)


def _find_setting(kind: str, environ: Mapping[str, str]) -> tuple[str, str]:
    """Find an environment variable that hides a device whose driver and plugin are installed."""
    platforms = environ.get("JAX_PLATFORMS", "")
    if platforms and not {kind, "gpu"} & {*platforms.split(",")}:
        return f"JAX_PLATFORMS is {platforms!r}, so JAX does not use the {kind} plugin", (
            f"Unset it, or set it to {kind},cpu."
        )
    for name in ("CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES"):
        if environ.get(name, "0").strip() in ("", "-1"):
            return f"{name} is {environ[name]!r}, which hides every device", "Unset it."
    return "driver and plugin are installed, but JAX uses neither", (
        'See the messages of: python -c "import jax; jax.devices()"'
    )


def judge_start(seen: Sequence[str], seconds: float) -> HealthItem:
    """Report the devices of a started worker, and whether it was slow to start."""
    says = f"{', '.join(seen)}; a worker starts in {seconds:.1f} s"
    if seconds > SLOW_START:
        remedy = (
            "The first start after an installation is slow, because Python compiles jax."
            " If it stays slow, a network disk or a virus scanner may be the reason."
        )
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


# ---------------------------------------------------------------- terminal


class Screen(Struct, frozen=True):
    """The properties of the terminal."""

    is_terminal: bool
    columns: int
    rows: int
    term: str
    encoding: str
    colours: str


def judge_screen(screen: Screen) -> Iterable[HealthItem]:
    """Report what the live session needs and the terminal does not have."""
    if not screen.is_terminal:
        yield HealthItem(
            "terminal", "note", "the output is not a terminal", "Run this in your terminal."
        )
        return
    size = f"{screen.columns} columns, {screen.rows} rows"
    if screen.term in ("", "dumb"):
        remedy = "Set TERM to your terminal's type, such as xterm-256color."
        yield HealthItem(
            "terminal", "note", f"TERM is {screen.term!r}: the cursor cannot be positioned", remedy
        )
    elif screen.columns < FEWEST_COLUMNS or screen.rows < FEWEST_ROWS:
        says = f"{size}: too small for an editor and a verdict below it"
        remedy = f"Enlarge it to at least {FEWEST_COLUMNS} columns and {FEWEST_ROWS} rows."
        yield HealthItem("terminal", "note", says, remedy)
    else:
        yield HealthItem("terminal", "well", f"{size}, {screen.colours}")
    if screen.encoding.lower().replace("-", "") != "utf8":
        says = f"the encoding is {screen.encoding}, so marks are drawn in ASCII"
        remedy = "Set LANG to a UTF-8 locale, such as C.UTF-8."
        yield HealthItem("encoding", "note", says, remedy)
