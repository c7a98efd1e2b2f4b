package dev.counterbalance.whatif.workload;

import dev.counterbalance.whatif.workload.Generator.Kind;
import dev.counterbalance.whatif.workload.Generator.Parameter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Workloads from a name and parameters, {@code NAME:K=V,K=V}. The same text and number of CPUs
 * always make the same workload. Parameters are data: help, documentation and errors come from one
 * table.
 */
public final class Generators {
  private static final long SECOND = 1_000_000_000L;
  private static final long YEAR = 31_536_000 * SECOND;
  private static final String SOAKERS = "soakers";
  private static final String PIPE = "pipe";
  private static final String HACKBENCH = "hackbench";

  private static final List<Generator> ALL =
      List.of(
          new Generator(
              SOAKERS,
              "tasks that only use CPU, of up to three weights",
              List.of(
                  count("idle", "16", 0, 1_000_000, "SCHED_IDLE soakers"),
                  count("normal", "1", 0, 1_000_000, "SCHED_NORMAL soakers"),
                  nice("nice", "0", "nice of the normal soakers"),
                  count("heavy", "0", 0, 1_000_000, "soakers of another nice"),
                  nice("heavy_nice", "-15", "nice of the heavy soakers"),
                  duration("run", "0", 0, "work of each soaker; 0 is for ever"),
                  new Parameter(
                      "start",
                      Kind.START,
                      "fork",
                      0,
                      0,
                      "where they start: fork = where the rule places them, packed = all on CPU 0,"
                          + " spread = one CPU after the other, random = by seed, stuck = the"
                          + " heaviest kind alone in the first group and the others on the rest,"
                          + " or a list of CPUs like 1+2+2 that is gone through again and again"),
                  count("group", "4", 1, 65_536, "CPUs of a group, for start=stuck"),
                  count("seed", "1", 0, Long.MAX_VALUE, "for start=random"))),
          new Generator(
              PIPE,
              "pairs of tasks that send a message to and fro, as perf bench sched pipe",
              List.of(
                  count("loops", "1000000", 1, 1_000_000_000_000L, "messages each way"),
                  count("pairs", "1", 1, 500_000, "pairs of tasks"),
                  duration("work", "2us", 1, "work per message, before it is written"))),
          new Generator(
              HACKBENCH,
              "groups of senders that each write to every receiver of their group, over pipes",
              List.of(
                  count("groups", "10", 1, 100_000, "groups of senders and receivers"),
                  count("fds", "20", 1, 10_000, "senders, and receivers, of a group"),
                  count("loops", "100", 1, 1_000_000_000, "messages of a sender to each receiver"),
                  duration("write", "2us", 1, "work per message written"),
                  duration("read", "2us", 1, "work per message read"),
                  count("capacity", "640", 1, 1_000_000, "messages that fit into a pipe: 16 pages"),
                  count(
                      "batch",
                      "40",
                      1,
                      10_000,
                      "messages read before writers are let in: one page"),
                  duration("fork", "50us", 1, "work of the parent per task it forks"),
                  duration("wake", "1us", 1, "work of the parent per task it lets go"))));

  private Generators() {}

  /** All there are, in the order of help. */
  public static List<Generator> all() {
    return ALL;
  }

  /**
   * Makes a workload.
   *
   * @param spec {@code NAME} or {@code NAME:K=V,K=V}
   * @param cpus CPUs of the machine, for start placements
   * @throws WorkloadException if there is no such generator or parameter, or a value is bad
   */
  public static Workload parse(String spec, int cpus) {
    if (cpus < 1) {
      throw new IllegalArgumentException("must be >= 1: cpus=" + cpus);
    }
    int colon = spec.indexOf(':');
    String name = colon < 0 ? spec : spec.substring(0, colon);
    Generator generator = find(name);
    try {
      Map<String, String> given = given(generator, colon < 0 ? "" : spec.substring(colon + 1));
      Values values = new Values(generator, given);
      WorkloadBuilder builder = new WorkloadBuilder(runName(name, given));
      builder.description(generator.meaning());
      switch (name) {
        case SOAKERS -> soakers(builder, values, cpus);
        case PIPE -> pipe(builder, values);
        case HACKBENCH -> Hackbench.build(builder, values);
        default -> throw new IllegalStateException(name);
      }
      return builder.build();
    } catch (WorkloadException e) {
      throw new WorkloadException(name + ": " + e.getMessage(), e);
    }
  }

