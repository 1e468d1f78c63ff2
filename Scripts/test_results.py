"""Reads the results of a test run: Swift Testing's event stream, one JSON object on each line.

Only the stream has display names; the xUnit file has none. Only version 0 of the stream says which argument of a
parameterized test an event belongs to.
"""

import json
from dataclasses import dataclass, field


@dataclass
class Outcome:
    """The outcome of one test, or of one argument of a parameterized test."""

    name: str
    parameterized: bool = False
    started: bool = False
    ended: bool = False
    skipped: bool = False
    failed: bool = False
    known_issue: bool = False
    cases: dict = field(default_factory=dict)

    @property
    def passed(self):
        # A test that never ended crashed or hung. A parameterized test without arguments has not tested anything.
        ran = self.started and self.ended and not self.skipped
        return ran and not self.failed and not self.known_issue and (bool(self.cases) or not self.parameterized)


def read(path):
    """Returns the outcomes of all test functions of a run, by test id."""
    tests = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except ValueError:
                continue  # the last line of a run that was killed
            payload = record.get("payload", {})
            if record.get("kind") == "test":
                if payload.get("kind") == "function":
                    name = payload.get("displayName") or payload.get("name", "")
                    tests[payload["id"]] = Outcome(name, parameterized=bool(payload.get("isParameterized")))
            elif record.get("kind") == "event":
                _apply(payload, tests)
    return tests


def commit(path):
    """Returns the commit that Scripts/record-result has written, if the results are of a check."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        record = json.loads(next(lines, "{}"))
    return record.get("payload", {}).get("id", "unknown") if record.get("kind") == "commit" else "unknown"


def _apply(event, tests):
    test = tests.get(event.get("testID"))
    if test is None:
        return
    case = None
    if event.get("_testCase") and test.parameterized:
        identity = event["_testCase"]["id"]
        case = test.cases.setdefault(identity, Outcome(_argument_name(event["_testCase"])))
    kind = event.get("kind")
    if kind == "testStarted":
        test.started = True
    elif kind == "testSkipped":
        test.skipped = True
    elif kind == "testCaseStarted" and case:
        case.started = True
    elif kind == "testCaseEnded" and case:
        case.ended = True
    elif kind == "issueRecorded":
        symbols = {message.get("symbol") for message in event.get("messages", [])}
        for outcome in filter(None, (test, case)):
            # A known issue does not fail the run, but its assertion is not covered. Warnings count as neither.
            outcome.failed |= "fail" in symbols
            outcome.known_issue |= "passWithKnownIssue" in symbols
    elif kind == "testEnded":
        test.ended = True
        if any(message.get("symbol") == "fail" for message in event.get("messages", [])):
            test.failed = True


def _argument_name(case):
    # The description of a string argument has quotation marks, that of other types has none.
    return case.get("displayName", "").strip('"')

