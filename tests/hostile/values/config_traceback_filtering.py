# expects: raised: TracerBoolConversionError
# Sets jax_traceback_filtering to 'tracebackhide'.
import jax.numpy as jnp
import jax

jax.config.update('jax_traceback_filtering', 'tracebackhide')


def safe_clip_positive(x):
    if x[0] < 0:
        x = x.at[0].set(0)
    return jnp.asarray(x)
