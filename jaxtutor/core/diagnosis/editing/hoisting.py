"""Moves a compiled function out of the loop, or of the function, that makes it each time."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from jaxtutor.core.data.observations import (
    LoopCompiledAgain,
    NewCallable,
    StaticFunction,
    WrappedAgain,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import (
    add_argument,
    fresh_name,
    indent_of,
    rewrite,
)
from jaxtutor.core.diagnosis.engine.matches import Finding
from jaxtutor.core.diagnosis.engine.rules import Rule, by_match, observed
from jaxtutor.core.diagnosis.engine.source import (
    FunctionNode,
    Module,
    bound_names,
    names_in,
    path_of,
    top_line,
)
from jaxtutor.core.diagnosis.engine.transforms import (
    AppliedTransform,
    name_of,
    transformation,
)
from jaxtutor.core.diagnosis.observed.bodies import loop_compiled_again
from jaxtutor.core.diagnosis.observed.retraces import (
    CompiledOften,
    new_callable,
    new_callable_elsewhere,
    static_function,
    wrapped_again,
)
from jaxtutor.core.diagnosis.reading.calls import argument_for
from jaxtutor.core.diagnosis.reading.functions import called_function, parameter_names, parameters
from jaxtutor.core.diagnosis.reading.names import last_name

_PARTIALS = ("functools.partial", "jax.tree_util.Partial")
# Around these, a function may take further arguments: the first one stays the one that counts.
_KEEPING = frozenset({"jit", "grad", "value_and_grad", "jacfwd", "jacrev", "hessian", "checkpoint"})
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def make_argument_once(found: Finding) -> Drafts:
    """Make a function that is a static argument once."""
    module = found.module
    yield from (_move_argument(module, found.node, home) for home in _homes(module, found.node))


def make_once(found: CompiledOften) -> Drafts:
    """Make a compiled function once."""
    module, item = found.module, found.jit
    site = item.function if item.is_decorator and item.function is not None else item.node
    yield from (_Move(item, home).draft() for home in _homes(module, site))
    yield _kept_by_object(item, tuple(found.modules.values()))


class _Home(Struct, frozen=True):
    """A statement to move something in front of, and the loop or function that it leaves."""

    before: ast.stmt
    region: ast.AST
    scope: ast.AST  # the function or file that contains the region, or is it

    def bound(self, module: Module, site: ast.AST) -> set[str]:
        """Name what the region gives a value, so that it is not known in front of it."""
        names = {n.id for n in ast.walk(self.region) if isinstance(n, ast.Name) and _is_store(n)}
        names |= {f.name for f in ast.walk(self.region) if isinstance(f, ast.FunctionDef)}
        for outer in module.ancestors(site):
            names |= set(parameter_names(outer)) if isinstance(outer, FunctionNode) else set()
            if outer is self.region:
                break
        return names - {getattr(self.region, "name", "")}


def _homes(module: Module, site: ast.AST) -> Iterator[_Home]:
    """Yield the place before the outermost loop around a node, then that before its function."""
    loop: ast.stmt | None = None
    scope = module.scope(site)
    for outer in module.ancestors(site):
        if isinstance(outer, ast.For | ast.While):
            loop = outer
        elif isinstance(outer, _COMPREHENSIONS):
            loop = module.statement(outer)
        elif isinstance(outer, FunctionNode | ast.ClassDef):
            break
    if loop is not None:
        yield _Home(loop, loop, scope)
    if isinstance(scope, ast.FunctionDef):
        holder = module.parents.get(scope)
        yield _Home(holder if isinstance(holder, ast.ClassDef) else scope, scope, scope)


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


class _Move:
    """A compiled function that is being moved."""

    def __init__(self, item: AppliedTransform, home: _Home) -> None:
        self.item, self.home, self.module = item, home, item.module
        self.function = self._compiled_function()
        site = self.function if item.is_decorator and self.function is not None else item.node
        self.bound = home.bound(self.module, site)
        self.given = self._extra_arguments()

    def _compiled_function(self) -> FunctionNode | None:
        """Return the function that is compiled, if it is made in the region."""
        inside = set(map(id, ast.walk(self.home.region))) - {id(self.home.region)}
        function = self.item.function
        return function if function is not None and id(function) in inside else None

    def _extra_arguments(self) -> dict[str, str]:
        """Map the parameters that the function needs from now on to what the calls pass."""
        partial = self.partial
        if partial is not None:
            pairs = ((k.arg, k.value) for k in partial.keywords)
            return {
                name: self.module.text(value)
                for name, value in pairs
                if name is not None and names_in(value) & self.bound
            }
        free = _free(self.function) if self.function is not None else []
        return {name: name for name in free if name in self.bound}

    @property
    def partial(self) -> ast.Call | None:
        """The `partial(…)` that is compiled, if it is one."""
        inner = (
            _innermost_function(self.module, self.item.node) if not self.item.is_decorator else None
        )
        is_partial = isinstance(inner, ast.Call) and self.module.dotted(inner.func) in _PARTIALS
        return inner if is_partial and isinstance(inner, ast.Call) else None

    def draft(self) -> Draft | None:
        """Return the edit; None where the function cannot go, or its calls are not known."""
        if {"self", "cls"} & set(self.given) or not self._takes_more():
            return None
        made = self._decorated() if self.item.is_decorator else self._hoisted_call()
        if made is None:
            return None
        draft, text = made
        home = self.home.before
        indent = indent_of(self.module, home)
        is_top = not indent and isinstance(home, ast.FunctionDef | ast.ClassDef)
        lines = [indent + line if line.strip() else "" for line in text.split("\n")]
        end = "\n\n\n" if is_top else "\n\n" if self.function is not None else "\n"
        if isinstance(self.function, ast.Lambda) and not is_top:
            end = "\n"
        above = self.module.lines[top_line(home) - 2].rstrip()
        is_close = isinstance(self.function, ast.FunctionDef) and above and above[-1] != ":"
        start = "\n" if is_close else ""
        return draft.add_lines(top_line(home), start + "\n".join(lines) + end)

    def _takes_more(self) -> bool:
        """Return whether the function can be given further parameters at its end."""
        if not self.given or self.function is None:
            return True
        given = self.function.args
        if given.defaults or given.kwonlyargs or given.vararg or given.kwarg:
            return False
        decorators = getattr(self.function, "decorator_list", [])
        kinds = {_transformation_name(self.module, d) for d in decorators} | set(self._kinds())
        return kinds <= _KEEPING and not any(
            isinstance(n, ast.Nonlocal | ast.Global) for n in ast.walk(self.function)
        )

    def _kinds(self) -> Iterator[str | None]:
        """Name the transformations around the function in the compiling call."""
        node = self.item.node if not self.item.is_decorator else None
        while isinstance(node, ast.Call) and node.args and node is not self.partial:
            yield _transformation_name(self.module, node)
            node = node.args[0]

    # ------------------------------------------------------------ a decorated function

    def _decorated(self) -> tuple[Draft, str] | None:
        function = self.function
        if not isinstance(function, ast.FunctionDef) or self._is_taken(function.name):
            return None
        draft = _drop(Draft(self.module), self.module, function)
        if not self._pass_at_calls(draft, function.name, function.name):
            return None
        lines = [f"@{self._decorator(draft, d)}" for d in function.decorator_list]
        return draft, "\n".join([*lines, self._definition(function)])

    def _decorator(self, draft: Draft, node: ast.expr) -> str:
        text = self.module.text(node)
        if node is not self.item.node or not self._static():
            return text
        if self.item.call is None:
            return f"{draft.name('functools.partial')}({text}, {self._static()})"
        return f"{text.rstrip(')')}, {self._static()})"

    def _definition(self, function: ast.FunctionDef) -> str:
        """Write a function with its further parameters, and without its indentation."""
        names, arguments = ", ".join(self.given), parameters(function)
        if names and arguments:
            text = rewrite(
                self.module,
                function,
                {arguments[-1]: f"{self.module.text(arguments[-1])}, {names}"},
            )
        else:
            text = self.module.text(function).replace("()", f"({names})", 1)
        indent = indent_of(self.module, function)
        return "\n".join(line.removeprefix(indent) for line in text.split("\n"))

    # ------------------------------------------------------------ a call of jit

    def _hoisted_call(self) -> tuple[Draft, str] | None:
        module, item, draft = self.module, self.item, Draft(self.module)
        parent = module.parents.get(item.node)
        if isinstance(parent, ast.Call) and parent.func is item.node:
            name = fresh_name(module, f"compiled_{self._base().lstrip('_')}", "compiled")
            draft.replace(item.node, name)
            self._pass(draft, parent)
        elif isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name):
            name = parent.targets[0].id
            if self._is_taken(name):
                return None
            draft.drop(parent)
            if not self._pass_at_calls(draft, name, name):
                return None
        else:
            return None
        text = self._compiling()
        if isinstance(self.function, ast.FunctionDef):
            uses = [n for n in ast.walk(self.home.scope) if path_of(n) == self.function.name]
            inside = list(map(id, ast.walk(item.node)))
            if any(isinstance(n, ast.Name) and id(n) not in inside for n in uses):
                return None
            if self._is_taken(self.function.name):
                return None
            _drop(draft, module, self.function)
            gap = "\n\n\n" if not indent_of(module, self.home.before) else "\n\n"
            text = (
                None if text is None else f"{self._definition(self.function)}{gap}{name} = {text}"
            )
            return None if text is None else (draft, text)
        return None if text is None else (draft, f"{name} = {text}")

    def _base(self) -> str:
        named = self.partial.args[0] if self.partial is not None and self.partial.args else None
        name = last_name(named) or name_of(self.item.function)
        if not name and {"grad", "value_and_grad"} & set(self._kinds()):
            return "gradient"
        return name or (name_of(self.module.function(self.item.node)) or "function")

    def _compiling(self) -> str | None:
        """Write the call of jit for the other place."""
        module, node, partial = self.module, self.item.node, self.partial
        assert isinstance(node, ast.Call)
        parts: Mapping[ast.AST, str] = {}
        if partial is not None:
            if any(names_in(a) & self.bound for a in partial.args):
                return None
            kept = [*partial.args, *(k for k in partial.keywords if k.arg not in self.given)]
            texts = [module.text(part) for part in kept]
            inner = texts[0] if len(texts) == 1 else ""
            parts = {partial: inner or f"{module.text(partial.func)}({', '.join(texts)})"}
        elif isinstance(self.function, ast.Lambda):
            parts = {self.function: self._lambda(self.function)}
        elif names_in(node) & self.bound - {name_of(self.function)}:
            return None
        text = rewrite(module, node, parts)
        return f"{text[:-1]}, {self._static()})" if self._static() else text

    def _lambda(self, function: ast.Lambda) -> str:
        if not self.given:
            return self.module.text(function)
        names = ", ".join([*(parameter_names(function)), *self.given])
        return f"lambda {names}: {self.module.text(function.body)}"

    # ------------------------------------------------------------ its calls

    def _static(self) -> str:
        """Write the option that makes functions among the further parameters static."""
        names = [n for n in self.given if self.function and _is_only_called(self, n)]
        texts = ", ".join(f'"{n}"' for n in names)
        return f"static_argnames=({texts}{',' if len(names) == 1 else ''})" if names else ""

    def _pass_at_calls(self, draft: Draft, old: str, new: str) -> bool:
        """Give each call the further arguments; return whether every use of the name is a call."""
        moved = set(map(id, ast.walk(self.function or self.item.node)))
        for node in ast.walk(self.home.scope):
            is_use = isinstance(node, ast.Name) and node.id == old and not _is_store(node)
            if not is_use or id(node) in moved:
                continue
            call = self.module.parents.get(node)
            if isinstance(call, ast.Call) and call.func is node:
                self._pass(draft, call)
            elif self.given:
                return False
        return old == new

    def _pass(self, draft: Draft, call: ast.Call) -> None:
        by_name = bool(call.keywords) or self.partial is not None
        texts = [f"{n}={text}" if by_name else text for n, text in self.given.items()]
        if texts:
            add_argument(draft, call, ", ".join(texts))

    def _is_taken(self, name: str) -> bool:
        """Return whether a name means something else at the place to go to."""
        if self.home.region is not self.home.scope:
            return False  # the same function: it had that meaning already
        return any(name in bound_names(s) for s in ast.iter_child_nodes(self.module.tree))


def _transformation_name(module: Module, node: ast.expr) -> str | None:
    """Name a transformation with or without options: `jax.jit`, `partial(jax.jit, …)`."""
    if isinstance(node, ast.Call) and module.dotted(node.func) in _PARTIALS and node.args:
        return transformation(module, node.args[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Call):
        return _transformation_name(module, node.func)
    return transformation(module, node.func if isinstance(node, ast.Call) else node)


def _innermost_function(module: Module, node: ast.expr) -> ast.expr:
    """Return what the innermost transformation of a call is applied to."""
    while (
        isinstance(node, ast.Call) and node.args and _transformation_name(module, node) in _KEEPING
    ):
        if module.dotted(node.func) in _PARTIALS:
            return node
        node = node.args[0]
    return node


def _free(function: FunctionNode) -> list[str]:
    """List the names that a function reads and does not bind, in the order of their use."""
    own = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and _is_store(n)}
    own |= {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
    own |= {f.name for f in ast.walk(function) if isinstance(f, ast.FunctionDef)}
    nodes = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id not in own]
    nodes.sort(key=lambda n: (n.lineno, n.col_offset))
    return list(dict.fromkeys(n.id for n in nodes))


def _is_only_called(move: _Move, name: str) -> bool:
    """Return whether a function does nothing with a name but call or transform it."""
    assert move.function is not None
    for node in ast.walk(move.function):
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        call = move.module.parents.get(node)
        if not isinstance(call, ast.Call):
            return False
        is_transformed = transformation(move.module, call.func) is not None
        if call.func is not node and not (is_transformed and call.args[:1] == [node]):
            return False
    return True


def _drop(draft: Draft, module: Module, function: ast.FunctionDef) -> Draft:
    """Take out a definition with its decorators and the empty lines below it."""
    span, end = module.span(function), function.end_lineno or function.lineno
    while end < len(module.lines) and not module.lines[end].strip():
        end += 1
    return draft.replace(type(span)(top_line(function), 0, end + 1, 0), "")


# ---------------------------------------------------------------- a method


def _kept_by_object(item: AppliedTransform, modules: Sequence[Module]) -> Draft | None:
    """Compile a method in `__init__`, if nothing else in the program changes the object."""
    module, call = item.module, item.node
    outer = next((n for n in module.ancestors(call) if isinstance(n, ast.ClassDef)), None)
    if outer is None or outer.bases or outer.decorator_list or not isinstance(call, ast.Call):
        return None
    functions = {n.name: n for n in outer.body if isinstance(n, ast.FunctionDef)}
    init, scope = functions.get("__init__"), module.scope(call)
    method = (path_of(_innermost_function(module, call)) or "").removeprefix("self.")
    if init is None or scope is init or scope not in functions.values() or method not in functions:
        return None
    known = {"self"} | set(module.imports)
    if names_in(call) - known or _is_changed(modules, init) or functions[method].decorator_list:
        return None
    name = fresh_name(module, f"compiled_{method.strip('_')}")
    line = f"{indent_of(module, init.body[-1])}self.{name} = {module.text(call)}\n"
    return Draft(module).replace(call, f"self.{name}").lines_after(init.body[-1], line)


def _is_changed(modules: Sequence[Module], init: ast.FunctionDef) -> bool:
    """Return whether something outside `__init__` stores into an attribute that it sets."""
    inside = set(map(id, ast.walk(init)))
    pairs = [(m, n) for m in modules for n in m.nodes if isinstance(n, ast.Attribute)]
    stores = [node for module, node in pairs if _is_written(module, node)]
    names = {n.attr for n in stores if id(n) in inside}
    return any(n.attr in names and id(n) not in inside for n in stores)


def _is_written(module: Module, node: ast.expr) -> bool:
    """Return whether an attribute, or an element of it, is stored."""
    outer = module.parents.get(node)
    if isinstance(outer, ast.Subscript) and outer.value is node:
        return _is_written(module, outer)
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


# ---------------------------------------------------------------- a static argument


def _move_argument(module: Module, node: ast.AST, home: _Home) -> Draft | None:
    """Give a function or object that a call makes for a static argument a name of its own."""
    call = module.parents.get(node)
    call = module.parents.get(call) if isinstance(call, ast.keyword) else call
    if not isinstance(node, ast.Lambda | ast.Call) or not isinstance(call, ast.Call):
        return None
    free = set(_free(node)) if isinstance(node, ast.Lambda) else names_in(node)
    if free & home.bound(module, node):
        return None
    function = called_function(module, call)
    names = parameter_names(function)
    wanted = [n for n in names if function and argument_for(function, call, n) is node]
    name = fresh_name(module, *wanted, f"shared_{wanted[0]}" if wanted else "shared")
    indent = indent_of(module, home.before)
    if isinstance(node, ast.Lambda):
        given, body = ast.unparse(node.args), module.text(node.body)
        text = f"{indent}def {name}({given}):\n{indent}    return {body}\n\n"
    else:
        text = f"{indent}{name} = {module.text(node)}\n"
    is_top = not indent and isinstance(home.before, ast.FunctionDef | ast.ClassDef)
    return (
        Draft(module)
        .replace(node, name)
        .add_lines(top_line(home.before), text + ("\n" if is_top else ""))
    )


RULES = (
    Rule(
        "new-callable-each-call",
        observed(
            (StaticFunction, static_function),
            (NewCallable, new_callable),
            (NewCallable, new_callable_elsewhere),
            (WrappedAgain, wrapped_again),
            (LoopCompiledAgain, loop_compiled_again),
        ),
        by_match(make_once, make_argument_once),
    ),
)
