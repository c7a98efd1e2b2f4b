package dev.counterbalance.trace.machine;

/**
 * A machine in one word: counts from the outside in, each before its letter, an omitted one being
 * 1.
 *
 * <ul>
 *   <li>{@code s} sockets
 *   <li>{@code n} NUMA nodes per socket; without it the whole machine is one node
 *   <li>{@code l} last-level caches (LLC) per node; without {@code n}, per socket, for sockets
 *       share no cache
 *   <li>{@code c} cores per LLC
 *   <li>{@code t} threads per core
 *   <li>{@code @} capacities, 1024 = the fastest core: how many cores in a row, {@code x}, their
 *       capacity, for all cores
 * </ul>
 *
 * <p>So {@code 1s2l2c} is a Q6600, {@code 4s4c} four quad cores with an LLC each on one node,
 * {@code 4s1n4c} the same with a node each, {@code 2l4c@4x446,4x1024} two clusters of unlike cores.
 *
 * <p>CPU numbers are those of x86: the first thread of every core, core after core, then the second
 * threads in the same order. Packages and nodes are numbered from 0, cores and LLCs are named by
 * their lowest CPU. The distance to the own node is 10, to another node of the same socket 12, to a
 * node of another socket 20; only the order of distances decides how domains are built.
 */
public final class TopologySpec {
  private static final String LETTERS = "snlct";
  private static final String EXAMPLES =
      "A spec counts from the outside in, such as 1s2l2c, 4s1n4c or 2s8c2t"
          + " (s sockets, n NUMA nodes per socket, l LLCs per node, c cores per LLC,"
          + " t threads per core).";
  private static final String CAPACITY_EXAMPLE =
      "Capacities are given for runs of cores, such as 2l4c@4x446,4x1024.";

  private static final int MAX_CAPACITY = 1024;
  private static final int LOCAL_DISTANCE = 10;
  private static final int SAME_SOCKET_DISTANCE = 12;
  private static final int OTHER_SOCKET_DISTANCE = 20;

  private final String spec;
  private int at;

  private TopologySpec(String spec) {
    this.spec = spec;
  }

  /**
   * Builds the machine that the text describes.
   *
   * @throws IllegalArgumentException if it describes none, or one of more than {@link
   *     Machine#MAX_CPUS} CPUs; the message names the place and gives an example
   */
  public static Machine parse(String spec) {
    return new TopologySpec(spec).machine();
  }

  private Machine machine() {
    int[] counts = counts();
    int sockets = Math.max(counts[0], 1);
    int nodes = Math.max(counts[1], 1);
    int llcs = Math.max(counts[2], 1);
    int cores = Math.max(counts[3], 1);
    int threads = Math.max(counts[4], 1);
    int allCores = sockets * nodes * llcs * cores;
    int[] capacities = at < spec.length() ? capacities(allCores) : null;
    boolean hasNodes = counts[1] > 0;
    Machine machine = Machine.unknown();
    machine.cpu(allCores * threads - 1);
    for (Machine.Cpu cpu : machine.cpus()) {
      int core = cpu.cpu % allCores;
      cpu.coreId = core;
      cpu.llcId = core - core % cores;
      cpu.nodeId = hasNodes ? core / (cores * llcs) : 0;
      cpu.packageId = core / (cores * llcs * nodes);
      if (capacities != null) {
        cpu.capacity = capacities[core];
      }
    }
    distances(machine, hasNodes ? sockets * nodes : 1, nodes);
    return machine;
  }

