"""Parses messages with Python's email package, for the benchmark that starts it.

Standard input has the number of messages, then each message after a line with its length, then a line
for each time that all of them are to be read. After the line `answer` their texts are printed, each after
its length; after any line `done` is printed.
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
                # An unsupported charset.
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
