"""Unmodified programs show mail correctly with the module, and incorrectly without it.

    python3 programs.py FOLDER CORPUS

FOLDER has MIME-CHARSET.so and gconv-modules; CORPUS is the folder corpus/, with the expected text in
corpus/truth. Missing programs are reported and skipped.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from email import message_from_bytes, policy
from pathlib import Path

FOLDER, CORPUS = sys.argv[1], Path(sys.argv[2])
MESSAGES = ["hand-unicode-1-1-utf-8-korean", "emacs-hz-gb-2312", "perl-mime-tools-ks-c-5601-1987-uhc-syllables"]
FAILED = []


def skip(what):
    print("skipped:", what)


def there(program):
    return shutil.which(program) is not None


def run(arguments, *, module, stdin=b"", **extra):
    """The output of a program, in a UTF-8 locale, with or without the module."""
    surroundings = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm", **extra}
    surroundings.pop("GCONV_PATH", None)
    if module:
        surroundings["GCONV_PATH"] = FOLDER
    done = subprocess.run(arguments, input=stdin, capture_output=True, env=surroundings, timeout=60)
    return done.stdout.decode("utf-8", "replace")


def truth(name):
    """The subject and the lines of the first text."""
    lines = (CORPUS / "truth" / f"{name}.txt").read_text().splitlines()
    subject = next(line.removeprefix("Subject: ") for line in lines if line.startswith("Subject: "))
    start = next(at for at, line in enumerate(lines) if line.startswith("--- part 1 "))
    return subject, [line for line in lines[start + 1:] if line and not line.startswith("filename: ")]


def check(program, name, expected, show):
    """Whether everything expected is shown with the module, and nothing of it without."""
    with_module, without = show(True), show(False)
    missing = [text for text in expected if text not in with_module]
    known = [text for text in expected if text in without]
    if missing or known:
        FAILED.append(f"{program} {name}: not shown {missing}, shown without the module {known}")
        print(with_module, "----", without, sep="\n")
    else:
        print(f"{program}: {name} is right with the module and wrong without")


def tmux(command, module):
    """The screen that a command draws, once it has stopped changing."""
    folder = tempfile.mkdtemp()
    socket = f"{folder}/socket"
    path = f"GCONV_PATH={FOLDER}" if module else "-u GCONV_PATH"
    call = ["tmux", "-S", socket, "-f", "/dev/null"]
    screen = ""
    try:
        run([*call, "new-session", "-d", "-x", "100", "-y", "40", f"env {path} LC_ALL=C.UTF-8 {command}"], module=False)
        for _ in range(50):
            time.sleep(0.2)
            again = run([*call, "capture-pane", "-p"], module=False)
            if again.strip() and again == screen:
                break
            screen = again
    finally:
        run([*call, "kill-server"], module=False)
        shutil.rmtree(folder)
    return screen


def mutt():
    if not (there("mutt") and there("tmux")):
        return skip("mutt or tmux is not installed")
    # mutt treats ks_c_5601-1987 as EUC-KR, which glibc has.
    for name in MESSAGES[:2]:
        subject, text = truth(name)
        with tempfile.TemporaryDirectory() as folder:
            message = (CORPUS / "mail" / f"{name}.eml").read_bytes()
            Path(folder, "mbox").write_bytes(b"From mary@example.org Sat Nov 21 12:00:00 2026\n" + message + b"\n")
            Path(folder, "muttrc").write_text("set charset=utf-8\nset wait_key=no\nset markers=no\nset record=''\n"
                                              f"set folder={folder}\n" "set read_inc=0\nignore *\nunignore subject\n")
            command = f"mutt -R -F {folder}/muttrc -f {folder}/mbox -e 'push <display-message>'"
            check("mutt", name, [subject, *text[:2]], lambda module: tmux(command, module))


def notmuch():
    if not there("notmuch"):
        return skip("notmuch is not installed")
    name = MESSAGES[0]
    subject, text = truth(name)

    def show(module):
        with tempfile.TemporaryDirectory() as folder:
            mail = Path(folder, "mail", "new")
            mail.mkdir(parents=True)
            shutil.copy(CORPUS / "mail" / f"{name}.eml", mail / "1:2,")
            config = Path(folder, "config")
            config.write_text(f"[database]\npath={folder}/mail\n[new]\ntags=new\n")
            extra = {"NOTMUCH_CONFIG": str(config), "HOME": folder}
            run(["notmuch", "new"], module=module, **extra)
            return run(["notmuch", "show", "--format=text", "*"], module=module, **extra)

    check("notmuch", name, [subject, *text], show)


def body(name):
    """The octets of the first text, and its label."""
    message = message_from_bytes((CORPUS / "mail" / f"{name}.eml").read_bytes(), policy=policy.compat32)
    return message.get_payload(decode=True), message.get_content_charset()


def php():
    if not (there("php") and "iconv" in run(["php", "-m"], module=False)):
        return skip("php with its iconv is not installed")
    for name in MESSAGES:
        octets, label = body(name)
        code = f"echo @iconv('{label}', 'UTF-8', stream_get_contents(STDIN));"
        check("php", name, truth(name)[1][:1], lambda module: run(["php", "-r", code], module=module, stdin=octets))


def perl():
    try:
        subprocess.run(["perl", "-MText::Iconv", "-e", "1"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return skip("perl with Text::Iconv is not installed")
    for name in MESSAGES:
        octets, label = body(name)
        code = f"use Text::Iconv; my $c = eval {{ Text::Iconv->new('{label}', 'UTF-8') }}; undef $/; print $c ? $c->convert(<STDIN>) : '';"
        check("perl", name, truth(name)[1][:1], lambda module: run(["perl", "-e", code], module=module, stdin=octets))


for program in (mutt, notmuch, php, perl):
    program()
print(*FAILED, sep="\n")
sys.exit(bool(FAILED))
