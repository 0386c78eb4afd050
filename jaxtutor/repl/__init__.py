"""Owns the prompt: `jaxtutor repl`, from what is typed to what is shown."""
