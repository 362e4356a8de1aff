"""What every page stands in: page config, navigation, theme."""
