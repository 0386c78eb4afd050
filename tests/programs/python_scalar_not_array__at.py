# expects: python-scalar-not-array at 3
total = 0.0
total = total.at[0].add(1.0)
