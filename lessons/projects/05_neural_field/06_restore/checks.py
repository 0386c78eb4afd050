"""Checks for checkpoints."""

import errno
import os
import resource
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False
SMALL = (8, 4, 3)


def make(seed, kind="threefry2x32", width=3):
    """Return a state with leaves of many dtypes."""
    rng = np.random.default_rng(seed)
    w = jnp.asarray(rng.normal(size=(2, width)), jnp.float32)
    return {
        "params": [{"w": w, "b": jnp.asarray(rng.normal(size=width), jnp.bfloat16)}],
        "key": jax.random.key(seed, impl=kind),
        "keys": jax.random.split(jax.random.key(seed + 1, impl=kind), 2),
        "count": jnp.int32(seed),
        "seen": (jnp.array([seed % 2 == 0, True]),),
    }


def numbers(tree):
    """Return the leaves as arrays of numbers, and keys by what they would draw."""
    return [
        jax.random.bits(leaf)
        if leaf.dtype == key_dtype(leaf) and not leaf.shape
        else jax.vmap(jax.random.bits)(leaf)
        if leaf.dtype == key_dtype(leaf)
        else leaf
        for leaf in jax.tree.leaves(tree)
    ]


def key_dtype(leaf):
    """Return the dtype of a leaf if it holds keys, or nothing."""
    return leaf.dtype if jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key) else None


def subject(module):
    """Save a state, read it back by way of another one, and return its leaves."""

    def both(seed, kind, name):
        with tempfile.TemporaryDirectory() as home:
            path = Path(home, name)
            module.save(path, make(seed, kind))
            return numbers(module.restore(path, make(seed + 9, kind)))

    both.module = module
    both.whole = cache(lambda: whole(module))
    return both


EXAMPLES = [
    Call(1, "threefry2x32", "run.npz"),
    Call(2, "threefry2x32", "run.npz"),
]


def hidden(rng):
    """Yield keys of another kind, and another name."""
    yield Call(3, "rbg", "run.npz").when("a key of another kind")
    yield Call(4, "threefry2x32", "checkpoint").when("a name without .npz")


def arrays(both):
    """Return what came back as another type."""
    with tempfile.TemporaryDirectory() as home:
        path, state = Path(home, "run.npz"), make(5)
        both.module.save(path, state)
        back = both.module.restore(path, make(6))
    if jax.tree.structure(back) != jax.tree.structure(state):
        return "the tree that came back is another one"
    for saved, leaf in zip(jax.tree.leaves(state), jax.tree.leaves(back), strict=True):
        if not isinstance(leaf, jax.Array):
            return f"a leaf came back as {type(leaf).__name__}, not as an array of JAX"
        if leaf.dtype != saved.dtype:
            return f"a leaf of {saved.dtype} came back as {leaf.dtype}"
    return None


