"""Matches the causes that are plain Python: names that are gone, misspelt or missing, and arity."""

from __future__ import annotations

import ast
import builtins
import difflib
import re

from msgspec.structs import replace

from jaxtutor.core.diagnosis.context import FailureContext, FrameContext
from jaxtutor.core.diagnosis.families.names.handed import other_signature
from jaxtutor.core.diagnosis.families.names.jax_names import NAMES
from jaxtutor.core.diagnosis.families.names.model_calls import model_arguments
from jaxtutor.core.diagnosis.families.names.passed_on import keyword_passed_on
from jaxtutor.core.diagnosis.families.names.refused import refused, renamed_keyword
from jaxtutor.core.diagnosis.families.names.usual_imports import IMPORTS
from jaxtutor.core.diagnosis.library_calls import PACKAGES, callee_root, package_called
from jaxtutor.core.diagnosis.reading import bound_value, parameters
from jaxtutor.core.diagnosis.rules import AtFrame, at_frame
from jaxtutor.core.diagnosis.source import FunctionNode, Module, bound_names, path_of
from jaxtutor.core.diagnosis.transforms import AppliedTransform, definition_place, find

# Names that older versions of JAX had. A trailing dot stands for everything inside.
_REMOVED = frozenset(
    """jax.DeviceArray jax.abstract_arrays jax.ad jax.api jax.api_util jax.array_ref
    jax.batching jax.clear_backends jax.config.config jax.core jax.core.ClosedJaxpr
    jax.core.ConcreteArray jax.core.ConcretizationTypeError jax.core.DropVar
    jax.core.Jaxpr jax.core.JaxprEqn jax.core.Literal jax.core.Primitive
    jax.core.UnexpectedTracerError jax.core.Var jax.core.eval_context jax.core.gensym
    jax.core.get_aval jax.core.jaxpr_as_fun jax.core.raise_to_shaped
    jax.core.thread_local_state jax.core.trace_state_clean
    jax.core.unsafe_am_i_under_a_jit_DO_NOT_USE jax.curry jax.custom_ivjp
    jax.custom_transforms jax.defjvp jax.defvjp jax.device_put_replicated
    jax.device_put_sharded jax.dtypes.prng_key jax.errors.OmnistagingError
    jax.experimental.PartitionSpec jax.experimental.array_api jax.experimental.attrs
    jax.experimental.custom_dce jax.experimental.disable_x64 jax.experimental.djax
    jax.experimental.enable_x64 jax.experimental.gda jax.experimental.general_map
    jax.experimental.global_device_array jax.experimental.host_callback
    jax.experimental.loops jax.experimental.maps jax.experimental.optimizers
    jax.experimental.pallas.load jax.experimental.pallas.store
    jax.experimental.pjit.PartitionSpec jax.experimental.stax jax.experimental.vectorize
    jax.host_count jax.host_id jax.host_ids jax.interpreters.pxla jax.interpreters.xla
    jax.interpreters.xla.DeviceArray jax.jaxpr_util jax.lax.dtype jax.lax.infeed
    jax.lax.outfeed jax.lax.pvary jax.lax.select_p jax.lax.tie_in jax.lax_linalg
    jax.lax_reference jax.lazy jax.lib.pytree jax.lib.xla_bridge jax.lib.xla_client
    jax.linear_util jax.make_jaxpr_effect jax.mask jax.mutable_array jax.nn.functions
    jax.nn.hardswish jax.nn.normalize jax.numpy.DeviceArray jax.numpy.alltrue
    jax.numpy.asscalar jax.numpy.bool jax.numpy.bool8 jax.numpy.complex
    jax.numpy.cumproduct jax.numpy.float jax.numpy.in1d jax.numpy.int
    jax.numpy.issubsctype jax.numpy.lax_numpy jax.numpy.linalg.linalg jax.numpy.msort
    jax.numpy.object jax.numpy.polynomial jax.numpy.product jax.numpy.round_
    jax.numpy.row_stack jax.numpy.sometrue jax.numpy.str jax.numpy.trapz jax.ops.index
    jax.ops.index_add jax.ops.index_max jax.ops.index_min jax.ops.index_mul
    jax.ops.index_update jax.pjit jax.prng jax.profiler.StepTraceContext
    jax.profiler.TraceContext jax.random.KeyArray jax.random.PRNGKeyArray
    jax.random.shuffle jax.random.threefry_2x32 jax.scipy.linalg.tril
    jax.scipy.linalg.triu jax.shapecheck jax.sharding.GSPMDSharding
    jax.sharding.MeshPspecSharding jax.sharding.OpShardingSharding
    jax.sharding.XLACompatibleSharding jax.sharding.use_mesh jax.soft_pmap jax.test_util
    jax.tools.jax_to_hlo jax.tree_flatten jax.tree_leaves jax.tree_map jax.tree_multimap
    jax.tree_structure jax.tree_transpose jax.tree_unflatten jax.tree_util.build_tree
    jax.tree_util.register_keypaths jax.tree_util.tree_multimap jax.treedef_is_leaf
    jax.util jax.xla_computation numpy.Inf numpy.NaN numpy.alltrue numpy.asfarray
    numpy.bool numpy.complex numpy.cumproduct numpy.float numpy.in1d numpy.infty
    numpy.int numpy.object numpy.product numpy.row_stack numpy.sometrue numpy.str
    numpy.trapz""".split()
)
_GONE = re.compile(r"^`?([\w.]+)`? (?:is|was|has been) (?:deprecated|removed)")
_GONE_METHODS = frozenset({"to_py", "device_buffer", "device_buffers", "aval_", "xla_shape"})
_METHOD = re.compile(r"'[\w.]*ArrayImpl' object has no attribute '(\w+)'")
_ATTRIBUTE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_OF_ARRAY = re.compile(r"^'?[\w.]*(?:Tracer|ArrayImpl)'?(?: object)? has no attribute '?(\w+)'?")
_IMPORT = re.compile(r"cannot import name '(\w+)' from '([\w.]+)'")
_MODULE = re.compile(r"No module named '([\w.]+)'")
_NAME = re.compile(r"name '(\w+)' is not defined")
_ARITY = re.compile(
    r"([\w.<>]+)\(\) (?:takes .*positional argument|missing \d+ required|got an unexpected keyword"
    r"|got multiple values)"
)
_MISSING = re.compile(r"missing \d+ required positional arguments?: (.*)")


