# expects: wrong-arity at 17
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    linear: eqx.nn.Linear
    norm: eqx.nn.BatchNorm

    def __init__(self, key):
        self.linear = eqx.nn.Linear(3, 4, key=key)
        self.norm = eqx.nn.BatchNorm(4, axis_name="batch", mode="batch")

    def __call__(self, x):
        return self.norm(self.linear(x))


model, state = eqx.nn.make_with_state(Net)(jax.random.key(0))
jax.vmap(model, axis_name="batch")(jnp.ones((5, 3)))
