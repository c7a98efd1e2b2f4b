/**
 * perf.data as {@code perf record} writes it: a header walk that finds the sorted runs of every
 * CPU, then one merge over them.
 */
package dev.counterbalance.ingest.perfdata;