class UnknownAttribute(AtFrame, frozen=True, kw_only=True):
    """A name that a module does not have; `home` is empty for an attribute of an array."""

    home: str
    name: str


class UnknownName(AtFrame, frozen=True, kw_only=True):
    """A name that nothing binds, or a module of JAX that was never imported."""

    name: str


class WrongArity(AtFrame, frozen=True, kw_only=True):
    """A call with too few or too many arguments; `missing` are the parameters that got none."""

    missing: tuple[str, ...]
    function: FunctionNode | None = None  # the learner's own, if a library calls it


_REQUIRED = re.compile(r"Missing required argument `(\w+)`")
_LIBRARY_MISSING = re.compile(
    r"missing (?:\d+|a) required (?:positional |keyword-only )?arguments?: (.*)"
)


def _missing(context: FailureContext) -> tuple[str, str] | None:
    """Return the module and the name that it does not have."""
    message = context.message
    if found := _ATTRIBUTE.search(message):
        return found[1], found[2]
    if found := _IMPORT.search(message):
        return found[2], found[1]
    if found := _MODULE.search(message):
        home, _, name = found[1].rpartition(".")
        return home, name
    return None


def removed(context: FailureContext) -> AtFrame | None:
    """A name that an older JAX or NumPy had is used."""
    keyword = renamed_keyword(context)
    if keyword is not None:
        return keyword
    found = _missing(context)
    if found is None:
        replaced = _replaced(context)
        if replaced is not None:
            return replaced
        gone = _gone(context.message)
        return at_frame(context, {"name": gone}) if gone is not None else None
    path = ".".join(part for part in found if part)
    return at_frame(context, {"name": path}) if _is_removed(context, path) else None


class ReplacedName(AtFrame, frozen=True, kw_only=True):
    """A name that a library itself says to write in the place of another, in some file."""

    nodes: tuple[ast.Attribute, ...]
    module_of: Module
    new: str


_INSTEAD = re.compile(r"[Uu]se `?([\w.]+)`? instead of `?([\w.]+)`?")


