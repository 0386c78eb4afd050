"""The vocabulary for reading Python: calls, names, values and loops."""
