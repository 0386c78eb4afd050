# expects: pairs-shuffled-apart at 9
import jax.numpy as jnp
import numpy as np

x_train = np.linspace(0.0, 1.0, 8)
y_train = 3.0 * x_train
for _ in range(2):
    np.random.shuffle(x_train)
    np.random.shuffle(y_train)
    print(jnp.dot(jnp.asarray(x_train), jnp.asarray(y_train)))
