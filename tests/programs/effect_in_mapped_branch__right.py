# expects: nothing
import jax
import jax.numpy as jnp

alarms = []


def note(is_high, pressure):
    if is_high:
        alarms.append(float(pressure))


def check(pressure, step):
    jax.debug.callback(note, pressure > 5.0, pressure)
    return jax.lax.cond(pressure > 5.0, lambda p: 5.0, lambda p: p, pressure)


def report(step, mean):
    jax.lax.cond(step % 2 == 0, lambda m: jax.debug.print("mean {:.2f}", m), lambda m: None, mean)


@jax.jit
def run(pressures):
    def step(pressures, n):
        pressures = jax.vmap(check, in_axes=(0, None))(1.2 * pressures, n)
        report(n, pressures.mean())
        return pressures, None

    return jax.lax.scan(step, pressures, jnp.arange(4))[0]


def one(pressure):
    return jax.lax.cond(
        pressure > 4.0, lambda p: jax.debug.print("{}", p), lambda p: None, pressure
    )


print(run(jnp.array([1.0, 4.5, 3.0])))
jax.lax.map(one, jnp.array([1.0, 4.5, 3.0]))
jax.vmap(lambda n, p: report(n, p), in_axes=(None, 0))(2, jnp.array([1.0, 4.5]))
jax.effects_barrier()
print(len(alarms))
