/** What a rule is: switches, tunables, and the read-only views and decisions of its algorithms. */
package dev.counterbalance.whatif.rule;
