/** Runs as traces: what decides one, what it is called, and how it gets into a store. */
package dev.counterbalance.whatif.run;
