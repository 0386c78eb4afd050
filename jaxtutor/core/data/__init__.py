"""Plain data that crosses between processes, and its parsing."""
