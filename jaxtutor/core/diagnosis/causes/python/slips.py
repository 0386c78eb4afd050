"""Recognises slips of the hand: two letters swapped, one doubled or left out of two, a capital."""

from __future__ import annotations

SHORTEST = 4
"""Letters; a shorter name is one slip away from too many others."""


def is_slip(written: str, meant: str) -> bool:
    """Return whether a name is another one with one slip of the hand.

    A letter that differs, or one more at the end, often makes another word: `log2` and `log10`.
    """
    if written == meant or min(len(written), len(meant)) < SHORTEST:
        return False
    if written.lower() == meant.lower():
        return True
    if len(written) == len(meant):
        return _letters_swapped(written, meant)
    shorter, longer = sorted((written, meant), key=len)
    doubled = (n for n in range(1, len(longer)) if longer[n] == longer[n - 1])
    return any(longer[:n] + longer[n + 1 :] == shorter for n in doubled)


def _letters_swapped(written: str, meant: str) -> bool:
    """Return whether two neighbouring letters change places."""
    differing = [n for n in range(len(written)) if written[n] != meant[n]]
    if len(differing) != 2 or differing[1] != differing[0] + 1:
        return False
    first, second = differing
    return written[first] == meant[second] and written[second] == meant[first]
