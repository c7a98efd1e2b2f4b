#!/usr/bin/env bash
# bench/catalogue.sh STORE [RUNS]: how long every entry of the SQL catalogue takes, slowest first, as Markdown.
# Timed is the query with all of its columns, by DuckDB itself (total_time of EXPLAIN ANALYZE: planning and
# running, not the JVM's start nor printing rows), each time in a process of its own, so that nothing is cached but
# the file by the kernel. Entries take turns, RUNS times (default 3); the median is printed.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
say() { echo "bench/catalogue.sh: $*" >&2; exit "${code:-2}"; }

store=${1:-}
runs=${2:-3}
[ $# -ge 1 ] && [ $# -le 2 ] || say "usage: bench/catalogue.sh STORE [RUNS]"
[ -f "$store" ] || say "$store: no such file; make a store with bin/trace-import FILE"
[[ $runs =~ ^[1-9][0-9]*$ ]] || say "RUNS must be a whole number >= 1: $runs"
command -v python3 >/dev/null || code=1 say "needs python3"

exec python3 - "$home/bin/trace-sql" "$store" "$runs" <<'PY'
import csv, json, statistics, subprocess, sys

trace_sql, store, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])


def ask(*arguments):
    done = subprocess.run([trace_sql, store, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip()


code, listing, why = ask("--list", "--format", "csv")
if code:
    sys.exit("bench/catalogue.sh: " + why)
entries = [row["name"] for row in csv.DictReader(listing.splitlines()) if row["kind"] == "entry"]
seconds, refused = {entry: [] for entry in entries}, {}
ask("SELECT 1")
for _ in range(runs):
    for entry in entries:
        if entry in refused:
            continue
        code, plan, why = ask("EXPLAIN (ANALYZE, FORMAT json) FROM " + entry, "--format", "json")
        if code:
            refused[entry] = why.splitlines()[0]
            continue
        profile = json.loads(json.loads(plan)[0]["explain_value"])
        seconds[entry].append(profile["query"]["total_time"])

print("| entry | median s | slowest s |\n|---|---|---|")
timed = [entry for entry in entries if entry not in refused]
for entry in sorted(timed, key=lambda e: -statistics.median(seconds[e])):
    print(f"| `{entry}` | {statistics.median(seconds[entry]):.3f} | {max(seconds[entry]):.3f} |")
for entry, why in refused.items():
    print(f"| `{entry}` | - | {why} |")
PY
