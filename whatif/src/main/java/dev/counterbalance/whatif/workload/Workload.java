package dev.counterbalance.whatif.workload;

import dev.counterbalance.trace.machine.CpuSet;
import java.util.List;

/**
 * A workload: tasks with a program each, semaphores between them, and what happens to the machine
 * from outside. Immutable, shared by all runs; made by {@link WorkloadBuilder}. Tasks, semaphores,
 * timers and operations are dense ids.
 */
public final class Workload {
  /**
   * Something done from outside at a fixed time.
   *
   * @param atNs since the start of the run
   * @param task the task it is done to, -1 for a CPU
   * @param ref mask id (AFFINITY, -1 = every CPU that is not isolated), ordinal of {@link Policy}
   *     (PRIORITY), or CPU
   * @param arg nice or real-time priority for PRIORITY
   */
  public record Action(long atNs, Kind kind, int task, int ref, int arg) {
    /** What is done. */
    public enum Kind {
      AFFINITY,
      PRIORITY,
      CPU_OFF,
      CPU_ON
    }
  }

  private final WorkloadBuilder data;

  Workload(WorkloadBuilder data) {
    this.data = data;
  }

  /** Its name, for run names and reports. */
  public String name() {
    return data.name;
  }

  /** What it shows, in a sentence; empty if nobody said. */
  public String description() {
    return data.description;
  }

  /** How long it is meant to run, in ns; -1 is "until every task has ended". */
  public long durationNs() {
    return data.durationNs;
  }

  /** The least CPUs a machine must have: one more than the highest that is named. */
  public int minCpus() {
    return data.minCpus;
  }

  public int tasks() {
    return data.tasks;
  }

  /** Tasks of one name are told apart by their tid only. */
  public String name(int task) {
    return data.names[task];
  }

  public Policy policy(int task) {
    return data.policies[task];
  }

  /** -20 to 19; kept, without effect, by SCHED_IDLE and real-time tasks. */
  public int nice(int task) {
    return data.nices[task];
  }

  /** 1 to 99 for real-time policies, else 0. */
  public int rtPriority(int task) {
    return data.rtPriorities[task];
  }

  /** Mask id of the initial affinity, -1 is every CPU that is not isolated. */
  public int affinity(int task) {
    return data.affinities[task];
  }

  /** The CPU the task starts on, or -1: the rule's fork placement decides. */
  public int startCpu(int task) {
    return data.startCpus[task];
  }

  /** When the task starts, in ns; -1 if another task forks it. */
  public long startNs(int task) {
    return data.starts[task];
  }

  /** First operation of the task's program. */
  public int firstOp(int task) {
    return data.firstOps[task];
  }

  /** One past the last operation of the task's program. */
  public int endOp(int task) {
    return data.firstOps[task + 1];
  }

  public int ops() {
    return data.ops;
  }

  public OpKind kind(int op) {
    return data.kinds[op];
  }

  public long arg(int op) {
    return data.args[op];
  }

  public int ref(int op) {
    return data.refs[op];
  }

  public int semaphores() {
    return data.semaphores;
  }

  /** Tokens at the start. */
  public int initialTokens(int semaphore) {
    return data.tokens[semaphore];
  }

  public int timers() {
    return data.timers;
  }

  public CpuSet mask(int mask) {
    return data.masks.get(mask);
  }

  public int masks() {
    return data.masks.size();
  }

  /** In order of time. */
  public List<Action> actions() {
    return data.actions;
  }
}
