"""Lists where the names that JAX and NumPy removed have gone."""

from __future__ import annotations

_PATHS = """
jax.tree_map jax.tree.map
jax.tree_multimap jax.tree.map
jax.tree_leaves jax.tree.leaves
jax.tree_flatten jax.tree.flatten
jax.tree_unflatten jax.tree.unflatten
jax.tree_structure jax.tree.structure
jax.tree_transpose jax.tree.transpose
jax.tree_reduce jax.tree.reduce
jax.tree_all jax.tree.all
jax.tree_util.tree_multimap jax.tree.map
jax.config.config jax.config
jax.DeviceArray jax.Array
jax.numpy.DeviceArray jax.Array
jax.interpreters.xla.DeviceArray jax.Array
jax.random.KeyArray jax.Array
jax.random.PRNGKeyArray jax.Array
jax.random.shuffle jax.random.permutation
jax.numpy.alltrue jax.numpy.all
jax.numpy.sometrue jax.numpy.any
jax.numpy.product jax.numpy.prod
jax.numpy.cumproduct jax.numpy.cumprod
jax.numpy.in1d jax.numpy.isin
jax.numpy.msort jax.numpy.sort
jax.numpy.row_stack jax.numpy.vstack
jax.numpy.trapz jax.numpy.trapezoid
jax.numpy.round_ jax.numpy.round
jax.numpy.bool bool
jax.numpy.int int
jax.numpy.float float
jax.numpy.complex complex
numpy.bool bool
numpy.int int
numpy.float float
numpy.complex complex
numpy.object object
numpy.str str
numpy.float_ numpy.float64
numpy.product numpy.prod
numpy.cumproduct numpy.cumprod
numpy.alltrue numpy.all
numpy.sometrue numpy.any
numpy.in1d numpy.isin
numpy.row_stack numpy.vstack
numpy.trapz numpy.trapezoid
numpy.round_ numpy.round
numpy.Inf numpy.inf
numpy.NaN numpy.nan
numpy.infty numpy.inf
jax.nn.normalize jax.nn.standardize
jax.nn.hardswish jax.nn.hard_swish
jax.host_id jax.process_index
jax.host_count jax.process_count
jax.pjit jax.jit
jax.experimental.pjit.pjit jax.jit
jax.experimental.shard_map.shard_map jax.shard_map
jax.experimental.maps.xmap jax.vmap
jax.experimental.optimizers jax.example_libraries.optimizers
jax.experimental.stax jax.example_libraries.stax
jax.experimental.enable_x64 jax.enable_x64
jax.experimental.PartitionSpec jax.sharding.PartitionSpec
jax.experimental.pjit.PartitionSpec jax.sharding.PartitionSpec
jax.sharding.use_mesh jax.set_mesh
jax.mutable_array jax.new_ref
jax.array_ref jax.new_ref
jax.core.Primitive jax.extend.core.Primitive
jax.core.Jaxpr jax.extend.core.Jaxpr
jax.core.ClosedJaxpr jax.extend.core.ClosedJaxpr
jax.core.JaxprEqn jax.extend.core.JaxprEqn
jax.core.Literal jax.extend.core.Literal
jax.core.Var jax.extend.core.Var
jax.core.jaxpr_as_fun jax.extend.core.jaxpr_as_fun
jax.linear_util jax.extend.linear_util
jax.lib.xla_bridge.get_backend jax.extend.backend.get_backend
jax.abstract_arrays.ShapedArray jax.core.ShapedArray
jax.scipy.linalg.tril jax.numpy.tril
jax.scipy.linalg.triu jax.numpy.triu
jax.ops.index_update .set
jax.ops.index_add .add
jax.ops.index_mul .multiply
jax.ops.index_min .min
jax.ops.index_max .max
"""
MOVED = dict(line.split() for line in _PATHS.strip().splitlines())
UNLIKE = frozenset({"jax.experimental.maps.xmap", "jax.numpy.msort", "numpy.float_"})
"""Names whose successors need other arguments, or do something else with the same ones."""
