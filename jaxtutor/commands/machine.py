"""Owns `devices`: what JAX can run on here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import PASSED

if TYPE_CHECKING:
    from jaxtutor.core.model import Machine


def devices(app: App) -> int:
    """List what JAX can run on."""
    from jaxtutor.core.model import DevicesRequest
    from jaxtutor.core.reports import devices_report
    from jaxtutor.spawn import Kind

    outcome = app.checker.runner.run(DevicesRequest(), Kind(app.options.device))
    from jaxtutor.checking import refuse_device

    refuse_device(outcome)
    machine = outcome.machine
    assert machine is not None, "a worker that does not get ready raises"
    if app.options.json:
        app.print_json(devices_report(machine))
    else:
        _print_devices(app, machine)
    return PASSED


def _print_devices(app: App, machine: Machine) -> None:
    from rich.text import Text

    app.console.print(Text(f"jax {machine.jax}, jaxlib {machine.jaxlib}, Python {machine.python}"))
    for device in machine.devices:
        default = "   (default)" if device.default else ""
        app.console.print(Text.assemble((device.name, "code"), f"   {device.kind}{default}"))
