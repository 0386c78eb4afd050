"""How an edit is written: drafts, templates, and larger rewritings."""