  /** The parameters of all generators as a Markdown table each, for the documentation. */
  public static String markdown() {
    StringBuilder text = new StringBuilder();
    for (Generator generator : ALL) {
      text.append("**`").append(generator.name()).append("`**: ").append(generator.meaning());
      text.append(
          "\n\n| parameter | default | unit | allowed | meaning |\n|---|---|---|---|---|\n");
      for (Parameter parameter : generator.parameters()) {
        text.append("| `").append(parameter.name()).append("` | ").append(parameter.value());
        text.append(" | ").append(parameter.kind().unit()).append(" | ");
        text.append(parameter.range()).append(" | ").append(parameter.meaning()).append(" |\n");
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static Parameter count(String name, String value, long least, long most, String meaning) {
    return new Parameter(name, Kind.COUNT, value, least, most, meaning);
  }

  private static Parameter nice(String name, String value, String meaning) {
    return new Parameter(name, Kind.NICE, value, -20, 19, meaning);
  }

  private static Parameter duration(String name, String value, long least, String meaning) {
    return new Parameter(name, Kind.DURATION, value, least, YEAR, meaning);
  }

  private static Generator find(String name) {
    for (Generator generator : ALL) {
      if (generator.name().equals(name)) {
        return generator;
      }
    }
    String known = ALL.stream().map(Generator::name).collect(Collectors.joining(", "));
    throw new WorkloadException(
        "no generator of workloads is called \""
            + name
            + "\". There are "
            + known
            + "; the name of a file ends in .json.");
  }

  private static Map<String, String> given(Generator generator, String text) {
    Map<String, String> given = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return given;
    }
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new WorkloadException("must be K=V,K=V: \"" + part + "\"");
      }
      String key = part.substring(0, equals);
      if (generator.parameter(key) == null) {
        String known =
            generator.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
        throw new WorkloadException("no parameter \"" + key + "\". There are " + known + ".");
      }
      if (given.put(key, part.substring(equals + 1)) != null) {
        throw new WorkloadException("parameter " + key + " is given twice");
      }
    }
    return given;
  }

  /** As the names of runs spell what differs: NAME+K=V. */
  private static String runName(String name, Map<String, String> given) {
    StringBuilder text = new StringBuilder(name);
    given.forEach((key, value) -> text.append('+').append(key).append('=').append(value));
    return text.toString();
  }

  private static void soakers(WorkloadBuilder builder, Values values, int cpus) {
    int heavy = values.count("heavy");
    int normal = values.count("normal");
    int idle = values.count("idle");
    if ((long) heavy + normal + idle == 0) {
      throw new WorkloadException("must have a soaker: idle=0, normal=0, heavy=0");
    }
    StartCpus start =
        new StartCpus(values.text("start"), cpus, values.count("group"), values.number("seed"));
    long run = values.number("run");
    for (int i = 0; i < heavy; i++) {
      builder.task("soaker_heavy");
      builder.nice((int) values.number("heavy_nice")).startCpu(start.next(true));
      soak(builder, run);
    }
    for (int i = 0; i < normal; i++) {
      builder.task("soaker");
      builder.nice((int) values.number("nice")).startCpu(start.next(heavy == 0));
      soak(builder, run);
    }
    for (int i = 0; i < idle; i++) {
      builder.task("soaker_idle");
      builder.policy(Policy.IDLE, 0).startCpu(start.next(heavy == 0 && normal == 0));
      soak(builder, run);
    }
  }

  private static void soak(WorkloadBuilder builder, long run) {
    if (run == 0) {
      builder.hog();
    } else {
      builder.run(run);
    }
  }

  /** The first writes and then reads, the second reads and then writes. */
  private static void pipe(WorkloadBuilder builder, Values values) {
    long loops = values.number("loops");
    long work = values.number("work");
    int pairs = values.count("pairs");
    for (int pair = 0; pair < pairs; pair++) {
      int there = builder.semaphore(0);
      int back = builder.semaphore(0);
      builder.task("pipe_0");
      int first = builder.run(work);
      builder.op(OpKind.SIGNAL_SYNC, 0, there);
      builder.op(OpKind.WAIT, 0, back);
      builder.loop(first, loops);
      builder.task("pipe_1");
      first = builder.op(OpKind.WAIT, 0, there);
      builder.run(work);
      builder.op(OpKind.SIGNAL_SYNC, 0, back);
      builder.loop(first, loops);
    }
  }

  /** The values of a generator's parameters. */
  static final class Values {
    private final Generator generator;
    private final Map<String, String> given;

    Values(Generator generator, Map<String, String> given) {
      this.generator = generator;
      this.given = given;
    }

    String text(String name) {
      return given.getOrDefault(name, generator.parameter(name).value());
    }

    /** A number, or a duration in ns. */
    long number(String name) {
      return generator.parameter(name).read(text(name));
    }

    int count(String name) {
      return (int) number(name);
    }
  }
}
