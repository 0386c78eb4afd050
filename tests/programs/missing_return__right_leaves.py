# expects: nothing
import jax
import jax.numpy as jnp

params = {"kernel": jnp.ones((2, 3)), "bias": jnp.full(3, 5.0), "steps": jnp.array(4)}


def kernels(leaf):
    if leaf.ndim == 2:
        return leaf
    return None


def axes(leaf):
    if leaf.ndim:
        return 0


def show(leaf):
    print(leaf.shape)


def halves(leaf):
    if jnp.issubdtype(leaf.dtype, jnp.floating):
        return leaf.astype(jnp.bfloat16)
    else:
        return leaf


def stop(leaf):
    if leaf.ndim == 2:
        return leaf
    raise ValueError(leaf.shape)


decayed = jax.tree.map(kernels, params)
jax.tree.map(show, params)
floats = jax.tree.map(lambda p: p if p.dtype == jnp.float32 else None, params)
stacked = jax.tree.map(lambda p: jnp.stack([p, p]), {**params, "none": None})
in_axes = jax.tree.map(axes, {"a": jnp.ones(3), "b": jnp.array(1.0)})
pair = {"a": jnp.ones(3), "b": jnp.array(1.0)}
mapped = jax.vmap(lambda t: t["a"] + t["b"], in_axes=(in_axes,))(pair)
stopped = jax.tree.map(stop, {"kernel": params["kernel"]})
print(decayed, floats, jax.tree.map(halves, params), stopped, mapped)
