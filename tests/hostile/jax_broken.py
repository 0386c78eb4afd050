# expects: raised|crashed|failed: 
# It puts something else in the place of jax's own functions.
import jax

jax.jit = jax.make_jaxpr = jax.grad = jax.vmap = None


def safe_clip_positive(x):
    return x
