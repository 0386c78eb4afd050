"""Defines the outputs about this machine, the settings, and errors."""

from __future__ import annotations

from msgspec import Struct

from jaxtutor.core.reporting.health import Standing
from jaxtutor.core.reporting.outputs.output import Output


class DeviceEntry(Struct, frozen=True, kw_only=True):
    """A device that JAX can use."""

    name: str
    kind: str
    default: bool


class DevicesOutput(Output, frozen=True, kw_only=True):
    """The devices that JAX can use: `jaxtutor devices --json`."""

    jax_version: str
    jaxlib_version: str
    python_version: str
    devices: tuple[DeviceEntry, ...]


class ExaminedPoint(Struct, frozen=True, kw_only=True):
    """One thing that was examined."""

    name: str
    standing: Standing
    says: str
    remedy: str


class DoctorOutput(Output, frozen=True, kw_only=True):
    """What is wrong with the installation: `jaxtutor doctor --json`."""

    healthy: bool
    points: tuple[ExaminedPoint, ...]


class SettingEntry(Struct, frozen=True, kw_only=True):
    """A setting, with the value in force."""

    name: str
    value: str
    origin: str
    default: str
    variable: str
    accepts: str
    says: str


class ConfigListOutput(Output, frozen=True, kw_only=True):
    """All settings: `jaxtutor config list --json`."""

    path: str
    settings: tuple[SettingEntry, ...]
    problems: tuple[str, ...]


class ConfigSettingOutput(Output, frozen=True, kw_only=True):
    """One setting: `config get`, `config set` and `config unset` with `--json`."""

    name: str
    value: str | None


class ConfigPathOutput(Output, frozen=True, kw_only=True):
    """The settings file: `jaxtutor config path --json`."""

    path: str


class ErrorEntry(Struct, frozen=True, kw_only=True):
    """What is wrong, and what to do about it."""

    message: str
    remedy: str
    exit_status: int


class ErrorOutput(Output, frozen=True, kw_only=True):
    """Why a command could not do its work: any command with `--json`."""

    error: ErrorEntry


class SchemaEntry(Struct, frozen=True, kw_only=True):
    """The schema of an output."""

    name: str
    title: str


class SchemaOutput(Output, frozen=True, kw_only=True):
    """The names of all schemas: `jaxtutor schema --json`."""

    schemas: tuple[SchemaEntry, ...]
