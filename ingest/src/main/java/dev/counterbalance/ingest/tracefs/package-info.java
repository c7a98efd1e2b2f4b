/** The event descriptions that the kernel's tracefs gives out and that recordings embed. */
package dev.counterbalance.ingest.tracefs;
