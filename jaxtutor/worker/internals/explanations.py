"""What JAX would say if it were asked: its explanations of cache misses, and rank promotions."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jaxtutor.worker.internals.moved import unknown

TRACE_LOGGER = "jax._src.interpreters.partial_eval"
"""The logger on which JAX explains why it traces again, under `jax_explain_cache_misses`."""


class _AsIf:
    """Another object's attributes, with some of them replaced."""

    def __init__(self, original: Any, **replaced: Any) -> None:
        self.__dict__.update(replaced)
        self._original = original

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


class _Setting:
    """A setting of JAX that has one value for a part of JAX, whatever the program has chosen."""

    def __init__(self, setting: Any, value: Any) -> None:
        self._setting = setting
        self.value = value

    def __call__(self, *given: Any) -> Any:
        return self._setting(*given)


def watch_promotions(note: Callable[[Sequence[tuple[int, ...]]], None]) -> Callable[[], None]:
    """Call `note` with the shapes of each rank promotion. Return a function that undoes it.

    The program's own choice, to allow them, to warn or to raise, stays in force.
    """
    try:
        from jax._src.numpy import util

        module: Any = util
        config, warn_or_raise = module.config, module._rank_promotion_warning_or_error
        setting = config.numpy_rank_promotion
    except (ImportError, AttributeError):  # internals moved: nothing is observed
        return unknown(lambda: None)

    def promoted(name: str, shapes: Sequence[tuple[int, ...]]) -> None:
        note(shapes)
        if setting.value != "allow":
            with _replaced(module, config=config):
                warn_or_raise(name, shapes)

    seen = _AsIf(config, numpy_rank_promotion=_Setting(setting, "seen"))
    module.config, module._rank_promotion_warning_or_error = seen, promoted

    def undo() -> None:
        module.config, module._rank_promotion_warning_or_error = config, warn_or_raise

    return undo


@contextmanager
def _replaced(owner: Any, **values: Any) -> Iterator[None]:
    before = {name: getattr(owner, name) for name in values}
    owner.__dict__.update(values)
    try:
        yield
    finally:
        owner.__dict__.update(before)


def explain_misses(note: Callable[[str], None]) -> Callable[[], None]:
    """Call `note` with each of JAX's explanations why it traces again. Return an undo function.

    They are logged only if the program itself turns them on (`jax_explain_cache_misses`).
    """
    try:
        from jax._src import linear_util, util

        modules: list[Any] = [linear_util, util]
        configs = [module.config for module in modules]
        setting = configs[0].explain_cache_misses
    except (ImportError, AttributeError):  # internals moved: nothing is observed
        return unknown(lambda: None)

    def is_wanted(record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if "CACHE MISS" in text:
            note(text)
            if not setting.value:
                return False
        return level > logging.NOTSET or logger.parent is None or is_enabled(record)

    def is_enabled(record: logging.LogRecord) -> bool:
        return logger.parent is not None and logger.parent.isEnabledFor(record.levelno)

    for module, config in zip(modules, configs, strict=True):
        module.config = _AsIf(config, explain_cache_misses=_Setting(setting, True))
    logger = logging.getLogger(TRACE_LOGGER)
    level = logger.level
    logger.setLevel(logging.WARNING)  # even if the program silences the loggers above it
    logger.addFilter(is_wanted)

    def undo() -> None:
        logger.removeFilter(is_wanted)
        logger.setLevel(level)
        for module, config in zip(modules, configs, strict=True):
            module.config = config

    return undo
