# expects: unpack-count-mismatch at 12
import jax.numpy as jnp


class Cell:
    def __call__(self, carry, x):
        return 0.9 * carry + x


cell, carry = Cell(), jnp.zeros(4)
for x in jnp.ones((3, 4)):
    carry, output = cell(carry, x)
print(carry)
