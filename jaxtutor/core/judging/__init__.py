"""From measured facts to a verdict."""