def restored(both, change, like):
    """Return the class of what restore raises after a change of the file, or None."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, "run.npz")
        both.module.save(path, make(5))
        change(path)
        try:
            both.module.restore(path, like)
        except Exception as error:
            return type(error)
    return None


def refused(both, says, change, like):
    """Return what is wrong if restore does not raise ValueError after a change of the file."""
    raised = restored(both, change, like)
    if raised is not None and issubclass(raised, ValueError):
        return None
    return f"{says} " + ("is accepted" if raised is None else f"raises {raised.__name__}")


def cut(both):
    """Cut the file, or change a byte, and return what is wrong with the answer."""

    def to(share):
        def change(path):
            text = path.read_bytes()
            path.write_bytes(text[: int(share * len(text))])

        return change

    def flip(path):
        text = bytearray(path.read_bytes())
        text[text.index(b"NUMPY") + 122] ^= 1  # the first byte after the header of an array
        path.write_bytes(text)

    for share in (0, 0.3, 0.7, 0.999):
        found = refused(both, f"a file cut to {share:.1%} of its size", to(share), make(6))
        if found:
            return found
    return refused(both, "a file with a changed byte", flip, make(6))


def other(both):
    """Read the file of another run, and return what is wrong with the answer."""

    def keep(path):
        pass

    like = make(6)
    fewer = {name: leaf for name, leaf in like.items() if name != "seen"}
    more = {**like, "seen": (*like["seen"], jnp.zeros(2))}
    double = {**like, "count": jnp.float32(0)}
    return (
        refused(both, "a file of a network of another width", keep, make(6, width=4))
        or refused(both, "a file with more leaves", keep, fewer)
        or refused(both, "a file with fewer leaves", keep, more)
        or refused(both, "a file with a count of another dtype", keep, double)
    )


def missing(both):
    """Return what restore raises if there is no file."""
    raised = restored(both, Path.unlink, make(6))
    if raised is not None and issubclass(raised, FileNotFoundError):
        return None
    return f"it {'returns a state' if raised is None else f'raises {raised.__name__}'}"


class FullDisk:
    """Lets a zip file have two members, as if the disk were full then."""

    def __enter__(self):
        self.own, self.written = zipfile.ZipFile.open, 0
        zipfile.ZipFile.open = lambda *args, **kwargs: self.open(*args, **kwargs)

    def __exit__(self, *_):
        zipfile.ZipFile.open = self.own

    def open(self, archive, name, mode="r", **kwargs):
        """Open a member; raise OSError if it is the third that is written."""
        self.written += mode == "w"
        if self.written > 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.own(archive, name, mode, **kwargs)


def kept(both):
    """Return what is left of the old file if the disk is full while the new one is written."""
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, "run.npz")
        both.module.save(path, make(5))
        before = path.read_bytes()
        try:
            with FullDisk():
                both.module.save(path, make(7))
        except OSError:
            pass
        else:
            return "save raises nothing if the disk is full"
        if not path.exists():
            return "after a save that failed there is no file"
        return None if path.read_bytes() == before else "a save that failed changed the old file"


def raised(both):
    """Return what save raises if it can open no file, unless that is the error of opening one."""
    with tempfile.TemporaryDirectory() as home:
        path, state = Path(home, "run.npz"), make(7)
        both.module.save(path, state)
        few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))
        try:
            both.module.save(path, state)
        except Exception as error:
            found = error
        else:
            return "save raises nothing if it can open no file"
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
    if getattr(found, "errno", None) == errno.EMFILE:
        return None
    return (
        f"if it can open no file, save raises {type(found).__name__}, which is about another file"
    )


def replaced(both):
    """Return whether the old file itself was written to, and whether other files are left."""
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryDirectory() as elsewhere:
        path, second = Path(home, "run.npz"), Path(elsewhere, "second")
        both.module.save(path, make(5))
        before = path.read_bytes()
        try:
            os.link(path, second)  # a second name of the same file
        except OSError:
            second = None
        own, tempfile.tempdir = tempfile.tempdir, str(Path(home, "missing"))
        try:
            both.module.save(path, make(7))
        except FileNotFoundError:
            return "save writes to the folder for temporary files, which may be on another disk"
        finally:
            tempfile.tempdir = own
        if second and second.read_bytes() != before:
            return "save writes into the old file, and does not replace it"
        left = sorted({file.name for file in Path(home).iterdir()} - {"run.npz"})
    return f"after save there is also {left[0]}" if left else None


def whole(module):
    """Return start, places and colours of a small run."""
    places = jnp.linspace(-1, 1, 600).reshape(300, 2)
    return module.fresh(jax.random.key(3), SMALL), places, jnp.abs(jnp.tile(places[:, :1], 3))


def bits(both):
    """Compare a run that was interrupted with one that was not."""
    module = both.module
    start, places, colours = both.whole()
    half, _ = module.train(start, places, colours, 3)
    end, losses = module.train(half, places, colours, 3)
    with tempfile.TemporaryDirectory() as home:
        path = Path(home, "run.npz")
        module.save(path, half)
        back = module.restore(path, module.fresh(jax.random.key(4), SMALL))
    again, found = module.train(back, places, colours, 3)
    if not np.array_equal(losses, found):
        return "the losses of the continued run are not the same bits"
    pairs = zip(numbers(end), numbers(again), strict=True)
    return None if all(np.array_equal(*pair) for pair in pairs) else "the last states differ"


PROPERTIES = [
    Custom("arrays", "The same tree comes back, with arrays of JAX of the same dtypes.", arrays),
    Custom("cut", "A file that is not whole raises ValueError.", cut),
    Custom("other", "A file of another run raises ValueError.", other),
    Custom("missing", "A file that is not there raises FileNotFoundError.", missing),
    Custom("kept", "If the new file cannot be written, the old one stays.", kept),
    Custom("raised", "save raises the OSError that writing raised.", raised),
    Custom("replaced", "The new file replaces the old one, and is the only one.", replaced),
    Custom("bits", "A run that was interrupted is the unbroken run, bit for bit.", bits),
]
