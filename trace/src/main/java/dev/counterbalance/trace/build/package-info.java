/**
 * Joins events, tasks, intervals and store: turns one trace's events into the rows of its tables.
 */
package dev.counterbalance.trace.build;
