# expects: wrong-arity at 9
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp

gamma = jnp.array([2.0])
u = jnp.array([0.5])
drift = diffrax.UnderdampedLangevinDriftTerm(gamma, u, lambda x: 2 * x)
w = diffrax.VirtualBrownianTree(
    0.0, 1.0, tol=0.05, shape=(1,), key=jax.random.key(0), levy_area=diffrax.SpaceTimeTimeLevyArea
)
terms = diffrax.MultiTerm(drift, diffrax.UnderdampedLangevinDiffusionTerm(gamma, u, w))
sol = diffrax.diffeqsolve(
    terms, diffrax.QUICSORT(0.01), 0.0, 1.0, 0.05, (jnp.zeros(1), jnp.zeros(1))
)
print(sol.ys)
