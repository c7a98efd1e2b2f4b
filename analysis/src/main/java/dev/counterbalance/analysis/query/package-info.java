/** Runs SQL on a store, ours and the users', and puts the catalogue before it. */
package dev.counterbalance.analysis.query;
