"""Script, bible and log files, read into the types."""