def _replaced(context: FailureContext) -> ReplacedName | None:
    """Return the names to replace, if a message says by what, and one file has them."""
    said, frame = _INSTEAD.search(context.message), context.frame
    if (
        context.error != "AttributeError"
        or said is None
        or frame is None
        or not context.failure.jax_frames
    ):
        return None
    new, old = said[1].rstrip("."), said[2].rstrip(".")
    for module in context.modules.values():
        nodes = tuple(
            n
            for n in module.nodes
            if isinstance(n, ast.Attribute) and f".{module.dotted(n)}".endswith(f".{old}")
        )
        if nodes:
            facts = {"name": module.text(nodes[0]), "argument": new}
            place = module.location(nodes[0])
            return ReplacedName(
                place,
                facts,
                "replaced",
                context=context,
                frame=frame,
                nodes=nodes,
                module_of=module,
                new=new.rpartition(".")[2],
            )
    return None


def _gone(message: str) -> str | None:
    """Name what the library itself says it has removed."""
    said, method = _GONE.search(message), _METHOD.search(message)
    if method is not None and method[1] in _GONE_METHODS:
        return method[1]
    return said[1] if said is not None else None


def _is_removed(context: FailureContext, path: str) -> bool:
    if path in _REMOVED or any(r.startswith(path + ".") for r in _REMOVED):
        return True
    said = ("was removed", "is deprecated", "has been removed")
    if path.startswith(("jax.", "numpy.")) and any(words in context.message for words in said):
        return True
    return context.error == "ModuleNotFoundError" and path.startswith("jax.")


def attribute_typo(context: FailureContext) -> UnknownAttribute | None:
    """A module or an array does not have a name that is read from it."""
    found, frame = _missing(context), context.frame
    if found is None and (said := _OF_ARRAY.search(context.message)) is not None:
        found = ("", said[1]) if _is_read(context, said[1]) else None
    if found is None or frame is None or _is_of_other_library(context, found[0]):
        return None
    if _MODULE.search(context.message) and not found[0] and not _is_near_module(found[1]):
        return None  # it is not installed, which Python or the library says
    if not _may_be_misspelt(context):
        return None
    home, name = found
    facts = {"name": ".".join(part for part in found if part)}
    is_import = context.error == "ImportError" and "Did you mean" not in context.message
    if is_import and home and not _is_like_known(home, name):
        facts, form = {"name": name, "container": home}, "import"
        return UnknownAttribute(
            None, facts, form, context=context, frame=frame, home=home, name=name
        )
    return UnknownAttribute(None, facts, context=context, frame=frame, home=home, name=name)


def _is_read(context: FailureContext, name: str) -> bool:
    """Return whether the learner's code reads an attribute, and not the library that it calls."""
    frame = context.frame
    here = (frame.node or frame.statement) if frame is not None else None
    read = ast.walk(here) if here is not None else ()
    return not context.failure.jax_frames or any(getattr(n, "attr", "") == name for n in read)


def _is_like_known(home: str, name: str) -> bool:
    """Return whether JAX has a name in another module, or one like it in this one."""
    has_name = any(name in names or name.lower() in names for names in NAMES.values())
    return has_name or bool(difflib.get_close_matches(name, NAMES.get(home, ()), 1, 0.7))


def _may_be_misspelt(context: FailureContext) -> bool:
    """Return whether a library that is not known here has a name that differs in a letter or two.

    Without one, another version may have had the name.
    """
    missing = context.failure.missing_name
    if missing is None or not missing.version or missing.module.partition(".")[0] in _KNOWN:
        return True  # of JAX, of the learner's files or of Python
    return bool(difflib.get_close_matches(missing.name, missing.close, 1, 0.87))


_KNOWN = frozenset({"jax", "jaxlib", "numpy", "scipy"})


def _is_near_module(name: str) -> bool:
    """Return whether a name is spelt much like that of a library."""
    return bool(difflib.get_close_matches(name, PACKAGES | _KNOWN, 1, 0.8))


def _is_of_other_library(context: FailureContext, home: str) -> bool:
    """Return whether an import failed in a library whose versions are not known here.

    The name may have been removed, be new, or be misspelt; only Python's own suggestion decides.
    """
    top = home.partition(".")[0]
    is_import = context.is_a(("ImportError",)) and "Did you mean" not in context.message
    stems = {part for file in context.modules for part in re.split(r"[/\\]|\.py$", file)}
    is_own = top in stems and top not in PACKAGES  # a folder may have the name of a library
    return is_import and bool(top) and top not in _KNOWN and not is_own


def _unknown(context: FailureContext, name: str, argument: str = "") -> UnknownName | None:
    if context.frame is None:
        return None
    facts = {"name": name, "argument": argument} if argument else {"name": name}
    return UnknownName(None, facts, context=context, frame=context.frame, name=name)


