"""Fixes uses of exports, compiled programs, primitives and Pallas kernels."""

from __future__ import annotations

import ast

from jaxtutor.core.diagnosis.causes.extending.extension_rules import (
    IndexMap,
    InFunction,
    ParamsInBind,
    PolicyText,
    RuleArity,
    SymbolicSpec,
    abstract_eval,
    custom_rule_arity,
    custom_vmap,
    dimension_missing,
    index_map,
    is_open,
    kernel_returns,
    params_in_bind,
    policy_text,
    ref_names,
    ref_not_read,
    staged_called,
)
from jaxtutor.core.diagnosis.editing.draft import Draft, Drafts
from jaxtutor.core.diagnosis.editing.expressions import add_argument
from jaxtutor.core.diagnosis.engine.matches import AtCall, AtFrame, AtNode
from jaxtutor.core.diagnosis.engine.rules import Rule, by_message, raised
from jaxtutor.core.diagnosis.reading.functions import (
    parameter_names,
    parameters,
    result_of,
    returns_of,
)

# ---------------------------------------------------------------- export and compiled programs


def symbolic_shape(found: SymbolicSpec) -> Drafts:
    """Name the open sizes in a symbolic shape."""
    module, names = found.module, iter("nmkabc")
    parts, is_computed = [], False
    for size in found.shape.elts:
        if isinstance(size, ast.Constant) and isinstance(size.value, str):
            parts.append(size.value)
        elif is_open(size):
            parts.append(next(names))
        elif isinstance(size, ast.Constant):
            parts.append(module.text(size))
        else:
            is_computed = True
            parts.append("{" + module.text(size) + "}")
    draft = Draft(module)
    prefix = "f" if is_computed else ""
    made = draft.name("jax.export.symbolic_shape")
    if made.startswith("jax."):
        draft.import_line("import jax.export")
    yield draft.replace(found.shape, f'{made}({prefix}"{", ".join(parts)}")')


def jit_exported(found: AtFrame) -> Drafts:
    """Compile the function that is exported."""
    draft = Draft(found.module)
    if found.call is not None and found.call.args:
        yield draft.wrap(found.call.args[0], f"{draft.name('jax.jit')}(", ")")


def call_staged(found: AtCall) -> Drafts:
    """Call an exported program by its method, and compile a lowered one first."""
    way = ".call" if found.facts.get("class") == "Exported" else ".compile()"
    yield Draft(found.module).after(found.node.func, way)


# ---------------------------------------------------------------- primitives


def shaped_array(found: InFunction) -> Drafts:
    """Return a ShapedArray from the abstract evaluation."""
    value = result_of(found.function)
    if isinstance(value, ast.Call):
        draft = Draft(found.module)
        yield draft.replace(value.func, draft.name("jax.core.ShapedArray"))


def prepare_params(found: ParamsInBind) -> Drafts:
    """Let the primitive turn the equation's parameters into those of `bind`."""
    draft = Draft(found.module)
    primitive = found.facts["function"]
    yield draft.wrap(found.params, f"{primitive}.get_bind_params(", ")")


def return_batched(found: InFunction) -> Drafts:
    """Return the result together with the fact that it is batched."""
    value = result_of(found.function)
    if value is not None:
        yield Draft(found.module).after(value, ", True")


def policy_function(found: PolicyText) -> Drafts:
    """Name the policy itself."""
    draft = Draft(found.module)
    policy = found.facts["name"]
    if policy.isidentifier():
        name = draft.name(f"jax.checkpoint_policies.{policy}")
        yield draft.replace(found.node, name)


# ---------------------------------------------------------------- Pallas


def read_ref(found: AtNode) -> Drafts:
    """Read the references with `[...]`."""
    draft = Draft(found.module)
    names = ref_names(found, set(parameter_names(found.frame.function)))
    for name in names:
        draft.after(name, "[...]")
    yield draft


def write_result(found: InFunction) -> Drafts:
    """Write the result to the last reference of the kernel."""
    given, ends = parameters(found.function), returns_of(found.function)
    value = ends[0].value if len(ends) == 1 else None
    if given and value is not None:
        text = f"{given[-1].arg}[...] = {found.module.text(value)}"
        yield Draft(found.module).replace(ends[0], text)


def take_grid_indices(found: IndexMap) -> Drafts:
    """Take as many indices as the grid has axes; those that are missing are not used."""
    function = found.function
    given = parameter_names(function)
    if not isinstance(function, ast.Lambda) or not given or found.count <= len(given):
        return
    more = [f"_{n}" for n in range(len(given), found.count)]
    body = found.module_of.text(function.body)
    yield Draft(found.module_of).replace(function, f"lambda {', '.join([*given, *more])}: {body}")


def interpret(found: AtFrame) -> Drafts:
    """Run the kernel in interpret mode."""
    module = found.module
    for call in module.calls:
        if (module.dotted(call.func) or "").endswith("pallas_call"):
            yield add_argument(Draft(module), call, "interpret=True")


def take_fixed_first(found: RuleArity) -> Drafts:
    """Take the arguments that are not differentiated before the residuals and the cotangent."""
    given = parameters(found.function)
    if found.missing and not {a.arg for a in given} & set(found.missing):
        names = "".join(f"{name}, " for name in found.missing)
        yield Draft(found.module).certain().before(given[0], names)


RULES = (
    Rule("symbolic-dimension-missing", raised(dimension_missing), symbolic_shape),
    Rule("export-needs-jit", by_message(), jit_exported),
    Rule("staged-object-called", raised(staged_called), call_staged),
    Rule("abstract-eval-wrong-type", raised(abstract_eval), shaped_array),
    Rule("params-not-for-bind", raised(params_in_bind), prepare_params),
    Rule("custom-rule-arity", raised(custom_rule_arity), take_fixed_first),
    Rule("checkpoint-policy-text", raised(policy_text), policy_function),
    Rule("custom-vmap-no-pair", raised(custom_vmap), return_batched),
    Rule("pallas-ref-not-read", raised(ref_not_read), read_ref),
    Rule("pallas-kernel-returns", raised(kernel_returns), write_result),
    Rule("pallas-index-map", raised(index_map), take_grid_indices),
    Rule("pallas-needs-interpret", by_message(), interpret),
)
