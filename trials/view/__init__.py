"""Tries the session's screen: sizes, keys, pastes, signals and unusual terminals.

Programs run in an emulated terminal (`trials.pty_screen`) whose screen the trial reads. One seed
gives one trial.
"""

from __future__ import annotations

from collections.abc import Iterator

from trials import Figure, Share
from trials.view.keys import try_keys
from trials.view.pastes import try_pastes
from trials.view.signals import try_signals
from trials.view.sizes import try_sizes
from trials.view.streams import try_streams
from trials.view.unusual import try_terminals


def run(share: Share) -> Iterator[Figure]:
    """Try every promise about the screen. Size 1 takes most of an hour."""
    size = share.size
    yield from try_sizes(size)
    yield from try_pastes(size)
    yield from try_keys(size)
    yield from try_signals(size)
    yield from try_terminals(size)
    yield from try_streams(size)
