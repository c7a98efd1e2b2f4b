#!/usr/bin/env bash
# bench/thread-2010.sh: the 2010 thread beside the simulator. Runs the two cases of the thread under each
# of its rules and prints, as Markdown, idle time as simulated, as documented (bench/thread-2010.csv), and as
# recorded on a real 2.6.36.2. Takes some minutes. The machine's speed does not matter: runs are the same
# everywhere.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 0 ] || { echo "usage: bench/thread-2010.sh" >&2; exit 2; }
command -v python3 >/dev/null || { echo "bench/thread-2010.sh: needs python3" >&2; exit 1; }
"$home/bin/counterbalance" --version >/dev/null

exec python3 - "$home" <<'PY'
import csv, json, os, subprocess, sys
home = sys.argv[1]
loads = os.path.join(home, "sample-traces", "workloads")
RULES = ["v2.6.36", "nikhil-p1", "nikhil-rfc-v1", "nikhil-rfc-v2", "group-weight", "prefer-utilization",
         "prefer-utilization-plain", "newidle-utilization", "v2.6.37", "v2.6.38"]
said = {(r["rule"], r["case"]): r["said"]
        for r in csv.DictReader(open(os.path.join(home, "bench", "thread-2010.csv")))}

def runs(workload, topology, rules, *more, seeds=3):
    """Rows by rule: figures of the rule, and of its tasks."""
    argv = [home + "/bin/trace-whatif", "--workload", workload, "--topology", topology, "--horizon", "12s",
            "--warmup", "6s", "--seeds", str(seeds), "--format", "json", *more]
    if not any(m.startswith("HZ=") for m in more):
        argv += ["--set", "HZ=1000"]
    for rule in rules:
        argv += ["--rule", rule]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(done.returncode)
    rows = json.loads(done.stdout)
    found = {}
    for row in rows:
        if row["section"] == "rule":
            found[row["rule"].split("+")[0]] = dict(row, tasks=[])
        elif row["section"] == "task":
            found[row["rule"].split("+")[0]]["tasks"].append(row)
    return found

def shares(row):
    parts = []
    for task in row["tasks"]:
        low, high = round(task["cpu_pct_min"]), round(task["cpu_pct_max"])
        parts.append(f'{low}' if low == high else f'{low}–{high}')
    return " / ".join(parts)

def pct(value):
    return f"{value:.1f} %"

def cell(rule, case, text):
    known = said.get((rule, case))
    return text + (f" ({known})" if known else "")

def file(name):
    return os.path.join(loads, name + ".json")

stuck = runs(file("mike-stuck"), "1s2l2c", RULES)
full = runs(file("mike-full"), "1s2l2c", RULES)
starts = [f"start=random,seed={i}" for i in range(1, 9)]
mike = [runs(f"soakers:idle=0,normal=4,heavy=1,{s}", "1s2l2c", RULES, seeds=1) for s in starts]
spread = runs("soakers:idle=16,normal=1,start=spread", "4s4c", RULES)
bad = runs(file("nikhil-stuck"), "4s4c", RULES)
nikhil = [runs(f"soakers:idle=16,normal=1,{s}", "4s4c", RULES, seeds=1) for s in starts]

print("| rule | mike, stuck start | mike, full start | mike, 8 random starts: stuck | nikhil, full start"
      " | nikhil, 8 random starts | nikhil, bad start |")
print("|---|---|---|---|---|---|---|")
for rule in RULES:
    one = stuck[rule]
    count = sum(m[rule]["idle_pct_mean"] > 20 for m in mike)
    chance = [n[rule]["idle_pct_mean"] for n in nikhil]
    low, high = min(chance), max(chance)
    chance = pct(low) if high - low < 0.1 else f"{low:.1f}–{high:.1f} %"
    print("|", " | ".join([
        f"`{rule}`",
        cell(rule, "stuck", f'{pct(one["idle_pct_mean"])}, {shares(one)}, {one["migrations_mean"]:.0f} moves'),
        cell(rule, "full", pct(full[rule]["idle_pct_mean"])),
        cell(rule, "random", f"{count}/8"),
        cell(rule, "spread", pct(spread[rule]["idle_pct_mean"])),
        cell(rule, "chance", chance),
        cell(rule, "bad", pct(bad[rule]["idle_pct_mean"]))]), "|")

print("\nA real 2.6.36.2, and the same machine and placement simulated:\n")
print("| recorded | rule | idle, recorded | idle, simulated | CPU % by task, recorded | simulated |")
print("|---|---|---|---|---|---|")
pairs = "soakers:idle=0,normal=4,heavy=1,start=stuck,group=2"
real = runs(pairs, "2s2c", ["v2.6.36", "nikhil-rfc-v1", "prefer-utilization-plain"])
many = runs(file("nikhil"), "4s4c", ["v2.6.36", "nikhil-rfc-v1"])
for name, rule, rows in [("q6600stuck plain", "v2.6.36", real), ("q6600stuck NIKHIL3", "nikhil-rfc-v1", real),
                         ("q6600stuck PREFER_UTILIZATION", "prefer-utilization-plain", real),
                         ("soakers16 plain", "v2.6.36", many), ("soakers16 NIKHIL3", "nikhil-rfc-v1", many)]:
    row = rows[rule]
    print("|", " | ".join([name, f"`{rule}`", said[(name, "idle")],
                           f'{pct(row["idle_pct_mean"])}, {row["migrations_mean"]:.0f} moves',
                           said[(name, "tasks")], shares(row)]), "|")

print("\nThe same with the ticks that the emulated CPUs really took (at HZ 1000, one of 2 or 3 on `2s2c`, one of 12 to"
      " 16 on `4s4c`):\n")
print("| case | rule | HZ | tickEvery | idleTick | idle | moves in 6 s |")
print("|---|---|---|---|---|---|---|")
ticks = [(1000, 1), (250, 1), (100, 1), (1000, 2), (1000, 3)]
cases = [("q6600stuck", pairs, "2s2c", "prefer-utilization-plain", *t, i) for t in ticks for i in ("on", "off")]
cases += [("soakers16", file("nikhil"), "4s4c", rule, 1000, every, "off")
          for rule in ("v2.6.36", "nikhil-rfc-v1") for every in (1, 12, 16)]
for case, load, machine, rule, hz, every, tick in cases:
    row = runs(load, machine, [rule], "--set", f"HZ={hz}", "--set", f"tickEvery={every}", "--set", "idleTick=" + tick,
               seeds=5)[rule]
    print(f'| {case} | `{rule}` | {hz} | {every} | {tick} | {pct(row["idle_pct_mean"])} ± {row["idle_pct_std"]:.1f}'
          f' | {row["migrations_mean"]:.0f} ± {row["migrations_std"]:.0f} |')
PY
