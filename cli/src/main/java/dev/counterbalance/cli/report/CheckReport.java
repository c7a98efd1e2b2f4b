package dev.counterbalance.cli.report;

import dev.counterbalance.analysis.Catalogue;
import dev.counterbalance.analysis.CatalogueEntry;
import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.Kind;
import dev.counterbalance.cli.render.Units;
import dev.counterbalance.ingest.FormatInfo;
import dev.counterbalance.ingest.TraceInput;
import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.Tier;
import dev.counterbalance.trace.event.TraceInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** {@code trace-import --check}: what a recording is, what it holds, and what it is good for. */
public final class CheckReport {
  private static final List<Column> RECORDING =
      List.of(
          new Column("format", "format", Kind.TEXT),
          new Column("packed", "packed", Kind.TEXT),
          new Column("", "kernel", Kind.TEXT),
          new Column("", "machine", Kind.TEXT),
          new Column("", "span", Kind.TEXT),
          new Column("clock", "clock", Kind.TEXT),
          new Column("cmdline", "recorder", Kind.TEXT),
          new Column("", "what-if", Kind.TEXT),
          new Column("reader", "", Kind.TEXT),
          new Column("os_release", "", Kind.TEXT),
          new Column("arch", "", Kind.TEXT),
          new Column("hostname", "", Kind.TEXT),
          new Column("cpus_recorded", "", Kind.NUMBER),
          new Column("cpus_silent", "", Kind.NUMBER),
          new Column("cpus_online", "", Kind.NUMBER),
          new Column("span_ns", "", Kind.NUMBER),
          new Column("event_count", "", Kind.NUMBER),
          new Column("lost_events", "", Kind.NUMBER),
          new Column("tier", "", Kind.TEXT));
  private static final List<Column> EVENTS =
      List.of(
          new Column("event", "event", Kind.TEXT),
          new Column("count", "count", Kind.COUNT),
          new Column("fields", "fields", Kind.TEXT));
  private static final List<Column> MISSING =
      List.of(
          new Column("event", "not recorded", Kind.TEXT),
          new Column("entries", "entries", Kind.TEXT),
          new Column("cost", "what that costs", Kind.TEXT));
  private static final List<Column> LOSSES =
      List.of(
          new Column("cpu", "CPU", Kind.NUMBER),
          new Column("gaps", "gaps", Kind.COUNT),
          new Column("lost", "events", Kind.TEXT),
          new Column("lost_ns", "time", Kind.DURATION));
  private static final List<Column> PROBLEMS =
      List.of(
          new Column("severity", "severity", Kind.TEXT),
          new Column("code", "what", Kind.TEXT),
          new Column("count", "times", Kind.COUNT),
          new Column("first_offset", "", Kind.NUMBER),
          new Column("first_ts", "", Kind.NUMBER),
          new Column("text", "", Kind.TEXT),
          new Column("advice", "", Kind.TEXT));
  private static final int LONGEST_LINE = 86;

  private final RecordingSink sink;
  private final Set<String> present;

  private CheckReport(RecordingSink sink) {
    this.sink = sink;
    this.present = sink.info.eventNames();
    present.addAll(sink.counts().keySet());
  }

  /** The sections for a recording that was read into the sink. */
  public static List<Section> of(TraceInput in, FormatInfo reader, RecordingSink sink) {
    CheckReport report = new CheckReport(sink);
    List<Section> sections = new ArrayList<>();
    sections.add(report.recording(in, reader));
    sections.add(report.events());
    sections.add(report.missing());
    if (!sink.gaps.isEmpty()) {
      sections.add(report.losses());
    }
    sections.add(report.problems());
    return sections;
  }

  private Section recording(TraceInput in, FormatInfo reader) {
    TraceInfo info = sink.info;
    Tier tier =
        present.contains("sched_switch")
            ? Tier.of(present, sink.hasFlags, hasTopologyBeside())
            : null;
    long span = sink.endNs - info.startNs;
    List<String> wrappers = in.wrappers();
    return Section.facts("recording", in.name(), RECORDING)
        .row(
            info.format,
            wrappers.isEmpty() ? null : String.join(", in ", wrappers),
            kernel(info),
            machine(info),
            Units.duration((double) span, false)
                + ", "
                + Units.counted(sink.eventCount, "event", "events")
                + (sink.lostEvents == 0
                    ? ", none lost"
                    : ", " + Units.count(sink.lostEvents) + " lost"),
            info.clock,
            info.cmdline == null ? null : cut(info.cmdline),
            tier == null ? "impossible: no sched_switch" : tier(tier),
            reader.name(),
            info.osRelease,
            info.arch,
            info.hostname,
            sink.cpus,
            sink.silentCpus,
            info.cpusOnline < 0 ? null : info.cpusOnline,
            span,
            sink.eventCount,
            sink.lostEvents,
            tier == null ? null : tier.text());
  }

