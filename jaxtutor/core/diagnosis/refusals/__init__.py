"""Says which value an operation refused, for failures that have no cause."""
