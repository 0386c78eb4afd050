"""Reads and writes the settings file, and decides which value of a setting is in force."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from jaxtutor.core.data import settings as known
from jaxtutor.core.data.settings import BY_NAME, Chosen, Fault, Refused, Setting, Value
from jaxtutor.errors import ConfigError, UsageError
from jaxtutor.storage import workspace

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

NAME = "config.toml"
LARGEST = 1 << 16
"""Bytes. The whole file with every setting and its comments has about one thousand."""
HEADER = "Settings of jaxtutor. Every name and what it accepts: jaxtutor config"
_DEEP = re.compile(r"(?:[.\[{][^.\n\[{]{0,40}){200}")
"""Nesting of 200 levels: parsing would take very long, or exceed Python's recursion limit."""


class Settings(Struct, frozen=True):
    """The settings file and the environment. `faults` are about lines of the file."""

    path: Path | None
    environ: Mapping[str, str]
    values: Mapping[str, Value]
    faults: tuple[Fault, ...] = ()

    def chosen(self, name: str) -> Chosen:
        """Return the value in force and where it came from. Raises UsageError for a variable."""
        try:
            return known.choose(BY_NAME[name], self.environ, self.values)
        except Refused as refused:
            raise UsageError(*explain_refused(refused)) from None

    def value(self, name: str) -> Value:
        """Return the value in force. Raises UsageError if a variable's value is not accepted."""
        return self.chosen(name).value

    def require_sound(self) -> None:
        """Raise ConfigError for the first fault of the file."""
        if self.faults:
            raise ConfigError(*self.explain(self.faults[0]))

    def explain(self, fault: Fault) -> tuple[str, str]:
        """Return the message and the remedy of a fault, with the file and the line."""
        line = f", line {fault.line}" if fault.line else ""
        return f"{self.path}{line}: {fault.says}.", fault.remedy


def explain_refused(refused: Refused) -> tuple[str, str]:
    """Return the message and the remedy for a variable that has no valid value."""
    name, form = refused.setting.variable, refused.setting.form
    return f"{name} is {refused.text!r}, which is not {form}.", f"Set it again, or: unset {name}"


def find_path(environ: Mapping[str, str]) -> Path | None:
    """Return the path of the settings file; None if there is no home directory."""
    if moved := environ.get("JAXTUTOR_HOME"):
        try:
            return Path(moved).expanduser().absolute() / NAME
        except (RuntimeError, OSError):
            return None
    from platformdirs import user_config_dir

    try:
        folder = Path(user_config_dir("jaxtutor", appauthor=False))
    except RuntimeError:
        return None
    return folder / NAME if folder.is_absolute() else None


def load(environ: Mapping[str, str]) -> Settings:
    """Read the settings file. What is wrong with it is in `faults`; this raises nothing."""
    path = find_path(environ)
    if path is None:
        return Settings(None, environ, {})
    try:
        data = workspace.look(path, LARGEST)[1]
    except (FileNotFoundError, NotADirectoryError):
        return Settings(path, environ, {})
    except OSError as error:
        says = f"it cannot be read: {workspace.explain(error)}"
        return Settings(path, environ, {}, (Fault(0, says, "Check its permissions."),))
    values, faults = _parse(data)
    return Settings(path, environ, values, tuple(faults))


def _parse(data: bytes) -> tuple[dict[str, Value], list[Fault]]:
    import tomllib

    remedy = "Correct the line, or delete the file to use the defaults."
    if len(data) > LARGEST:
        return {}, [Fault(0, f"it is larger than {LARGEST >> 10} KiB", remedy)]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return {}, [Fault(line, "it is not UTF-8 text", "Save the file as UTF-8.")]
    if _DEEP.search(text):
        return {}, [Fault(0, "it is nested too deeply", remedy)]
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        says, line = _explain_toml(str(error), text)
        return {}, [Fault(line, says, remedy)]
    return known.read_table(table, text)


def _explain_toml(message: str, text: str) -> tuple[str, int]:
    """Separate the line from tomllib's message."""
    found = re.search(r" \(at line (\d+), column \d+\)$", message)
    line = int(found[1]) if found else text.rstrip("\n").count("\n") + 1
    says = message[: found.start()] if found else message.removesuffix(" (at end of document)")
    return f"this is not valid TOML: {says[:1].lower()}{says[1:]}", line


# ---------------------------------------------------------------- changes


def find_setting(name: str) -> Setting:
    """Return a setting by name. Raises UsageError."""
    setting = BY_NAME.get(name) or BY_NAME.get(name.replace("-", "_"))
    if setting is None:
        from jaxtutor.core.data.lessons import suggest

        close = suggest(name, [*BY_NAME])
        remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor config"
        raise UsageError(f"There is no setting {name!r}.", remedy)
    return setting


def change(settings: Settings, setting: Setting, text: str) -> Value:
    """Write a setting to the file, keeping its comments. Raises TutorError."""
    value = setting.read(text)
    if value is None:
        raise UsageError(f"Invalid value {text!r} for {setting.name}.", f"Give {setting.form}.")
    path, document = _open(settings)
    if not document.as_string().strip():
        import tomlkit

        document.add(tomlkit.comment(HEADER))
    *tables, key = setting.name.split(".")
    table = document
    for name in tables:
        if not isinstance(table.get(name), Mapping):
            import tomlkit

            table[name] = tomlkit.table()
        table = table[name]  # type: ignore[assignment,unused-ignore]
    table[key] = value
    workspace.write_atomically(path, document.as_string().encode())
    return value


def remove(settings: Settings, name: str) -> bool:
    """Remove a name from the file, known or not; return whether it was there. Raises TutorError."""
    path, document = _open(settings)
    *tables, key = name.split(".")
    holders = [document]
    for table in tables:
        inner = holders[-1].get(table)
        if not isinstance(inner, Mapping):
            return False
        holders.append(inner)  # type: ignore[arg-type]
    if key not in holders[-1]:
        return False
    del holders[-1][key]
    for table, outer, inner in reversed(list(zip(tables, holders, holders[1:], strict=False))):
        if not inner:
            del outer[table]
    workspace.write_atomically(path, document.as_string().encode())
    return True


def _open(settings: Settings) -> tuple[Path, TOMLDocument]:
    """Parse the file so that it can be written back unchanged. Raises TutorError."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    path = settings.path
    if path is None:
        raise ConfigError(
            "No home directory was found for the settings file.", "Set JAXTUTOR_HOME to a folder."
        )
    try:
        text = workspace.look(path, LARGEST)[1].decode("utf-8-sig")
        return path, tomlkit.parse(text)
    except (FileNotFoundError, NotADirectoryError):
        return path, tomlkit.document()
    except (TOMLKitError, UnicodeDecodeError, OSError, ValueError, RecursionError) as error:
        for fault in settings.faults:
            raise ConfigError(*settings.explain(fault)) from None
        raise ConfigError(f"{path} cannot be read: {error}.", "Correct it by hand.") from error
