/** Carries out many runs at once and puts each into a store, whole or not at all. */
package dev.counterbalance.cli.run;
