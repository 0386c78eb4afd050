"""Follows arrays through a file, to where Python or NumPy would need what a tracer does not have.

What may also be a plain Python value has no kind, and nothing is reported of it: an argument with a
default, a name that `isinstance` or `is None` asks about, the attribute of an object.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from enum import Enum, auto
from functools import cached_property, reduce

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.source import Definition, FunctionNode, Module
from jaxtutor.core.diagnosis.engine.transforms import resolve
from jaxtutor.core.diagnosis.interpretation import signatures
from jaxtutor.core.diagnosis.interpretation.flow import Flow
from jaxtutor.core.diagnosis.interpretation.kinds import (
    ARRAYS,
    CONVERTED,
    TRACED,
    TRACED_ARRAYS,
    Kinds,
    ValueKind,
    combined,
    join,
)
from jaxtutor.core.diagnosis.interpretation.parameters import (
    doubtful_names,
    host_functions,
    positional_names,
    traced_parameters,
)
from jaxtutor.core.diagnosis.reading.functions import parameter_names
from jaxtutor.core.diagnosis.reading.values import elements, elements_or_itself, is_number


class Need(Enum):
    """What Python or JAX needs of a value."""

    TRUTH = auto()
    """Its truth: `if x > 0`."""
    PRESENCE = auto()
    """Its truth, for a default: `x or 1.0`."""
    BUILTIN_ORDER = auto()
    """The order of its elements, for the builtins `min` and `max`."""
    BUILTIN_TRUTH = auto()
    """The truth or order of its elements, for the builtins `any`, `all` and `sorted`."""
    PYTHON_NUMBER = auto()
    """Its number: `float(x)`, `x.item()`, `math.sqrt(x)`."""
    NUMPY_ARRAY = auto()
    """Its elements, for a function of NumPy or SciPy."""
    LENGTH = auto()
    """Its number, for `range(x)`."""
    SHAPE = auto()
    """Its numbers, for the shape of a new array."""
    ARANGE = auto()
    """Its number, for the bounds of `jnp.arange(x)`."""
    COUNT = auto()
    """How many of its elements are chosen, for the shape of a result without `size`."""
    SELECTION = auto()
    """How many of its elements are True: `y[x > 0]`."""
    MEMORY = auto()
    """That it can be written: `x[0] = 1`."""
    MASKED_MEMORY = auto()
    """That it can be written: `x[x < 0] = 0`."""


class Demand(Struct, frozen=True):
    """A place where Python needs of a value what it cannot have.

    `value` is the expression with the value, `at` the statement or expression that needs it, and
    `function` the function that is traced, or that the array is in.
    """

    need: Need
    value: ast.expr
    at: ast.AST
    function: FunctionNode | None


def read_demands(module: Module) -> tuple[Demand, ...]:
    """List where a file needs the values of traced arrays, each place once."""
    return module.once(_demands)


def _demands(module: Module) -> tuple[Demand, ...]:
    if not any(path.partition(".")[0] == "jax" for path in module.imports.values()):
        return ()
    reading = _Reading(module)
    reading.read_all()
    return tuple(reading.found.values())


# ---------------------------------------------------------------- reading a file


class _Reading:
    """Reads all functions of a file, and those that they call with what they call them with."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.traced = traced_parameters(module)
        self.host_functions = host_functions(module)
        self.found: dict[tuple[Need, ast.AST], Demand] = {}
        self._results: dict[
            tuple[FunctionNode, frozenset[tuple[str, ValueKind]]], ValueKind | None
        ] = {}

    def read_all(self) -> None:
        """Read the file from its top."""
        _Scope(self, self.module.tree, {}).block(self.module.tree.body)

    def note(self, demand: Demand) -> None:
        """Keep a demand, unless the same place already has one."""
        self.found.setdefault((demand.need, demand.at), demand)

    def result(self, function: FunctionNode, kinds: Kinds) -> ValueKind | None:
        """Return what a function surely returns if its names have these kinds at its beginning.

        What a function that is being read returns is not known: it calls itself.
        """
        key = function, frozenset(kinds.items())
        if key not in self._results:
            self._results[key] = None
            scope = _Scope(self, function, kinds)
            self._results[key] = scope.result()
        return self._results[key]


