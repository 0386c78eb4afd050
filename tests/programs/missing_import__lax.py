# expects: missing-import at 3
def f(x):
    return lax.fori_loop(0, 3, lambda i, s: s + i, x)


f(1.0)
