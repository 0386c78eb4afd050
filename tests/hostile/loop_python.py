# expects: timed_out: still running after
# It loops for ever in Python.
def safe_clip_positive(x):
    while True:
        pass


if __name__ == "__main__":
    safe_clip_positive(1)
