/**
 * Line-oriented texts: ftrace, {@code perf script} and {@code trace-cmd report}. One line parser
 * and one decoder of printed fields; the three importers differ in what they claim and how they are
 * called.
 */
package dev.counterbalance.ingest.text;
