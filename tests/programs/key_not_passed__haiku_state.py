# expects: key-not-passed at 23
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


class Smoother(hk.Module):
    def __call__(self, x):
        total = hk.get_state("total", x.shape[1:], init=jnp.zeros)
        hk.set_state("total", 0.9 * total + x.mean(0))
        return hk.Linear(1)(x - total)


class Filter:
    def __init__(self, width):
        self.model = hk.transform_with_state(lambda x: Smoother()(x))
        self.params, self.state = self.model.init(jax.random.key(0), jnp.zeros((1, width)))

    def __call__(self, x):
        params, state = self.params, self.state
        model = self.model
        y, self.state = model.apply(params, state, x)
        return y


print(Filter(3)(jnp.ones((2, 3))))
