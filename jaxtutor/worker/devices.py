"""Owns the choice of a device: what there is, and making one the default."""

from __future__ import annotations

import platform
from typing import Any

import jax
import jaxlib

from jaxtutor.core.data.model import Device, Machine

OPTIONS: Any = jax.config  # jax gives its options no types

ALIASES = {"gpu": ("gpu", "cuda", "rocm")}


def describe_machine() -> Machine:
    """Start the backend and describe what it has."""
    default = OPTIONS.jax_default_device or jax.devices()[0]
    return Machine(
        jax=jax.__version__,
        jaxlib=jaxlib.__version__,
        python=platform.python_version(),
        devices=tuple(
            Device(name(device), device.device_kind, device == default) for device in all_devices()
        ),
    )


def all_devices() -> list[jax.Device]:
    """Return the devices of every backend, the default backend's first."""
    devices = list(jax.devices())
    if devices[0].platform != "cpu":
        devices += jax.devices("cpu")
    return devices


def name(device: jax.Device) -> str:
    """Name a device as the command line does: `cpu:0`."""
    return f"{device.platform}:{device.id}"


def choose(asked: str) -> bool:
    """Make the device the default; False when it is not there.

    `asked` is a platform (`cpu`, `gpu`, `cuda`) or a platform and a number (`cuda:1`).
    """
    platform_name, _, number = asked.partition(":")
    wanted = ALIASES.get(platform_name, (platform_name,))
    found = [
        device
        for device in all_devices()
        if device.platform in wanted or _kind(device) in wanted
        if not number or str(device.id) == number
    ]
    if found:
        jax.config.update("jax_default_device", found[0])
    return bool(found)


def _kind(device: jax.Device) -> str:
    """Return cuda or rocm for a `gpu` platform, by the backend's own version text."""
    version = getattr(device.client, "platform_version", "").lower()
    return next((kind for kind in ("cuda", "rocm") if kind in version), device.platform)
