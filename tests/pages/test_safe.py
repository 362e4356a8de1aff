"""The check itself: it finds every way in which a text of somebody else would be read as markup."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.figures.hostile import ALL
from tests.pages.safe import check

PAGE = "import streamlit as st, plotly.graph_objects as go\ntext = {!r}\n{}\n"


@pytest.mark.parametrize(
    "code",
    [
        "st.warning(text)",
        "st.caption(text)",
        "st.markdown(text)",
        "st.html(f'<p>{text}</p>')",
        "st.pills('x', [text])",
        "st.expander(text).text('x')",
        "st.popover(text).text('x')",
        "st.button('x', help=text)",
        "st.progress(0.5, text)",
        "st.plotly_chart(go.Figure(go.Scatter(x=[1], y=[1], text=[text])))",
    ],
)
def test_finds_it(code: str) -> None:
    app = AppTest.from_string(PAGE.format(ALL, code)).run()
    with pytest.raises(AssertionError):
        check(app)


@pytest.mark.parametrize("code", ["st.text(text)", "st.code(text)", "st.selectbox('x', [text])"])
def test_leaves_plain_text_alone(code: str) -> None:
    check(AppTest.from_string(PAGE.format(ALL, code)).run())
