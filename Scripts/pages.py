"""Reads the pages of the repository."""

import re

HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")


def prose_lines(text):
    """Yields (number, line) of the lines of a Markdown text that are outside of code fences."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        marker = re.match(r"\s*(```+|~~~+)", line)
        if marker:
            if fence is None:
                fence = marker.group(1)[0]
            elif marker.group(1)[0] == fence:
                fence = None
        elif fence is None:
            yield number, line


def prose_lines_of(path):
    """Yields (number, line) of the lines of a page that are outside of code fences."""
    with open(path, encoding="utf-8") as file:
        yield from prose_lines(file.read())


def anchors(path):
    """Returns the anchors that the headings of a page get on the web page of the repository."""
    seen = {}
    for _, line in prose_lines_of(path):
        heading = HEADING.match(line)
        if heading:
            text = re.sub(r"[^\w\- ]", "", heading.group(1).replace("`", "").lower()).replace(" ", "-")
            count = seen.get(text, 0)
            seen[text] = count + 1
            yield text if count == 0 else f"{text}-{count}"
