/** What is to be run: tasks, their operations, and the edges between them. */
package dev.counterbalance.whatif.workload;
