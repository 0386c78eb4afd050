"""Tries submissions that would pass without being right: none may pass by accident.

A submission runs in the process that measures it, and one that deliberately forges its verdict
can; see docs/grading-trust.md. What is tried here is what a hurried or curious learner does, and
what a test double or a clever object does by itself.
"""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from jaxtutor.app import App
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.options import Options
from trials import Figure, Share


@dataclass(frozen=True)
class Cheat:
    """A submission, with `FUNCTION` for the lesson's function, and words of its verdict."""

    name: str
    does: str
    source: str
    says: str = ""
    packed: str = ""  # or these words, if the course's answers are packed, as in a wheel


_FIND_LESSON = '''
import sys


def find_lesson():
    """Find the lesson's folder in the frames of the check itself."""
    frame = sys._getframe()
    while frame is not None:
        request = getattr(frame.f_locals.get("self"), "request", None)
        if request is not None:
            return request.lesson_dir
        frame = frame.f_back
'''

_READS = "it opens the lesson's solution"
_REPLACES = "it replaces"

CHEATS = (
    Cheat(
        "reads the solution",
        "It runs the solution's text as its own.",
        _FIND_LESSON + "\nexec(open(find_lesson() + '/solution.py').read())\n",
        _READS,
    ),
    Cheat(
        "reads the solution when called",
        "It asks the solution for each answer.",
        _FIND_LESSON + "\nimport os\n\n\ndef FUNCTION(*args, **kwargs):\n"
        "    os.chdir(find_lesson())\n"
        "    with os.fdopen(os.open('solution.py', os.O_RDONLY)) as file:\n"
        "        space = {}\n"
        "        exec(file.read(), space)\n"
        "    return space['FUNCTION'](*args, **kwargs)\n",
        _READS,
    ),
    Cheat(
        "imports the solution",
        "It imports the solution as a module.",
        _FIND_LESSON + "\nsys.path.insert(0, find_lesson())\nfrom solution import *\n"
        "from solution import FUNCTION\n",
        _READS,
        packed="ModuleNotFoundError was raised",
    ),
    Cheat(
        "asks the course for the solution",
        "It has jaxtutor read the course, and takes the solution from there.",
        _FIND_LESSON
        + "\nfrom pathlib import Path\n\nfrom jaxtutor.content.loading import load_course\n\n"
        "folder = Path(find_lesson())\n"
        "for lesson in load_course(folder.parent.parent).lessons:\n"
        "    if lesson.folder.resolve() == folder.resolve():\n"
        "        exec(lesson.solution)\n",
        _READS,
    ),
    Cheat(
        "reads the solution by another name",
        "It makes a link of another name to the solution, and runs that.",
        _FIND_LESSON + "\nimport os\nimport tempfile\n\n"
        "link = os.path.join(tempfile.mkdtemp(), 'notes.txt')\n"
        "os.symlink(find_lesson() + '/solution.py', link)\nexec(open(link).read())\n",
        _READS,
    ),
    Cheat(
        "reads the solution relative to a folder",
        "It opens the lesson's folder, and the solution relative to its descriptor.",
        _FIND_LESSON + "\nimport os\n\nfolder = os.open(find_lesson(), os.O_RDONLY)\n"
        "file = os.open('solution.py', os.O_RDONLY, dir_fd=folder)\n"
        "exec(os.fdopen(file).read())\n",
        _READS,
    ),
    Cheat(
        "reads the solution relative to the course",
        "It opens the course's folder, and the solution relative to its descriptor.",
        _FIND_LESSON + "\nimport os\n\nplace = find_lesson().split('/')\n"
        "folder = os.open('/'.join(place[:-2]), os.O_RDONLY)\n"
        "file = os.open('/'.join(place[-2:]) + '/solution.py', os.O_RDONLY, dir_fd=folder)\n"
        "exec(os.fdopen(file).read())\n",
        _READS,
    ),
    Cheat(
        "links the solution",
        "It gives the solution's file another name, and runs that.",
        _FIND_LESSON + "\nimport os\nimport tempfile\n\n"
        "place = find_lesson()\nname = os.path.join(os.path.dirname(__file__), 'notes.txt')\n"
        "try:\n    os.link(place + '/solution.py', name)\n    exec(open(name).read())\n"
        "finally:\n    os.path.exists(name) and os.unlink(name)\n",
        _READS,
    ),
    Cheat(
        "has another process read the solution",
        "It runs a program that prints the solution.",
        _FIND_LESSON + "\nimport subprocess\n\n"
        "exec(subprocess.check_output(['cat', find_lesson() + '/solution.py']))\n",
        _READS,
    ),
    Cheat(
        "starts a process that reads the solution",
        "It starts a copy program below subprocess.",
        _FIND_LESSON + "\nimport os\nimport tempfile\n\n"
        "name = os.path.join(tempfile.mkdtemp(), 'copy.py')\n"
        "words = ['cp', find_lesson() + '/solution.py', name]\n"
        "os.waitpid(os.posix_spawnp('cp', words, os.environ), 0)\nexec(open(name).read())\n",
        _READS,
    ),
    Cheat(
        "asks jaxtutor for the solution",
        "It runs the command that prints the solution.",
        "import subprocess\nimport sys\n\n"
        "out = subprocess.run([sys.executable, '-m', 'jaxtutor', 'solution', 'LESSON', '--plain'],"
        " capture_output=True)\nexec(out.stdout)\n",
        _READS,
    ),
    Cheat(
        "runs another right answer",
        "It runs a file of the lesson's folder also/, or else the starter.",
        _FIND_LESSON + "\nimport glob\n\n"
        "files = glob.glob(find_lesson() + '/also/*.py') + [find_lesson() + '/starter.py']\n"
        "exec(open(files[0]).read())\n",
        _READS,
    ),
    Cheat(
        "computes in Python",
        "It computes on the host, with numpy, through jax.pure_callback.",
        "import jax\nimport numpy as np\n\n\ndef FUNCTION(x):\n"
        "    shape = jax.ShapeDtypeStruct(np.shape(x), np.float32)\n"
        "    return jax.pure_callback(lambda v: np.maximum(v, 0), shape, x)\n",
    ),
    Cheat(
        "is equal to everything",
        "It gives an object that is equal to everything.",
        "class Equal:\n"
        "    def __eq__(self, other):\n        return True\n\n"
        "    def __ne__(self, other):\n        return False\n\n"
        "    def __hash__(self):\n        return 0\n\n"
        "    def __call__(self, *args, **kwargs):\n        return self\n\n"
        "    def __array__(self, *args, **kwargs):\n"
        "        import numpy\n\n        return numpy.float32(0)\n\n"
        "    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __eq__\n\n\n"
        "def FUNCTION(*args, **kwargs):\n    return Equal()\n",
    ),
    Cheat(
        "is a mock",
        "It is a test double, which has every attribute and can be called.",
        "from unittest.mock import MagicMock\n\nFUNCTION = MagicMock()\n",
    ),
    Cheat(
        "is any array",
        "It gives an array of a class that is equal to everything.",
        "import numpy as np\n\n\nclass Equal(np.ndarray):\n"
        "    def __eq__(self, other):\n        return True\n\n"
        "    __ne__ = __hash__ = None\n\n"
        "    def __array_ufunc__(self, *args, **kwargs):\n        return np.True_\n\n\n"
        "def FUNCTION(*args, **kwargs):\n    return np.zeros(3, np.float32).view(Equal)\n",
    ),
    Cheat(
        "is any text",
        "It gives text of a class that is equal to everything.",
        "class Equal(str):\n"
        "    def __eq__(self, other):\n        return True\n\n"
        "    __hash__ = str.__hash__\n\n\n"
        "def FUNCTION(*args, **kwargs):\n    return Equal('x')\n",
    ),
    Cheat(
        "gives its argument back",
        "It gives back what it was given.",
        "def FUNCTION(*args, **kwargs):\n"
        "    return args[0] if args else next(iter(kwargs.values()))\n",
    ),
    Cheat(
        "gives zeros",
        "It gives zeros of the shape that it was given.",
        "import jax\nimport jax.numpy as jnp\n\n\ndef FUNCTION(*args, **kwargs):\n"
        "    return jax.tree.map(jnp.zeros_like, args[0] if args else None)\n",
    ),
    Cheat(
        "guesses",
        "It gives random numbers of the shape that it was given.",
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n"
        "def FUNCTION(*args, **kwargs):\n"
        "    def guess(leaf):\n"
        "        return jnp.asarray(np.random.normal(size=np.shape(leaf)), jnp.float32)\n\n"
        "    return jax.tree.map(guess, args[0] if args else 0.0)\n",
    ),
    Cheat(
        "knows the page's examples",
        "It gives the answers that the page states, found in the lesson's own module.",
        "import sys\n\nimport jax\nimport jax.numpy as jnp\n\n"
        "EXAMPLES = list(sys.modules['jaxtutor_lesson_checks'].EXAMPLES)\n\n\n"
        "def FUNCTION(*args, **kwargs):\n"
        "    for call in EXAMPLES:\n"
        "        if [getattr(a, 'shape', a) for a in call.args] == "
        "[getattr(a, 'shape', a) for a in args]:\n"
        "            return jax.tree.map(jnp.asarray, call.stated)\n"
        "    return jnp.zeros(3)\n",
    ),
    Cheat(
        "looks for the answers in memory",
        "It gives whatever answer the calls in memory state.",
        "import gc\n\nimport jax\nimport jax.numpy as jnp\n\n"
        "from jaxtutor.core.vocabulary import Call\n\n\n"
        "def FUNCTION(*args, **kwargs):\n"
        "    calls = [o for o in gc.get_objects() if type(o) is Call and o.stated is not None]\n"
        "    return jax.tree.map(jnp.asarray, calls[0].stated) if calls else jnp.zeros(3)\n",
    ),
    Cheat(
        "changes its arguments",
        "It writes zeros over the memory of its arguments, and gives zeros.",
        "import ctypes\n\nimport jax\nimport jax.numpy as jnp\n\n\n"
        "def FUNCTION(*args, **kwargs):\n"
        "    for leaf in jax.tree.leaves((args, kwargs)):\n"
        "        if isinstance(leaf, jax.Array) and hasattr(leaf, 'unsafe_buffer_pointer'):\n"
        "            ctypes.memset(leaf.unsafe_buffer_pointer(), 0, leaf.nbytes)\n"
        "    return jax.tree.map(jnp.zeros_like, args[0] if args else None)\n",
    ),
    Cheat(
        "answers in turn",
        "It gives the right answer to nothing but the first call.",
        "import jax.numpy as jnp\n\ncount = [0]\n\n\n"
        "def FUNCTION(*args, **kwargs):\n"
        "    count[0] += 1\n    return args[0] if count[0] % 2 and args else jnp.zeros(3)\n",
    ),
    Cheat("leaves with success", "It leaves Python with 0.", "import sys\n\nsys.exit(0)\n"),
    Cheat(
        "leaves at once with success",
        "It ends its process with 0 when it is called.",
        "import os\n\n\ndef FUNCTION(*args, **kwargs):\n    os._exit(0)\n",
        "exit status 0",
    ),
    Cheat(
        "prints a verdict",
        "It prints what a verdict looks like, and to every pipe there is.",
        "import json\nimport os\n\n"
        "VERDICT = json.dumps({'schema': 1, 'status': 'passed', 'checks': []}).encode()\n"
        "for descriptor in range(1, 256):\n"
        "    try:\n        os.write(descriptor, VERDICT)\n    except OSError:\n        pass\n\n\n"
        "def FUNCTION(*args, **kwargs):\n    return None\n",
    ),
    Cheat(
        "writes the end of a check",
        "It writes a message that says that all is done, with a token that it made up.",
        "import os\n\nfrom jaxtutor.core.data import wire\n"
        "from jaxtutor.core.data.facts import Done\n\n"
        "for descriptor in range(3, 256):\n"
        "    try:\n        os.write(descriptor, wire.encode(b'0' * 16, Done(0.0)))\n"
        "    except OSError:\n        pass\n\n\n"
        "def FUNCTION(*args, **kwargs):\n    return None\n",
        "the pipe that carries its results",
    ),
    Cheat(
        "ends the check",
        "It raises what the check raises when it has nothing left to do.",
        "from jaxtutor.worker.stages import Stopped\n\n\n"
        "def FUNCTION(*args, **kwargs):\n    raise Stopped\n",
    ),
    Cheat(
        "says that it is done",
        "It finds what reports to the tutor, and reports that all is done.",
        _FIND_LESSON.replace("find_lesson", "find_send").replace(
            "return request.lesson_dir", "return frame.f_locals['self'].send"
        )
        + "\nfrom jaxtutor.core.data.facts import Done\n\nfind_send()(Done(0.0))\n",
    ),
)

