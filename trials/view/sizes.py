"""Changes the size of the terminal at random, and compares the screen with a redrawn one."""

from __future__ import annotations

import random
import signal
from collections.abc import Iterator

from trials import Figure, scripted
from trials.pty_screen import PtyTerminal
from trials.view.home import EDITORS, PREFIX, SEED, Home, Tally, calm, installed, leave


def try_sizes(size: float) -> Iterator[Figure]:
    """Change the size at random, and compare the screen with one that is redrawn."""
    names = installed()
    for number, name in enumerate(names):
        tally = Tally(f"{name}: at any size, the screen equals one drawn from scratch")
        resize(name, max(round(1000 * size / len(names)), 5), SEED + number, tally)
        yield tally.figure()


def resize(name: str, times: int, seed: int, tally: Tally) -> None:
    """Change the size in bursts. After each, redraw everything and compare."""
    dice, count = random.Random(seed), 0
    with Home(EDITORS.get(name, name)) as home, home.edit() as terminal:
        if name == "emacs":
            terminal.settle(1)
        while count < times and terminal.status is None:
            did = []
            if dice.random() < 0.3:
                view = dice.choice("hdvtxal")
                terminal.press(f"{PREFIX}{view}")
                terminal.pump(0.05)
                terminal.press("\x1b")  # the editor has the keys again
                terminal.pump(0.1)
                did.append(view)
            if name == "scripted" and dice.random() < 0.5:
                terminal.press("F")
                terminal.pump(dice.random() / 20)
                did.append("flooding")
            if name in ("scripted", "nano") and dice.random() < 0.3:
                text = "def safe_clip_positive(x):\n    return x" + dice.choice(["", "("])
                home.file.write_text(f"{text}  # {dice.random()}\n")
                did.append("saved")
            sizes = [change_size(terminal, dice) for _ in range(dice.choice((1, 1, 2, 3, 8, 20)))]
            count, did = count + len(sizes), did + sizes
            if "saved" in did:
                terminal.pump(3)  # before the screen is read
            tally.note(" ".join(did), *differences(terminal, name))
        tally.detail = f"{count} sizes in bursts, seed {seed}"
        tally.note("leaving", *leave(terminal))


def change_size(terminal: PtyTerminal, dice: random.Random) -> str:
    """Change the size, usually to a random one, and wait briefly or not at all."""
    columns, rows = dice.randint(20, 300), dice.randint(3, 100)
    if dice.random() < 0.2:  # to another size and back at once
        before = terminal.size
        terminal.resize(columns, rows)
        terminal.pump(dice.choice((0, 0, 0.01)))
        columns, rows = before
    terminal.resize(columns, rows)
    terminal.pump(dice.choice((0, 0, 0.002, 0.02, 0.1)))
    return f"{columns}x{rows}"


def differences(terminal: PtyTerminal, name: str) -> list[str]:
    """Redraw everything, and return what differs from before."""
    calm(terminal)
    margins, before = terminal.screen.margins, terminal.rows()
    terminal.process.send_signal(
        signal.SIGCONT
    )  # the editor then redraws everything, as after a resume
    terminal.pump(0.1)
    calm(terminal)
    after = terminal.rows()
    rows = [n for n, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
    found = [f"row {n}: {before[n][:60]!r}, redrawn {after[n][:60]!r}" for n in rows[:3]]
    if terminal.status is not None:
        return [f"it ended with {terminal.status}: {terminal.tail[-500:]!r}"]
    if margins is None or margins != terminal.screen.margins:
        return [*found, f"margins {margins}, redrawn {terminal.screen.margins}"]
    if not 0 < margins.bottom + 1 < terminal.screen.lines or margins.top:
        found.append(f"margins {margins} of {terminal.screen.lines} rows")
    if " 3.1" not in before[margins.bottom + 1]:
        found.append(f"the line of status is {before[margins.bottom + 1]!r}")
    if name == "scripted":
        columns, height = terminal.size[0], margins.bottom + 1
        expected = [scripted.line(row, columns, height) for row in range(1, height + 1)]
        found += [
            f"{old!r}, not {new!r}"
            for old, new in zip(before, expected, strict=False)
            if old != new
        ][:2]
    return found
