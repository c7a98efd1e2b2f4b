package dev.counterbalance.whatif.rtapp;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A key of rt-app's JSON: the subset we read, as data.
 *
 * @param place the object it stands in
 * @param name as it is written
 * @param support what we do with it
 * @param value what it holds
 * @param meaning what it does
 */
record RtAppKey(Place place, String name, Support support, String value, String meaning) {
  /** The kinds of object. */
  enum Place {
    FILE("top level"),
    GLOBAL("global"),
    TASK("task"),
    PHASE("phase"),
    EVENT("event"),
    TIMER("timer"),
    WAIT("wait and sync"),
    OUR_FILE("counterbalance, top level"),
    OUR_TASK("counterbalance, task"),
    ACTION("action");

    final String title;

    Place(String title) {
      this.title = title;
    }
  }

  /** What we do with a key. */
  enum Support {
    /** Simulated. */
    YES,
    /** Simulated; rt-app 1.0 does not know it, later ones do. */
    LATER,
    /** Accepted: it does not change what is scheduled. */
    NO_EFFECT,
    /** rt-app knows it, we refuse it. */
    NO,
    /** Ours; rt-app does not see it. */
    OURS
  }

  private static final String INT = "integer";
  private static final String USEC = "integer, us";
  private static final String TEXT = "string";
  private static final String BOOL = "boolean";
  private static final String OBJECT = "object";
  private static final String CPUS = "array of integer";

  static final List<RtAppKey> ALL = all();

  private static List<RtAppKey> all() {
    List<RtAppKey> all = new ArrayList<>();
    file(all);
    task(all);
    event(all);
    ours(all);
    return List.copyOf(all);
  }

  private static void file(List<RtAppKey> all) {
    all.add(yes(Place.FILE, "tasks", OBJECT, "the tasks, by name"));
    all.add(yes(Place.FILE, "global", OBJECT, "settings of the whole file"));
    all.add(noEffect(Place.FILE, "resources", OBJECT));
    all.add(ours(Place.FILE, "counterbalance", OBJECT, "what rt-app cannot say, see below"));

    all.add(
        yes(Place.GLOBAL, "duration", "integer, s", "how long to run; -1, the default: for ever"));
    all.add(
        yes(Place.GLOBAL, "default_policy", TEXT, "policy of tasks that name none: SCHED_OTHER"));
    all.add(yes(Place.GLOBAL, "pi_enabled", BOOL, "must be false: no priority inheritance"));
    for (String name : List.of("calibration", "lock_pages", "logdir", "log_basename", "log_size")) {
      all.add(noEffect(Place.GLOBAL, name, "any"));
    }
    for (String name :
        List.of("ftrace", "gnuplot", "io_device", "mem_buffer_size", "cumulative_slack", "frag")) {
      all.add(noEffect(Place.GLOBAL, name, "any"));
    }
  }

  private static void task(List<RtAppKey> all) {
    all.add(yes(Place.TASK, "instance", INT, "threads made of it, 1; 0 if only forked"));
    all.add(
        yes(
            Place.TASK,
            "policy",
            TEXT,
            "SCHED_OTHER, SCHED_FIFO, SCHED_RR; not in rt-app 1.0: SCHED_BATCH, SCHED_IDLE"));
    all.add(yes(Place.TASK, "priority", INT, "nice -20 to 19, 0; or 1 to 99, 10, for FIFO and RR"));
    all.add(yes(Place.TASK, "cpus", CPUS, "affinity; every CPU"));
    all.add(yes(Place.TASK, "delay", USEC, "sleep before the first event"));
    all.add(yes(Place.TASK, "loop", INT, "times through all phases; -1, the default: for ever"));
    all.add(
        yes(
            Place.TASK,
            "phases",
            OBJECT,
            "the phases, by name, in order; or the events themselves"));
    all.add(ours(Place.TASK, "counterbalance", OBJECT, "what rt-app cannot say, see below"));
    for (String name : List.of("dl-runtime", "dl-period", "dl-deadline", "period", "deadline")) {
      all.add(no(Place.TASK, name));
    }
    for (String name : List.of("util_min", "util_max", "nodes_membind", "taskgroup")) {
      all.add(no(Place.TASK, name));
      all.add(no(Place.PHASE, name));
    }
    all.add(yes(Place.PHASE, "loop", INT, "times through the events, 1; -1: for ever"));
    all.add(yes(Place.PHASE, "cpus", CPUS, "affinity in this phase; as the task"));
    all.add(no(Place.PHASE, "policy"));
    all.add(no(Place.PHASE, "priority"));
  }

