"""showmemory keeps a television show's notebook: what it has written, read, merged and handed to writers."""