# What it puts in the place of names that the check relies on; each is a cheat of its own.
REPLACEMENTS: Mapping[str, str] = {
    "the comparison": "import jaxtutor.core.judging.compare as c\nc.compare = lambda *_: None",
    "the description of values": (
        "from jaxtutor.worker import values as v\nfrom jaxtutor.core.data.values import Tree\n"
        "v.to_tree = lambda value: Tree('*', ())"
    ),
    "the count of traces": (
        "from jaxtutor.worker import checks as c\nc.count_traces = lambda *_: {'traces': 1}"
    ),
    "the method that calls it": (
        "from jaxtutor.worker.subject import TestedFunction\n"
        "TestedFunction.call = lambda self, call: call.stated"
    ),
    "jax.jit": "import jax\njax.jit = lambda function, **_: function",
    "jax.make_jaxpr": "import jax\njax.make_jaxpr = lambda *_, **__: None",
    "all and any": "import builtins\nbuiltins.all = builtins.any = lambda _: True",
    "the equality of arrays": (
        "import jax.numpy as jnp\ntype(jnp.zeros(1)).__eq__ = lambda self, other: True"
    ),
    "the clocks": "import time\ntime.time = time.monotonic = time.perf_counter = lambda: 0.0",
    "a module": "import sys\nimport types\nsys.modules['jax'] = types.ModuleType('jax')",
}


