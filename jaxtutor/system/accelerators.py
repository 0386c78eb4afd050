"""Detects accelerators without importing jax: from hardware, drivers and installed plugins."""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

NVIDIA, AMD = "0x10de", "0x1002"
_VENDORS = {NVIDIA: "nvidia", AMD: "amd"}


@dataclass(frozen=True)
class Accelerators:
    """The accelerators found.

    `cards` counts the graphics cards on the bus by vendor, `ready` those with a working driver.
    `plugins` are jax's packages for other devices (`cuda13`, `rocm60`, `tpu`). `platforms` is the
    value of JAX_PLATFORMS, empty if every platform is allowed.
    """

    cards: Mapping[str, int]
    ready: Mapping[str, int]
    plugins: tuple[str, ...]
    platforms: tuple[str, ...]

    def names(self) -> list[str]:
        """List the names that `--device` probably accepts."""
        names = ["cpu"]
        for kind, vendor, words in _KINDS:
            count = self.ready.get(vendor, 0)
            if count and any(plugin.startswith(kind) for plugin in self.plugins):
                names += words
                names += [f"{words[-1]}:{n}" for n in range(count) if count > 1]
        allowed = self.platforms
        return [name for name in names if not allowed or _is_allowed(name, allowed)]


_KINDS = (
    ("cuda", "nvidia", ("gpu", "cuda")),
    ("rocm", "amd", ("gpu", "rocm")),
    ("tpu", "tpu", ("tpu",)),
)


def _is_allowed(name: str, platforms: Sequence[str]) -> bool:
    kind = name.partition(":")[0]
    return kind in platforms or (kind == "gpu" and bool({"cuda", "rocm"} & {*platforms}))


def look(
    environ: Mapping[str, str], root: Path = Path("/"), places: Sequence[str] | None = None
) -> Accelerators:
    """Inspect this machine's files; `root` and `places` replace `/` and `sys.path` in tests."""
    return Accelerators(
        cards=_count_cards(root),
        ready=_count_ready(root),
        plugins=_find_plugins(sys.path if places is None else places),
        platforms=tuple(filter(None, environ.get("JAX_PLATFORMS", "").split(","))),
    )


def _count_cards(root: Path) -> dict[str, int]:
    """Count the graphics cards on the PCI bus, with or without a driver."""
    counts: dict[str, int] = {}
    for folder in _listed(root / "sys/bus/pci/devices"):
        vendor = _VENDORS.get(_read(folder / "vendor"))
        if vendor and _read(folder / "class").startswith(("0x03", "0x12")):
            counts[vendor] = counts.get(vendor, 0) + 1
    return counts


def _count_ready(root: Path) -> dict[str, int]:
    """Count the devices for which a driver is loaded."""
    names = [path.name for path in _listed(root / "dev")]
    counts = {
        "nvidia": sum(bool(re.fullmatch(r"nvidia\d+", name)) for name in names),
        "tpu": sum(bool(re.fullmatch(r"accel\d+", name)) for name in names),
    }
    if not counts["nvidia"] and (root / "usr/lib/wsl/lib/libcuda.so.1").exists():
        counts["nvidia"] = 1  # under WSL, Windows has the driver, and /dev has no nvidia files
    if "kfd" in names:
        cards = _listed(root / "dev/dri")
        counts["amd"] = sum(path.name.startswith("renderD") for path in cards)
    return {vendor: count for vendor, count in counts.items() if count}


def _find_plugins(places: Sequence[str]) -> tuple[str, ...]:
    """Return the names of jax's plugin packages, such as `cuda13`, without importing them."""
    folders = [str(Path(place, "jax_plugins")) for place in places]
    found = {module.name.removeprefix("xla_") for module in pkgutil.iter_modules(folders)}
    if any(Path(place, "libtpu").is_dir() for place in places):
        found.add("tpu")
    return tuple(sorted(found))


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
