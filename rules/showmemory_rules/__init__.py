"""What the deterministic pass knows, as data: one TOML file a rule, and the lexicons of each language."""
