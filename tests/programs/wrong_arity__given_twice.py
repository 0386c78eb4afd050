# expects: wrong-arity at 5
import jax

key = jax.random.key(0)
weights = jax.random.normal(3, 4, key=key)
print(weights)
