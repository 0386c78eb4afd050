# expects: crashed|raised: memory
# It keeps lists until there is no memory.
kept = []
while True:
    kept.append([0] * 10**6)
