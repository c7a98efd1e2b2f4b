/**
 * The commands: one class each, listed in {@link dev.counterbalance.cli.Main}. Nothing else of the
 * project writes to a terminal or ends the process.
 */
package dev.counterbalance.cli;
