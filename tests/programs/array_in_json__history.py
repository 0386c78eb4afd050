# expects: array-in-json at 19
import io
import json

import jax
import jax.numpy as jnp


class Recorder:
    def __init__(self):
        self.rows, self.stream = [], io.StringIO()

    def add(self, **values):
        self.rows.append(values)

    def save(self):
        rows = {"rows": self.rows, "version": 1}
        stream = self.stream
        json.dump(rows, stream, indent=1)
        return stream.getvalue()


recorder = Recorder()
for step in range(2):
    loss, grads = jax.value_and_grad(lambda w: jnp.sum(w**2))(jnp.ones(2) * step)
    recorder.add(step=step, loss=loss, norm=jnp.linalg.norm(grads))
print(len(recorder.save()))
