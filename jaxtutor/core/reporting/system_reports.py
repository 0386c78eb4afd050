"""Builds the outputs about this machine, and of errors."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import asdict

from jaxtutor.core.data.facts import Machine
from jaxtutor.core.reporting.health import HealthItem
from jaxtutor.core.reporting.outputs.system import (
    DeviceEntry,
    DevicesOutput,
    DoctorOutput,
    ErrorEntry,
    ErrorOutput,
    ExaminedPoint,
)


def devices_report(machine: Machine) -> DevicesOutput:
    """Build the output of the devices that JAX can use."""
    return DevicesOutput(
        jax_version=machine.jax,
        jaxlib_version=machine.jaxlib,
        python_version=machine.python,
        devices=tuple(
            DeviceEntry(name=device.name, kind=device.kind, default=device.default)
            for device in machine.devices
        ),
    )


def doctor_report(points: Sequence[HealthItem]) -> DoctorOutput:
    """Build the output of an installation's problems and their remedies."""
    return DoctorOutput(
        healthy=all(point.standing != "wrong" for point in points),
        points=tuple(ExaminedPoint(**asdict(point)) for point in points),
    )


def error_report(message: str, remedy: str, status: int) -> ErrorOutput:
    """Build the output of an error: in jaxtutor, on the command line or in the environment."""
    return ErrorOutput(error=ErrorEntry(message=message, remedy=remedy, exit_status=status))
