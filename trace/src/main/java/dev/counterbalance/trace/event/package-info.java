/** The scheduler events of a trace, as every importer and the simulator deliver them. */
package dev.counterbalance.trace.event;
