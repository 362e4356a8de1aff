"""The browser app: a folder per page, and what they share. No script lies here: Streamlit would take it for a page."""
