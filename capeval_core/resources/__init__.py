"""Where vectors, transformers, parsers and lexicons come from, and which device runs them."""
