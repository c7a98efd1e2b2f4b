#!/usr/bin/env bash
# bench/whatif.sh: what simulating costs, at 8, 64 and 256 CPUs: the simulator alone (JMH), its profile, and
# trace-whatif as a whole. Prints Markdown. Takes about five minutes on two cores.
set -euo pipefail
home=$(cd "$(dirname "$0")/.." && pwd)
[ $# -eq 0 ] || { echo "usage: bench/whatif.sh" >&2; exit 2; }
for tool in python3 java jfr; do
  command -v "$tool" >/dev/null || { echo "bench/whatif.sh: needs $tool" >&2; exit 1; }
done
"$home/bin/counterbalance" --version >/dev/null
# Classes compiled without the profile would be taken as they are.
rm -rf "$home/whatif/target/test-classes" "$home/whatif/target/maven-status"
(cd "$home" && ./mvnw -q -B -ntp -Pbench -DskipTests -pl whatif -am process-test-classes >&2)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 - "$home" "$work" <<'PY'
import collections, glob, json, os, statistics, subprocess, sys, time
home, work = sys.argv[1:]
load = os.getloadavg()[0]
TOPOLOGIES = {"2s4c": 8, "4s16c": 64, "4s2n16c2t": 256}

def once(argv):
    with open(os.path.join(work, "out"), "w+") as out:
        start = time.monotonic()
        child = subprocess.Popen(argv, stdout=out, stderr=out)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        if status:
            out.seek(0)
            sys.exit("bench/whatif.sh: failed: " + " ".join(argv) + "\n" + out.read()[-2000:])
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

# The simulator alone.
path = ":".join(os.path.join(home, d) for d in ("whatif/target/test-classes", "whatif/target/classes",
                                                "trace/target/classes", "whatif/target/bench/*"))
said = os.path.join(work, "jmh.json")
once(["java", "-cp", path, "org.openjdk.jmh.Main", "SimulationBench", "-wi", "2", "-i", "3", "-p", "rule=v2.6.36",
      "-prof", "gc", "-rf", "json", "-rff", said])
print(f"{os.cpu_count()} CPUs; load average before {load:.1f}\n")
print("| machine | CPUs | M events per CPU-second | bytes allocated per run | per event |")
print("|---|---|---|---|---|")
rates = {}
for row in json.load(open(said)):
    name, second = row["params"]["topology"], row["secondaryMetrics"]
    rates[name] = second["events"]["score"]
    bytes_ = next(v["score"] for k, v in second.items() if k.endswith("gc.alloc.rate.norm"))
    events = rates[name] / row["primaryMetric"]["score"]
    print(f"| `{name}` | {TOPOLOGIES[name]} | {rates[name] / 1e6:.1f} | {bytes_ / 1e6:.2f} MB | {bytes_ / events:.1f} |")

# Where its time goes, at 64 CPUs.
once(["java", "-cp", path, "org.openjdk.jmh.Main", "SimulationBench", "-wi", "2", "-i", "3", "-p", "rule=v2.6.36",
      "-p", "topology=4s16c", "-prof", "jfr:dir=" + work])
record = glob.glob(work + "/**/*.jfr", recursive=True)[0]
text = subprocess.run(["jfr", "print", "--events", "jdk.ExecutionSample", "--stack-depth", "1", record],
                      stdout=subprocess.PIPE, text=True, check=True).stdout
tops = collections.Counter(line.split("(")[0].split("engine.")[-1].strip()
                           for line in text.splitlines() if " line:" in line)
print("\nThe profile's first lines at 64 CPUs (top frames of JFR's samples):\n")
print("| share | method |\n|---|---|")
for name, count in tops.most_common(10):
    print(f"| {100 * count / sum(tops.values()):.0f} % | `{name}` |")

# The whole command. Marginal costs: what more seeds add, start-up left out.
def command(topology, workload, horizon, seeds, store=None):
    argv = [home + "/bin/trace-whatif", "--workload", workload, "--topology", topology, "--horizon", horizon,
            "--warmup", "0", "--seeds", str(seeds), "--jobs", "1", "--rule", "v2.6.36"]
    return argv + (["-o", store] if store else [])

def events_of(topology, workload, horizon):
    store = os.path.join(work, f"{topology}.duckdb")
    once(command(topology, workload, horizon, 1, store=store))
    found = subprocess.run([home + "/bin/trace-sql", store, "--format", "csv",
                            "SELECT value::BIGINT FROM run_metric WHERE metric = 'simulation.events'"],
                           stdout=subprocess.PIPE, text=True, check=True).stdout
    return int(found.split()[-1])

def marginal(few, many, argv, turns=3):
    """CPU seconds, wall seconds that one more run takes, and peak MiB of the larger command."""
    small = [once(argv(few)) for _ in range(turns)]
    large = [once(argv(many)) for _ in range(turns)]
    middle = lambda rows, i: statistics.median(r[i] for r in rows)
    return [(middle(large, i) - middle(small, i)) / (many - few) for i in (1, 0)] + [middle(large, 2)]

print("\ntrace-whatif, `--jobs 1`: one more run of about a million events; CPU-seconds\n")
print("| machine | events | in all | simulating | all else: intervals, storing, `run_metric` | that by M events"
      " | peak MiB |")
print("|---|---|---|---|---|---|---|")
for topology, cpus in TOPOLOGIES.items():
    pairs, horizon = 2 * cpus, f"{(36_000 if cpus < 256 else 60_000) // cpus}ms"
    workload = f"pipe:pairs={pairs},work=100us"
    events = events_of(topology, workload, horizon)
    cpu, _, peak = marginal(1, 5, lambda n: command(topology, workload, horizon, n))
    simulating = events / rates[topology]
    rest = cpu - simulating
    print(f"| `{topology}` | {events:,} | {cpu:.2f} | {simulating:.2f} | {rest:.2f} | {1e6 * rest / events:.2f}"
          f" | {peak:.0f} |")

cpu, wall, peak = marginal(25, 125, lambda n: command("4s4c", "soakers:idle=16,normal=1", "1s", n))
print(f"\nOne more run of 1 s of 17 soakers on `4s4c`: {1000 * cpu:.0f} ms of CPU, {1000 * wall:.0f} ms of wall time.")
wall, cpu, peak = once(command("4s4c", "soakers:idle=16,normal=1", "1s", 1))
print(f"One such run alone, the whole command: {wall:.1f} s, {cpu:.1f} CPU-seconds, {peak:.0f} MiB.")
PY
