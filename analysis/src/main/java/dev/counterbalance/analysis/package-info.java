/** The SQL catalogue: what a trace can be asked, as table macros and views in the store. */
package dev.counterbalance.analysis;
