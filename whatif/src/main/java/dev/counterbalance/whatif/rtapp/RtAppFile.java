package dev.counterbalance.whatif.rtapp;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.workload.Policy;
import java.util.List;
import java.util.Map;

/**
 * What an rt-app file says, checked as far as single values go.
 *
 * @param durationS seconds, -1 is for ever
 * @param tasks by name, in the order of the file
 */
record RtAppFile(
    String name,
    String description,
    long durationS,
    Map<String, Task> tasks,
    List<Action> actions) {

  /**
   * A task object.
   *
   * @param cpus affinity, null is every CPU
   * @param loop times through all phases, -1 is for ever
   * @param startCpus one for each instance, -1: the rule decides
   */
  record Task(
      String name,
      int instances,
      Policy policy,
      int priority,
      CpuSet cpus,
      long delayUs,
      long loop,
      List<Phase> phases,
      List<Integer> startCpus,
      Fields fields) {

    boolean has(String event) {
      return phases.stream().anyMatch(phase -> phase.has(event));
    }
  }

  /**
   * A phase.
   *
   * @param cpus affinity, null: as the task
   * @param loop times through the events, -1 is for ever
   */
  record Phase(CpuSet cpus, long loop, List<Event> events, Fields fields) {
    boolean has(String event) {
      return events.stream().anyMatch(e -> e.name.equals(event));
    }
  }

  /**
   * An event.
   *
   * @param name without its suffix
   * @param us duration or period
   * @param ref what it names: mutex, condition, timer, barrier, task
   * @param mutex of wait and sync
   * @param absolute of a timer
   */
  record Event(String name, long us, String ref, String mutex, boolean absolute, JsonValue at) {}

  /**
   * Something done from outside; {@code cpus} null with neither policy nor CPU is "every CPU".
   *
   * @param cpuOff the CPU to take off line, or -1
   * @param cpuOn the CPU to bring back, or -1
   */
  record Action(
      long atUs, Task task, CpuSet cpus, Policy policy, int priority, int cpuOff, int cpuOn) {}
}
