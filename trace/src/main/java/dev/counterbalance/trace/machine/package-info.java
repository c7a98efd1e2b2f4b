/** The machine a trace was recorded on: CPUs, caches, nodes. */
package dev.counterbalance.trace.machine;
