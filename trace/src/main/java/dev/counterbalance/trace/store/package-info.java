/** The store: schema as data, columnar writing, opening with pinned options. */
package dev.counterbalance.trace.store;
