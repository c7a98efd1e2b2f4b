package dev.counterbalance.whatif.workload;

/** Where the tasks of a generated workload start. */
final class StartCpus {
  static final String FORMS = "fork, packed, spread, random, stuck, or CPUs like 1+2+2";

  private final String form;
  private final int cpus;
  private final int group;
  private final int[] list;
  private long state;
  private int next;
  private int nextHeavy;

  /**
   * @param form one of {@link #FORMS}
   * @param group CPUs that share what counts as one group, for {@code stuck}
   * @param seed of {@code random}
   */
  StartCpus(String form, int cpus, int group, long seed) {
    this.form = form;
    this.cpus = cpus;
    this.group = group;
    state = seed;
    boolean word =
        switch (form) {
          case "fork", "packed", "spread", "random", "stuck" -> true;
          default -> false;
        };
    list = word ? new int[0] : parse(form, cpus);
    if (form.equals("stuck") && (cpus % group != 0 || cpus == group)) {
      throw new WorkloadException(
          "start=stuck needs two or more groups of equal size: " + cpus + " CPUs, group=" + group);
    }
  }

  private static int[] parse(String form, int cpus) {
    String[] parts = form.split("\\+", -1);
    int[] list = new int[parts.length];
    for (int i = 0; i < list.length; i++) {
      try {
        list[i] = Integer.parseInt(parts[i]);
      } catch (NumberFormatException e) {
        throw new WorkloadException("must be " + FORMS + ": start=" + form, e);
      }
      if (list[i] < 0 || list[i] >= cpus) {
        throw new WorkloadException(
            "must be CPUs of the machine, 0 to " + (cpus - 1) + ": start=" + form);
      }
    }
    return list;
  }

  /**
   * The next task's CPU, or -1: fork placement.
   *
   * @param heavy whether the task is of the heaviest kind, which {@code stuck} leaves alone in the
   *     first group while all others share the rest of the machine, one group after the other
   */
  int next(boolean heavy) {
    return switch (form) {
      case "fork" -> -1;
      case "packed" -> 0;
      case "spread" -> next++ % cpus;
      case "random" -> (int) Long.remainderUnsigned(random(), cpus);
      case "stuck" -> heavy ? nextHeavy++ % group : stuck(next++);
      default -> list[next++ % list.length];
    };
  }

  private int stuck(int index) {
    int groups = cpus / group - 1;
    int slot = index % (cpus - group);
    return group + slot % groups * group + slot / groups;
  }

  /** SplitMix64 (Steele, Lea, Flood 2014). */
  private long random() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
