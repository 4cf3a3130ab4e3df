"""Shared by both adapters of Python's `email`: mailboxes, part numbers, octets, times."""

import datetime
import email
import mailbox

from serve import as_file, encoded


def mailbox_of(path, octets):
    """The class for the format of the mailbox, which a user of `mailbox` has to choose."""
    if octets.startswith(b"\x01\x01\x01\x01"):
        return mailbox.MMDF(path, create=False)
    if octets.startswith(b"BABYL OPTIONS:"):
        return mailbox.Babyl(path, create=False)
    return mailbox.mbox(path, create=False)


def count(octets, case):
    with as_file(octets, "mailbox") as path:
        return len(mailbox_of(path, octets))


def parsed(octets, case, policy):
    if "message" in case:
        with as_file(octets, "mailbox") as path:
            box = mailbox_of(path, octets)
            octets = box.get_bytes(box.keys()[case["message"] - 1])
    return email.message_from_bytes(octets, policy=policy)


def is_multipart(part):
    return part.get_content_maintype() == "multipart"


def held_in(part):
    """The embedded messages of a message/* part; a delivery status has several."""
    return part.get_payload() if part.is_multipart() and not is_multipart(part) else []


def part_of(message, number):
    """The part with this IMAP number."""
    part, whole = None, message
    for place in map(int, number.split(".")):
        if part is not None:
            whole = held_in(part)[0] if held_in(part) else part
        if is_multipart(whole) and whole.is_multipart():
            part = whole.get_payload(place - 1)
        elif place == 1:
            part = whole
        else:
            raise IndexError("no such part")
    return part


def structure(part):
    if is_multipart(part):
        return [part.get_content_type(), *map(structure, part.get_payload() if part.is_multipart() else [])]
    return part.get_content_type()


def octets_of(part):
    if held_in(part):
        return encoded(b"".join(held.as_bytes(policy=held.policy.clone(linesep="\r\n")) for held in held_in(part)))
    return encoded(part.get_payload(decode=True))


def seconds(time):
    """A time from `email.utils` without a zone is in UTC."""
    return (time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)).timestamp()


def offset(time):
    return time.utcoffset() // datetime.timedelta(minutes=1) if time.tzinfo else None