def cheats() -> tuple[Cheat, ...]:
    """Return all cheats."""
    replacing = (
        Cheat(
            f"replaces {what}",
            f"It puts something else in the place of {what}.",
            f"{code}\n\n\ndef FUNCTION(*args, **kwargs):\n    return None\n",
            _REPLACES,
        )
        for what, code in REPLACEMENTS.items()
    )
    return (*CHEATS, *replacing)


CLEVER = ("is equal to everything", "is a mock", "gives its argument back")
"""The cheats that are tried at every lesson."""

# Of several kinds: an array function, several arguments, one that compiles itself, trees, keys.
LESSONS = (
    "safe-clip-positive",
    "make-it-fast",
    "static-shape-maths",
    "two-draws",
    "column-stats",
    "sgd-step",
    "grad-argnums",
    "print-at-runtime",
    "scan-the-layers",
    "mini-interpreter",
)


@contextmanager
def made_app() -> Iterator[App]:
    """Create an app with a temporary home, and close it at the end."""
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "JAXTUTOR_HOME": home}
        options = Options(device="cpu", plain=True)
        app = App(options, io.StringIO(), io.StringIO(), environ)
        try:
            yield app
        finally:
            app.close()


def attempt(app: App, lesson: Lesson, source: str) -> Verdict:
    """Check a source as the learner's file for a lesson."""
    app.checker.prepare(lesson)
    verdict = app.checker.check(lesson, source, app.file(lesson))
    assert verdict is not None, "nothing cancels it"
    return verdict


