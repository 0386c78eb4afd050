# expects: array-as-condition at 15
import unittest

import jax
import jax.numpy as jnp


class Softmax(unittest.TestCase):
    def setUp(self):
        self.logits = jnp.array([[0.0, 1.0], [2.0, 2.0]])

    def test_shift(self):
        p = jax.nn.softmax(self.logits)
        shifted = jax.nn.softmax(self.logits + 3.0)
        self.assertEqual(p, shifted)


Softmax("test_shift").debug()
