"""A recorded answer of a model, optional."""
