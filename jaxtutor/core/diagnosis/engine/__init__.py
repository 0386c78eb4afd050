"""How a cause is recognised: sources, rules, their index, the diagnosis and its edits."""
