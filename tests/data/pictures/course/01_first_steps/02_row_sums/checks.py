"""What row_sums asks for."""

EXAMPLES = []
