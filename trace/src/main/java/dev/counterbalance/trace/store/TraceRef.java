package dev.counterbalance.trace.store;

/**
 * A trace of a store.
 *
 * @param traceId its number in this store
 * @param name its name in this store
 * @param uuid identifies it across stores
 */
public record TraceRef(int traceId, String name, String uuid) {}
