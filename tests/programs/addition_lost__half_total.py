# expects: addition-lost at 9
import jax
import jax.numpy as jnp


@jax.jit
def error(w, xs):
    def add(total, x):
        return total + jnp.mean((x.astype(jnp.bfloat16) * w) ** 2), None

    total, _ = jax.lax.scan(add, jnp.zeros((), jnp.bfloat16), xs)
    return total / len(xs)


print(error(jnp.ones(3, jnp.bfloat16), jax.random.normal(jax.random.key(0), (3000, 3))))