def missing_import(context: FailureContext) -> UnknownName | None:
    """A module is used and was never imported."""
    part = ".".join(_missing(context) or ())
    if part in _APART:
        return _unknown(context, part)
    name = _undefined(context)
    is_module = name is not None and _is_used_as_module(context, name)
    found = _unknown(context, name) if name is not None and is_module else None
    if found is None or found.name not in IMPORTS:
        return found
    return replace(found, facts={**found.facts, "line": IMPORTS[found.name]}, form="known")


_APART = frozenset(
    """jax.ad_checkpoint jax.example_libraries jax.extend jax.flatten_util jax.scipy.optimize
    jax.scipy.spatial jax.experimental.array_serialization jax.experimental.buffer_callback
    jax.experimental.checkify jax.experimental.colocated_python jax.experimental.compute_on
    jax.experimental.custom_partitioning jax.experimental.jax2tf jax.experimental.jet
    jax.experimental.key_reuse jax.experimental.layout jax.experimental.mesh_utils
    jax.experimental.mosaic jax.experimental.multihost_utils jax.experimental.ode
    jax.experimental.pallas jax.experimental.pjit jax.experimental.profiler
    jax.experimental.random jax.experimental.rnn jax.experimental.roofline
    jax.experimental.serialize_executable jax.experimental.shard_map
    jax.experimental.sparse jax.experimental.topologies""".split()
)

# What programs import by a name of its own, and use without the module's.

_IMPORTED = frozenset(
    """Callable Mesh NamedSharding NamedTuple P Partial PartitionSpec Path Any Optional Sequence
    cache cached_property checkpoint cond custom_jvp custom_vjp dataclass debug defaultdict deque
    deepcopy device_put einops fori_loop grad hessian jacfwd jacrev jax jit jnp jvp lax lru_cache
    make_jaxpr namedtuple nn np numpy onp optax partial pl pmap random reduce remat scan shard_map
    sqrt switch tqdm tree_flatten tree_leaves tree_map tree_structure tree_unflatten tree_util
    value_and_grad vjp vmap while_loop checkify""".split()
)


def _is_used_as_module(context: FailureContext, name: str) -> bool:
    """Return whether a missing name is a module's, or of what one imports by name."""
    own = _own_names(context) - set(dir(builtins))
    if difflib.get_close_matches(name, own, 1, 0.8):
        return False
    return name in _IMPORTED or _has_attributes(context, name)


def _has_attributes(context: FailureContext, name: str) -> bool:
    tree = context.frame.module.tree if context.frame is not None else ast.Module([], [])
    used = [n for n in ast.walk(tree) if isinstance(n, ast.Attribute)]
    return any(isinstance(n.value, ast.Name) and n.value.id == name for n in used)


def name_typo(context: FailureContext) -> UnknownName | None:
    """A name of the learner's is misspelt: another one is close to it."""
    name = _undefined(context)
    if name is None:
        return None
    close = difflib.get_close_matches(name, _own_names(context) - {name}, 1, 0.6)
    suggested = re.search(r"Did you mean: '(\w+)'", context.message)
    meant = close[0] if close else suggested[1] if suggested is not None else ""
    return _unknown(context, name, meant) if meant else None


def _undefined(context: FailureContext) -> str | None:
    found = _NAME.search(context.message)
    return found[1] if found is not None and context.frame is not None else None


def _own_names(context: FailureContext) -> set[str]:
    """List the names that the scopes around the failure bind."""
    frame = context.frame
    if frame is None:
        return set()
    module: Module = frame.module
    start = frame.node or frame.statement
    scopes = [module.tree, *(module.ancestors(start) if start is not None else ())]
    bound = {n for s in scopes for c in ast.iter_child_nodes(s) for n in bound_names(c)}
    inner = (
        {n for c in ast.walk(frame.function) for n in bound_names(c)} if frame.function else set()
    )
    given = {
        a.arg for s in scopes if isinstance(s, ast.FunctionDef | ast.Lambda) for a in parameters(s)
    }
    return bound | inner | given | set(module.imports) | set(dir(builtins))


def wrong_arity(context: FailureContext) -> AtFrame | None:
    """A function is called with too few or too many arguments, or with a keyword it lacks."""
    return refused(context) or keyword_passed_on(context) or _unfit_call(context)


