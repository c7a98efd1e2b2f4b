package dev.counterbalance.whatif.rule;

import java.util.Locale;

/** Which test ended a load balance attempt (kernel-rules, section 11.3). */
public enum Reason {
  NOT_BALANCER("another CPU of the local group is the one to balance"),
  NO_BUSIEST("no group has more tasks than its capacity, or an imbalance within"),
  LOCAL_GE_BUSIEST("the local group's load is no lower than the busiest group's"),
  LOCAL_GE_AVG("the local group's load is no lower than the domain's average"),
  WITHIN_PCT("the difference is within imbalance_pct"),
  IDLE_DIFF("the busiest group is not overloaded and has about as many idle CPUs"),
  ZERO_AMOUNT("the computed imbalance is zero"),
  NO_QUEUE("no queue of the busiest group can give a task"),
  ALL_PINNED("no task of the busiest queue may run here"),
  ALL_HOT("the tasks of the busiest queue are cache hot"),
  TOO_HEAVY("every task of the busiest queue weighs more than twice the imbalance"),
  RUNNING_ONLY("the busiest queue has only its running task"),
  MOVED("tasks were moved"),
  ACTIVE_STARTED("the running task is pushed by the migration thread");

  /** What it means, in words for a report. */
  public final String words;

  Reason(String words) {
    this.words = words;
  }

  /** The code as it is stored: not_balancer, no_busiest, ... */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
