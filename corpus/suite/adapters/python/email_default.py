"""Asks Python's `email` with the policy that its documentation recommends, and `mailbox`."""

import platform
from email import policy

from serve import NotOffered, grouped, serve
from standard_library import count, octets_of, offset, parsed, part_of, seconds, structure


def message_of(octets, case):
    return parsed(octets, case, policy.default)


def field(octets, case):
    value = message_of(octets, case)[case["field"]]
    return None if value is None else str(value).strip(" \t\r\n")


def mailboxes(addresses):
    return [{"name": address.display_name or None, "address": address.addr_spec} for address in addresses]


def address_field(octets, case):
    field = message_of(octets, case)[case["field"]]
    if field is not None and not hasattr(field, "addresses"):
        raise NotOffered("addresses of this field")
    return field


def addresses(octets, case):
    field = address_field(octets, case)
    return [] if field is None else mailboxes(field.addresses)


def groups(octets, case):
    field = address_field(octets, case)
    found = [] if field is None else field.groups
    return grouped((group.display_name, mailboxes(group.addresses)) for group in found)


def date(octets, case):
    field = message_of(octets, case)["Date"]
    return None if field is None or field.datetime is None else seconds(field.datetime)


def zone(octets, case):
    field = message_of(octets, case)["Date"]
    return None if field is None or field.datetime is None else offset(field.datetime)


def part(octets, case):
    return part_of(message_of(octets, case), case["part"])


def parameter(octets, case):
    field = part(octets, case)[case["field"]]
    return None if field is None else field.params.get(case["parameter"].lower())


serve("Python email", platform.python_version(), {
    "field": field,
    "addresses": addresses,
    "groups": groups,
    "date": date,
    "zone": zone,
    "fields": lambda octets, case: message_of(octets, case).keys(),
    "structure": lambda octets, case: structure(message_of(octets, case)),
    "parameter": parameter,
    "file name": lambda octets, case: part(octets, case).get_filename(),
    "octets": lambda octets, case: octets_of(part(octets, case)),
    "text": lambda octets, case: part(octets, case).get_content(),
    "messages": count,
})