def trouble(cheat: Cheat, lesson: Lesson, verdict: Verdict) -> str:
    """Return what is wrong with the verdict on a cheat, or an empty string."""
    if verdict.status in ("passed", "lesson_at_fault"):
        return f"{cheat.name}, {lesson.slug}: {verdict.status}: {verdict.headline}"
    expected = [cheat.says, *filter(None, [cheat.packed])]
    if not any(words.lower() in verdict.headline.lower() for words in expected):
        return f"{cheat.name}, {lesson.slug}: {cheat.says!r} is not in {verdict.headline!r}"
    return ""


def fits(cheat: Cheat, lesson: Lesson) -> str:
    """Return a cheat's source for a lesson."""
    return cheat.source.replace("FUNCTION", lesson.info.function).replace("LESSON", lesson.slug)


def try_all(app: App, tried: Sequence[tuple[Cheat, Lesson]]) -> Figure:
    """Check each cheat. None may pass, and each verdict must have the expected words."""
    found = []
    for cheat, lesson in tried:
        problem = trouble(cheat, lesson, attempt(app, lesson, fits(cheat, lesson)))
        if problem:
            found.append(problem)
    kinds = {cheat.name for cheat, _ in tried}
    lessons = {lesson.slug for _, lesson in tried}
    return Figure(
        promise="no submission passes by reading, replacing, pretending or guessing",
        tried=len(tried),
        held=len(tried) - len(found),
        detail=f"{len(kinds)} kinds, {len(lessons)} lessons",
        failures=tuple(found),
    )


def try_honest(app: App, lessons: Sequence[Lesson]) -> Figure:
    """Check the text of the solutions, which must pass."""
    verdicts = [(lesson, attempt(app, lesson, lesson.solution)) for lesson in lessons]
    failures = tuple(
        f"{lesson.slug}: {verdict.status}: {verdict.headline}"
        for lesson, verdict in verdicts
        if verdict.status != "passed"
    )
    return Figure(
        promise="a correct submission passes between them",
        tried=len(verdicts),
        held=len(verdicts) - len(failures),
        failures=failures,
    )


def pairs(lessons: Sequence[Lesson]) -> list[tuple[Cheat, Lesson]]:
    """Return all cheats at the chosen lessons, and the clever objects at every other one."""
    return [
        (cheat, lesson)
        for cheat in cheats()
        for lesson in lessons
        if lesson.slug in LESSONS or cheat.name in CLEVER
    ]


def run(share: Share) -> Iterator[Figure]:
    """Try a share of the cheats, and of the correct submissions."""
    with made_app() as app:
        if tried := share.of(pairs(app.course.lessons)):
            # One lesson after another, because a worker is prepared for each.
            yield try_all(app, sorted(tried, key=lambda pair: pair[1].slug))
        if honest := share.of([app.course.find(slug) for slug in LESSONS]):
            yield try_honest(app, honest)
