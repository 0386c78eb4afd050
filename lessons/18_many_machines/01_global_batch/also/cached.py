"""Keeps what was loaded with functools."""

import functools

import jax
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def global_batch(load, shape, mesh):
    read = functools.cache(load)
    spec = P("data", *[None] * (len(shape) - 1))
    return jax.make_array_from_callback(
        shape, NamedSharding(mesh, spec), lambda index: read(*index[0].indices(shape[0])[:2])
    )
