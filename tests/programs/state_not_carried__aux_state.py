# expects: state-not-carried at 34
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    linear: eqx.nn.Linear
    norm: eqx.nn.BatchNorm

    def __init__(self, key):
        self.linear = eqx.nn.Linear(2, 1, key=key)
        self.norm = eqx.nn.BatchNorm(1, axis_name="batch", mode="ema")

    def __call__(self, x, state):
        return self.norm(self.linear(x), state)


def run(model, state, x):
    return jax.vmap(model, axis_name="batch", in_axes=(0, None), out_axes=(0, None))(x, state)


def loss_fn(model, state, x):
    y, state = run(model, state, x)
    return jnp.mean((y - 1.0) ** 2), state


@eqx.filter_jit
def step(model, state, x):
    grad = eqx.filter_value_and_grad(loss_fn, has_aux=True)
    (_, new_state), grads = grad(model, state, x)
    model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))
    return model, state


x = jnp.arange(8.0).reshape(4, 2)
model, state = eqx.nn.make_with_state(Net)(jax.random.key(0))
for _ in range(3):
    model, state = step(model, state, x)
print(run(eqx.nn.inference_mode(model), state, x)[0])
