"""A memory and its show as one static page of HTML, for a person to look at."""
