package dev.counterbalance.trace.event;

import java.util.Map;

/**
 * What makes a trace a simulated one.
 *
 * @param rule the balancer rule
 * @param params its switches, tunables and modes, as a JSON object
 * @param seed its seed
 * @param parentTraceId the trace of the same store that it replays, -1 if none
 * @param given what the user chose, for the table {@code trace_fact}
 * @param derived what follows from that, for the table {@code trace_fact}
 * @param tasks the workload's tasks by tid; every other task is a kernel thread
 */
public record SimulatedRun(
    String rule,
    String params,
    long seed,
    int parentTraceId,
    Map<String, String> given,
    Map<String, String> derived,
    Map<Integer, TaskAttributes> tasks) {}
