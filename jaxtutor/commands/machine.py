"""Implements `devices` and `doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED

if TYPE_CHECKING:
    from rich.console import RenderableType

    from jaxtutor.core.data.facts import Machine
    from jaxtutor.core.reporting.health import HealthItem

NAME_WIDTH = 9


def devices(app: App) -> int:
    """List the devices that JAX can use."""
    from jaxtutor.core.data.requests import DevicesRequest
    from jaxtutor.core.reporting.system_reports import devices_report
    from jaxtutor.processes.spawn import Kind

    with app.waiting("Starting JAX"):
        outcome = app.checker.runner.run(DevicesRequest(), Kind(app.options.device))
    from jaxtutor.processes.environment import refuse_environment

    refuse_environment(outcome)
    machine = outcome.machine
    assert machine is not None, "the runner raises if a worker does not start"
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


def doctor(app: App) -> int:
    """Report for each thing that a session needs whether it works, and how to fix it."""
    from jaxtutor.commands.doctor import examine
    from jaxtutor.core.reporting.system_reports import doctor_report

    points = []
    examined = iter(examine(app))
    while True:
        with app.waiting("Examining the installation"):
            point = next(examined, None)
        if point is None:
            break
        points.append(point)
        if not app.options.json:
            app.console.print(_draw_point(app, point), width=app.prose_renderer.width)
    wrong = [point for point in points if point.standing == "wrong"]
    if app.options.json:
        app.print_json(doctor_report(points))
    else:
        app.console.print(_sum_up(points), style="failed" if wrong else "passed")
    return NOT_PASSED if wrong else PASSED


def _draw_point(app: App, point: HealthItem) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    from jaxtutor.display.theme import visible

    mark, style = {
        "well": (app.marks.passed, "passed"),
        "note": (app.marks.note, "mark"),
        "wrong": (app.marks.failed, "failed"),
    }[point.standing]
    if app.options.plain:
        remedy = f" {point.remedy}" if point.remedy else ""
        line = f"{point.standing}: {point.name}: {point.says}.{remedy}"
        return Text(visible(line), overflow="fold")
    says = Text(visible(point.says), overflow="fold")
    if point.remedy:
        says.append(f"\n{visible(point.remedy)}", style="quiet")
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=1)
    table.add_column(width=NAME_WIDTH)
    table.add_column(overflow="fold")
    table.add_row(Text(mark, style=style), Text(point.name, style="title", overflow="fold"), says)
    return table


def _sum_up(points: list[HealthItem]) -> str:
    count = [point.standing for point in points].count
    wrong, notes = count("wrong"), count("note")
    if wrong:
        return f"{wrong} problem{'s' if wrong > 1 else ''} found. See the remedies above."
    known = {0: "", 1: " One note."}
    return "No problems found." + known.get(notes, f" {notes} notes.")
