"""One file (or folder) per metric; registry.py lists them."""
