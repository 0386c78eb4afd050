"""Implements `config`: lists, reads and changes the settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxtutor.app import App
from jaxtutor.commands import NOT_PASSED, PASSED
from jaxtutor.core.data.settings import DEFAULT, FILE, SETTINGS, Chosen, Setting, Value
from jaxtutor.core.reporting.outputs.system import (
    ConfigListOutput,
    ConfigPathOutput,
    ConfigSettingOutput,
    SettingEntry,
)
from jaxtutor.errors import ConfigError, EditorError, UsageError
from jaxtutor.storage import settings as stored

if TYPE_CHECKING:
    from rich.text import Text

    from jaxtutor.storage.settings import Settings


def show(app: App) -> int:
    """List every setting with the value in force and its origin; report what is wrong."""
    found, problems = look_up(app.settings)
    if app.options.json:
        app.print_json(_list_output(app, found, problems))
    else:
        for part in _lines(app, found):
            app.console.print(part)
        for message, remedy in problems:
            app.warn(message, f"\n  {remedy}")
    return NOT_PASSED if problems else PASSED


def look_up(settings: Settings) -> tuple[list[Chosen], list[tuple[str, str]]]:
    """Return every setting as it is chosen, and the message and remedy of every problem."""
    problems = [*map(settings.explain, settings.faults)]
    found = []
    for setting in SETTINGS:
        try:
            found.append(settings.chosen(setting.name))
        except UsageError as error:
            problems.append((error.message, error.remedy))
            text = settings.environ[setting.variable]
            found.append(Chosen(setting, text, setting.variable))
    return found, problems


def _list_output(
    app: App, found: list[Chosen], problems: list[tuple[str, str]]
) -> ConfigListOutput:
    return ConfigListOutput(
        path=str(app.settings.path or ""),
        settings=tuple(
            SettingEntry(
                name=it.setting.name,
                value=write(it.value),
                origin=it.origin,
                default=write(it.setting.default),
                variable=it.setting.variable,
                accepts=it.setting.form,
                says=it.setting.says,
            )
            for it in found
        ),
        problems=tuple(f"{message} {remedy}".strip() for message, remedy in problems),
    )


def _lines(app: App, found: list[Chosen]) -> Iterator[Text]:
    from rich.text import Text

    from jaxtutor.display.theme import visible

    name = max(len(it.setting.name) for it in found)
    for it in found:
        words = (it.setting.name, visible(write(it.value)), describe_origin(it))
        says = f"{it.setting.says} Accepts {it.setting.form}."
        if app.options.plain:
            yield Text(f"{words[0]}: {words[1]}, {words[2]}. {says}", overflow="fold")
            continue
        origin = "quiet" if it.origin == DEFAULT else "mark"
        head = (f"{words[0]:<{name}}", "code"), f"  {words[1]}  ", (words[2], origin)
        yield Text.assemble(*head, overflow="fold")
        for line in Text(says, style="quiet").wrap(app.console, max(app.console.width - 4, 20)):
            yield Text("    ") + line
    yield Text(f"File: {app.settings.path or 'none'}", style="quiet", overflow="fold")


def describe_origin(chosen: Chosen) -> str:
    """Describe where a value came from, in words."""
    return {DEFAULT: "default", FILE: "from the file"}.get(chosen.origin, f"from {chosen.origin}")


def write(value: Value) -> str:
    """Write a value as it is typed for `config set`."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def get(app: App, name: str) -> int:
    """Print the value in force of one setting."""
    setting = stored.find_setting(name)
    value = _in_force(app, setting).value
    if app.options.json:
        app.print_json(ConfigSettingOutput(name=setting.name, value=write(value)))
    else:
        app.stdout.write(f"{write(value)}\n")
    return PASSED


def _in_force(app: App, setting: Setting) -> Chosen:
    """Return the value in force; report a fault of the file that may hide the setting."""
    for message, remedy in map(app.settings.explain, app.settings.faults):
        app.warn(message, f"\n  {remedy}")
    return app.settings.chosen(setting.name)


def put(app: App, name: str, text: str) -> int:
    """Write a setting to the file."""
    setting = stored.find_setting(name)
    value = stored.change(app.settings, setting, text)
    if setting.name == "editor":
        _look_for_editor(app, write(value))
    return _confirm(app, setting.name, f"{setting.name} is now {write(value)}", value)


def _look_for_editor(app: App, command: str) -> None:
    """Warn if an editor is not installed; it may be later."""
    from jaxtutor.system.editor import find_editor

    try:
        find_editor(app.environ, setting=command)
    except EditorError as error:
        app.warn(error.message, error.remedy)


def unset(app: App, name: str) -> int:
    """Remove a setting from the file; a name that is not a setting can be removed too."""
    found = name if stored.remove(app.settings, name) else ""
    if not found:
        setting = stored.find_setting(name)
        if not stored.remove(app.settings, setting.name):
            message = f"{setting.name} was not set in the file"
            return _confirm(app, setting.name, message, setting.default)
        found = setting.name
    default = next((it.default for it in SETTINGS if it.name == found), None)
    now = "" if default is None else f"; its default is {write(default)}"
    return _confirm(app, found, f"{found} was removed from the file{now}", default)


def _confirm(app: App, name: str, message: str, value: Value | None) -> int:
    if app.options.json:
        text = None if value is None else write(value)
        app.print_json(ConfigSettingOutput(name=name, value=text))
    else:
        from rich.text import Text

        from jaxtutor.display.theme import visible

        app.console.print(Text(visible(f"{message}."), overflow="fold"))
    for setting in SETTINGS:
        if setting.name == name and app.environ.get(setting.variable):
            app.warn(f"{setting.variable} is set and takes precedence over the file.")
    return PASSED


def path(app: App) -> int:
    """Print the path of the settings file, which may not exist yet."""
    if app.settings.path is None:
        raise ConfigError(
            "No home directory was found for the settings file.", "Set JAXTUTOR_HOME to a folder."
        )
    if app.options.json:
        app.print_json(ConfigPathOutput(path=str(app.settings.path)))
    else:
        app.stdout.write(f"{app.settings.path}\n")
    return PASSED
