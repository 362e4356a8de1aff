"""Score: type a candidate and its references, see what every metric says."""

import streamlit as st

from capeval_core import CapEvalError, CaptionItem, evaluate, registry

REFERENCES = "A brown dog catches a frisbee in the park.\nA dog leaps to catch a flying disc on the grass."

st.title("CapEval")
st.text("Type a caption and what people wrote of the same image; every metric scores it.")
left, right = st.columns([1, 1.4], gap="large")
with left:
    candidate = st.text_input("Candidate caption", "A dog jumps for a frisbee.", max_chars=10_000)
    typed = st.text_area("Reference captions, one a line", REFERENCES, height=180, max_chars=100_000)
references = tuple(line.strip() for line in typed.splitlines() if line.strip())
with right:
    if not references:
        st.info("Add at least one reference caption: these metrics compare the candidate with what people wrote.")
        st.stop()
    try:
        with st.spinner("Scoring. The first METEOR score on a machine builds an index and takes half a minute."):
            evaluation = evaluate([CaptionItem("typed", candidate, references)])
    except CapEvalError as error:
        st.error(str(error))
        st.stop()
    specs = [registry.get(key) for key in evaluation.scores]
    st.dataframe(
        {
            "metric": [spec.label for spec in specs],
            "score": [float(evaluation.scores[spec.key][0]) for spec in specs],
            "range": [f"{spec.bounds[0]:g} to {spec.bounds[1]:g}" for spec in specs],
            "what it measures": [spec.measures for spec in specs],
        },
        column_config={
            "score": st.column_config.NumberColumn(format="%.4f", width=80),
            "metric": st.column_config.TextColumn(width=90),
            "range": st.column_config.TextColumn(width=80),
        },
        hide_index=True,
        height="content",
    )
    with st.expander("Signatures: how each number was made"):
        st.code("\n".join(evaluation.signatures.values()), language=None, wrap_lines=True)
    for key, reason in evaluation.skipped.items():
        st.warning(f"{registry.get(key).label}: {reason}")
