# expects: tied-weights-apart at 39
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class Coder(eqx.Module):
    encode: eqx.nn.Linear
    middle: eqx.nn.Linear
    decode: eqx.nn.Linear

    def __call__(self, x):
        return self.decode(jnp.tanh(self.middle(jnp.tanh(self.encode(x)))))


keys = jax.random.split(jax.random.key(2), 3)
first, middle, last = (eqx.nn.Linear(5, 5, key=key) for key in keys)
model = eqx.tree_at(lambda c: c.decode.weight, Coder(first, middle, last), first.weight)
tx = optax.sgd(0.1)
state = tx.init(eqx.filter(model, eqx.is_array))


@eqx.filter_value_and_grad
def loss(model, x):
    return jnp.mean((jax.vmap(model)(x) - x) ** 2)


@eqx.filter_jit
def step(model, state, x):
    value, grads = loss(model, x)
    updates, state = tx.update(grads, state)
    return eqx.apply_updates(model, updates), state, value


x = jax.random.normal(jax.random.key(5), (16, 5))
for _ in range(8):
    model, state, value = step(model, state, x)
