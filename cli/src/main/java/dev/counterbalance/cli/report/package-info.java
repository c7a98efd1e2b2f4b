/** The report on one trace: which figures it shows, and how they are laid out. */
package dev.counterbalance.cli.report;
