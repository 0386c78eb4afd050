# expects: nothing
import jax
import jax.numpy as jnp

key = jax.random.key(5)
fixed_noise = jax.random.normal(key, (3,))
step_key = jax.random.key(1)


@jax.jit
def step(x, n):
    kick = jax.random.normal(jax.random.fold_in(step_key, n), x.shape)
    return 0.9 * x + 0.1 * kick + 0.01 * fixed_noise


@jax.jit
def sample(x):
    noise = jax.random.normal(key, (16, 3))
    return jnp.mean(jnp.square(x + noise))


x = jnp.zeros(3)
for n in range(12):
    x = step(x, n)
print(x, [float(sample(jnp.full(3, y))) for y in (0.0, 0.5, 1.0)])
