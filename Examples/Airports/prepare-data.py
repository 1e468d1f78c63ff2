#!/usr/bin/env python3
"""Creates the two data files of the airports example from two releases of the Python package airportsdata.

usage: prepare-data.py                    downloads both releases with pip
       prepare-data.py WHEEL WHEEL        reads the older and the newer release from files (wheels or CSV)
       prepare-data.py --check            prints figures of the existing files, changes nothing

Keeps only the columns that the example uses, with the names, the order and the values of the original: the oddities of
real data (a trailing blank, a soft hyphen, quotation marks) are part of the example.
The same releases give the same bytes: UTF-8 without a byte order mark, LF, quoted only where RFC 4180 requires it.
"""

import csv
import hashlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import unicodedata
import zipfile

RELEASES = [("20250909", "airports-2025-09.csv"), ("20260905", "airports-2026-09.csv")]
COLUMNS = ["icao", "name", "city", "subd", "country", "elevation", "lat", "lon", "tz"]
KEY = "icao"
MEMBER = "airportsdata/airports.csv"
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Data")


def download(release, folder):
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
         "--dest", folder, f"airportsdata=={release}"],
        check=True,
    )
    return os.path.join(folder, f"airportsdata-{release}-py3-none-any.whl")


def original(path):
    if path.endswith(".csv"):
        with open(path, "rb") as file:
            return file.read().decode("utf-8-sig")
    with zipfile.ZipFile(path) as wheel:
        return wheel.read(MEMBER).decode("utf-8-sig")


def reduced(text):
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    absent = [column for column in COLUMNS if column not in reader.fieldnames]
    if absent:
        sys.exit(f"prepare-data.py: the original has no column {', '.join(absent)}")
    if [column for column in reader.fieldnames if column in COLUMNS] != COLUMNS:
        sys.exit("prepare-data.py: the original orders its columns otherwise now")
    rows = []
    seen = set()
    for row in reader:
        if None in row or None in row.values():
            sys.exit(f"prepare-data.py: line {reader.line_num} has the wrong number of fields")
        if not row[KEY] or row[KEY] in seen:
            sys.exit(f"prepare-data.py: line {reader.line_num}: the key '{row[KEY]}' is empty or there twice")
        seen.add(row[KEY])
        rows.append([row[column] for column in COLUMNS])
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    writer.writerow(COLUMNS)
    writer.writerows(rows)
    return out.getvalue().encode("utf-8")


def describe(paths):
    releases = []
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))
        releases.append({row[KEY]: row for row in rows})
        print(f"{os.path.basename(path)}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")
        print(f"  {len(rows)} rows, {len({row['country'] for row in rows})} countries, "
              f"{len({(row['country'], row['subd']) for row in rows})} pairs of country and subdivision")
        for column in COLUMNS:
            values = [row[column] for row in rows]
            print(f"  {column:10} empty {values.count(''):5}  widest {max(map(width, values)):3}  "
                  f"with a point {sum('.' in value for value in values):5}  "
                  f"not ASCII {sum(not value.isascii() for value in values):5}")
    old, new = releases
    both = old.keys() & new.keys()
    print(f"from the older to the newer: {len(new.keys() - old.keys())} inserted, {len(old.keys() - new.keys())} deleted, "
          f"{sum(old[key] != new[key] for key in both)} updated of {len(both)}")
    print("  changed fields: " + ", ".join(
        f"{column} {sum(old[key][column] != new[key][column] for key in both)}" for column in COLUMNS[1:]))


def width(text):
    """Returns the number of terminal columns of a string."""
    return sum(
        0 if unicodedata.combining(character) or unicodedata.category(character) == "Cf"
        else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def main(arguments):
    targets = [os.path.join(DATA, name) for _, name in RELEASES]
    if arguments == ["--check"]:
        return describe(targets)
    if len(arguments) not in (0, 2) or any(argument.startswith("-") for argument in arguments):
        sys.exit(__doc__.strip())
    with tempfile.TemporaryDirectory() as folder:
        sources = arguments or [download(release, folder) for release, _ in RELEASES]
        made = [reduced(original(source)) for source in sources]
    os.makedirs(DATA, exist_ok=True)
    for target, data in zip(targets, made):
        with open(target, "wb") as file:
            file.write(data)
    describe(targets)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `--check | head` is not an error
    main(sys.argv[1:])
