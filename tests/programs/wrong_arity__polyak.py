# expects: wrong-arity at 17
# needs: optax
import jax
import jax.numpy as jnp
import optax


def f(p):
    return (p**2).sum()


opt = optax.polyak_sgd()
p = jnp.ones(3)
s = opt.init(p)
for _ in range(3):
    g = jax.grad(f)(p)
    u, s = opt.update(g, s)
    p = optax.apply_updates(p, u)
