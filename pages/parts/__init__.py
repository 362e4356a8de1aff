"""What the pages share: state, scoring in the background, drawing, exports."""
