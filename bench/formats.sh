#!/usr/bin/env bash
# bench/formats.sh FILE...: what importing each FILE costs, of any format that trace-import reads, as Markdown.
# Long inputs: bench/grow.py SHORT 2G OUT. With TRACE_PROCESSOR='COMMAND', texts are read by
# `COMMAND FILE -q 'select count(*) from sched_slice'` as well, in the same run.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
[ $# -ge 1 ] || { echo "usage: bench/formats.sh FILE..." >&2; exit 2; }
"$home/bin/counterbalance" --version >/dev/null
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/measure.py" <<'PY'
import json, os, shlex, subprocess, sys, time
home, work, peer, files = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
def run(argv):
    with open(os.path.join(work, "out"), "w+") as out, open(os.path.join(work, "err"), "w+") as err:
        start = time.monotonic()
        child = subprocess.Popen(argv, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        out.seek(0), err.seek(0)
        if status:
            sys.exit("bench/formats.sh: failed: " + " ".join(argv) + "\n" + err.read()[-2000:])
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, out.read()
print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs\n")
print("| what | input | events | wall | CPU | events per CPU-second | peak memory | store |")
print("|---|---|---|---|---|---|---|---|")
for path in files:
    store = os.path.join(work, "s.duckdb")
    if os.path.exists(store):
        os.remove(store)
    wall, cpu, mib, out = run([home + "/bin/trace-import", path, "-o", store, "--format", "json"])
    facts = json.loads(out)
    facts = facts[0] if isinstance(facts, list) else facts
    events, size = facts["event_count"], os.path.getsize(path)
    def row(what, wall, cpu, mib, stored):
        rate = events / cpu / 1e6
        print(f"| {what} | {size / 1e6:,.0f} MB | {events / 1e6:.2f} M | {wall:.1f} s | {cpu:.1f} s |"
              f" {rate:.2f} M | {mib:,.0f} MiB | {stored} |", flush=True)
    row("import, " + facts["format"], wall, cpu, mib, f"{os.path.getsize(store) / events:.1f} B/event")
    if peer and "text" in facts["format"] and size < 1 << 29:
        row("trace_processor", *run([*shlex.split(peer), path, "-q", "select count(*) from sched_slice"])[:3], "-")
PY
python3 "$work/measure.py" "$home" "$work" "${TRACE_PROCESSOR:-}" "$@"
