"""Takes messages apart with Python's email package, for the benchmark that starts it.

From standard input: how many messages, then each, its length in a line before it; then a line for
each time all of them are to be read. Behind `answer` their texts are written, each with its length
before it, and behind any line `done`.
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
