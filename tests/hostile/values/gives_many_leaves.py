# expects: failed|timed_out|crashed: 
# or: raised: MemoryError
# Gives a list of a hundred thousand arrays.


def safe_clip_positive(x):
    return [x] * 100_000
