# expects: boolean-mask-index at 6
"""Updates the elements where a mask is true."""


def soft_shrink(x, lam):
    y = x.at[x > lam].add(-lam)
    return y.at[x < -lam].add(lam)
