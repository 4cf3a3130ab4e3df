"""Parses messages with Python's email package, for the benchmark that starts this program.

Standard input has the number of messages, then each message after a line with its length, then
one line per run over all messages. After `answer` the texts are written, each after a line with
its length; after every line `done` is written.
"""

import sys
from email.parser import BytesParser
from email.policy import default

to_read, to_write = sys.stdin.buffer, sys.stdout.buffer
parser = BytesParser(policy=default)


def number():
    return int(to_read.readline())


def texts(octets):
    message = parser.parsebytes(octets)
    yield str(message["Subject"])
    for name in "From", "To":
        for address in message[name].addresses:
            yield f"{address.display_name} <{address.addr_spec}>"
    for part in message.walk():
        if part.get_content_maintype() == "text":
            try:
                yield part.get_content()
            except LookupError:
                # A charset that it does not know.
                yield ""


mails = [to_read.read(number()) for _ in range(number())]
for command in to_read:
    for mail in mails:
        for text in texts(mail):
            if command == b"answer\n":
                octets = text.encode(errors="replace")
                to_write.write(b"%d\n%b" % (len(octets), octets))
    to_write.write(b"done\n")
    to_write.flush()
