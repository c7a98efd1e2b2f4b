/** The bundle of trace-record: a recording, and what was written down beside it. */
package dev.counterbalance.ingest.bundle;
