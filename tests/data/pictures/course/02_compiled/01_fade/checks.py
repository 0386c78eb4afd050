"""What fade asks for."""

EXAMPLES = []
