"""The app as tests start it: Streamlit's own server, which also says when it has settled.

A test must know when the server has done all it was asked for and has told the browser so. Streamlit tracks that for
its agents ("no script runs or is about to, every message was sent"), but tells no browser. Here a question that the
page's watch.js asks is answered as soon as that holds. Messages keep their order, so everything the browser asked
before is done by then, and everything the server had to say has arrived.

    python -m tests.browser.server app.py --server.port 8501
"""

from __future__ import annotations

import sys
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.app_session import AppSession

from pages.shell.serve import serve

QUESTION = "settled"


def answer_questions() -> None:
    begin, operate = AppSession.__init__, AppSession._handle_backend_operation_request

    def track(self: AppSession, *args: Any, **more: Any) -> None:
        begin(self, *args, **more)
        self.track_settling()

    async def answer(self: AppSession, request: BackendOperationRequest) -> None:
        if not request.request_id.startswith(QUESTION):
            await operate(self, request)
            return
        await self.wait_until_settled()
        message = ForwardMsg()
        message.backend_operation_response.request_id = request.request_id
        self._enqueue_forward_msg(message)

    AppSession.__init__ = track  # type: ignore[method-assign]
    AppSession._handle_backend_operation_request = answer  # type: ignore[method-assign]


if __name__ == "__main__":
    answer_questions()
    serve(sys.argv[1], sys.argv[2:])
