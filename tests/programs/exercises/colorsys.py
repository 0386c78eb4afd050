red = 1
