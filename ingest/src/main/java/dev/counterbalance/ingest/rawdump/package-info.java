/** Raw pages of the trace ring buffer, as copied from tracefs {@code trace_pipe_raw}. */
package dev.counterbalance.ingest.rawdump;
