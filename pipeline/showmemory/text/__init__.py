"""Folding, sentences, tokens."""
