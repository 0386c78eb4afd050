# expects: unflatten-not-classmethod at 15
import jax
import jax.numpy as jnp


class Pose:
    def __init__(self, angle, shift, frame):
        self.angle, self.shift, self.frame = angle, shift, frame

    def tree_flatten(self):
        return (self.angle, self.shift), self.frame

    # Puts the parts together again.

    def tree_unflatten(self, frame, parts):
        return Pose(*parts, frame)


jax.tree_util.register_pytree_node_class(Pose)


@jax.jit
def turn(pose, by):
    return pose.angle + by


print(turn(Pose(jnp.array(0.1), jnp.zeros(2), "world"), 0.2))
