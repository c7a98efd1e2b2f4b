package dev.counterbalance.whatif.rtapp;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rtapp.RtAppFile.Action;
import dev.counterbalance.whatif.rtapp.RtAppFile.Event;
import dev.counterbalance.whatif.rtapp.RtAppFile.Phase;
import dev.counterbalance.whatif.rtapp.RtAppFile.Task;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Makes a {@link Workload} of an {@link RtAppFile}.
 *
 * <p>A mutex is a semaphore with one token. A condition is a semaphore that never keeps a token;
 * waiting for it lets go of the mutex, waits, and takes the mutex again. Of the tasks of a barrier
 * the one that stands last in the file counts the others and lets them go. A forked thread is a
 * task of its own, so loops around a fork are written out.
 */
final class RtAppCompiler {
  private static final int MAX_FORKS = 100_000;
  private static final int MAX_BARRIER = 10_000;
  private static final long US = 1000;

  private final String file;
  private final RtAppFile source;
  private final WorkloadBuilder builder;
  private final Map<String, Integer> mutexes = new HashMap<>();
  private final Map<String, Integer> conditions = new HashMap<>();
  private final Map<String, Integer> semaphores = new HashMap<>();
  private final Map<String, Integer> sharedTimers = new HashMap<>();
  private final Map<String, Barrier> barriers = new HashMap<>();
  private final Set<String> signalled = new HashSet<>();
  private final Set<String> posted = new HashSet<>();
  private final Set<String> absolute = new HashSet<>();
  private final ArrayDeque<Task> forked = new ArrayDeque<>();
  private int roots;
  private int forks;

  /** The task that each thread written so far was made of. */
  private final List<Task> threads = new ArrayList<>();

  private int nextOp;

  /** Unique timers of the thread that is being written. */
  private Map<String, Integer> uniqueTimers = new HashMap<>();

  /** Mutexes it holds. */
  private Set<String> held = new HashSet<>();

  private boolean isForked;

  /** Tasks that meet at one point. */
  private static final class Barrier {
    int users;
    int arrived;
    int arrive = -1;
    int[] release;
  }

  RtAppCompiler(String file, RtAppFile source) {
    this.file = file;
    this.source = source;
    builder = new WorkloadBuilder(source.name());
  }

  Workload compile() {
    builder.description(source.description());
    if (source.durationS() > 0) {
      builder.durationNs(source.durationS() * 1_000_000_000);
    }
    source.tasks().values().forEach(this::survey);
    Map<String, Integer> firsts = new HashMap<>();
    for (Task task : source.tasks().values()) {
      firsts.put(task.name(), threads.size());
      for (int instance = 0; instance < task.instances(); instance++) {
        thread(task, task.startCpus().get(instance));
      }
    }
    isForked = true;
    for (Task task = forked.poll(); task != null; task = forked.poll()) {
      thread(task, -1);
    }
    for (Action action : source.actions()) {
      action(action, action.task() == null ? -1 : firsts.get(action.task().name()));
    }
    try {
      return builder.build();
    } catch (WorkloadException e) {
      if (e.task() >= 0) {
        Fields fields = threads.get(e.task()).fields();
        throw fields.error(fields.object(), e.getMessage());
      }
      throw new WorkloadException(file + ": " + e.getMessage(), e);
    }
  }

  /** What must be known of all tasks before the first is written. */
  private void survey(Task task) {
    if ((long) roots + task.instances() > WorkloadBuilder.MAX_TASKS) {
      throw task.fields()
          .error(task.fields().object(), "more than " + WorkloadBuilder.MAX_TASKS + " tasks");
    }
    roots += task.instances();
    Set<String> met = new HashSet<>();
    for (Phase phase : task.phases()) {
      for (Event event : phase.events()) {
        switch (event.name()) {
          case "signal", "broad", "sync", "resume" -> signalled.add(event.ref());
          case "sem_post" -> posted.add(event.ref());
          case "timer" -> {
            if (event.absolute()) {
              absolute.add(timerKey(task, event));
            }
          }
          case "barrier" -> {
            if (!met.add(event.ref())) {
              throw phase
                  .fields()
                  .error(event.at(), "a task can use a barrier once: barrier=" + event.ref());
            }
            Barrier barrier = barriers.computeIfAbsent(event.ref(), key -> new Barrier());
            barrier.users += task.instances();
            if (barrier.users > MAX_BARRIER) {
              throw phase
                  .fields()
                  .error(event.at(), "more than " + MAX_BARRIER + " tasks: barrier=" + event.ref());
            }
          }
          default -> {}
        }
      }
    }
  }

  private static boolean isUnique(Event timer) {
    return timer.ref().startsWith("unique");
  }

  private static String timerKey(Task task, Event timer) {
    return isUnique(timer) ? task.name() + '\n' + timer.ref() : timer.ref();
  }

