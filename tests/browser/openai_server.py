"""A program that speaks OpenAI's protocol for chat completions, as Ollama and llama.cpp do, for tests of the page.

What it writes is decided by the name of the model that is asked for, so that each thing that can go wrong has a name.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CITED = "Yeast works fastest at 27 °C [1]. Dough rises in a warm place [2]. It says nothing of this [9]."
MARKUP = (
    "<img src=http://127.0.0.1:9/x.png onerror=document.title='owned'> <script>document.title='owned'</script> "
    "[click](https://evil.example/?q=1) ![x](https://evil.example/x.png) javascript:alert(1) [1]."
)
QUERIES = "cold dough in the fridge\nhow fast yeast works at 4 °C"
MODELS = (
    "scholar",
    "digger",
    "rambler",
    "cited",
    "markup",
    "slow",
    "cut",
    "told",
    "plain",
    "broken",
    "long",
    "refuses",
)


@dataclass
class OpenAiServer:
    """Where it listens, and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


class _Handler(BaseHTTPRequestHandler):
    server: _Listening
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def _headers(self, status: int, kind: str, length: int | None = None) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        if self.server.cors:
            self.send_header("access-control-allow-origin", self.headers.get("origin", "*"))
            self.send_header("access-control-allow-headers", "authorization, content-type")
        if length is not None:
            self.send_header("content-length", str(length))
        else:
            self.send_header("connection", "close")
            self.close_connection = True
        self.end_headers()

    def _json(self, value: object, status: int = 200) -> None:
        data = json.dumps(value).encode()
        self._headers(status, "application/json", len(data))
        self.wfile.write(data)

    def _allowed(self) -> bool:
        given = self.headers.get("authorization")
        self.server.told.keys.append(given)
        if self.server.key and given != f"Bearer {self.server.key}":
            self._json({"error": {"message": "wrong key"}}, 401)
            return False
        return True

    def do_OPTIONS(self) -> None:
        self._headers(204, "text/plain", 0)

    def do_GET(self) -> None:
        if not self._allowed():
            return
        if self.path == "/v1/models":
            self._json({"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]})
        else:
            self._json({"error": {"message": "no such path"}}, 404)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self._allowed():
            return
        if body["model"] not in MODELS:
            self._json({"error": {"message": f"model {body['model']!r} not found"}}, 404)
            return
        if body["max_tokens"] == 1:  # the page tries the model
            self._headers(200, "text/event-stream; charset=utf-8")
            self._send(_event({"choices": [{"delta": {"content": "yes"}, "finish_reason": "length"}]}))
            return
        self.server.told.requests.append(body)
        with suppress(BrokenPipeError, ConnectionResetError):  # the reader has stopped it
            self._answer(body["model"], body["messages"])

    def _answer(self, model: str, messages: list[dict[str, str]]) -> None:
        if model == "plain":
            self._json({"choices": [{"message": {"content": "not streamed"}}]})
            return
        if model == "long":
            self._json({"error": {"message": "the request exceeds the available context size"}}, 400)
            return
        self._headers(200, "text/event-stream; charset=utf-8")
        if model == "broken":
            self._send(b"data: {not json\n\n")
            return
        text = _text(model, messages)
        stream = bytearray(b"\xef\xbb\xbf: a comment\r\n\r\n")
        stream += _event({"choices": [{"delta": {"role": "assistant", "content": ""}}]}, "\r\n")
        for number, word in enumerate(text.split(" ")):
            piece = word if number == 0 else f" {word}"
            event = _event({"choices": [{"delta": {"content": piece}}]}, "\r\n" if number % 2 else "\n")
            if model == "slow":
                self._send(event)
                time.sleep(0.02)
            stream += event
            if model in {"cut", "told"} and number == 4:
                break
        if model == "told":
            stream += _event({"error": {"message": "the graphics card is on fire"}})
        elif model != "cut":
            stream += _event({"choices": [{"delta": {}, "finish_reason": "stop"}]})
            stream += _event({"choices": [], "usage": {"prompt_tokens": 321, "completion_tokens": 23}})
            stream += b"data: [DONE]\n\n"
        # In pieces that end anywhere: inside a line end, a field, a character.
        for at in range(0, len(stream), 7):
            self._send(bytes(stream[at : at + 7]))

    def _send(self, data: bytes) -> None:
        self.wfile.write(data)
        self.wfile.flush()


class _Listening(ThreadingHTTPServer):
    def __init__(self, key: str, cors: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.key = key
        self.cors = cors
        self.told = OpenAiServer(f"http://127.0.0.1:{self.server_address[1]}/v1")


@contextmanager
def speaking(*, key: str = "", cors: bool = True) -> Iterator[OpenAiServer]:
    """Run the server; with a key it answers 401 without, without CORS no page may read it."""
    with _Listening(key, cors) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield listening.told
        finally:
            listening.shutdown()


def _dig(model: str, messages: list[dict[str, str]]) -> str:
    """What a model says that may search: one searches once, one for ever, one keeps to no form."""
    searched = sum(message["role"] == "assistant" for message in messages)
    if model == "rambler":
        return "Let me think. SEARCH: steam"
    if model == "digger":
        return f"SEARCH: {('steam in the oven', 'grind size', 'green tea', 'first pour', 'hard water')[searched]}"
    found = re.search(r"^\[(\d+)\]", messages[-1]["content"], re.MULTILINE)
    if searched == 0 or found is None:
        return "SEARCH: why is the first pour of coffee small"
    return f"ANSWER: Fresh coffee holds carbon dioxide from roasting [{found[1]}]."


def _text(model: str, messages: list[dict[str, str]]) -> str:
    """What the model writes, whole."""
    if model == "scholar" and messages[-1]["content"].endswith("Queries:"):
        return QUERIES
    if "SEARCH:" in messages[0]["content"]:
        return _dig(model, messages)
    return {"markup": MARKUP, "slow": "word " * 2000, "refuses": "Not in the notes."}.get(model, CITED)


def _event(value: object, end: str = "\n") -> bytes:
    return f"data: {json.dumps(value, ensure_ascii=False)}{end}{end}".encode()
