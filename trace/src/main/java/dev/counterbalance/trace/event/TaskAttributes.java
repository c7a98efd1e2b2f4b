package dev.counterbalance.trace.event;

import dev.counterbalance.trace.machine.CpuSet;

/**
 * What is known of a task beside its events.
 *
 * @param policy scheduling policy by its name without SCHED_, lower case: normal, batch, idle, ...
 * @param nice nice value; ignored for real-time policies
 * @param weight CFS weight, 0 where the policy has none
 * @param affinity CPUs it may use
 * @param affinitySource how the affinity is known
 */
public record TaskAttributes(
    String policy, int nice, int weight, CpuSet affinity, String affinitySource) {}
