"""Owns `tutor`: the prompt's commands as functions, whose findings can be used by others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxtutor.core.repl.commands import COMMANDS
from jaxtutor.core.repl.messages import Page, PageStyle, PromptAction
from jaxtutor.worker.repl import operands, values

if TYPE_CHECKING:
    from jaxtutor.worker.repl import inspections, programs, timing
    from jaxtutor.worker.repl.retraces import Retraces, TraceRecorder

__all__ = ["Tutor"]


class Tutor:
    """The commands. `tutor.cost(f, x)` is `:cost f(x)`, and its figures are attributes.

    What a command needs is loaded when it is used: some parts of JAX take a while.
    """

    def __init__(
        self, names: operands.Names, traces: TraceRecorder, wish: Callable[[PromptAction], None]
    ) -> None:
        self._names = names
        self._traces = traces
        self._wish = wish

    # ------------------------------------------------------------ of a call

    def jaxpr(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> programs.JaxprReport:
        """Trace a call: the program that JAX makes of it."""
        from jaxtutor.worker.repl import programs

        return programs.JaxprReport.of(
            programs.TraceableCall(function, args, options), self._traces.is_own
        )

    def trace(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> programs.AnnotatedJaxpr:
        """Trace a call, and put each equation beside the line of source that it came from."""
        from jaxtutor.worker.repl import programs

        return programs.AnnotatedJaxpr.of(
            programs.TraceableCall(function, args, options), self._traces.is_own
        )

    def cost(self, function: Callable[..., Any], *args: Any, **options: Any) -> programs.CostReport:
        """Compile a call: what XLA estimates that it takes, and how long compiling took."""
        from jaxtutor.worker.repl import programs

        return programs.CostReport.of(programs.TraceableCall(function, args, options))

    def hlo(
        self, function: Callable[..., Any], *args: Any, optimized: bool = False, **options: Any
    ) -> programs.Hlo:
        """Lower a call: what is handed to XLA, or with `optimized` what XLA made of it."""
        from jaxtutor.worker.repl import programs

        return programs.Hlo.of(programs.TraceableCall(function, args, options), optimized)

    def time(self, function: Callable[..., Any], *args: Any, **options: Any) -> timing.Times:
        """Time a call to the end of its computation, compiling apart from running."""
        from jaxtutor.worker.repl import programs, timing

        return timing.measure(programs.TraceableCall(function, args, options))

    def jit(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> inspections.JitReport:
        """Make a call without jit and with it, and compare the answers."""
        from jaxtutor.worker.repl import inspections, programs

        return inspections.compare_jitted(programs.TraceableCall(function, args, options))

    def grad(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> inspections.GradientReport:
        """Give a call's value and its gradient, by `argnums` or all arguments that have one."""
        from jaxtutor.worker.repl import inspections

        return inspections.differentiate(function, args, options)

    def vmap(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> inspections.VmapReport:
        """Map a call over the first axis of its arrays, or over `in_axes`."""
        from jaxtutor.worker.repl import inspections

        return inspections.map_over(function, args, options)

    # ------------------------------------------------------------ of values

    def retraces(self, function: Any = None) -> Retraces:
        """Say what jit traced, and what had changed when it traced again."""
        return self._traces.report(function)

    def shape(self, *value: Any) -> inspections.ShapesReport:
        """Give shapes and dtypes: of one value, a tree of them, or of all names."""
        from jaxtutor.worker.repl import inspections

        if value:
            return inspections.ShapesReport.of(value[0])
        return inspections.ShapesReport.of_names(self._names)

    def device(self, *value: Any) -> inspections.DevicesReport:
        """List the devices, or say where a value lies."""
        from jaxtutor.worker.repl import inspections

        return inspections.DevicesReport.of(*value)

    # ------------------------------------------------------------ of the prompt

    def explain(self, name: str = "") -> None:
        """Show the page of a cause or of an error class."""
        self._wish(PromptAction("explain", str(name)))

    def why(self) -> None:
        """Show the last error in full."""
        self._wish(PromptAction("why"))

    def check(self) -> None:
        """Check the lesson's file."""
        self._wish(PromptAction("check"))

    def hint(self) -> None:
        """Show the lesson's next hint."""
        self._wish(PromptAction("hint"))

    def save(self, line: int | None = None) -> None:
        """Put the last cell, or the one at a line, into the lesson's file."""
        self._wish(PromptAction("save", "" if line is None else str(line)))

    def help(self, name: str = "") -> None:
        """List the commands."""
        self._wish(PromptAction("help", str(name)))

    def quit(self) -> None:
        """Leave."""
        self._wish(PromptAction("quit"))

    # ------------------------------------------------------------ itself

    def _page_(self, _: PageStyle) -> Page:
        return values.table([(_call_text(name), "", c.says) for name, c in COMMANDS.items()])

    __repr__ = values.report_text


def _call_text(name: str) -> str:
    arguments = {"call": "f, x", "maybe": "x", "name": "name"}.get(COMMANDS[name].takes, "")
    return f"tutor.{name}({arguments})"
