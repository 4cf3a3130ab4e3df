"""Processor time per message, compared with other readers: python readers.py PATH [ROUNDS]

PATH is a folder with .eml files, or a mailbox. Each reader gets the same octets and reads Subject, From, To and
every text; the second row of this library also every field and every finding. Prints medians over ROUNDS rounds
(default: seven). Each round runs all readers in turn, and ratios are taken per round. texts.py compares the texts
themselves. Two threads are compared with two processes, which share nothing: their gain is the maximum that the
machine allows.
"""

from __future__ import annotations

import os
import statistics
import sys
import time

from peers import OURS, Reader, mails, peers

import mime_charset


def cost(read: Reader, messages: list[bytes]) -> float:
    """Processor time per message, in microseconds."""
    start = time.process_time()
    for octets in messages:
        try:
            read(octets)
        except Exception:
            continue
    return (time.process_time() - start) / len(messages) * 1e6


def columns(messages: list[bytes], threads: int) -> float:
    """Elapsed time per message, in microseconds."""
    start = time.perf_counter()
    for _ in mime_charset.read(messages, threads):
        pass
    return (time.perf_counter() - start) / len(messages) * 1e6


def two_processes(messages: list[bytes]) -> float:
    """Elapsed time per message, in microseconds, if each of two concurrent processes reads all messages."""
    start = time.perf_counter()
    child = os.fork()
    columns(messages, 1)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return (time.perf_counter() - start) / len(messages) / 2 * 1e6


def main() -> None:
    messages = list(mails(sys.argv[1]).values())
    rounds = range(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
    print(f"{len(messages)} messages, {sum(map(len, messages))} octets, Python {sys.version.split()[0]}\n")
    readers = OURS | peers()
    costs = [{name: cost(read, messages) for name, read in readers.items()} for _ in rounds]
    first, second = OURS
    print(f"| reader | µs | times `{first}` | times `{second}` |\n|---|---:|---:|---:|")
    for name in readers:
        ratios = [statistics.median(one[name] / one[ours] for one in costs) for ours in OURS]
        micros = statistics.median(one[name] for one in costs)
        print(f"| {name} | {micros:.1f} | {ratios[0]:.2f} | {ratios[1]:.2f} |")
    many = messages * (1 + 7000 // len(messages))
    clocks = [(columns(many, 1), columns(many, 2), two_processes(many)) for _ in rounds]
    one, two, apart = (statistics.median(column) for column in zip(*clocks, strict=True))
    print(f"\n`read` with all columns: {one:.1f} µs of the clock on one thread, {two:.1f} on two, {apart:.1f} in two processes:")
    threads = statistics.median(one / two for one, two, _ in clocks)
    processes = statistics.median(one / apart for one, _, apart in clocks)
    print(f"two threads are {threads:.2f} times as fast as one, two processes {processes:.2f} times")


if __name__ == "__main__":
    main()
