/** Workloads written by hand: rt-app's JSON, and the one entry that also knows the generators. */
package dev.counterbalance.whatif.rtapp;
