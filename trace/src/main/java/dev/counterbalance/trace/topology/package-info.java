/** Machines as users write them down: a file, or a spec in one word. */
package dev.counterbalance.trace.topology;
