/**
 * Queries on a store and their rows: the only part of the commands that knows JDBC. What the
 * figures mean is the catalogue's business.
 */
package dev.counterbalance.cli.sql;
