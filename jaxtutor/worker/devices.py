"""Lists the devices that jax can use, and chooses the default."""

from __future__ import annotations

import platform
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any

import jax
import jaxlib

from jaxtutor.core.data.facts import Device, Machine

OPTIONS: Any = jax.config  # jax does not annotate its options

ALIASES = {"gpu": ("gpu", "cuda", "rocm")}


def describe_machine() -> Machine:
    """Start the backend and return the versions and devices of this machine."""
    default = _default()
    return Machine(
        jax=jax.__version__,
        jaxlib=jaxlib.__version__,
        python=platform.python_version(),
        devices=tuple(
            Device(name(device), device.device_kind, device == default) for device in all_devices()
        ),
    )


def all_devices() -> list[jax.Device]:
    """Return the devices of the default backend, followed by the CPU's."""
    devices = list(jax.devices())
    if devices[0].platform != "cpu":
        devices += jax.devices("cpu")
    return devices


def name(device: jax.Device) -> str:
    """Return a device's name as used on the command line, such as `cpu:0`."""
    return f"{device.platform}:{device.id}"


def choose(spec: str) -> bool:
    """Make a device the default. Return False if this machine does not have it.

    `spec` is a platform (`cpu`, `gpu`, `cuda`) or a platform and a number (`cuda:1`).
    """
    platform_name, _, number = spec.partition(":")
    wanted = ALIASES.get(platform_name, (platform_name,))
    found = [
        device
        for device in all_devices()
        if device.platform in wanted or _kind(device) in wanted
        if not number or str(device.id) == number
    ]
    if found:
        jax.config.update("jax_default_device", found[0])
        _default.cache_clear()
    return bool(found)


def exact_products() -> AbstractContextManager[None]:
    """Compute products of float32 in float32, where the default device rounds their factors.

    A GPU rounds them to TF32 and a TPU to bfloat16, with three digits left. Two programs that add
    in different orders are both right, and the rounding would tell them apart.
    """
    if _default().platform == "cpu" or OPTIONS.jax_default_matmul_precision is not None:
        return nullcontext()
    exact: AbstractContextManager[None] = jax.default_matmul_precision("float32")
    return exact


@cache
def _default() -> jax.Device:
    default: jax.Device = OPTIONS.jax_default_device or jax.devices()[0]
    return default


def _kind(device: jax.Device) -> str:
    """Return cuda or rocm for the platform `gpu`, according to the backend's version text."""
    version = getattr(device.client, "platform_version", "").lower()
    return next((kind for kind in ("cuda", "rocm") if kind in version), device.platform)
