"""Tests the IPython extension in a real Jupyter kernel."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import KernelManager

SECONDS = 120.0
"""How long one cell may take, on a busy machine that imports JAX."""

KEEP = "import jax\nimport jax.numpy as jnp\nkeep = jax.jit(lambda x: x[x > 0])"
REUSED = "key = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.uniform(key)"


@dataclass
class Cell:
    """What a cell sent to the front end, in order."""

    outputs: list[dict[str, str]] = field(default_factory=list)
    printed: str = ""
    raised: str = ""
    order: list[str] = field(default_factory=list)
    number: str = ""
    count: int = 0

    def keep(self, message: dict[str, Any]) -> bool:
        """Keep one message. Return whether it was the last one."""
        kind, content = message["msg_type"], message["content"]
        if kind in ("display_data", "error"):
            self.order.append(kind)
        if kind == "execute_input":
            self.count = content["execution_count"]
        elif kind == "display_data":
            self.outputs.append(content["data"])
        elif kind == "error":
            self.raised = "\n".join(content["traceback"])
        elif kind == "stream":
            self.printed += content["text"]
        return bool(kind == "status" and content["execution_state"] == "idle")


class Kernel:
    """An IPython kernel with the extension loaded."""

    def __init__(self) -> None:
        manager: Any = KernelManager(kernel_name="python3")
        manager.kernel_spec.argv[0] = sys.executable  # not the Python of an installed kernel
        self.manager = manager
        manager.start_kernel()
        self.client: Any = manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=SECONDS)
        self.run("%load_ext jaxtutor")
        self.run(KEEP)

    def run(self, source: str) -> Cell:
        """Run a cell and collect what it sent."""
        sent = self.client.execute(source)
        cell = Cell(number=sent)
        while True:
            message = self.client.get_iopub_msg(timeout=SECONDS)
            if message["parent_header"].get("msg_id") == sent and cell.keep(message):
                return cell

    def payload(self, cell: Cell) -> list[dict[str, Any]]:
        """Return what a cell asks the front end to do."""
        while True:
            message = self.client.get_shell_msg(timeout=SECONDS)
            if message["parent_header"].get("msg_id") == cell.number:
                return list(message["content"]["payload"])

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    kernel = Kernel()
    yield kernel
    kernel.close()


def test_a_failing_cell_gets_one_output(kernel: Kernel) -> None:
    """One output, above the traceback, in three forms, names the cell that has to change."""
    cell = kernel.run("keep(jnp.arange(3.0))")
    assert ["display_data", "error"] == cell.order
    (output,) = cell.outputs
    assert {"text/plain", "text/markdown", "text/html"} == set(output)
    assert "Cause: boolean-mask-index" in output["text/plain"]
    assert "In [2], line 3:" in output["text/plain"]


def test_an_error_of_no_known_cause_is_only_shown(kernel: Kernel) -> None:
    """An error without a known cause has its traceback only."""
    assert ["error"] == kernel.run("1 / 0").order


def test_findings_follow_a_cell_if_switched_on(kernel: Kernel) -> None:
    """A key that is used twice is not reported until `%jaxtutor on`."""
    assert [] == kernel.run(REUSED).outputs
    kernel.run("%jaxtutor on")
    (output,) = kernel.run(REUSED).outputs
    assert "Cause: prng-key-reuse" in output["text/plain"]
    kernel.run("%jaxtutor off")
    assert [] == kernel.run(REUSED).outputs


def test_one_cell_can_be_diagnosed(kernel: Kernel) -> None:
    """`%%diagnose` watches one cell, whose variables stay."""
    (output,) = kernel.run("%%diagnose\n" + REUSED).outputs
    assert "Cause: prng-key-reuse" in output["text/plain"]
    assert "True\n" == kernel.run("print('b' in globals())").printed


def test_a_diagnosed_cell_has_its_own_number_and_lines(kernel: Kernel) -> None:
    """The number is that of the cell with `%%diagnose`, whose line counts."""
    cell = kernel.run("%%diagnose\n" + REUSED)
    assert f"In [{cell.count}], line 4:" in cell.outputs[0]["text/plain"]
    assert f"+++ In [{cell.count}]\n" in cell.outputs[0]["text/plain"]


def test_a_comment_in_a_cell_allows_a_finding(kernel: Kernel) -> None:
    """The same comment as in a file."""
    allowed = f"{REUSED}  # jaxtutor: ignore[prng-key-reuse]"
    assert [] == kernel.run("%%diagnose\n" + allowed).outputs
    assert 1 == len(kernel.run("%%diagnose\n" + REUSED).outputs)


DROPPED = "x = jnp.zeros(3)\nx.at[0].set(1.0)\n"


def test_a_dropped_update_in_a_cell_is_found(kernel: Kernel) -> None:
    """What the text of a cell shows by itself is reported too, unless its value is displayed."""
    for source in (DROPPED + "y = 1", DROPPED.rstrip() + ";"):
        (output,) = kernel.run("%%diagnose\n" + source).outputs
        assert "Cause: at-set-result-dropped" in output["text/plain"]
    assert [] == kernel.run("%%diagnose\n" + DROPPED).outputs


MODULE = "import jax.numpy as jnp\n\n\n{}def fill(x):\n    x.at[0].set(1.0)\n    return x\n"


def test_a_module_that_a_cell_runs_is_read_once(kernel: Kernel, tmp_path: Path) -> None:
    """A mistake in a module is reported with the first cell that runs it."""
    (tmp_path / "fills.py").write_text(MODULE.format(""))
    kernel.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})\nimport fills")
    kernel.run("%jaxtutor on")
    reports = [kernel.run("y = fills.fill(jnp.zeros(3))").outputs for _ in range(2)]
    assert [sys.version_info >= (3, 12), 0] == [len(outputs) for outputs in reports]
    (tmp_path / "fills.py").write_text(MODULE.format("\n\n"))
    edited = kernel.run("y = fills.fill(jnp.ones(3))")
    if sys.version_info >= (3, 12):
        assert "fills.py has changed since it was loaded" in edited.printed
    kernel.run("%jaxtutor off")


EDITED = (
    MODULE.format("\n\n") + "\n\nclass Model:\n    def mask(self, x):\n        return x[x > 0]\n"
)


def test_modules_are_read_as_they_were_loaded_last(kernel: Kernel, tmp_path: Path) -> None:
    """`%autoreload` and `importlib.reload` bring the lines of the file as it is then."""
    file = tmp_path / "loads.py"
    file.write_text(EDITED.replace("x[x > 0]", "x"))
    kernel.run(f"import importlib, sys; sys.path.insert(0, {str(tmp_path)!r})\nimport loads")
    kernel.run("%load_ext autoreload\n%autoreload 2")
    file.write_text("# one more\n" + EDITED)
    (output,) = kernel.run("jax.jit(loads.Model().mask)(jnp.zeros(3))").outputs
    assert "loads.py, line 14:\n  13      def mask(self, x):\n→ 14" in output["text/plain"]
    kernel.run("%autoreload 0")
    file.write_text("# one more\n# and another\n" + EDITED)
    kernel.run("importlib.reload(loads)")
    (output,) = kernel.run("jax.jit(loads.Model().mask)(jnp.zeros(3))").outputs
    assert "loads.py, line 15:" in output["text/plain"]


def test_an_edit_adds_no_import_that_another_cell_has(kernel: Kernel) -> None:
    """Cells of one session see each other's imports, and so does the edit of a cell."""
    kernel.run("@jax.jit\ndef sign(x):\n    if x > 0:\n        return x\n    return -x\n")
    (output,) = kernel.run("sign(jnp.float32(1))").outputs
    assert "+    return jnp.where(x > 0, x, -x)" in output["text/plain"]
    assert "+import" not in output["text/plain"]


