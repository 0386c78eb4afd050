"""Declares the commands that list, read and change the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from jaxtutor.cli.declarations import SYSTEM, Argument, Commands, shared_options

if TYPE_CHECKING:
    from jaxtutor.app import App

config_commands = Commands(
    help="List, read and change the settings.",
    invoke_without_command=True,
)
commands = Commands()
commands.add_group(config_commands, name="config", rich_help_panel=SYSTEM)

SettingArgument = Annotated[
    str,
    Argument(metavar="NAME", help="A setting, such as layout.", completes="setting"),
]


@config_commands.callback()
@shared_options("json", "plain")
def config(app: App) -> int:
    """List, read and change the settings."""
    from jaxtutor.commands import config

    return config.show(app)


@config_commands.command("list")
@shared_options("json", "plain")
def config_list(app: App) -> int:
    """List every setting, its value and where that came from."""
    from jaxtutor.commands import config

    return config.show(app)


@config_commands.command("get")
@shared_options("json", "plain")
def config_get(app: App, name: SettingArgument) -> int:
    """Print the value in force of a setting."""
    from jaxtutor.commands import config

    return config.get(app, name)


@config_commands.command("set")
@shared_options("json", "plain")
def config_set(
    app: App,
    name: SettingArgument,
    value: Annotated[
        str,
        Argument(metavar="VALUE", help="The new value.", completes="value"),
    ],
) -> int:
    """Write a setting to the settings file."""
    from jaxtutor.commands import config

    return config.put(app, name, value)


@config_commands.command("unset")
@shared_options("json", "plain")
def config_unset(app: App, name: SettingArgument) -> int:
    """Remove a setting from the settings file."""
    from jaxtutor.commands import config

    return config.unset(app, name)


@config_commands.command("path")
@shared_options("json", "plain")
def config_path(app: App) -> int:
    """Print the path of the settings file."""
    from jaxtutor.commands import config

    return config.path(app)
