/**
 * The built-in rules: a table of parents and flipped switches, and the algorithms that read them,
 * one class a generation.
 */
package dev.counterbalance.whatif.rules;
