"""Tests which values that a compiled function read are compared at a later call."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from textwrap import dedent
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from jaxtutor.worker.watching.captured_reads import CapturedReads

FILE, NAME = "/learner/captured.py", "captured_reads_example"
KEY = ("f", FILE, 1)


@pytest.fixture(autouse=True)
def no_module() -> Iterator[None]:
    """Remove the module of the test."""
    yield
    sys.modules.pop(NAME, None)


def changed(source: str, change: str, function: str = "f") -> list[tuple[str, str, str]]:
    """Return what has changed after a statement: the path, and its values before and after."""
    text = dedent(source)
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    module: Any = ModuleType(NAME)
    module.__file__, module.np = FILE, np
    sys.modules[NAME] = module
    exec(compile(text, FILE, "exec"), vars(module))
    reads = CapturedReads(lambda file: file == FILE)
    reads.keep(KEY, eval(function, vars(module)))
    exec(change, vars(module))
    found = [(it.read.path, it.read.before, it.after) for it in reads.changes(KEY)]
    assert [] == list(reads.changes(KEY)), "each change is reported once"
    return found


OBJECT = "class A:\n    k = 1.0\n    def m(self): return self.k\na = A()\n"


@pytest.mark.parametrize(
    ("source", "change", "path"),
    [
        ("g = 1.0\ndef f(x): return x * g", "g = 2.0", "g"),
        (OBJECT + "a.b = A()\ndef f(x): return x * a.b.k", "a.b.k = 2.0", "a.b.k"),
        (OBJECT + "def f(x): return x * A.k", "A.k = 2.0", "A.k"),
        (OBJECT + "def f(x): return x * a.m()", "a.k = 2.0", "self.k"),
        (OBJECT + "def f(x): return x * a.k", "a = A(); a.k = 2.0", "a.k"),
        ("c = [1.0]\ndef f(x): return x * c[0]", "c[0] = 2.0", "c[0]"),
        ('c = {"a": {"b": 1.0}}\ndef f(x): return x * c["a"]["b"]', 'c["a"]["b"] = 2.0', "c"),
        ("m = np.ones(2)\ndef f(x): return x * m", "m[0] = 2.0", "m"),
        ("g = 1.0\ndef h(x): return x * g\ndef f(x): return h(x)", "g = 2.0", "g"),
        ("g = 1.0\ndef h(x): return x * g\ndef f(x): return map(h, x)", "g = 2.0", "g"),
        ("g = 1.0\ndef f(x): return (lambda y: y * g)(x)", "g = 2.0", "g"),
    ],
)
def test_a_changed_value_is_found(source: str, change: str, path: str) -> None:
    """The value of a path differs: of a variable, an attribute, an entry, or an array's element."""
    ((found, _, _),) = changed(source, change)
    assert found.startswith(path)


@pytest.mark.parametrize(
    ("source", "change"),
    [
        ("g = 1.0\ndef f(x, g): return x * g", "g = 2.0"),
        ("g = 1.0\ndef f(x):\n    g = x\n    return g", "g = 2.0"),
        ("g = 1.0\ndef f(x): return [g for g in x]", "g = 2.0"),
        ("n = 0\ndef f(x):\n    global n\n    n += 1\n    return x", "n = 5"),
        (OBJECT + "def f(x):\n    a.k = x\n    return a.k", "a.k = 2.0"),
        (OBJECT + "def f(x): return debug.callback(lambda v: print(a.k), x)", "a.k = 2.0"),
        ("g = 1.0\ndef f(x): return x * g", "g = 1"),
        ("g = float('nan')\ndef f(x): return x * g", "g = float('nan')"),
        ("g = 1.0\ndef f(x): return x * g", "del g"),
        ("c = {}\ndef f(x): return x * c['a']", "c['a'] = 1.0"),
    ],
)
def test_other_changes_are_none(source: str, change: str) -> None:
    """Own variables, what the function stores itself, callbacks and equal values do not count."""
    assert [] == changed(source, change)


def test_a_method_and_a_partial_are_followed() -> None:
    """The function inside of a bound method or of a partial is read."""
    assert [("self.k", "1.0", "2.0")] == changed(OBJECT, "a.k = 2.0", "a.m")
    source = "g = 1.0\ndef f(y, x): return x * g\nimport functools\n"
    assert [("g", "1.0", "2.0")] == changed(source, "g = 2.0", "functools.partial(f, 1)")


def test_code_of_a_class_is_not_run() -> None:
    """Attributes are looked up where they are stored, without `__getattr__` or properties."""
    source = """
        class A:
            def __getattr__(self, name): raise SystemExit
            @property
            def k(self): return self.j * undefined
        a = A()
        a.j = 1.0
        def f(x): return x * a.k * a.other
    """
    assert [("self.j", "1.0", "2.0")] == changed(source, "a.j = 2.0")
