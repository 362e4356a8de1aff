"""The Systems page."""