def _unfit_call(context: FailureContext) -> AtFrame | None:
    found, frame = _ARITY.search(context.message), context.frame
    if frame is None or found is None:
        return _library_arity(context)
    name = found[1].rpartition(".")[2]
    own = _functions_named(context, found[1])
    library = _library_arity(context) if not own else None
    if library is not None or (not own and name != "__init__"):
        return library
    kernel = _kernel(context, frame, own)
    if kernel is not None:
        return kernel
    loop = find(context, "scan", "fori_loop", "while_loop", "cond", "switch")
    body = loop.function if loop is not None else None
    is_body = body is not None and any(f is body for f in own)
    place = definition_place(loop.module, body) if loop and body and is_body else None
    if loop is not None and _has_no_operands(loop):
        place = None  # the call is what forgot them
    alike = [f for f in own if _takes(f) == _taken(context)] if name == "<lambda>" else own
    if alike and (len(own) == 1 or name == "<lambda>") and _is_handed(context, name):
        counts = _TAKES.search(context.message)
        count = _counted(int(counts[2])) if counts is not None else "other arguments"
        special = other_signature(context, frame, alike[0], count) or model_arguments(
            context, frame, alike[0]
        )
        return special or _called_by_library(context, frame, alike[0])
    facts = {"name": name, "function": name if name[0] not in "<_" else ""}
    said = _MISSING.search(context.message)
    missing = tuple(re.findall(r"'(\w+)'", said[1])) if said is not None else ()
    return WrongArity(place, facts, context=context, frame=frame, missing=missing)


def _kernel(
    context: FailureContext, frame: FrameContext, own: list[FunctionNode]
) -> WrongArity | None:
    """Point at the signature of a Pallas kernel that does not take all references."""
    func = context.call.func if context.call is not None else None
    made = bound_value(frame.module, func) if func is not None else None
    path = frame.callee(made) or ""
    counts = _TAKES.search(context.message)
    if not path.endswith("pallas_call") or counts is None or len(own) != 1:
        return None
    module = next(m for m in context.modules.values() if own[0] in m.functions)
    facts = {
        "function": getattr(own[0], "name", "lambda"),
        "argument": ", ".join(a.arg for a in parameters(own[0])),
        "detail": f"{counts[2]} references",
    }
    place = definition_place(module, own[0])
    return WrongArity(place, facts, "kernel", context=context, frame=frame, missing=())


_TAKES = re.compile(r"takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)")


def _is_handed(context: FailureContext, name: str) -> bool:
    """Return whether a library, and not the call at fault, called the function of a name."""
    called = context.call.func if context.call is not None else None
    is_direct = name in (getattr(called, "id", ""), getattr(called, "attr", ""))
    return bool(context.library) and called is not None and not is_direct and name != "__init__"


def _lacks_one(function: FunctionNode, counts: re.Match[str] | None) -> bool:
    """Return whether a function needs one parameter more for what it is called with."""
    is_open = function.args.vararg is not None or function.args.kwonlyargs
    return counts is not None and int(counts[2]) == int(counts[1]) + 1 and not is_open


def _observed(context: FailureContext, function: FunctionNode) -> tuple[str, ...]:
    """Name the missing arguments of a model of NumPyro that are only observations: `obs=y`."""
    said = _MISSING.search(context.message)
    missing = tuple(re.findall(r"'(\w+)'", said[1])) if said is not None else ()
    keywords = (n for n in ast.walk(function) if isinstance(n, ast.keyword) and n.arg == "obs")
    used = {path_of(keyword.value) for keyword in keywords}
    return missing if context.library == "numpyro" and set(missing) <= used else ()


def _takes(function: FunctionNode) -> int:
    return len([*function.args.posonlyargs, *function.args.args])


def _taken(context: FailureContext) -> int:
    """Return how many arguments a function takes, as the message says; -1 if it does not."""
    counts = _TAKES.search(context.message)
    return int(counts[1]) if counts is not None else -1


