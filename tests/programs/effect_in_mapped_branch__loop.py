# expects: effect-in-mapped-branch at 17
import jax
import jax.numpy as jnp

rounds = []


def count(gap):
    rounds.append(float(gap))


def root(target):
    def goes_on(x):
        return jnp.abs(x * x - target) > 1e-3

    def improve(x):
        jax.debug.callback(count, x * x - target)
        return 0.5 * (x + target / x)

    return jax.lax.while_loop(goes_on, improve, target)


roots = jax.jit(jax.vmap(root))(jnp.array([1.1, 4.0, 900.0]))
jax.effects_barrier()
print(roots, len(rounds))
