# expects: not-a-key at 7
import jax

keys = iter(jax.random.split(jax.random.key(0), 8))
total = 0.0
for _ in range(3):
    total += jax.random.normal(keys)
print(total)
