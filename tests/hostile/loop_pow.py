# expects: timed_out: still running after
# It multiplies enormous integers.
print(len(str(7 ** (10**9))))


def safe_clip_positive(x):
    return x
