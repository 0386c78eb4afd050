# expects: state-not-carried at 19
# needs: haiku
import haiku as hk
import jax
import jax.numpy as jnp


def forward(x, is_training):
    x = hk.BatchNorm(True, True, 0.9)(x, is_training)
    return hk.Linear(1)(x)


model = hk.transform_with_state(forward)
x = jnp.arange(8.0).reshape(4, 2)
params, state = model.init(jax.random.key(0), x, True)


def loss(params, state, x):
    out, new_state = model.apply(params, state, None, x, True)
    return jnp.mean(out**2)


gradient = jax.jit(jax.grad(loss))
for _ in range(3):
    grads = gradient(params, state, x)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
prediction, _ = model.apply(params, state, None, x, False)
print(prediction)
