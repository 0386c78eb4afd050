"""Lists functions and methods by what they return, and by what they need of their arguments."""

from __future__ import annotations

HOST_METHODS = frozenset({"item", "tolist", "tobytes"})
ARRAY_METHODS = frozenset(
    "sum mean max min std var prod cumsum cumprod argmax argmin argsort sort reshape ravel flatten"
    " squeeze transpose swapaxes dot clip take repeat conj conjugate diagonal trace".split()
)
UPDATES = frozenset("set add subtract multiply divide power min max apply".split())
"""Methods of `x.at[i]`."""
MASK_METHODS = frozenset({"any", "all"})
ARRAY_ATTRIBUTES = frozenset({"T", "mT", "real", "imag"})
MASKS = frozenset(
    "any all isnan isfinite isinf isposinf isneginf isclose allclose array_equal isin signbit equal"
    " not_equal less less_equal greater greater_equal logical_and logical_or logical_not"
    " logical_xor".split()
)
STATIC = frozenset(
    "shape ndim size dtype result_type promote_types can_cast issubdtype isdtype iscomplexobj"
    " isrealobj isscalar iterable finfo iinfo broadcast_shapes einsum_path vectorize"
    " set_printoptions save".split()
)
"""Functions of `jax.numpy` and `numpy` that give no array: most are answered by the type alone."""
SEVERAL = frozenset(
    "split array_split hsplit vsplit dsplit meshgrid broadcast_arrays divmod modf frexp gradient"
    " histogram unstack atleast_1d atleast_2d atleast_3d ix_ tril_indices triu_indices".split()
)
"""Functions of `jax.numpy` that may return several arrays."""
NUMPY_METHODS = STATIC | frozenset(
    "sum mean max min amax amin std var prod cumsum cumprod argmax argmin argsort reshape squeeze"
    " transpose swapaxes round around any all repeat take diagonal ptp partition choose"
    " searchsorted compress nonzero broadcast_to moveaxis".split()
)
"""Functions of NumPy that call the method of their argument, or keep it as it is."""
COUNTING = frozenset(
    "nonzero argwhere flatnonzero unique unique_values unique_counts unique_inverse unique_all"
    " union1d intersect1d setdiff1d setxor1d".split()
)
SHAPED = frozenset({"zeros", "ones", "empty", "full", "eye", "identity", "tri"})
BUILTIN_NUMBERS = frozenset({"float", "int", "complex"})
BUILTINS = BUILTIN_NUMBERS | frozenset("range min max any all sorted bool abs round".split())
SMOOTH = frozenset(
    "sum mean dot matmul einsum exp log log1p expm1 sqrt square sin cos tan tanh abs where maximum"
    " minimum concatenate stack power reshape ravel transpose multiply add subtract divide".split()
)
"""Functions of `jax.numpy` whose result has a gradient."""
ITERATING = frozenset({"prod", "fsum", "dist", "sumprod"})
"""Functions of `math` that go through an array."""
NOT_ARRAYS = frozenset({"initializers", "key_impl", "key_data", "wrap_key_data", "standardize"})
