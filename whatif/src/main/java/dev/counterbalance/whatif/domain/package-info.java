/** Sched domains, groups and capacities as each kernel generation builds them. */
package dev.counterbalance.whatif.domain;
