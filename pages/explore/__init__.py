"""The Explore page."""
