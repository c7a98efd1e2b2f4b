/** The format trace.dat of trace-cmd, versions 6 and 7. */
package dev.counterbalance.ingest.tracedat;
