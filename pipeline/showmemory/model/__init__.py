"""The types that stages hand on."""
