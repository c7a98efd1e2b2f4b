/** Bytes, buffers, temporary files and texts that several formats share. */
package dev.counterbalance.ingest.io;
