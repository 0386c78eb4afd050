"""Shows diagnoses in editors by the Language Server Protocol: `jaxtutor lsp`."""
