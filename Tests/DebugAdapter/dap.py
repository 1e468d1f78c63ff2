"""A client of the Debug Adapter Protocol, in a process of its own as an editor is.

Each message of the server is compared with the protocol's required members.
"""

import json
import re
import socket
import subprocess

# The required members of the protocol's types that the server sends, with their JSON types. A list names the type of
# the elements of an array.
TYPES = {
    "Source": {},
    "Breakpoint": {"verified": bool},
    "StackFrame": {"id": int, "name": str, "line": int, "column": int},
    "Scope": {"name": str, "variablesReference": int, "expensive": bool},
    "Variable": {"name": str, "value": str, "variablesReference": int},
    "Thread": {"id": int, "name": str},
    "BreakpointLocation": {"line": int},
    "ExceptionBreakpointsFilter": {"filter": str, "label": str},
}
RESPONSES = {
    "setBreakpoints": {"breakpoints": ["Breakpoint"]},
    "stackTrace": {"stackFrames": ["StackFrame"]},
    "scopes": {"scopes": ["Scope"]},
    "variables": {"variables": ["Variable"]},
    "threads": {"threads": ["Thread"]},
    "loadedSources": {"sources": ["Source"]},
    "source": {"content": str},
    "breakpointLocations": {"breakpoints": ["BreakpointLocation"]},
    "evaluate": {"result": str, "variablesReference": int},
    "setVariable": {"value": str},
}
EVENTS = {
    "initialized": {}, "terminated": {},
    "stopped": {"reason": str}, "continued": {"threadId": int}, "exited": {"exitCode": int},
    "thread": {"reason": str, "threadId": int}, "output": {"output": str},
    "breakpoint": {"reason": str, "breakpoint": "Breakpoint"},
    "loadedSource": {"reason": str, "source": "Source"},
}
STOP_REASONS = {"step", "breakpoint", "exception", "pause", "entry", "goto", "function breakpoint", "data breakpoint",
                "instruction breakpoint"}
HINTS = {"normal", "label", "subtle"}


def check(value, shape, path):
    if isinstance(shape, list):
        assert isinstance(value, list), f"{path} is not an array"
        for index, element in enumerate(value):
            check(element, shape[0], f"{path}[{index}]")
    elif isinstance(shape, str):
        check(value, TYPES[shape], f"{path} ({shape})")
        if shape == "StackFrame":
            assert value.get("presentationHint", "normal") in HINTS, f"{path}: {value}"
        if shape == "Source":
            assert "path" in value or value.get("sourceReference", 0) > 0, f"{path}: {value}"
    elif isinstance(shape, dict):
        assert isinstance(value, dict), f"{path} is not an object"
        for name, inner in shape.items():
            assert name in value, f"{path} has no '{name}': {value}"
            check(value[name], inner, f"{path}.{name}")
        if "source" in value and isinstance(value["source"], dict):
            check(value["source"], "Source" if "source" not in shape else {}, f"{path}.source")
    else:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        assert is_number if shape is int else isinstance(value, shape), f"{path} is {value!r}"


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.settimeout(60)
        self.bytes = b""
        self.number = self.last = 0
        self.events, self.responses = [], {}

    def send(self, command, arguments=None):
        self.number += 1
        message = {"seq": self.number, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        body = json.dumps(message).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self.number

    def request(self, command, **arguments):
        """Sends a request and returns its response, of success or failure."""
        number = self.send(command, arguments)
        while number not in self.responses:
            self.read()
        return self.responses.pop(number)

    def body(self, command, **arguments):
        response = self.request(command, **arguments)
        assert response["success"], response
        return response.get("body", {})

    def event(self, name, matches=lambda body: True):
        while True:
            for index, event in enumerate(self.events):
                if event["event"] == name and matches(event.get("body", {})):
                    return self.events.pop(index).get("body", {})
            self.read()

    def read(self):
        while b"\r\n\r\n" not in self.bytes:
            self.receive()
        header, rest = self.bytes.split(b"\r\n\r\n", 1)
        count = int(re.fullmatch(rb"Content-Length: (\d+)", header)[1])
        while len(rest) < count:
            self.receive()
            rest = self.bytes.split(b"\r\n\r\n", 1)[1]
        self.bytes = rest[count:]
        self.take(json.loads(rest[:count]))

    def receive(self):
        more = self.socket.recv(1 << 16)
        if not more:
            raise EOFError("the server has closed the connection")
        self.bytes += more

    def take(self, message):
        check(message, {"seq": int, "type": str}, "message")
        assert message["seq"] > self.last, f"seq {message['seq']} follows {self.last}"
        self.last = message["seq"]
        if message["type"] == "event":
            check(message, {"event": str}, "event")
            assert message["event"] in EVENTS, f"the event {message['event']} is not one of the protocol"
            check(message.get("body", {}), EVENTS[message["event"]], message["event"])
            if message["event"] == "stopped":
                assert message["body"]["reason"] in STOP_REASONS, message
            self.events.append(message)
            return
        check(message, {"request_seq": int, "success": bool, "command": str}, "response")
        if message["success"]:
            check(message.get("body", {}), RESPONSES.get(message["command"], {}), message["command"])
        else:
            check(message, {"message": str}, "response")
        self.responses[message["request_seq"]] = message

    def attach(self, token, **arguments):
        capabilities = self.body("initialize", adapterID="javascript-bridge")
        for item in capabilities["exceptionBreakpointFilters"]:
            check(item, "ExceptionBreakpointsFilter", "filter")
        self.body("attach", token=token, **arguments)
        self.event("initialized")
        return capabilities

    def stopped(self):
        """Waits for a pause; returns the reason, the thread and the frames as text."""
        body = self.event("stopped")
        frames = self.body("stackTrace", threadId=body["threadId"])["stackFrames"]
        shown = [frame["name"] if frame.get("presentationHint") == "label"
                 else f"{frame['name']} {frame['source']['name']}:{frame['line']}" for frame in frames]
        return body["reason"], body["threadId"], shown


class Program:
    """A script that `jsbridge run` debugs."""

    def __init__(self, tool, *arguments):
        self.process = subprocess.Popen(
            [tool, "run", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines = []
        while True:
            line = self.process.stderr.readline()
            assert line, "".join(self.lines) or "the program has ended"
            self.lines.append(line)
            found = re.search(r"127\.0\.0\.1:(\d+) .* token (\w+)", line)
            if found:
                self.port, self.token = int(found[1]), found[2]
                return

    def end(self):
        output, errors = self.process.communicate(timeout=60)
        return self.process.returncode, output, errors
