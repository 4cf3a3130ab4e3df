"""The cost of columns: python columns.py [MESSAGES] [--spark]

Writes a mailbox of messages of about 630 octets to a temporary folder, and reads it as record batches. Prints
the processor time per message in microseconds, the megabytes per second and core, and the core hours per terabyte
at that rate. With `--spark`, prints the elapsed seconds for the same on `local[2]`, without writing the result.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import mime_charset
import mime_charset.arrow

COLUMNS = [["length"], ["subject", "date"], ["subject", "date", "parts.charset", "parts.text"], None]

HEADER = """From sender@example.org Sat Jan  3 01:05:34 1998
Received: from a.example.org by b.example.org; Sat, 3 Jan 1998 01:05:33 +0100
From: =?koi8-r?B?6dfBzg==?= <ivan@example.org>
To: Kim <kim@example.org>
Subject: =?euc-kr?B?x9Gxub7u?= {number}
Date: Sat, 3 Jan 1998 01:05:34 +0100
Message-ID: <{number}@example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=koi8-r
Content-Transfer-Encoding: 8bit

"""
TEXT = "Съешь ещё этих мягких французских булок, да выпей же чаю.\n".encode("koi8-r") * 4


def write(path: Path, count: int) -> int:
    with path.open("wb") as file:
        for number in range(count):
            file.write(HEADER.format(number=number).encode("ascii") + TEXT + b"\n")
    return path.stat().st_size


def arrow(path: Path, count: int, octets: int) -> None:
    print("| columns | µs a message | MB a second and core | core hours for a terabyte |\n|---|---:|---:|---:|")
    for columns in COLUMNS:
        start = time.process_time()
        rows = sum(batch.num_rows for batch in mime_charset.arrow.batches(path, columns=columns, threads=1))
        seconds = time.process_time() - start
        assert rows == count
        name = "all" if columns is None else ", ".join(f"`{column}`" for column in columns)
        hours = seconds / octets * 1e12 / 3600
        print(f"| {name} | {seconds / count * 1e6:.1f} | {octets / seconds / 1e6:.1f} | {hours:.1f} |")


def spark(path: Path) -> None:
    from pyspark.sql import SparkSession

    import mime_charset.spark

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.dataSource.register(mime_charset.spark.MailDataSource)
    print("\n| columns | seconds on the clock |\n|---|---:|")
    for columns in [["length"], *COLUMNS]:
        reader = session.read.format("mail")
        if columns is not None:
            reader = reader.option("columns", ",".join(columns))
        start = time.perf_counter()
        reader.load(str(path)).write.format("noop").mode("overwrite").save()
        name = "all" if columns is None else ", ".join(f"`{column}`" for column in columns)
        print(f"| {name} | {time.perf_counter() - start:.1f} |", flush=True)
    session.stop()


def main() -> None:
    numbers = [argument for argument in sys.argv[1:] if argument.isdecimal()]
    count = int(numbers[0]) if numbers else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mail.mbox"
        octets = write(path, count)
        print(f"{count} messages, {octets} octets, Python {sys.version.split()[0]}\n")
        arrow(path, count, octets)
        if "--spark" in sys.argv:
            spark(path)


if __name__ == "__main__":
    main()
