"""mime_charset.arrow: equal to messages() and the command, in the schema of the README."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import CORPUS, MAIL

import mime_charset

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")
arrow = pytest.importorskip("mime_charset.arrow")

FOLDERS = [CORPUS / "mail", CORPUS / "archive", CORPUS / "malformed"]


def found(columns: list[str] | None = None) -> Any:
    return arrow.table(FOLDERS, columns=columns, rows=50, on_error=lambda error: None)


def messages() -> Iterator[mime_charset.Message]:
    for folder in FOLDERS:
        yield from mime_charset.messages(folder, on_error=lambda error: None)


def test_rows_equal_messages() -> None:
    rows = found().to_pylist()
    assert len(rows) > len(MAIL)
    for row, message in zip(rows, messages(), strict=True):
        assert row["path"] == message.path and row["index"] == message.index
        assert row["offset"] == message.offset and row["length"] == len(message.source)
        for name in ("subject", "from", "to", "cc"):
            assert row[name] == message[name]
        for name in ("message_id", "in_reply_to", "references"):
            assert row[name] == getattr(message, name)
        assert row["date_text"] == message["date"]
        for name in ("date", "received_date"):
            date = getattr(message, name)
            if date is not None and date.tzinfo is None:
                date = date.replace(tzinfo=UTC)
            assert row[name] == date
        assert row["fields"] == [{"name": field.name, "text": field.text} for field in message.fields]
        assert row["findings"] == [finding._asdict() for finding in message.findings]
        for part, expected in zip(row["parts"], message.parts, strict=True):
            for name in ("section", "media_type", "label", "charset", "source", "filename", "text"):
                assert part[name] == getattr(expected, name)
            assert part["octets"] == len(expected.octets)
            assert part["findings"] == [finding._asdict() for finding in expected.findings]


def test_rows_equal_the_output_of_the_command() -> None:
    command = os.environ.get("MIME_CHARSET_COMMAND")
    if command is None:
        pytest.skip("MIME_CHARSET_COMMAND is not set")
    run = subprocess.run([command, "inspect", "--json", "--text", *map(str, FOLDERS)], capture_output=True)

    def without_place(findings: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{"within" if key == "in" else key: value for key, value in it.items()} for it in findings]

    lines = map(json.loads, run.stdout.splitlines())
    for row, line in zip(found().to_pylist(), lines, strict=True):
        assert (row["path"], row["index"]) == (line["path"], line["index"])
        assert [(it["name"], it["text"]) for it in row["fields"]] == [(it["name"], it["text"]) for it in line["fields"]]
        assert row["findings"] == without_place(line["findings"])
        for name in ("date", "received_date"):
            assert (row[name] and row[name].timestamp()) == (line[name] and line[name]["unix_seconds"])
        for part, expected in zip(row["parts"], line["parts"], strict=True):
            assert part["section"] == expected["part"]
            for name in ("media_type", "label", "charset", "source", "filename", "octets"):
                assert part[name] == expected[name]
            assert part["text"] == expected.get("text")
            assert part["findings"] == without_place(expected["findings"])


def test_the_schema_equals_the_readme() -> None:
    """Each row of its table: the name, then the type; names of structs in order."""
    readme = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
    table = readme.partition("| column of `SCHEMA` | type |\n|---|---|\n")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    assert [name.strip("`") for name, _ in rows] == arrow.SCHEMA.names
    for field, (_, told) in zip(arrow.SCHEMA, rows, strict=True):
        if pa.types.is_list(field.type) and not pa.types.is_struct(field.type.value_type):
            assert told == f"list of {field.type.value_type}"
        elif pa.types.is_list(field.type):
            names = re.findall(r"`(\w+)`", told)
            assert names == [of.name for of in field.type.value_type]
            # A type in parentheses follows the names that have it.
            kinds: list[str] = []
            for names_of, kind in re.findall(r"([^()]*)\((\w+)\)", told):
                kinds += [kind] * len(re.findall(r"`\w+`", names_of))
            assert kinds == [str(of.type) for of in field.type.value_type][: len(kinds)]
        else:
            assert told.split(":")[0].split(", never")[0] == str(field.type)
            assert field.nullable == ("never null" not in told)


def test_parquet_round_trip(tmp_path: Path) -> None:
    table = found()
    pq.write_table(table, tmp_path / "mail.parquet")
    back = pq.read_table(tmp_path / "mail.parquet")
    assert back.equals(table) and back.schema.names == arrow.SCHEMA.names


def test_only_requested_columns_are_returned() -> None:
    whole = found()
    for columns in (["date"], ["date_text"], ["parts.text", "subject"], ["parts.octets", "parts.findings"], ["parts"]):
        some = found(columns)
        assert some.schema == arrow.schema(columns)
        for name in some.schema.names:
            expected = whole.column(name).to_pylist()
            if name == "parts":
                of = some.schema.field(name).type.value_type
                expected = [[{it.name: part[it.name] for it in of} for part in parts] for parts in expected]
            assert some.column(name).to_pylist() == expected
    with pytest.raises(mime_charset.Error, match="found 'colour'"):
        arrow.batches(b"", columns=["colour"])


def test_columns_are_an_iterable_of_names() -> None:
    mails = [b"Subject: x\n\n"] * 2
    assert arrow.table(mails, columns=iter(["subject"])).to_pylist() == [{"subject": "x"}] * 2
    assert arrow.schema(iter(["parts.text", "subject"])) == arrow.schema(["parts.text", "subject"])
    for call in (arrow.schema, lambda columns: arrow.table(mails, columns=columns)):
        with pytest.raises(TypeError, match="expected a list of columns, found the str 'subject'"):
            call("subject")
        with pytest.raises(mime_charset.Error, match="expected at least one column, found none"):
            call([])


def test_batches_have_a_maximum_size() -> None:
    sizes = [batch.num_rows for batch in arrow.batches(CORPUS / "mail", rows=50, columns=["length"])]
    assert sizes == [50] * (len(MAIL) // 50) + [len(MAIL) % 50]
    # Each message has 100 octets: the second reaches 200, the limit.
    mails = [b"Subject: x\n\n" + b"a" * 88] * 5
    assert [batch.num_rows for batch in arrow.batches(mails, octets=150, columns=["length"])] == [2, 2, 1]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        # RFC 5322, appendix A.1.1, A.6.2 (an obsolete date), and section 3.3 on -0000.
        ("Fri, 21 Nov 1997 09:55:06 -0600", datetime(1997, 11, 21, 15, 55, 6, tzinfo=UTC)),
        ("21 Nov 97 09:55:06 GMT", datetime(1997, 11, 21, 9, 55, 6, tzinfo=UTC)),
        ("Fri, 21 Nov 1997 09:55:06 -0000", datetime(1997, 11, 21, 9, 55, 6, tzinfo=UTC)),
        ("Fri, 21 Nov 1997 09:55:06", datetime(1997, 11, 21, 9, 55, 6, tzinfo=UTC)),
        # asctime's form, and the forms of Java and JavaScript.
        ("Thu Mar  4 10:00:00 EST 1999", datetime(1999, 3, 4, 15, 0, 0, tzinfo=UTC)),
        ("Mon Oct 16 2023 16:18:56 GMT-0700 (PDT)", datetime(2023, 10, 16, 23, 18, 56, tzinfo=UTC)),
        ("yesterday", None),
        ("", None),
        ("32 Nov 1997 09:55:06 GMT", None),
        ("Fri, 31 Dec 9999 23:59:59 -0100", None),
    ],
)
def test_dates(written: str, expected: datetime | None) -> None:
    mail = b"Received: by a; " + written.encode() + b"\nDate: " + written.encode() + b"\n\n"
    (row,) = arrow.table(mail, columns=["date", "date_text", "received_date"]).to_pylist()
    assert row == {"date": expected, "date_text": written, "received_date": expected}
    if expected is not None:
        assert row["date"].utcoffset() == timedelta(0)


def test_progress_counts_messages() -> None:
    told: list[int] = []

    class Bar:
        def __init__(self, **asked: object) -> None:
            assert asked == {"unit": " messages", "total": None}

        def update(self, n: int) -> None:
            told.append(n)

        def close(self) -> None:
            told.append(-1)

    list(arrow.batches([b"\n"] * 5, rows=2, columns=["length"], progress=Bar))
    assert told == [2, 2, 1, -1]


def test_unreadable_files() -> None:
    batches = arrow.batches([b"Subject: before\n\n", "no/such/file"], columns=["subject"])
    assert next(batches).to_pylist() == [{"subject": "before"}]
    with pytest.raises(FileNotFoundError, match="no/such/file"):
        next(batches)
    with pytest.raises(TypeError):
        arrow.batches(5)
