"""Mechanisms that read a screenplay by rules and say what they see."""
