"""Declares the commands about this machine and this installation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from jaxtutor.cli.declarations import SYSTEM, Argument, Commands, shared_options
from jaxtutor.cli.parameters import ALL

if TYPE_CHECKING:
    from jaxtutor.app import App

commands = Commands()

SchemaName = Annotated[str | None, Argument(help="An output, such as lint.", completes="schema")]


@commands.command(rich_help_panel=SYSTEM)
@shared_options("device", "json", "plain")
def devices(app: App) -> int:
    """List the devices that JAX can use on this machine."""
    from jaxtutor.commands import machine

    return machine.devices(app)


@commands.command(rich_help_panel=SYSTEM)
@shared_options(*ALL)
def doctor(app: App) -> int:
    """Report problems with this installation and how to fix them."""
    from jaxtutor.commands import machine

    return machine.doctor(app)


@commands.command(rich_help_panel=SYSTEM)
@shared_options("json", "plain")
def schema(app: App, name: SchemaName = None) -> int:
    """Print the JSON Schema of an output, or list the schemas."""
    from jaxtutor.commands import schemas

    return schemas.print_schema(app, name)
