# expects: shape-mismatch-matmul at 15
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


class Reader(eqx.Module):
    cell: eqx.nn.GRUCell
    last: eqx.nn.Linear

    def __call__(self, words):
        state = jnp.zeros(self.cell.hidden_size)
        for word in words:
            state = self.cell(state, word)
        return self.last(state)


first, second = jax.random.split(jax.random.key(0))
reader = Reader(eqx.nn.GRUCell(2, 5, key=first), eqx.nn.Linear(5, 1, key=second))
print(reader(jnp.ones((3, 2))))
