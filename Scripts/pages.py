"""Reads the pages of the repository."""

import re


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
