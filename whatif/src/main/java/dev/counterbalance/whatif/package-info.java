/**
 * The what-if engine: sched domains, workloads, simulator and rules. Nothing is here yet; design
 * and order of work are in {@code docs/architecture.md}.
 */
package dev.counterbalance.whatif;
