# expects: array-as-condition at 7
import jax.numpy as jnp

forecast = {"north": jnp.array([3.0, -1.0]), "south": jnp.array([6.0, 4.0])}
frost = {place: degrees < 0.0 for place, degrees in forecast.items()}
cold = frost["north"]
print("frost" if cold else "mild")
