"""Lists the files of the repository: those that git would commit, or all that are not hidden without git."""

import os
import subprocess


def tracked_files(root, ending=""):
    """Returns sorted paths relative to `root`, including new files that are not ignored."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "--cached", "--others", "--exclude-standard", "-z"], capture_output=True
    )
    if listing.returncode == 0:
        names = listing.stdout.decode("utf-8", "surrogateescape").split("\0")
    else:
        names = []
        for directory, folders, found in os.walk(root):
            # Hidden folders contain products (.build), except .ci.
            folders[:] = [name for name in folders if not name.startswith(".") or name == ".ci"]
            names += [os.path.relpath(os.path.join(directory, name), root) for name in found]
    return sorted(name for name in names if name.endswith(ending) and os.path.isfile(os.path.join(root, name)))
