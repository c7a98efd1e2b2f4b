package dev.counterbalance.trace.build;

import dev.counterbalance.trace.event.Problem;
import dev.counterbalance.trace.event.Severity;
import dev.counterbalance.trace.event.Sidecar;
import dev.counterbalance.trace.task.Names;
import dev.counterbalance.trace.task.TaskRegistry;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds for each thread lifetime of a trace what the sidecar tells of it. A thread id stands for
 * the lifetime that was there at the recording's start in what was collected before, and for the
 * one that was there at its end in what was collected after. A user task must have had the same
 * name at some time; kernel threads go by other names in a sidecar.
 */
final class SidecarTasks {
  /** Names of user tasks end there (kernel: TASK_COMM_LEN); those of kernel threads need not. */
  private static final int MAX_COMM = 15;

  private static final String WORKER = "kworker/";

  private final Sidecar sidecar;
  private final Names names;

  /** Threads that had some name, and that had the one that was collected before, or after. */
  private final BitSet named = new BitSet();

  private final BitSet namedBefore = new BitSet();
  private final BitSet namedAfter = new BitSet();

  private int others;
  private int changed;

  SidecarTasks(Sidecar sidecar, Names names) {
    this.sidecar = sidecar;
    this.names = names;
  }

  /** A thread takes a name. */
  void named(int utid, int tid, int name) {
    Sidecar.Task before = sidecar.before.get(tid);
    Sidecar.Task after = sidecar.after.get(tid);
    if (before == null && after == null) {
      return;
    }
    named.set(utid);
    String text = names.text(name);
    if (before != null && before.comm().equals(text)) {
      namedBefore.set(utid);
    }
    if (after != null && after.comm().equals(text)) {
      namedAfter.set(utid);
    }
  }

  /** What the sidecar tells of each thread, by utid; null of what it does not know. */
  Sidecar.Task[] match(TaskRegistry tasks) {
    int count = tasks.size();
    Sidecar.Task[] before = new Sidecar.Task[count];
    Sidecar.Task[] found = new Sidecar.Task[count];
    Set<Integer> seen = new HashSet<>();
    for (int utid = 0; utid < count; utid++) {
      int tid = tasks.tid(utid);
      boolean first = tid > 0 && sidecar.before.containsKey(tid) && seen.add(tid);
      if (first && tasks.start(utid) == TaskRegistry.UNSEEN) {
        before[utid] = sidecar.before.get(tid);
      }
    }
    seen.clear();
    for (int utid = count - 1; utid >= 0; utid--) {
      int tid = tasks.tid(utid);
      boolean last = tid > 0 && sidecar.after.containsKey(tid) && seen.add(tid);
      Sidecar.Task after =
          last && tasks.end(utid) == TaskRegistry.UNSEEN ? sidecar.after.get(tid) : null;
      found[utid] = choose(tasks, utid, before[utid], after);
    }
    return found;
  }

  private Sidecar.Task choose(
      TaskRegistry tasks, int utid, Sidecar.Task before, Sidecar.Task after) {
    Sidecar.Task first = before != null && same(tasks, utid, before, namedBefore) ? before : null;
    Sidecar.Task last = after != null && same(tasks, utid, after, namedAfter) ? after : null;
    if (first == null && last == null) {
      others += before != null || after != null ? 1 : 0;
      return null;
    }
    if (first != null
        && last != null
        && !(Objects.equals(first.affinity(), last.affinity())
            && Objects.equals(first.policy(), last.policy()))) {
      changed++;
    }
    return first != null ? first : last;
  }

  private boolean same(TaskRegistry tasks, int utid, Sidecar.Task task, BitSet sameName) {
    return sameName.get(utid)
        || !named.get(utid)
        || Boolean.TRUE.equals(tasks.isKernel(utid))
        || task.comm().startsWith(WORKER)
        || task.comm().getBytes(StandardCharsets.UTF_8).length > MAX_COMM;
  }

  /** Reports what {@link #match} met. */
  void problems(Consumer<Problem> sink) {
    if (others > 0) {
      sink.accept(
          info(
              "sidecar_other_task",
              others,
              "threads have names in the bundle that they never had in the recording: their"
                  + " numbers were used again, or the bundle is of another recording",
              "Nothing of them was taken from the bundle."));
    }
    if (changed > 0) {
      sink.accept(
          info(
              "sidecar_task_changed",
              changed,
              "threads had another policy or affinity after the recording than before it",
              "What they had before is in the table thread; when it changed is not recorded."));
    }
  }

  static Problem info(String code, long count, String text, String advice) {
    return new Problem(Severity.INFO, code, count, -1, -1, text, advice);
  }
}