class _Scope(Flow[ValueKind]):
    """Interprets the statements of one function, or of a file outside of its functions.

    Visiting an expression returns its kind.
    """

    def __init__(self, reading: _Reading, owner: FunctionNode | ast.Module, kinds: Kinds) -> None:
        super().__init__(reading.module, {})
        self.reading = reading
        self.owner = owner
        self.returned: list[ValueKind | None] = []
        for name, kind in kinds.items():
            self.learn(name, kind)

    @cached_property
    def doubtful(self) -> set[str]:
        """The names that may be plain values."""
        return doubtful_names(self.module, self.owner)

    def result(self) -> ValueKind | None:
        """Read the function, and return what it surely returns."""
        if isinstance(self.owner, ast.Lambda):
            return self.value(self.owner.body)
        self.block(self.owner.body)
        ends = self.returned if self.has_left else [*self.returned, None]
        return reduce(join, ends) if ends else None

    def returns(self, value: ValueKind | None) -> None:
        """Keep what is returned."""
        self.returned.append(value)

    def join(self, one: ValueKind | None, other: ValueKind | None) -> ValueKind | None:
        """Return what a value surely is that is one or the other."""
        return join(one, other)

    def _need(self, need: Need, value: ast.expr, at: ast.AST) -> None:
        if not self.is_guarded:
            function = self.owner if isinstance(self.owner, FunctionNode) else None
            self.reading.note(Demand(need, value, at, function))

    # ------------------------------------------------------------ definitions

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Read a function as JAX calls it, or with arguments of no kind."""
        self.known.pop(node.name, None)
        self.reading.result(node, self._inside(node))

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """Read a function with arguments of no kind."""
        self.known.pop(node.name, None)
        self.reading.result(node, self._inside(node))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """Read a lambda as JAX calls it, or with arguments of no kind."""
        self.reading.result(node, self._inside(node))

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        """Read methods."""
        self.known.pop(node.name, None)
        for statement in node.body:
            if isinstance(statement, Definition):
                self.reading.result(statement, self.reading.traced.get(statement, {}))

    def _inside(self, function: FunctionNode) -> Kinds:
        """Return the kinds of names in a function: of those around it that are bound once, too."""
        if function in self.reading.host_functions:
            return {}
        seen = {name: kind for name, kind in self.known.items() if self._is_bound_once(name)}
        own = {*parameter_names(function), *_bound_in(function)}
        around = {name: kind for name, kind in seen.items() if name not in own}
        return around | self.reading.traced.get(function, {})

    def _is_bound_once(self, name: str) -> bool:
        is_parameter = isinstance(self.owner, FunctionNode) and name in parameter_names(self.owner)
        return len(self.module.assignments(name, self.owner)) + is_parameter == 1

    # ------------------------------------------------------------ names

    def learn(self, name: str, known: ValueKind | None) -> None:
        """Keep the kind of a name, unless the function asks what it is."""
        super().learn(name, known if known is not None and name not in self.doubtful else None)

    def part(self, known: ValueKind | None) -> ValueKind | None:
        """Return the kind of each part of a value: of a list, any."""
        return None if known is ValueKind.PARTS else known

    def item(self, iterated: ast.expr) -> ValueKind | None:
        """Return the kind of what a loop goes through."""
        return self.part(self.value(iterated))

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Give a name the kind of the sum."""
        kinds = [self.value(node.target), self.value(node.value)]
        self.bind(node.target, combined(kinds))

    def store(self, container: ast.expr, index: ast.expr, target: ast.Subscript) -> None:
        """Note where an array would be written."""
        is_mask = self.value(index) is ValueKind.MASK or isinstance(index, ast.Compare)
        is_surely_array = is_mask or _is_at(container)
        if self.value(container) in (ARRAYS | TRACED if is_surely_array else ARRAYS):
            self._need(Need.MASKED_MEMORY if is_mask else Need.MEMORY, container, target)

    # ------------------------------------------------------------ truth

    def test(self, condition: ast.expr, at: ast.AST) -> None:
        """Note where Python needs the truth of an array."""
        if self.value(condition) in TRACED_ARRAYS:
            self._need(Need.TRUTH, condition, at)

    def visit_Assert(self, node: ast.Assert) -> None:
        """Read what is asserted."""
        self.test(node.test, node)

    def visit_IfExp(self, node: ast.IfExp) -> ValueKind | None:
        """Return the kind that both values have."""
        self.test(node.test, node)
        return join(self.value(node.body), self.value(node.orelse))

    def visit_BoolOp(self, node: ast.BoolOp) -> ValueKind | None:
        """Read what `and` and `or` combine; with one traced operand, an `if` may be at fault."""
        kinds = [self.value(value) for value in node.values]
        traced = [v for v, kind in zip(node.values, kinds, strict=True) if kind in TRACED_ARRAYS]
        is_tested = self._is_tested(node)
        if len(traced) < 2 and (is_tested or not traced or traced[0] is node.values[-1]):
            return ValueKind.MASK if traced else None
        is_name = isinstance(node.values[0], ast.Name) and kinds[0] is ValueKind.TRACED
        is_default = is_name and isinstance(node.op, ast.Or) and not is_tested
        self._need(Need.PRESENCE if is_default else Need.TRUTH, traced[0], node)
        return None

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ValueKind | None:
        """Read `not x`, which needs the truth of x, and `-x`."""
        kind = self.value(node.operand)
        if not isinstance(node.op, ast.Not):
            return combined([kind]) if kind is not ValueKind.MASK else kind
        if kind not in TRACED_ARRAYS:
            return None
        if self._is_tested(node):
            return kind
        self._need(Need.TRUTH, node.operand, node)
        return None

    def _is_tested(self, node: ast.expr) -> bool:
        """Return whether a statement or conditional expression tests the expression itself."""
        return getattr(self.module.parents.get(node), "test", None) is node

    def visit_Compare(self, node: ast.Compare) -> ValueKind | None:
        """Return bools where something traced is compared with a number or a traced array."""
        sides = [node.left, *node.comparators]
        kinds = [self.value(side) for side in sides]
        if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops):
            return None
        is_equality = any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops)
        if is_equality and not TRACED_ARRAYS.intersection(kinds):
            is_traced = ValueKind.TREE in kinds and any(map(is_number, sides))
        else:
            is_traced = bool(TRACED.intersection(kinds))  # also lists compare their elements
        if not is_traced:
            return ValueKind.ARRAY if ValueKind.ARRAY in kinds else None
        if len(node.ops) > 1:
            self._need(Need.TRUTH, node, node)
            return None
        return ValueKind.MASK

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Read the conditions of a comprehension."""
        self.bind(node.target, self.item(node.iter))
        for test in node.ifs:
            self.test(test, node)

    def visit_ListComp(self, node: ast.ListComp) -> ValueKind | None:
        """Return what a comprehension makes."""
        return self._comprehension(*node.generators, node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        """Read a comprehension."""
        self._comprehension(*node.generators, node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ValueKind | None:
        """Return what a generator yields."""
        return self._comprehension(*node.generators, node.elt)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """Read a comprehension."""
        self._comprehension(*node.generators, node.key, node.value)

    def _comprehension(self, *parts: ast.AST) -> ValueKind | None:
        before, self.known = self.known, dict(self.known)
        kinds = [self.value(part) for part in parts]
        self.known = before
        return ValueKind.PARTS if kinds[-1] in TRACED else None

    # ------------------------------------------------------------ values

    def visit_Name(self, node: ast.Name) -> ValueKind | None:
        """Return the kind of a name."""
        return self.known.get(node.id)

    def visit_List(self, node: ast.List) -> ValueKind | None:
        """Return whether a list holds something traced."""
        return self._kind_of_parts(node.elts)

    def visit_Tuple(self, node: ast.Tuple) -> ValueKind | None:
        """Return whether a tuple holds something traced."""
        return self._kind_of_parts(node.elts)

    def _kind_of_parts(self, parts: Sequence[ast.expr]) -> ValueKind | None:
        kinds = {self.value(part) for part in parts}
        return ValueKind.PARTS if kinds & (TRACED | {ValueKind.PARTS}) else None

    def visit_BinOp(self, node: ast.BinOp) -> ValueKind | None:
        """Return the kind of a result: of two containers, `+` may make a container."""
        kinds = [self.value(node.left), self.value(node.right)]
        if ValueKind.TREE in kinds and isinstance(node.op, ast.Add | ast.Mult):
            is_number_beside = is_number(node.left) or is_number(node.right)
            is_sum = isinstance(node.op, ast.Add) and is_number_beside
            return combined(kinds) if is_sum or set(kinds) & ARRAYS else ValueKind.TREE
        made = combined(kinds)
        return ValueKind.TRACED if made is ValueKind.TREE else made

    def visit_Attribute(self, node: ast.Attribute) -> ValueKind | None:
        """Return the kind of `x.T`, `x.at` and their like; what others are is not known."""
        kind = self.value(node.value)
        if node.attr == "at":
            return kind if kind in ARRAYS | TRACED else None
        is_array = kind in ARRAYS and node.attr in signatures.ARRAY_ATTRIBUTES
        return combined([kind]) if is_array else None

    def visit_Subscript(self, node: ast.Subscript) -> ValueKind | None:
        """Return the kind of an element, which bools that are traced cannot choose."""
        kind = self.value(node.value)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        kinds = [self.value(part) for part in parts]
        if ValueKind.MASK in kinds and kind in ARRAYS | {ValueKind.TREE}:
            if _is_at(node.value):
                return kind
            if isinstance(node.ctx, ast.Load):
                self._need(Need.SELECTION, parts[kinds.index(ValueKind.MASK)], node)
            return None
        if kind is ValueKind.ARRAY and TRACED.intersection(kinds):
            return ValueKind.TRACED
        return self.part(kind)

    # ------------------------------------------------------------ calls

    def visit_Call(self, node: ast.Call) -> ValueKind | None:
        """Return the kind of a result, and note what the function needs of its arguments."""
        kinds = [self.value(value) for value in node.args]
        options = {option.arg: self.value(option.value) for option in node.keywords}
        path = self.module.dotted(node.func)
        if path is not None:
            home, _, name = path.rpartition(".")
            if home == "jax.numpy":
                return self._of_jax_numpy(node, name, [*kinds, *options.values()])
            return self._of_library(node, home, name, [*kinds, *options.values()])
        if isinstance(node.func, ast.Attribute) and not self._is_own_method(node.func):
            return self._of_method(node, node.func)
        if isinstance(node.func, ast.Name) and self._is_builtin(node.func):
            return self._of_builtin(node, node.func.id, kinds)
        if not isinstance(node.func, ast.Name | ast.Attribute):
            self.value(node.func)
            return None
        return self._of_own(node, kinds, options)

    def _of_jax_numpy(
        self, node: ast.Call, name: str, kinds: Sequence[ValueKind | None]
    ) -> ValueKind | None:
        traced = [kind for kind in kinds if kind in TRACED]
        options = {option.arg for option in node.keywords}
        is_count = name in signatures.COUNTING or (name == "where" and len(node.args) == 1)
        if traced and is_count and "size" not in options and None not in options:
            self._need(Need.COUNT, node.args[0] if node.args else node, node)
            return None
        self._sizes(node, name)
        if name in signatures.STATIC or not name.islower():
            return None
        if name in signatures.SEVERAL or is_count:
            return ValueKind.TREE if traced else None
        if traced:
            return ValueKind.MASK if name in signatures.MASKS else ValueKind.TRACED
        if ValueKind.DIFFERENTIATED in kinds:
            return ValueKind.DIFFERENTIATED if name in signatures.SMOOTH else None
        return ValueKind.ARRAY

    def _sizes(self, node: ast.Call, name: str) -> None:
        """Note traced numbers in the shape of a new array, and in the bounds of `arange`."""
        if name == "arange":
            bounds = [*node.args, *(o.value for o in node.keywords if o.arg != "dtype")]
            for bound in bounds[:3]:
                if self.value(bound) in TRACED:
                    self._need(Need.ARANGE, bound, node)
                    return
        if name in signatures.SHAPED and node.args:
            for size in elements_or_itself(node.args[0]):
                if self.value(size) in TRACED:
                    self._need(Need.SHAPE, size, node)
                    return

    def _of_library(
        self, node: ast.Call, home: str, name: str, kinds: Sequence[ValueKind | None]
    ) -> ValueKind | None:
        top = home.partition(".")[0]
        if top == "jax":
            made = ValueKind.TRACED if TRACED.intersection(kinds) else ValueKind.ARRAY
            is_array = home in ("jax.nn", "jax.random") and name.islower()
            return made if is_array and name not in signatures.NOT_ARRAYS else None
        if home == "numpy" and name in signatures.SHAPED:
            self._sizes(node, name)
            return None
        pairs = zip(node.args, kinds, strict=False)
        value = next((value for value, kind in pairs if kind in CONVERTED), None)
        is_numpy = home == "numpy" and name not in signatures.NUMPY_METHODS and name.islower()
        if value is not None and (is_numpy or top == "scipy"):
            self._need(Need.NUMPY_ARRAY, value, node)
        elif value is not None and home in ("math", "cmath") and name not in signatures.ITERATING:
            self._need(Need.PYTHON_NUMBER, value, node)
        return None

    def _of_method(self, node: ast.Call, func: ast.Attribute) -> ValueKind | None:
        array = func.value
        kind = self.value(array)
        if kind in TRACED and func.attr in signatures.HOST_METHODS:
            self._need(Need.PYTHON_NUMBER, array, node)
            return None
        if kind in ARRAYS | TRACED and func.attr in signatures.MASK_METHODS:
            return ValueKind.MASK if kind in TRACED else ValueKind.ARRAY
        is_update = isinstance(array, ast.Subscript) and _is_at(array.value)
        methods = signatures.UPDATES if is_update else signatures.ARRAY_METHODS
        if func.attr in methods and kind in ARRAYS | TRACED:
            return ValueKind.TRACED if kind in TRACED else kind
        return None

    def _is_builtin(self, func: ast.Name) -> bool:
        """Return whether a name is a builtin that is known here, and no function of the file."""
        return func.id in signatures.BUILTINS and self.module.function_named(func.id) is None

    def _of_builtin(
        self, node: ast.Call, name: str, kinds: Sequence[ValueKind | None]
    ) -> ValueKind | None:
        if not node.args:
            return None
        value, first = node.args[0], kinds[0]
        traced = [v for v, kind in zip(node.args, kinds, strict=True) if kind in TRACED]
        is_iterated = len(node.args) == 1 and first in TRACED_ARRAYS | {ValueKind.PARTS}
        is_iterated = is_iterated and len(elements(value)) != 1
        if name in ("min", "max") and (is_iterated or (len(node.args) > 1 and traced)):
            self._need(Need.BUILTIN_ORDER, (traced or [value])[0], node)
        elif name in ("any", "all", "sorted") and is_iterated:
            self._need(Need.BUILTIN_TRUTH, value, node)
        elif name in signatures.BUILTIN_NUMBERS and (
            traced or (first is ValueKind.DIFFERENTIATED and name != "int")
        ):
            self._need(Need.PYTHON_NUMBER, value, node)
        elif name == "range" and traced:
            self._need(Need.LENGTH, traced[0], node)
        elif name == "bool" and first in TRACED_ARRAYS:
            self._need(Need.TRUTH, value, node)
        elif name in ("abs", "round"):
            return combined(kinds)
        return None

    def _of_own(
        self,
        node: ast.Call,
        kinds: Sequence[ValueKind | None],
        options: dict[str | None, ValueKind | None],
    ) -> ValueKind | None:
        """Read a function of the file, or a method, with what a call gives it."""
        if not any((*kinds, *options.values())):
            return None
        function = resolve(self.module, node.func, node)
        is_spread = any(isinstance(value, ast.Starred) for value in node.args) or None in options
        if not isinstance(function, Definition) or is_spread or function.decorator_list:
            return None
        given = dict(zip(positional_names(function), kinds, strict=False))
        given |= {name: kind for name, kind in options.items() if name is not None}
        known = {name: kind for name, kind in given.items() if kind is not None}
        return self.reading.result(function, known)

    def _is_own_method(self, func: ast.Attribute) -> bool:
        """Return whether `self.step` is a method of the class around, as far as the file shows."""
        method = self.module.function_named(func.attr)
        owner = self.module.parents.get(method) if method is not None else None
        is_of_self = isinstance(func.value, ast.Name) and func.value.id == "self"
        return is_of_self and isinstance(owner, ast.ClassDef) and owner in self._around

    @cached_property
    def _around(self) -> set[ast.AST]:
        return set(self.module.ancestors(self.owner))


def _is_at(node: ast.expr) -> bool:
    """Return whether an expression is the `x.at` of an update."""
    return isinstance(node, ast.Attribute) and node.attr == "at"


def _bound_in(function: FunctionNode) -> set[str]:
    """Return the names that a function binds anywhere."""
    names = (node for node in ast.walk(function) if isinstance(node, ast.Name))
    return {node.id for node in names if not isinstance(node.ctx, ast.Load)}