  private void thread(Task task, int startCpu) {
    try {
      builder.task(task.name());
      threads.add(task);
      builder.policy(task.policy(), task.priority()).startCpu(startCpu);
      builder.affinity(mask(affinity(task, task.phases().get(0))));
      if (isForked) {
        builder.startNs(-1);
      }
      uniqueTimers = new HashMap<>();
      held = new HashSet<>();
      start(task);
      boolean writtenOut = task.loop() != 1 && task.has("fork");
      if (writtenOut) {
        forbidEndless(task.loop(), task.fields());
        for (long i = 0; i < task.loop(); i++) {
          phases(task);
        }
      } else {
        int first = nextOp;
        phases(task);
        repeat(first, task.loop(), task.fields(), Set.of());
      }
    } catch (WorkloadException e) {
      throw located(e, task.fields());
    }
  }

  private static void forbidEndless(long loop, Fields fields) {
    if (loop < 0) {
      throw fields.error(
          fields.object(), "a fork in an endless loop would never stop: set \"loop\"");
    }
  }

  /** Errors of the builder have no place in the file yet. */
  private WorkloadException located(WorkloadException e, Fields fields) {
    return e.getMessage().startsWith(file + ":")
        ? e
        : fields.error(fields.object(), e.getMessage());
  }

  /** The delay, and the start of the timers: their grid begins when the task does. */
  private void start(Task task) {
    long delay = task.delayUs() * US;
    for (Phase phase : task.phases()) {
      for (Event event : phase.events()) {
        if (event.name().equals("timer")
            && isUnique(event)
            && !uniqueTimers.containsKey(event.ref())) {
          int timer = builder.timer();
          uniqueTimers.put(event.ref(), timer);
          op(OpKind.TIMER, delay, timer);
          delay = 0;
        }
      }
    }
    if (delay > 0) {
      op(OpKind.SLEEP, delay, -1);
    }
    for (Phase phase : task.phases()) {
      for (Event event : phase.events()) {
        if (event.name().equals("timer")
            && !isUnique(event)
            && !sharedTimers.containsKey(event.ref())) {
          int timer = builder.timer();
          sharedTimers.put(event.ref(), timer);
          op(OpKind.TIMER, 0, timer);
        }
      }
    }
  }

  private void phases(Task task) {
    List<Phase> phases = task.phases();
    CpuSet before = affinity(task, phases.get(task.loop() == 1 ? 0 : phases.size() - 1));
    for (Phase phase : phases) {
      CpuSet now = affinity(task, phase);
      if (mask(now) != mask(before)) {
        op(OpKind.AFFINITY, 0, mask(now));
      }
      before = now;
      Set<String> heldBefore = new HashSet<>(held);
      if (phase.loop() != 1 && phase.has("fork")) {
        forbidEndless(phase.loop(), phase.fields());
        for (long i = 0; i < phase.loop(); i++) {
          events(task, phase);
        }
      } else {
        int first = nextOp;
        events(task, phase);
        repeat(first, phase.loop(), phase.fields(), heldBefore);
      }
    }
  }

  private void repeat(int first, long loop, Fields fields, Set<String> heldBefore) {
    if (loop == 1) {
      return;
    }
    if (!held.equals(heldBefore)) {
      throw fields.error(
          fields.object(), "repeats, but begins and ends with different mutexes held");
    }
    op(OpKind.LOOP, loop, first);
  }

  private static CpuSet affinity(Task task, Phase phase) {
    return phase.cpus() == null ? task.cpus() : phase.cpus();
  }

  private int mask(CpuSet affinity) {
    return affinity == null ? -1 : builder.mask(affinity);
  }

  private void op(OpKind kind, long arg, int ref) {
    nextOp = builder.op(kind, arg, ref) + 1;
  }

  private void events(Task task, Phase phase) {
    for (Event event : phase.events()) {
      event(task, phase, event);
    }
  }

  private void event(Task task, Phase phase, Event event) {
    String ref = event.ref();
    switch (event.name()) {
      case "run" -> op(OpKind.RUN, event.us() * US, -1);
      case "runtime" -> op(OpKind.RUN_TIME, event.us() * US, -1);
      case "sleep" -> op(OpKind.SLEEP, event.us() * US, -1);
      case "yield" -> op(OpKind.YIELD, 0, -1);
      case "timer" -> {
        int timer = isUnique(event) ? uniqueTimers.get(ref) : sharedTimers.get(ref);
        boolean keepsGrid = absolute.contains(timerKey(task, event));
        op(keepsGrid ? OpKind.TIMER : OpKind.TIMER_RELATIVE, event.us() * US, timer);
      }
      case "lock" -> lock(phase, event, ref);
      case "unlock" -> unlock(phase, event, ref);
      case "wait" -> {
        if (!held.contains(event.mutex())) {
          throw phase
              .fields()
              .error(event.at(), "must hold the mutex when it waits: mutex=" + event.mutex());
        }
        waitFor(phase, event);
      }
      case "signal" -> op(OpKind.BROADCAST, 1, condition(ref));
      case "broad", "resume" -> op(OpKind.BROADCAST, 0, condition(ref));
      case "sync" -> sync(phase, event);
      case "suspend" -> {
        String name = ref.isEmpty() ? task.name() : ref;
        checkSignalled(phase, event, name, "resumes");
        op(OpKind.WAIT, 0, condition(name));
      }
      case "barrier" -> barrier(phase, event);
      case "sem_post" -> op(OpKind.SIGNAL, 0, semaphore(ref));
      case "sem_wait" -> {
        if (!posted.contains(ref)) {
          throw phase
              .fields()
              .error(event.at(), "would wait for ever, no task posts it: sem_wait=" + ref);
        }
        op(OpKind.WAIT, 0, semaphore(ref));
      }
      case "fork" -> fork(phase, event);
      default -> throw new IllegalStateException(event.name());
    }
  }