def test_pages_are_shown_by_name(kernel: Kernel) -> None:
    """`%jaxtutor explain` shows a page, and reports a name without a page."""
    (output,) = kernel.run("%jaxtutor explain traced-bool-in-if").outputs
    assert output["text/markdown"].startswith("# traced-bool-in-if")
    assert "no page named 'nothing'" in kernel.run("%jaxtutor explain nothing").printed
    assert kernel.run("%jaxtutor").printed.startswith("Use: %jaxtutor on")


def test_a_fix_is_tried_in_a_copy_and_offered(kernel: Kernel) -> None:
    """`%jaxtutor fix` runs the cells elsewhere; the mended cell becomes the next input."""
    kernel.run("ran = globals().get('ran', 0) + 1")
    kernel.run("@jax.jit\ndef choose(x):\n    if x > 0:\n        return x\n    return -x\n")
    (output,) = kernel.run("choose(jnp.float32(1))").outputs
    assert "Suggested edit, not tried (try it with %jaxtutor fix):" in output["text/plain"]
    cell = kernel.run("%jaxtutor fix")
    (output,) = cell.outputs
    assert output["text/plain"].startswith("Verified fix: the cells of this session run")
    (payload,) = kernel.payload(cell)
    assert "@jax.jit\ndef choose(x):\n    return jnp.where(x > 0, x, -x)\n" == payload["text"]
    assert "1\n" == kernel.run("print(ran)").printed


def test_a_diagnosed_cell_is_a_cell_like_any_other(kernel: Kernel) -> None:
    """It may await, and its traceback has its own number; other magics may not stand beside it."""
    cell = kernel.run("%%diagnose\nimport asyncio\nawait asyncio.sleep(0)\n" + REUSED)
    assert f"In [{cell.count}], line 6:" in cell.outputs[0]["text/plain"]
    failed = kernel.run("%%diagnose\nkeep(jnp.arange(3.0))")
    assert f"Cell In[{failed.count}], line 2" in re.sub("\x1b.*?m", "", failed.raised)
    for magics in ("%%diagnose\n%%capture", "%%capture\n%%diagnose"):
        printed = kernel.run(f"{magics}\n{REUSED}").printed
        assert "%%diagnose must be the only `%%` magic of its cell." in printed


def test_diagnosing_leaves_the_options_as_they_were(kernel: Kernel) -> None:
    """JAX shows tracebacks as it did before the first diagnosis."""
    kernel.run("keep(jnp.arange(3.0))")
    assert "auto\n" == kernel.run("print(jax.config.jax_traceback_filtering)").printed


def test_unloading_restores_the_shell(kernel: Kernel) -> None:
    """After `%unload_ext`, a failing cell has its traceback only, and the magics are gone."""
    kernel.run("%unload_ext jaxtutor")
    assert ["error"] == kernel.run("keep(jnp.arange(3.0))").order
    assert "not found" in kernel.run("%jaxtutor on").printed
    kernel.run("%load_ext jaxtutor")
    assert ["display_data", "error"] == kernel.run("keep(jnp.arange(3.0))").order
