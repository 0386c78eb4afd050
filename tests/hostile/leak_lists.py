# expects: crashed|raised: memory
# It keeps lists until there is no memory.
# or: timed_out: still running after
kept = []
while True:
    kept.append([0] * 10**6)
