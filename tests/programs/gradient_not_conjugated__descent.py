# expects: gradient-not-conjugated at 19
import jax
import jax.numpy as jnp

size = 3
state = jnp.zeros(2**size, jnp.complex64).at[0].set(1.0)
wanted = jnp.exp(1j * jnp.linspace(0.0, 2.0, 2**size)) / 2 ** (size / 2)


def infidelity(controls):
    hermitian = controls + controls.conj().T
    evolved = jax.scipy.linalg.expm(-1j * hermitian) @ state
    return 1.0 - jnp.abs(jnp.vdot(wanted, evolved)) ** 2


@jax.jit
def improve(controls, _):
    loss = infidelity(controls)
    slope = jax.grad(infidelity)(controls)
    return controls - 0.3 * slope, loss


key = jax.random.key(4)
controls = 0.1 * jax.random.normal(key, (2**size, 2**size), jnp.complex64)
controls, losses = jax.lax.scan(improve, controls, length=25)
print(losses[0], losses[-1])
