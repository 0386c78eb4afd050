# expects: timed_out: still running after
# It counts in C for years, and holds the interpreter meanwhile.
sum(range(10**18))


def safe_clip_positive(x):
    return x
