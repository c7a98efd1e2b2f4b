/** Trace formats: which there are, how one is chosen, and what they read from. */
package dev.counterbalance.ingest;
