# expects: wrong-arity at 10
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


def build(width):
    return nn.Sequential(nn.Dense(width), nn.tanh, nn.Dense(1))


def main(width=8, steps=5):
    xs = jnp.linspace(-2, 2, 40)[:, None]
    ys = jnp.sin(xs)
    model = build(width)
    params = model.init(jax.random.key(0), xs)
    tx = optax.adam(0.05)
    state = tx.init(params)

    @jax.jit
    def step(params, state):
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((model.apply(p, xs) - ys) ** 2))(params)
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for _ in range(steps):
        params, state, loss = step(params, state)
    print(f"{float(loss) < 1}")


main()
