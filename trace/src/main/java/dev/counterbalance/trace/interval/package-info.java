/** Turns events into slices, waits and runqueue lengths; the only code that owns edge cases. */
package dev.counterbalance.trace.interval;
