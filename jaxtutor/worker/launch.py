"""Starts the process of a learner's own program; it is run by its path, as a script would be.

    python .../jaxtutor/worker/launch.py OPTIONS
    python .../jaxtutor/worker/launch.py SOCKET IMPORTS    (a template that forks; see `template`)

Python then sets up `__main__` and its flags exactly as it does for the learner's script, which
replaces this module. `python -m` would need `-P`, which the program could see in `sys.flags`.
"""

import _signal  # type: ignore[import-not-found]  # built in: no file can hide it
import sys

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # as `die_of_interrupts`, before any import
_before = frozenset(sys.modules)
if not sys.flags.safe_path:
    del sys.path[0]  # the folder of this file, whose modules have everyday names
sys.path.insert(0, __file__.rpartition("jaxtutor")[0])  # of this package, wherever it is

from jaxtutor.worker import script_process  # noqa: E402 - only now can it be found

del sys.path[0]
sys.exit(script_process.main(_before))
