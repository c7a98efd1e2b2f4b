package dev.counterbalance.whatif.engine;

import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.rule.Selection;

/** Receives every load balance attempt of a run. */
@FunctionalInterface
public interface DecisionSink {
  /** Keeps nothing. */
  DecisionSink NONE = (tsNs, domain, idle, selection, queue, moved, reason) -> {};

  /**
   * One attempt has ended.
   *
   * @param selection what was found and looked at; reused, copy what is kept
   * @param queue the CPU to pull from, or -1
   * @param moved tasks pulled
   * @param reason what ended it
   */
  void onDecision(
      long tsNs,
      SchedDomain domain,
      IdleType idle,
      Selection selection,
      int queue,
      int moved,
      Reason reason);
}
