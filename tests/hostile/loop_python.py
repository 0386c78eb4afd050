# expects: timed_out: still running after
# It loops for ever in Python.
def safe_clip_positive(x):
    while True:
        pass
