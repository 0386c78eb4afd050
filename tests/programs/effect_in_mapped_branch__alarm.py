# expects: effect-in-mapped-branch at 18
import jax
import jax.numpy as jnp

LIMIT = 1.1


class Log:
    lines = []

    def __call__(self, well, level):
        self.lines.append((int(well), float(level)))


def settle(well, level, inflow):
    level = 0.9 * level + inflow
    spills = level > LIMIT
    jax.lax.cond(spills, lambda n, v: jax.debug.callback(Log(), n, v), lambda *_: None, well, level)
    return jnp.minimum(level, LIMIT)


@jax.jit
def season(levels, inflows):
    wells = jnp.arange(levels.size)
    return jax.lax.scan(lambda v, q: (jax.vmap(settle)(wells, v, q), None), levels, inflows)[0]


levels = season(jnp.full(6, 0.5), jax.random.uniform(jax.random.key(0), (4, 6), maxval=0.3))
jax.effects_barrier()
print(f"{float(levels.max()):.2f}", len(Log.lines))
