# expects: wrong-arity at 12
# needs: lineax
import jax.numpy as jnp
import lineax as lx


class Circuit:
    def __init__(self, conductance, source):
        self.conductance = conductance
        self.source = source

    def imbalance(self, voltage):
        diode = 1e-3 * (jnp.exp(voltage) - 1.0)
        return self.conductance @ voltage + diode - self.source

    def newton_step(self, voltage):
        jacobian = lx.JacobianLinearOperator(self.imbalance, voltage)
        return voltage - lx.linear_solve(jacobian, self.imbalance(voltage)).value


circuit = Circuit(jnp.array([[2.0, -1.0], [-1.0, 3.0]]), jnp.array([0.5, 0.1]))
voltage = jnp.zeros(2)
for _ in range(3):
    voltage = circuit.newton_step(voltage)
print(voltage)
