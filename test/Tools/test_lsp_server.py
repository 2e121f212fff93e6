"""memplan-lsp-server, as an editor uses it: messages over standard input and output."""
import json
import subprocess
import threading

import pytest

# An operand of another shape than the result: the error is at the operation, on line 2 from 0, at its name.
WRONG = """func.func @step(%x: tensor<4x8xf32>) -> tensor<4x9xf32> {
  // The shapes disagree.
  %y = memplan.relu %x : (tensor<4x8xf32>) -> tensor<4x9xf32>
  return %y : tensor<4x9xf32>
}
"""
RIGHT = WRONG.replace("4x9", "4x8")
URI = "test:///step.mlir"


class Server:
    """Messages are read on a thread, so that a server that says nothing fails the test in a minute."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.numbers = 0
        self.watchdog = threading.Timer(60, self.process.kill)
        self.watchdog.start()

    def send(self, method, params, wants_reply):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if wants_reply:
            self.numbers += 1
            message["id"] = self.numbers
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def read(self):
        length = None
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        assert length, "the server ended"
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.send(method, params, wants_reply=True)
        while (message := self.read()).get("id") != self.numbers:
            pass
        return message["result"]

    def diagnostics_of(self, text, version):
        method, document = "textDocument/didOpen", {"uri": URI, "languageId": "mlir", "version": version, "text": text}
        self.send(method, {"textDocument": document}, wants_reply=False)
        while (message := self.read()).get("method") != "textDocument/publishDiagnostics":
            pass
        assert message["params"]["uri"] == URI
        return message["params"]["diagnostics"]


@pytest.fixture
def server(tool):
    server = Server(tool("memplan-lsp-server"))
    yield server
    server.watchdog.cancel()
    server.process.kill()
    server.process.wait()


def test_diagnostics_hover_and_shutdown(server):
    capabilities = server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})["capabilities"]
    assert capabilities["hoverProvider"]
    server.send("initialized", {}, wants_reply=False)

    (wrong,) = server.diagnostics_of(WRONG, 1)
    assert "'memplan.relu' op output 'output' is 'tensor<4x9xf32>'" in wrong["message"]
    assert wrong["range"]["start"] == {"line": 2, "character": 7}

    assert server.diagnostics_of(RIGHT, 2) == []
    hover = server.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": {"line": 2, "character": 10}})
    assert "memplan.relu" in hover["contents"]["value"] and "tensor<4x8xf32>" in hover["contents"]["value"]
    assert server.request("shutdown", None) is None
    server.send("exit", None, wants_reply=False)
    assert server.process.wait(timeout=30) == 0


def test_knows_the_dialects_that_come_with_models(server):
    server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    text = ("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %y = tosa.tanh %x : (tensor<4xf32>) -> tensor<4xf32>\n"
            "  return %y : tensor<4xf32>\n}\n")
    assert server.diagnostics_of(text, 1) == []
