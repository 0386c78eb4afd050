# expects: pure-callback-unread at 16
import jax
import jax.numpy as jnp

done = []


def show(step):
    done.append(int(step))
    return step


@jax.jit
def run(x):
    def body(x, step):
        jax.pure_callback(show, jax.ShapeDtypeStruct((), jnp.int32), step)
        return x + 0.1 * jnp.sin(x), None

    x, _ = jax.lax.scan(body, x, jnp.arange(5))
    return x


print(run(jnp.ones(3)), len(done))
