"""What count_dark asks for."""

EXAMPLES = []
