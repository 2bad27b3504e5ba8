"""What is on disk: content-addressed results, atomic writes, the lock, the history."""
