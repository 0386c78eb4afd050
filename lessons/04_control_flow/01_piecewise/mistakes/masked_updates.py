# expects: boolean-mask-index at 6
"""Changes the places where a mask holds."""


def soft_shrink(x, lam):
    y = x.at[x > lam].add(-lam)
    return y.at[x < -lam].add(lam)
