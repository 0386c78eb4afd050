# expects: vector-unlike-operator at 18
# needs: lineax
import jax
import jax.numpy as jnp
import lineax as lx

POINTS = 40


def hamiltonian_step(potential, dt):
    main = 1.0 + dt * (2.0 + potential)
    side = jnp.full(POINTS - 1, -dt)
    return lx.TridiagonalLinearOperator(main, side, side)


@jax.jit
def advance(psi, potential, dt):
    return lx.linear_solve(hamiltonian_step(potential, dt), psi, lx.Tridiagonal()).value


x = jnp.linspace(-3.0, 3.0, POINTS)
psi = jnp.exp(-(x**2) + 1j * x)
print(jnp.abs(advance(psi, 0.5 * x**2, 0.01)).max())
