package dev.counterbalance.cli;

import dev.counterbalance.analysis.query.Query;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.cli.report.Section;
import dev.counterbalance.cli.report.WhySections;
import dev.counterbalance.trace.store.TraceStore;
import java.util.List;
import java.util.Map;

/**
 * What {@code --why CPU@TIME} asks about.
 *
 * @param cpu the CPU
 * @param ns time since the run's start
 */
record WhyPoint(int cpu, long ns) {
  private static final String RUN =
      "SELECT name, kind, start_ns, end_ns, (SELECT count(*) FROM cpu WHERE trace_id = $1) AS cpus,"
          + " EXISTS (SELECT 1 FROM trace_fact WHERE trace_id = $1 AND key = 'event'"
          + " AND value = 'none') AS dropped FROM trace WHERE trace_id = $1";

  static WhyPoint parse(String text) {
    int at = text.indexOf('@');
    try {
      if (at > 0) {
        return new WhyPoint(
            Integer.parseUnsignedInt(text.substring(0, at)),
            TimeOffset.parse(text.substring(at + 1)).ns());
      }
    } catch (IllegalArgumentException e) {
      throw Refusal.usage("--why must be CPU@TIME such as 3@2.5s: " + text + ".");
    }
    throw Refusal.usage("--why must be CPU@TIME such as 3@2.5s: " + text + ".");
  }

  /** The answer for one run of a store. */
  List<Section> answer(TraceStore store, int traceId, boolean unicode) {
    Map<String, Object> run = new Query(store).rows(RUN, traceId).get(0);
    String name = "'" + run.get("name") + "'";
    if (!"simulated".equals(run.get("kind"))) {
      throw Refusal.data(
          name + " is a recording: only simulated runs have a log of balance decisions.");
    }
    if (Boolean.TRUE.equals(run.get("dropped"))) {
      throw Refusal.data(
          name
              + " was stored without its events, so its decisions are not known. Make it again with"
              + " --replace --keep-events all.");
    }
    long cpus = ((Number) run.get("cpus")).longValue();
    if (cpu < 0 || cpu >= cpus) {
      throw Refusal.usage("--why: " + name + " has the CPUs 0-" + (cpus - 1) + ".");
    }
    long startNs = ((Number) run.get("start_ns")).longValue();
    long spanNs = ((Number) run.get("end_ns")).longValue() - startNs;
    if (ns >= spanNs) {
      throw Refusal.usage(
          "--why: " + name + " ends at " + Units.duration((double) spanNs, unicode) + ".");
    }
    return WhySections.of(store, name, traceId, cpu, startNs + ns, unicode);
  }
}
