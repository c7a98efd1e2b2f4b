#!/usr/bin/env python3
"""bench/grow.py FILE BYTES OUT: a recording as long as wanted, made of a short one.

Repeats an ftrace, perf script or trace-cmd report text, or the pages of a trace.dat of version 6,
with later times each round, until OUT has about BYTES (a number, or one with M or G behind it).
"""
import os
import re
import struct
import sys

TIME = re.compile(rb"(\s)(\d+)\.(\d{6,9})(: )")


def size(text):
    units = {"M": 1 << 20, "G": 1 << 30}
    return int(float(text[:-1]) * units[text[-1]]) if text[-1] in units else int(text)


def grow_text(content, wanted, out):
    lines = content.splitlines(keepends=True)
    times = [TIME.search(line) for line in lines]
    found = [t for t in times if t]
    if not found:
        sys.exit("bench/grow.py: no times of the form 12.345678: in the text")
    digits = len(found[0].group(3))
    ns = [int(t.group(2) + t.group(3)) for t in found]
    step = max(ns) - min(ns) + 10 ** (digits - 3)
    head = [l for l, t in zip(lines, times) if not t and l.startswith((b"#", b"cpus="))]
    out.writelines(head)
    parts = [(l[: t.start(2)], int(t.group(2) + t.group(3)), l[t.end(3) :]) for l, t in zip(lines, times) if t]
    unit = 10**digits
    rounds = 0
    while out.tell() < wanted:
        shift = rounds * step
        out.write(
            b"".join(
                b"%s%d.%0*d%s" % (a, (t + shift) // unit, digits, (t + shift) % unit, b)
                for a, t, b in parts
            )
        )
        rounds += 1
    return rounds


def grow_dat(content, wanted, out):
    tag = content.index(b"options  \0")
    cpus = struct.unpack_from("<I", content, tag - 4)[0]
    table = content.index(b"flyrecord\0", tag) + 10
    page = 4096
    data = []
    for cpu in range(cpus):
        offset, length = struct.unpack_from("<QQ", content, table + 16 * cpu)
        data.append([content[offset + i : offset + i + page] for i in range(0, length, page)])
    stamps = [struct.unpack_from("<Q", p)[0] for pages in data for p in pages]
    step = max(stamps) - min(stamps) + 10**9
    rounds = max(1, wanted // max(1, sum(len(p) for p in data) * page))
    start = (table + 16 * cpus + page - 1) // page * page
    out.write(content[:table])
    at = start
    for pages in data:
        out.write(struct.pack("<QQ", at, len(pages) * page * rounds))
        at += len(pages) * page * rounds
    out.write(bytes(start - out.tell()))
    for pages in data:
        for r in range(rounds):
            out.write(
                b"".join(
                    struct.pack("<Q", struct.unpack_from("<Q", p)[0] + r * step) + p[8:]
                    for p in pages
                )
            )
    return rounds


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        content = file.read()
    wanted = size(sys.argv[2])
    is_dat = content.startswith(b"\x17\x08\x44tracing6\0")
    if content.startswith(b"\x17\x08\x44tracing") and not is_dat:
        sys.exit("bench/grow.py: only trace.dat of version 6 can be repeated")
    with open(sys.argv[3], "wb") as out:
        rounds = (grow_dat if is_dat else grow_text)(content, wanted, out)
    print(f"{sys.argv[3]}: {os.path.getsize(sys.argv[3])} bytes, {rounds} times")


main()
