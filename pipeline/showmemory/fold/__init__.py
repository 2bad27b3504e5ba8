"""What was said and the person's layer, folded to memory as of a moment."""
