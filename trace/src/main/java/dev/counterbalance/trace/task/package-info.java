/** Task identity: names, and one utid per thread lifetime. */
package dev.counterbalance.trace.task;