  private static void event(List<RtAppKey> all) {
    all.add(yes(Place.EVENT, "run", USEC, "so much work of a full-speed CPU"));
    all.add(
        yes(
            Place.EVENT,
            "runtime",
            USEC,
            "run until so much time has passed, however fast the CPU is and however busy"));
    all.add(yes(Place.EVENT, "sleep", USEC, "sleep from now on"));
    all.add(yes(Place.EVENT, "timer", OBJECT, "sleep until the timer's next point"));
    all.add(yes(Place.EVENT, "lock", TEXT, "take the mutex, or sleep until it is free"));
    all.add(yes(Place.EVENT, "unlock", TEXT, "let go of the mutex"));
    all.add(
        yes(
            Place.EVENT,
            "wait",
            OBJECT,
            "sleep until the condition is signalled; nothing is kept of signals before"));
    all.add(
        yes(
            Place.EVENT,
            "signal",
            TEXT,
            "wake the task that has waited longest for the condition"));
    all.add(yes(Place.EVENT, "broad", TEXT, "wake all that wait for the condition"));
    all.add(
        yes(Place.EVENT, "sync", OBJECT, "signal, then wait; takes the mutex if it is not held"));
    all.add(
        yes(
            Place.EVENT,
            "barrier",
            TEXT,
            "sleep until every task that names the barrier is there"));
    all.add(
        yes(
            Place.EVENT,
            "suspend",
            TEXT,
            "sleep until resumed under that name; empty: the task's own"));
    all.add(yes(Place.EVENT, "resume", TEXT, "wake all that are suspended under that name"));
    all.add(yes(Place.EVENT, "yield", "any", "sched_yield"));
    all.add(later(Place.EVENT, "fork", TEXT, "start another thread of that task"));
    all.add(
        later(
            Place.EVENT,
            "sem_wait",
            TEXT,
            "take a token of the semaphore, or sleep until there is one"));
    all.add(later(Place.EVENT, "sem_post", TEXT, "give a token to the semaphore"));
    all.add(no(Place.EVENT, "memrun"));
    all.add(no(Place.EVENT, "mem"));
    all.add(no(Place.EVENT, "iorun"));

    all.add(
        yes(
            Place.TIMER,
            "ref",
            TEXT,
            "its name; one that begins with unique is each thread's own"));
    all.add(yes(Place.TIMER, "period", USEC, "from point to point"));
    all.add(
        yes(
            Place.TIMER,
            "mode",
            TEXT,
            "relative, the default: a late task starts the grid anew; absolute: it keeps it"));
    all.add(yes(Place.WAIT, "ref", TEXT, "the condition"));
    all.add(yes(Place.WAIT, "mutex", TEXT, "let go of while waiting, and taken again"));
  }

  private static void ours(List<RtAppKey> all) {
    all.add(ours(Place.OUR_FILE, "name", TEXT, "name of the workload; the file's"));
    all.add(ours(Place.OUR_FILE, "description", TEXT, "what it shows"));
    all.add(ours(Place.OUR_FILE, "actions", "array of action", "what is done from outside"));
    all.add(
        ours(
            Place.OUR_TASK,
            "start_cpu",
            "integer or array",
            "the CPU it starts on, or one for each instance; the rule decides"));
    all.add(ours(Place.ACTION, "at", USEC, "since the start of the run"));
    all.add(ours(Place.ACTION, "task", TEXT, "all instances of that task"));
    all.add(ours(Place.ACTION, "cpus", CPUS + ", or \"all\"", "set its affinity"));
    all.add(ours(Place.ACTION, "policy", TEXT, "set its policy, with priority"));
    all.add(ours(Place.ACTION, "priority", INT, "set nice or real-time priority"));
    all.add(ours(Place.ACTION, "cpu_off", INT, "take the CPU off line"));
    all.add(ours(Place.ACTION, "cpu_on", INT, "bring the CPU back"));
  }

  private static RtAppKey yes(Place place, String name, String value, String meaning) {
    return new RtAppKey(place, name, Support.YES, value, meaning);
  }

  private static RtAppKey later(Place place, String name, String value, String meaning) {
    return new RtAppKey(place, name, Support.LATER, value, meaning);
  }

  private static RtAppKey ours(Place place, String name, String value, String meaning) {
    return new RtAppKey(place, name, Support.OURS, value, meaning);
  }

  private static RtAppKey noEffect(Place place, String name, String value) {
    return new RtAppKey(place, name, Support.NO_EFFECT, value, "accepted, changes no schedule");
  }

  private static RtAppKey no(Place place, String name) {
    return new RtAppKey(place, name, Support.NO, "", "refused");
  }

  /** The key of that name in that kind of object, or null. */
  static RtAppKey find(Place place, String name) {
    for (RtAppKey key : ALL) {
      if (key.place == place && key.name.equals(name)) {
        return key;
      }
    }
    return null;
  }

  /** The event that a key stands for: its name and then nothing or a suffix like 0 or _a. */
  static RtAppKey event(String key) {
    RtAppKey longest = null;
    for (RtAppKey event : ALL) {
      if (event.place == Place.EVENT
          && key.startsWith(event.name)
          && (key.length() == event.name.length()
              || !Character.isLetter(key.charAt(event.name.length())))
          && (longest == null || event.name.length() > longest.name.length())) {
        longest = event;
      }
    }
    return longest;
  }

  /** What may stand in an object of that kind, for errors. */
  static String known(Place... places) {
    List<Place> wanted = List.of(places);
    return ALL.stream()
        .filter(key -> wanted.contains(key.place) && key.support != Support.NO)
        .map(RtAppKey::name)
        .collect(Collectors.joining(", "));
  }

  /** The subset as Markdown, for the documentation. */
  static String markdown() {
    StringBuilder text =
        new StringBuilder("| in | key | value | meaning; default |\n|---|---|---|---|\n");
    for (RtAppKey key : ALL) {
      if (key.support == Support.NO) {
        continue;
      }
      text.append("| ").append(key.place.title).append(" | `").append(key.name).append("` | ");
      text.append(key.value).append(" | ").append(key.meaning);
      text.append(key.support == Support.LATER ? " (not in rt-app 1.0)" : "").append(" |\n");
    }
    text.append("\nRefused, because it cannot be simulated: ");
    text.append(
        ALL.stream()
            .filter(key -> key.support == Support.NO)
            .map(key -> key.place.title + " `" + key.name + "`")
            .collect(Collectors.joining(", ")));
    return text.append(".\n").toString();
  }
}
