"""mutt shows a message in a charset that it does not support, with charset-cat as its display filter.

    python3 mutt.py CHARSET-CAT CORPUS

The expected text is in corpus/truth. Missing programs are reported and skipped.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILTER, CORPUS = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
NAME = "emacs-hz-gb-2312"


def run(arguments):
    surroundings = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm"}
    return subprocess.run(arguments, capture_output=True, env=surroundings, timeout=60).stdout.decode()


def screen(settings):
    """The screen of mutt, once it has stopped changing."""
    with tempfile.TemporaryDirectory() as folder:
        message = (CORPUS / "mail" / f"{NAME}.eml").read_bytes()
        Path(folder, "mbox").write_bytes(b"From mary@example.org Sat Nov 21 12:00:00 2026\n" + message + b"\n")
        Path(folder, "muttrc").write_text(f"set folder={folder}\nset record=''\nset wait_key=no\nunignore *\n{settings}\n")
        call = ["tmux", "-S", f"{folder}/socket", "-f", "/dev/null"]
        command = f"mutt -R -F {folder}/muttrc -f {folder}/mbox -e 'push <display-message>'"
        run([*call, "new-session", "-d", "-x", "100", "-y", "40", command])
        shown = ""
        for _ in range(50):
            time.sleep(0.2)
            again = run([*call, "capture-pane", "-p"])
            if again.strip() and again == shown:
                break
            shown = again
        run([*call, "kill-server"])
        return shown


def main():
    if not (shutil.which("mutt") and shutil.which("tmux")):
        print("skipped: mutt or tmux is not installed")
        return False
    lines = (CORPUS / "truth" / f"{NAME}.txt").read_text().splitlines()
    text = [line for line in lines[lines.index("--- part 1 text/plain HZ-GB-2312") + 1:] if line]
    with_filter, without = screen(f'set display_filter="{FILTER}"'), screen("")
    missing = [line for line in text if line not in with_filter]
    known = [line for line in text if line in without]
    if missing or known or not text:
        print(with_filter, "----", without, f"not shown {missing}, shown without the filter {known}", sep="\n")
        return True
    print("mutt: right with charset-cat and wrong without")
    return False


sys.exit(main())
