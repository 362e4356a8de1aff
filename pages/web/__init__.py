"""Our Streamlit components: Python side, JavaScript and CSS."""
