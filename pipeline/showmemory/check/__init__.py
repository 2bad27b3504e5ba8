"""Memory and drafts, checked into problems."""
