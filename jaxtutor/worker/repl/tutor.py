"""Defines `tutor`: the prompt's commands as functions that return their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jaxtutor.core.repl.commands import COMMANDS
from jaxtutor.core.repl.messages import Page, PageStyle, PromptAction
from jaxtutor.worker.repl import operands, values

if TYPE_CHECKING:
    from jaxtutor.worker.repl import inspections, programs, timing
    from jaxtutor.worker.repl.retraces import TraceHistory, TraceRecorder

__all__ = ["Tutor"]


class Tutor:
    """The commands. `tutor.cost(f, x)` is `:cost f(x)`, with its numbers as attributes.

    A command imports what it needs when it is used, because some parts of JAX import slowly.
    """

    def __init__(
        self,
        names: operands.Names,
        traces: TraceRecorder,
        request_action: Callable[[PromptAction], None],
    ) -> None:
        self._names = names
        self._traces = traces
        self._request_action = request_action

    # ------------------------------------------------------------ calls

    def jaxpr(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> programs.JaxprReport:
        """Trace a call and return its jaxpr."""
        from jaxtutor.worker.repl import programs

        return programs.JaxprReport.of(
            programs.TraceableCall(function, args, options), self._traces.is_own
        )

    def trace(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> programs.AnnotatedJaxpr:
        """Trace a call, and show each equation next to the source line that it came from."""
        from jaxtutor.worker.repl import programs

        return programs.AnnotatedJaxpr.of(
            programs.TraceableCall(function, args, options), self._traces.is_own
        )

    def cost(self, function: Callable[..., Any], *args: Any, **options: Any) -> programs.CostReport:
        """Compile a call, and return XLA's estimate of its cost and the time to compile."""
        from jaxtutor.worker.repl import programs

        return programs.CostReport.of(programs.TraceableCall(function, args, options))

    def hlo(
        self, function: Callable[..., Any], *args: Any, optimized: bool = False, **options: Any
    ) -> programs.Hlo:
        """Lower a call and return the program passed to XLA, or the `optimized` program."""
        from jaxtutor.worker.repl import programs

        return programs.Hlo.of(programs.TraceableCall(function, args, options), optimized)

    def time(self, function: Callable[..., Any], *args: Any, **options: Any) -> timing.Times:
        """Time a call until its computation ends, with compiling separate from running."""
        from jaxtutor.worker.repl import programs, timing

        return timing.measure(programs.TraceableCall(function, args, options))

    def jit(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> inspections.JitReport:
        """Call a function without jit and with it, and compare the results."""
        from jaxtutor.worker.repl import inspections, programs

        return inspections.compare_jitted(programs.TraceableCall(function, args, options))

    def grad(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> inspections.GradientReport:
        """Return a call's value and gradient with respect to `argnums` or all float arguments."""
        from jaxtutor.worker.repl import inspections

        return inspections.differentiate(function, args, options)

    def vmap(
        self, function: Callable[..., Any], *args: Any, **options: Any
    ) -> inspections.VmapReport:
        """Map a call over the first axis of its arrays, or over `in_axes`."""
        from jaxtutor.worker.repl import inspections

        return inspections.map_over(function, args, options)

    # ------------------------------------------------------------ values

    def retraces(self, function: Any = None) -> TraceHistory:
        """Return what jit traced, and what had changed when it traced again."""
        return self._traces.report(function)

    def shape(self, *value: Any) -> inspections.ShapesReport:
        """Return shapes and dtypes of one value, of a pytree, or of all names."""
        from jaxtutor.worker.repl import inspections

        if value:
            return inspections.ShapesReport.of(value[0])
        return inspections.ShapesReport.of_names(self._names)

    def device(self, *value: Any) -> inspections.DevicesReport:
        """List all devices, or the devices of a value."""
        from jaxtutor.worker.repl import inspections

        return inspections.DevicesReport.of(*value)

    # ------------------------------------------------------------ the prompt

    def explain(self, name: str = "") -> None:
        """Show the page of a cause or of an error class."""
        self._request_action(PromptAction("explain", str(name)))

    def why(self) -> None:
        """Show the last error in full."""
        self._request_action(PromptAction("why"))

    def check(self) -> None:
        """Check the lesson's file."""
        self._request_action(PromptAction("check"))

    def hint(self) -> None:
        """Show the lesson's next hint."""
        self._request_action(PromptAction("hint"))

    def save(self, line: int | None = None) -> None:
        """Copy the last cell, or the cell at a line, into the lesson's file."""
        self._request_action(PromptAction("save", "" if line is None else str(line)))

    def help(self, name: str = "") -> None:
        """List the commands."""
        self._request_action(PromptAction("help", str(name)))

    def quit(self) -> None:
        """Leave the prompt."""
        self._request_action(PromptAction("quit"))

    # ------------------------------------------------------------ display

    def _page_(self, _: PageStyle) -> Page:
        return values.table([(_call_text(name), "", c.says) for name, c in COMMANDS.items()])

    __repr__ = values.report_text


def _call_text(name: str) -> str:
    arguments = {"call": "f, x", "maybe": "x", "name": "name"}.get(COMMANDS[name].takes, "")
    return f"tutor.{name}({arguments})"