  private void lock(Phase phase, Event event, String mutex) {
    if (!held.add(mutex)) {
      throw phase.fields().error(event.at(), "would wait for itself, it holds the mutex: " + mutex);
    }
    op(OpKind.WAIT, 0, mutex(mutex));
  }

  private void unlock(Phase phase, Event event, String mutex) {
    if (!held.remove(mutex)) {
      throw phase.fields().error(event.at(), "does not hold the mutex: " + mutex);
    }
    op(OpKind.SIGNAL, 0, mutex(mutex));
  }

  private void waitFor(Phase phase, Event event) {
    checkSignalled(phase, event, event.ref(), "signals");
    op(OpKind.SIGNAL, 1, mutex(event.mutex()));
    op(OpKind.WAIT, 0, condition(event.ref()));
    op(OpKind.WAIT, 0, mutex(event.mutex()));
  }

  private void sync(Phase phase, Event event) {
    boolean holds = held.contains(event.mutex());
    if (!holds) {
      lock(phase, event, event.mutex());
    }
    op(OpKind.BROADCAST, 1, condition(event.ref()));
    waitFor(phase, event);
    if (!holds) {
      unlock(phase, event, event.mutex());
    }
  }

  private void checkSignalled(Phase phase, Event event, String ref, String verb) {
    if (!signalled.contains(ref)) {
      throw phase
          .fields()
          .error(
              event.at(),
              "would wait for ever, no task " + verb + " it: " + event.name() + "=" + ref);
    }
  }

  private void barrier(Phase phase, Event event) {
    if (isForked) {
      throw phase
          .fields()
          .error(event.at(), "a forked task cannot take part in a barrier: barrier=" + event.ref());
    }
    Barrier barrier = barriers.get(event.ref());
    int others = barrier.users - 1;
    if (barrier.arrive < 0) {
      barrier.arrive = builder.semaphore(0);
      barrier.release = new int[others];
      Arrays.setAll(barrier.release, i -> builder.semaphore(0));
    }
    int user = barrier.arrived++;
    if (user < others) {
      op(OpKind.SIGNAL, 0, barrier.arrive);
      op(OpKind.WAIT, 0, barrier.release[user]);
      return;
    }
    for (int i = 0; i < others; i++) {
      op(OpKind.WAIT, 0, barrier.arrive);
    }
    for (int release : barrier.release) {
      op(OpKind.SIGNAL, 0, release);
    }
  }

  private void fork(Phase phase, Event event) {
    Task child = source.tasks().get(event.ref());
    if (child == null) {
      throw phase.fields().error(event.at(), "no task of that name: fork=" + event.ref());
    }
    if (++forks > MAX_FORKS) {
      throw phase.fields().error(event.at(), "more than " + MAX_FORKS + " forks");
    }
    forked.add(child);
    op(OpKind.FORK, 0, roots + forks - 1);
  }

  private int mutex(String name) {
    return mutexes.computeIfAbsent(name, key -> builder.semaphore(1));
  }

  private int condition(String name) {
    return conditions.computeIfAbsent(name, key -> builder.semaphore(0));
  }

  private int semaphore(String name) {
    return semaphores.computeIfAbsent(name, key -> builder.semaphore(0));
  }

  private void action(Action action, int first) {
    long at = action.atUs() * US;
    if (action.task() == null) {
      Workload.Action.Kind kind =
          action.cpuOff() >= 0 ? Workload.Action.Kind.CPU_OFF : Workload.Action.Kind.CPU_ON;
      int cpu = Math.max(action.cpuOff(), action.cpuOn());
      builder.action(new Workload.Action(at, kind, -1, cpu, 0));
      return;
    }
    for (int task = first; task < first + action.task().instances(); task++) {
      builder.action(
          action.policy() == null
              ? new Workload.Action(at, Workload.Action.Kind.AFFINITY, task, mask(action.cpus()), 0)
              : new Workload.Action(
                  at,
                  Workload.Action.Kind.PRIORITY,
                  task,
                  action.policy().ordinal(),
                  action.priority()));
    }
  }
}
