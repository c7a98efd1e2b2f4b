/**
 * The pages of the kernel's trace ring buffer, which several formats hold: decoding, survey, merge
 * and delivery.
 */
package dev.counterbalance.ingest.ring;
