package dev.counterbalance.trace.event;

/** Hard interrupts ({@code irq_handler_*}) and soft interrupts ({@code softirq_*}). */
public enum IrqKind {
  HARD,
  SOFT
}