  private static String kernel(TraceInfo info) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("os_release", info.osRelease);
    row.put("arch", info.arch);
    row.put("hostname", info.hostname);
    return MachineSection.kernel(row);
  }

  private String machine(TraceInfo info) {
    StringBuilder text = new StringBuilder(Units.counted(sink.cpus, "CPU", "CPUs") + " recorded");
    if (info.cpusOnline >= 0 && info.cpusOnline != sink.cpus) {
      text.append(" of ").append(info.cpusOnline).append(" online");
    }
    if (sink.silentCpus > 0) {
      text.append(", ").append(sink.silentCpus).append(" without events");
    }
    boolean topology =
        hasTopologyBeside() || info.machine.cpus().stream().anyMatch(cpu -> cpu.coreId >= 0);
    return text.append(topology ? "; topology recorded" : "; topology not recorded").toString();
  }

  private boolean hasTopologyBeside() {
    return sink.beside != null && sink.beside.machine != null;
  }

  private static String tier(Tier tier) {
    return "tier "
        + switch (tier) {
          case A_PLUS -> "A+: everything a replay can use";
          case A -> "A: each wake tells its context; for A+ import a bundle of trace-record";
          case B -> "B: wakes do not tell whether a task or an interrupt woke";
          case C -> "C: without wakes a replay is refused";
        };
  }

  private Section events() {
    Section section = Section.table("events", "Events", EVENTS);
    Map<String, Long> counts = sink.counts();
    Map<String, List<String>> fields = new LinkedHashMap<>();
    sink.info.fields.forEach(
        (event, names) -> fields.put(event.substring(event.indexOf(':') + 1), names));
    counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .forEach(
            e ->
                section.row(
                    e.getKey(),
                    e.getValue(),
                    fields.containsKey(e.getKey())
                        ? String.join(" ", fields.get(e.getKey()))
                        : null));
    Set<String> without = new TreeSet<>(sink.info.eventNames());
    without.removeAll(counts.keySet());
    if (!without.isEmpty()) {
      section.note(
          "Recorded, but no event is kept (none occurred, or --all-events keeps them): "
              + String.join(", ", without)
              + ".");
    }
    return section;
  }

  private Section missing() {
    Map<List<String>, Set<String>> entriesOf = new LinkedHashMap<>();
    for (CatalogueEntry entry : Catalogue.load().list()) {
      Optional<List<String>> unmet = entry.unmet(present);
      if (unmet.isPresent()) {
        add(entriesOf, unmet.get(), "not applicable", entry);
        continue;
      }
      for (CatalogueEntry.Without without : entry.without()) {
        if (without.events().stream().noneMatch(present::contains)) {
          add(entriesOf, without.events(), without.missing(), entry);
        }
      }
    }
    Section section =
        Section.table("missing", "Events that are missing, and what that costs", MISSING);
    entriesOf.forEach(
        (key, entries) -> section.row(key.get(0), String.join(", ", entries), key.get(1)));
    return entriesOf.isEmpty() ? section.note("None that the catalogue uses.") : section;
  }

  private static void add(
      Map<List<String>, Set<String>> entriesOf,
      List<String> events,
      String cost,
      CatalogueEntry entry) {
    entriesOf
        .computeIfAbsent(List.of(String.join(" or ", events), cost), k -> new TreeSet<>())
        .add(entry.name());
  }

  private Section losses() {
    Section section = Section.table("losses", "Losses", LOSSES);
    sink.gaps.forEach(
        (cpu, gap) ->
            section.row(
                cpu,
                gap.count,
                Units.count(gap.lost) + (gap.lostUnknown ? " or more" : ""),
                (double) gap.ns));
    return section.note("No interval spans a gap: what a CPU did there is not known.");
  }

  private Section problems() {
    Section section = Section.table("import_problem", "Trouble", PROBLEMS);
    sink.problems.stream()
        .sorted(
            Comparator.comparing((Problem p) -> p.severity() == Severity.INFO)
                .thenComparing(Problem::code))
        .forEach(
            p -> {
              section.row(
                  p.severity().name().toLowerCase(Locale.ROOT),
                  p.code(),
                  p.count(),
                  p.firstOffset() < 0 ? null : p.firstOffset(),
                  p.firstTsNs() < 0 ? null : p.firstTsNs(),
                  p.text(),
                  p.advice());
              section.note(QualitySection.sentence(p.code(), p.text(), p.advice()));
            });
    return sink.problems.isEmpty() ? section.note("None.") : section;
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_LINE ? text : text.substring(0, LONGEST_LINE - 3) + "...";
  }
}
