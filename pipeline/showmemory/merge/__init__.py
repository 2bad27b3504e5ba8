"""Observations, answers and memory, merged as plan and apply."""
