"""What a table of scores says about captioners: clouds and ellipses, bootstrap tests, degradation."""
