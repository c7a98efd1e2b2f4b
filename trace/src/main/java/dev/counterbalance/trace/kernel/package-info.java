/** Kernel facts that several modules need, each with its source. */
package dev.counterbalance.trace.kernel;
