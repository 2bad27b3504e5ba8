"""What a writer reads, within a budget, with its receipt."""
