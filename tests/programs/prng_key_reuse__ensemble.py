# expects: prng-key-reuse at 9
# needs: equinox
import equinox as eqx
import jax

key = jax.random.key(3)
members = []
for _ in range(4):
    members.append(eqx.nn.MLP(2, 1, 4, 1, key=key))