  /** The counts in the order of {@link #LETTERS}, 0 where omitted; leaves {@link #at} behind. */
  private int[] counts() {
    int[] counts = new int[LETTERS.length()];
    int last = -1;
    long cpus = 1;
    while (at < spec.length() && spec.charAt(at) != '@') {
      int start = at;
      int count = number("a count");
      if (at == spec.length()) {
        throw fail(at, "the count " + count + " is followed by nothing", EXAMPLES);
      }
      int letter = LETTERS.indexOf(spec.charAt(at));
      if (letter < 0) {
        throw fail(at, shown(at) + " after a count, expected one of s n l c t", EXAMPLES);
      }
      if (letter == last) {
        throw fail(at, shown(at) + " for the second time", EXAMPLES);
      }
      if (letter < last) {
        throw fail(
            at, shown(at) + " after '" + LETTERS.charAt(last) + "', from the inside out", EXAMPLES);
      }
      if (count == 0) {
        throw fail(start, "must be >= 1: " + spec.charAt(at) + "=0", EXAMPLES);
      }
      cpus *= count;
      if (cpus > Machine.MAX_CPUS) {
        throw fail(start, "more than " + Machine.MAX_CPUS + " CPUs", EXAMPLES);
      }
      counts[letter] = count;
      last = letter;
      at++;
    }
    if (last < 0) {
      throw fail(at, "no count at all", EXAMPLES);
    }
    return counts;
  }

  private int[] capacities(int cores) {
    int[] capacities = new int[cores];
    int n = 0;
    do {
      int start = ++at; // after the @ or the comma
      int count = number("a number of cores");
      if (at == spec.length() || spec.charAt(at) != 'x') {
        throw fail(at, shown(at) + " after a number of cores, expected x", CAPACITY_EXAMPLE);
      }
      at++;
      int valueAt = at;
      int capacity = number("a capacity");
      if (capacity < 1 || capacity > MAX_CAPACITY) {
        throw fail(
            valueAt,
            "must be within 1-" + MAX_CAPACITY + ": capacity=" + capacity,
            CAPACITY_EXAMPLE);
      }
      if (count < 1 || count > cores - n) {
        throw fail(
            start,
            "must be within 1-" + (cores - n) + ", the cores left: cores=" + count,
            CAPACITY_EXAMPLE);
      }
      for (int i = 0; i < count; i++) {
        capacities[n++] = capacity;
      }
      if (at < spec.length() && spec.charAt(at) != ',') {
        throw fail(at, shown(at) + " after a capacity, expected a comma", CAPACITY_EXAMPLE);
      }
    } while (at < spec.length());
    if (n < cores) {
      throw fail(at, "capacities for " + n + " of " + cores + " cores", CAPACITY_EXAMPLE);
    }
    return capacities;
  }

  private int number(String what) {
    int start = at;
    int value = 0;
    while (at < spec.length() && spec.charAt(at) >= '0' && spec.charAt(at) <= '9') {
      value = Math.min(value * 10 + spec.charAt(at) - '0', Machine.MAX_CPUS + 1);
      at++;
    }
    if (at == start) {
      throw fail(at, shown(at) + ", expected " + what, EXAMPLES);
    }
    return value;
  }

  private static void distances(Machine machine, int nodes, int nodesPerSocket) {
    for (int from = 0; from < nodes; from++) {
      for (int to = 0; to < nodes; to++) {
        int distance =
            from == to
                ? LOCAL_DISTANCE
                : from / nodesPerSocket == to / nodesPerSocket
                    ? SAME_SOCKET_DISTANCE
                    : OTHER_SOCKET_DISTANCE;
        machine.distances().add(new Machine.Distance(from, to, distance));
      }
    }
  }

  private String shown(int index) {
    return index < spec.length() ? "'" + printable(spec.charAt(index)) + "'" : "the end";
  }

  private static String printable(char c) {
    return Character.isISOControl(c) ? "?" : String.valueOf(c);
  }

  private IllegalArgumentException fail(int index, String what, String example) {
    StringBuilder text = new StringBuilder("topology ");
    for (int i = 0; i < Math.min(spec.length(), 60); i++) {
      text.append(printable(spec.charAt(i)));
    }
    text.append(spec.length() > 60 ? "..." : "")
        .append(": character ")
        .append(index + 1)
        .append(": ")
        .append(what)
        .append(". ")
        .append(example);
    return new IllegalArgumentException(text.toString());
  }
}
