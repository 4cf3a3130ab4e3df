"""Asks Python's `email` with its default policy, `compat32`."""

import platform
from email import header, policy, utils

from serve import serve
from standard_library import count, octets_of, offset, parsed, part_of, seconds, structure


def message_of(octets, case):
    return parsed(octets, case, policy.compat32)


def decoded(value):
    return str(header.make_header(header.decode_header(value)))


def field(octets, case):
    value = message_of(octets, case)[case["field"]]
    return None if value is None else decoded(value).strip(" \t\r\n")


def addresses(octets, case):
    values = message_of(octets, case).get_all(case["field"], [])
    return [
        {"name": decoded(name) or None, "address": address}
        for name, address in utils.getaddresses(values)
    ]


def time(octets, case):
    try:
        return utils.parsedate_to_datetime(str(message_of(octets, case)["Date"]))
    except ValueError:
        return None


def date(octets, case):
    found = time(octets, case)
    return None if found is None else seconds(found)


def zone(octets, case):
    found = time(octets, case)
    return None if found is None else offset(found)


def part(octets, case):
    return part_of(message_of(octets, case), case["part"])


def parameter(octets, case):
    value = part(octets, case).get_param(case["parameter"], header=case["field"])
    return None if value is None else utils.collapse_rfc2231_value(value)


serve("Python email compat32", platform.python_version(), {
    "field": field,
    "addresses": addresses,
    "date": date,
    "zone": zone,
    "fields": lambda octets, case: message_of(octets, case).keys(),
    "structure": lambda octets, case: structure(message_of(octets, case)),
    "parameter": parameter,
    "file name": lambda octets, case: part(octets, case).get_filename(),
    "octets": lambda octets, case: octets_of(part(octets, case)),
    "messages": count,
})
