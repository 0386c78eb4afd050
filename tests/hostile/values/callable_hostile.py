# expects: raised: RuntimeError
# Is an object that raises for every attribute, and can be called.
import jax.numpy as jnp
class Odd:
    def __call__(self, x):
        return jnp.where(x < 0, 0, x)

    def __getattr__(self, name):
        raise RuntimeError(f'no {name}')


safe_clip_positive = Odd()
