#!/usr/bin/env bash
# bench/import.sh FILE [RUNS]: what importing a perf.data costs, beside what perf takes for the same file.
# Commands take turns, RUNS times (default 3) after one warm-up each; the median is printed, as Markdown.
# Without FILE it records one first: hackbench under perf sched record, about 10 M events (needs root).
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
say() { echo "bench/import.sh: $*" >&2; exit "${code:-2}"; }

[ $# -le 2 ] || say "usage: bench/import.sh [FILE [RUNS]]"
file=${1:-}
runs=${2:-3}
[[ $runs =~ ^[1-9][0-9]*$ ]] || say "RUNS must be a whole number >= 1: $runs"
for tool in perf python3 java; do
  command -v "$tool" >/dev/null || code=1 say "needs $tool"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$file" ]; then
  file=$work/hackbench.data
  load=(hackbench -g 8 -l 29000)
  command -v hackbench >/dev/null || load=(perf bench sched messaging -g 8 -l 29000)
  perf sched record -m 8192 -o "$file" -- "${load[@]}" >&2 ||
    code=1 say "recording failed, see above; it needs root and about 1 GB in ${TMPDIR:-/tmp}"
fi
[ -f "$file" ] || say "$file: no such file"
"$home/bin/counterbalance" --version >/dev/null
[ -d "$home/ingest/target/test-classes" ] || (cd "$home" && ./mvnw -q -B -pl ingest -am test-compile >&2)

cat >"$work/measure.py" <<'PY'
import os, re, statistics, subprocess, sys, time
home, path, runs, work = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
store = os.path.join(work, "bench.duckdb")
cp = ":".join(os.path.join(home, d) for d in
              ("trace/target/classes", "ingest/target/classes", "ingest/target/test-classes"))
commands = {
    "import": [home + "/bin/trace-import", path, "-o", store],
    "script": ["perf", "script", "-i", path],
    "timehist": ["perf", "sched", "timehist", "-s", "-i", path],
    "latency": ["perf", "sched", "latency", "-i", path],
}
def once(argv):
    if argv[0].endswith("trace-import") and os.path.exists(store):
        os.remove(store)
    with open(os.path.join(work, "stderr"), "w+") as said:
        start = time.monotonic()
        child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        said.seek(0)
        if status:
            sys.exit("bench/import.sh: failed: " + " ".join(argv) + "\n" + said.read()[-2000:])
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
load = os.getloadavg()[0]
figures = {name: [] for name in commands}
for turn in range(runs + 1):
    for name, argv in commands.items():
        result = once(argv)
        if turn:
            figures[name].append(result)
median = {n: [statistics.median(r[i] for r in rows) for i in range(3)] for n, rows in figures.items()}
spread = {n: (min(r[0] for r in rows), max(r[0] for r in rows)) for n, rows in figures.items()}
once(commands["import"])
def sql(query):
    return subprocess.run([home + "/bin/trace-sql", store, query, "--format", "csv"],
                          capture_output=True, text=True, check=True).stdout.split()[1]
events = int(sql("SELECT event_count FROM trace"))
decode = subprocess.run(["java", "-XX:+UseParallelGC", "-Xmx256m", "-cp", cp,
                         "dev.counterbalance.ingest.DecodeBench", path, "3"],
                        capture_output=True, text=True, check=True).stdout
rates = [float(x) for x in re.findall(r"([0-9.]+) M events/CPU-s", decode)]
start = [once([home + "/bin/trace-sql", store, "SELECT 1"])[0] for _ in range(5)]
catalogue = subprocess.run([home + "/bench/catalogue.sh", store, str(runs)],
                           capture_output=True, text=True, check=True).stdout
slowest, slowest_s = re.search(r"\| `(\w+)` \| ([0-9.]+) ", catalogue).groups()
imp, script, hist = median["import"], median["script"], median["timehist"]
print(f"{os.path.basename(path)}: {os.path.getsize(path) / 1e6:,.0f} MB, {events:,} events; "
      f"{os.cpu_count()} CPUs; median of {runs} runs each, taking turns; "
      f"load average before {load:.1f}\n")
print("| command | wall s (min to max) | CPU s | peak MiB |\n|---|---|---|---|")
for name, argv in commands.items():
    shown = " ".join(["trace-import"] if name == "import" else argv[:-2])
    low, high = spread[name]
    m = median[name]
    print(f"| `{shown}` | {m[0]:.2f} ({low:.2f} to {high:.2f}) | {m[1]:.2f} | {m[2]:.0f} |")
print("\n| what | must | aim | measured |\n|---|---|---|---|")
print(f"| decode, M events per CPU-second, first run in a JVM / third | >= 5 | >= 15 | {rates[0]:.1f} / {rates[-1]:.1f} |")
print(f"| import with all intervals, M events per CPU-second | >= 0.7 | >= 1.3 | {events / imp[1] / 1e6:.2f} |")
print(f"| faster than perf script, wall | >= 2 x | >= 5 x | {script[0] / imp[0]:.1f} x |")
print(f"| time of perf sched timehist -s, wall | <= 3 x | <= 1.5 x | {imp[0] / hist[0]:.1f} x |")
print(f"| peak memory, MiB | <= 2048 | <= 1024 | {imp[2]:.0f} |")
print(f"| store, bytes per event | <= 40 | <= 15 | {os.path.getsize(store) / events:.1f} |")
print(f"| slowest entry (`{slowest}`), s | <= 2 | <= 0.3 (sweeps 1) | {float(slowest_s):.2f} |")
print(f"| trace-sql 'SELECT 1', s | <= 1.5 | <= 0.5 | {statistics.median(start):.2f} |")
print("\n" + catalogue, end="")
PY
python3 "$work/measure.py" "$home" "$file" "$runs" "$work"
