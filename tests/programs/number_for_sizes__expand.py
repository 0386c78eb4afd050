# expects: number-for-sizes at 8
# needs: numpyro
import numpyro
import numpyro.distributions as dist
from numpyro import handlers

def model(n):
    rates = numpyro.sample("rates", dist.Gamma(2.0, 1.0).expand(n).to_event(1))
    return rates

print(handlers.seed(model, 0)(3).shape)