def _counted(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"


_FIELD = ("t", "y", "args")
"""What Diffrax passes to a vector field; to other functions it passes less."""


def _called_by_library(
    context: FailureContext, frame: FrameContext, function: FunctionNode
) -> WrongArity | None:
    """Point at the signature of a function that a library calls with arguments of its own."""
    assert context.call is not None
    module = next(m for m in context.modules.values() if function in m.functions)
    counts = _TAKES.search(context.message)
    given = [a.arg for a in parameters(function)]
    is_field = "diffrax" in (frame.callee(context.call) or "") and len(given) < 4
    passed = int(counts[2]) - (given[:1] == ["self"]) if counts is not None else 0
    form = "vector_field" if is_field and passed == len(_FIELD) else "handed"
    observed = _observed(context, function)
    form = "observed" if observed else form
    form = "handed_keywords" if _by_keyword(context, frame, function) else form
    form = form if given or form != "handed" else "handed_none"
    form = "handed_more" if form == "handed" and _lacks_one(function, counts) else form
    if form == "handed_more" and context.library in ("lineax", "optimistix", "diffrax"):
        form = "handed_args"
    if (
        form == "handed_more"
        and context.library == "grain"
        and getattr(function, "name", "") == "random_map"
    ):
        form = "random_map"
    facts = {
        "function": getattr(function, "name", "lambda"),
        "name": frame.module.text(context.call.func),
        "argument": ", ".join(given),
        "detail": _counted(int(counts[2])) if counts is not None else "other arguments",
    }
    if observed:
        facts["argument"] = observed[0]
    place = definition_place(module, function)
    return WrongArity(
        place, facts, form, context=context, frame=frame, missing=observed, function=function
    )


def _by_keyword(context: FailureContext, frame: FrameContext, function: FunctionNode) -> bool:
    """Return whether Diffrax passes keywords, as to the condition of an event, to one without."""
    is_refused = _UNEXPECTED.search(context.message) is not None
    is_diffrax = (frame.callee(context.call) or "").startswith("diffrax.")
    return is_refused and is_diffrax and function.args.kwarg is None


def _functions_named(context: FailureContext, qualified: str) -> list[FunctionNode]:
    """List the learner's functions of a qualified name: `Net.__init__` is a method of `Net`."""
    owner, _, name = qualified.rpartition(".")
    owner = owner.rpartition(".")[2]
    return [
        function
        for module in context.modules.values()
        for function in module.functions
        if getattr(function, "name", "<lambda>") == name
        and owner in ("", "<locals>", getattr(module.parents.get(function), "name", ""))
    ]


def _library_arity(context: FailureContext) -> WrongArity | None:
    """A function of a library other than JAX is called with the wrong arguments."""
    frame, message = context.frame, context.message
    if frame is None or context.call is None:
        return None
    path = frame.callee(context.call) or frame.dotted(callee_root(context.call)) or ""
    package = package_called(frame, context.call)
    if not {path.partition(".")[0], context.library, package} & PACKAGES:
        return None
    required, listed = _REQUIRED.search(message), _LIBRARY_MISSING.search(message)
    if required is None and listed is None and _ARITY.search(message) is None:
        return None
    said = required[0] if required is not None else listed[1] if listed is not None else ""
    missing = tuple(re.findall(r"['`](\w+)['`]", said))
    name = frame.module.text(context.call.func)
    facts = {"name": name, "argument": _listed(missing), "detail": _sentence(message)}
    form = _library_form(context.call, missing)
    field = _UNEXPECTED.search(message)
    if field is not None and path.endswith("TrainState.create"):
        facts, form = {**facts, "argument": field[1]}, "state_field"
    return WrongArity(None, facts, form, context=context, frame=frame, missing=missing)


_UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _sentence(message: str) -> str:
    """Return the first sentence of a message, without its full stop."""
    return re.split(r"\.(?:\s|$)", message.strip(), maxsplit=1)[0]


def _library_form(call: ast.Call, missing: tuple[str, ...]) -> str:
    """Name the sentences for what is missing in a call of a library."""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method == "update" and missing == ("grads",):
        return "optimizer_update"
    if method == "update" and "value" in missing:
        return "optimizer_value"
    return _FORMS.get(missing, "library_missing" if missing else "library")


# The sentences for arguments that mean the same wherever a library requires them.
_FORMS: dict[tuple[str, ...], str] = {
    ("wrt",): "optimizer_wrt",
    ("rngs",): "layer_rngs",
    ("key",): "layer_key",
    ("state",): "layer_state",
}


def _has_no_operands(branching: AppliedTransform) -> bool:
    """Return whether a `cond` or `switch` hands nothing to its branches."""
    fewest = {"cond": 3, "switch": 2}.get(branching.kind, 0)
    call = branching.call
    return call is not None and len(call.args) == fewest and not call.keywords
