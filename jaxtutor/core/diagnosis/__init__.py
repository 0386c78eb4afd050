"""From a failure and the source to a named cause and its fix."""
