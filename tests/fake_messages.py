"""A server that speaks the Messages API over real HTTP on this machine, and can fail in every way one can."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

USAGE = {"input_tokens": 12000, "output_tokens": 900, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
JSON = "application/json"


def reply(text: Any, *, stop: str = "end_turn", content: Any = ..., **more: Any) -> dict[str, Any]:
    """A message as the service sends it, a thought before the words."""
    words = text if isinstance(text, str) else json.dumps(text)
    blocks = [{"type": "thinking", "thinking": "", "signature": "x"}, {"type": "text", "text": words}]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": blocks if content is ... else content,
        "stop_reason": stop,
        "usage": USAGE,
        **more,
    }


def chat(text: Any, **more: Any) -> dict[str, Any]:
    """The same as an OpenAI-compatible server sends it."""
    words = text if isinstance(text, str) else json.dumps(text)
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": words}, **more}
    return {"id": "chat-1", "choices": [choice], "usage": {"prompt_tokens": 12000, "completion_tokens": 900}}


def error(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


@dataclass
class Answer:
    """One answer on the wire. `fault`: drop (no answer), cut (ends early), drip (one byte at a time), hang."""

    body: Any = ""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    type: str = JSON
    fault: str = ""

    @property
    def bytes(self) -> bytes:
        return self.body.encode() if isinstance(self.body, str) else json.dumps(self.body).encode()


@dataclass
class Fake:
    """The server: `answers` are given in order, the last one again and again; `asked` is all that came."""

    answers: list[Answer] = field(default_factory=list)
    tokens: int | None = 12000
    batches: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    polls: int = 0
    results: dict[str, Any] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    counted: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    def next(self) -> Answer:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def batch(self, id_: str) -> dict[str, Any]:
        ended = self.polls <= 0
        count = len(self.batches[id_])
        counts = {"processing": 0 if ended else count, "succeeded": count if ended else 0}
        counts |= {"errored": 0, "canceled": 0, "expired": 0}
        when = "2026-01-01T00:00:00Z"
        return {
            "id": id_,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": counts,
            "created_at": when,
            "expires_at": when,
        }

    def lines(self, id_: str) -> str:
        """The results, last sent first: they may come in any order."""
        rows = []
        for one in reversed(self.batches[id_]):
            made = self.results.get(one["custom_id"], self.results.get("*"))
            found = made if isinstance(made, dict) and "type" in made else {"type": "succeeded", "message": reply(made)}
            rows.append(json.dumps({"custom_id": one["custom_id"], "result": found}))
        return "\n".join(rows) + "\n"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    fake: Fake


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""

    def do_POST(self) -> None:
        fake = self.server.fake
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"null")
        fake.headers.append({k.lower(): v for k, v in self.headers.items()})
        if self.path.endswith("/count_tokens"):
            fake.counted.append(body)
            self._send(Answer({"input_tokens": fake.tokens}) if fake.tokens else Answer(error("no"), 500))
        elif self.path.endswith("/batches"):
            id_ = f"msgbatch_{len(fake.batches) + 1}"
            fake.batches[id_] = body["requests"]
            self._send(Answer(fake.batch(id_) | {"processing_status": "in_progress"}))
        else:
            fake.asked.append(body)
            self._send(fake.next())

    def do_GET(self) -> None:
        fake, id_ = self.server.fake, self.path.split("/batches/")[1].split("/")[0].split("?")[0]
        if id_ not in fake.batches:
            self._send(Answer(error("no such batch"), 404))
        elif "/results" in self.path:
            self._send(Answer(fake.lines(id_), type="application/x-jsonl"))
        else:
            self._send(Answer(fake.batch(id_)))
            fake.polls -= 1

    def _send(self, answer: Answer) -> None:
        if answer.fault == "drop":
            self._cut_off()
            return
        if answer.fault == "hang":
            time.sleep(3)
            return
        data = answer.bytes
        self.send_response(answer.status)
        self.send_header("content-type", answer.type)
        self.send_header("content-length", str(len(data)))
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            if answer.fault == "cut":
                self.wfile.write(data[: len(data) // 2])
                self.wfile.flush()
                self.close_connection = True
            elif answer.fault == "drip":
                for byte in data:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.02)
            else:
                self.wfile.write(data)
        except OSError:
            return

    def _cut_off(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
        self.wfile = self.rfile = open("/dev/null", "r+b", buffering=0)  # type: ignore[assignment]  # noqa: SIM115


@contextmanager
def serving(*answers: Answer, **fields: Any) -> Iterator[Fake]:
    """A running server, gone when the block ends."""
    fake = Fake(list(answers), **fields)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.fake = fake
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
