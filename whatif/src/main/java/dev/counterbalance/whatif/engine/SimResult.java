package dev.counterbalance.whatif.engine;

/**
 * What a run says of itself beside its events.
 *
 * @param endNs when it ended: the horizon, or the last task's exit
 * @param finishedTasks tasks that exited
 * @param startedTasks tasks that started
 * @param events trace events delivered
 * @param workNs work executed by the workload's tasks, ns of a full-speed CPU
 * @param costNs time that went into costs: switches, cache reloads, balance passes
 * @param stuck tasks that wait for an edge that nobody is left to give, once all others exited
 */
public record SimResult(
    long endNs,
    int finishedTasks,
    int startedTasks,
    long events,
    long workNs,
    long costNs,
    int stuck) {}
