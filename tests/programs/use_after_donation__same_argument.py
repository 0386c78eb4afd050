# expects: use-after-donation at 12
import jax
import jax.numpy as jnp


class Pair:
    first = second = jnp.arange(4.0)


mix = jax.jit(lambda a, b: (a + b, a - b), donate_argnums=(0, 1))
pair = Pair()
total, gap = mix(pair.first, pair.second)
