"""Asks the Python module `mime_charset`."""

import mime_charset
from serve import NotOffered, as_file, encoded, grouped, serve
from standard_library import offset, seconds


def messages_of(octets):
    with as_file(octets, "mailbox") as path:
        return list(mime_charset.messages(path))


def message_of(octets, case):
    return messages_of(octets)[case["message"] - 1] if "message" in case else mime_charset.Message(octets)


def field(octets, case):
    text = message_of(octets, case)[case["field"]]
    return None if text is None else text.strip(" \t\r\n")


def written(mailbox):
    return {"name": mailbox.name or None, "address": mailbox.address}


def addresses(octets, case):
    found = message_of(octets, case).addresses(case["field"])
    return [
        written(mailbox)
        for entry in found
        for mailbox in (entry.mailboxes if isinstance(entry, mime_charset.Group) else [entry])
    ]


def groups(octets, case):
    return grouped(
        (entry.name, list(map(written, entry.mailboxes)))
        if isinstance(entry, mime_charset.Group) else (None, [written(entry)])
        for entry in message_of(octets, case).addresses(case["field"])
    )


def date(octets, case):
    found = message_of(octets, case).date
    return None if found is None else seconds(found)


def zone(octets, case):
    found = message_of(octets, case).date
    return None if found is None else offset(found)


def identifiers(octets, case):
    message = message_of(octets, case)
    first = [] if message.message_id is None else [message.message_id]
    found = {"message-id": first, "in-reply-to": message.in_reply_to, "references": message.references}
    if case["field"].lower() not in found:
        raise NotOffered("identifiers of this field")
    return found[case["field"].lower()]


def structure(part):
    return [part.media_type, *map(structure, part.children)] if part.is_multipart else part.media_type


def part(octets, case):
    return message_of(octets, case).part(case["part"])


def parameter(octets, case):
    if case["field"].lower() != "content-type":
        raise NotOffered("parameters of other fields than Content-Type")
    bodies = [field.body for field in part(octets, case).fields if field.name.lower() == "content-type"]
    parameters = dict(mime_charset.content_type(bodies[0]).parameters) if bodies else {}
    return parameters.get(case["parameter"].lower())


serve("mime-charset Python", mime_charset.__version__, {
    "field": field,
    "addresses": addresses,
    "groups": groups,
    "date": date,
    "zone": zone,
    "identifiers": identifiers,
    "fields": lambda octets, case: [field.name for field in message_of(octets, case).fields],
    "structure": lambda octets, case: structure(message_of(octets, case).root),
    "parameter": parameter,
    "file name": lambda octets, case: part(octets, case).filename,
    "octets": lambda octets, case: encoded(part(octets, case).octets),
    "text": lambda octets, case: part(octets, case).text,
    "flowed text": lambda octets, case: part(octets, case).reading_text,
    "decode": lambda octets, case: mime_charset.decode(octets, case["charset"], trust_label=True).text,
    "messages": lambda octets, case: len(messages_of(octets)),
})
