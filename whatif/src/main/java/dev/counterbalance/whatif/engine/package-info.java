/** The simulator: discrete events in integer ns, one instance a run, the same result every time. */
package dev.counterbalance.whatif.engine;
