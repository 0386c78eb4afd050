"""Groups the commands in the help."""

from __future__ import annotations

from typing import Any

import typer

from jaxtutor.cli.declarations import GROUPS


class CommandGroups(typer.core.TyperGroup):
    """Lists the commands of the help in groups; a summary that is too long is wrapped, not cut."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section for each group."""
        groups: dict[str, list[tuple[str, str]]] = {title: [] for title in GROUPS}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                title = getattr(command, "rich_help_panel", None)
                title = title if isinstance(title, str) else "Commands"
                summary = (command.help or "").partition("\n\n")[0].replace("\n", " ")
                groups.setdefault(title, []).append((name, summary))
        width = max(len(name) for rows in groups.values() for name, _ in rows)
        for title, rows in filter(lambda group: group[1], groups.items()):
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", summary) for name, summary in rows])
