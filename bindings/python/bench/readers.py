"""Microseconds of processor for a message, beside other readers: python readers.py PATH

The path is a folder with .eml files, or a mailbox. Each reader is given the same octets and asked for
Subject, From, To and every text; the second row of this library also for every field and every finding.
Medians of rounds in one run, of which each has all readers in turn; ratios are those of a round, and their
medians. What the texts are, texts.py tells. Two threads are measured beside two processes, which share
nothing: what these gain is what the machine has to give.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

from peers import OURS, Reader, mails, peers

import mime_charset

ROUNDS = 7


def cost(read: Reader, messages: list[bytes]) -> float:
    """Microseconds of processor for a message."""
    start = time.process_time()
    for octets in messages:
        try:
            read(octets)
        except Exception:
            continue
    return (time.process_time() - start) / len(messages) * 1e6


def columns(messages: list[bytes], threads: int) -> float:
    """Microseconds on the clock for a message."""
    start = time.perf_counter()
    for _ in mime_charset.read(messages, threads):
        pass
    return (time.perf_counter() - start) / len(messages) * 1e6


def two_processes(messages: list[bytes]) -> float:
    """Microseconds on the clock for a message, where two processes read all of them at the same time."""
    start = time.perf_counter()
    child = os.fork()
    columns(messages, 1)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return (time.perf_counter() - start) / len(messages) / 2 * 1e6


def main() -> None:
    messages = list(mails(sys.argv[1]).values())
    print(f"{len(messages)} messages, {sum(map(len, messages))} octets, Python {sys.version.split()[0]}\n")
    readers = OURS | peers()
    rounds = [{name: cost(read, messages) for name, read in readers.items()} for _ in range(ROUNDS)]
    first, second = OURS
    print(f"| reader | µs | times `{first}` | times `{second}` |\n|---|---:|---:|---:|")
    for name in readers:
        ratios = [statistics.median(one[name] / one[ours] for one in rounds) for ours in OURS]
        micros = statistics.median(one[name] for one in rounds)
        print(f"| {name} | {micros:.1f} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    many = messages * (1 + 7000 // len(messages))
    clocks = [(columns(many, 1), columns(many, 2), two_processes(many)) for _ in range(ROUNDS)]
    one, two, apart = (statistics.median(column) for column in zip(*clocks, strict=True))
    print(f"\n`read` with all columns: {one:.1f} µs of the clock on one thread, {two:.1f} on two, {apart:.1f} in two processes:")
    threads = statistics.median(one / two for one, two, _ in clocks)
    processes = statistics.median(one / apart for one, _, apart in clocks)
    print(f"two threads are {threads:.2f} times as fast as one, two processes {processes:.2f} times")


if __name__ == "__main__":
    main()
