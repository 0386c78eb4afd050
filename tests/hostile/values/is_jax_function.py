# expects: failed: elements differ
# Is a function of JAX's.
import jax.numpy as jnp


safe_clip_positive = jnp.abs
