package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.store.Column;
import dev.counterbalance.trace.store.TableWriter;
import dev.counterbalance.trace.store.Tables;
import dev.counterbalance.trace.store.TraceImport;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedGroup;
import dev.counterbalance.whatif.engine.DecisionSink;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.Reason;
import dev.counterbalance.whatif.rule.Selection;

/** Writes the table {@code balance_decision}: one row a balance attempt. */
final class DecisionLog implements DecisionSink {
  /** What every rule so far moves; its place in the column's words. */
  private static final int LOAD = 0;

  private final TableWriter rows;
  private final Column.Longs ts;
  private final Column.Ints cpu;
  private final Column.Ints level;
  private final Column.Bytes idleType;
  private final Column.Ints lookedGroup;
  private final Column.Ints busiestGroup;
  private final Column.Bytes migrationType;
  private final Column.Longs amount;
  private final Column.Ints queue;
  private final Column.Ints moved;
  private final Column.Bytes reason;
  private final Column.Ints lookedNr;
  private final Column.Ints lookedCapacity;
  private final Column.Longs lookedLoad;
  private final Column.Bytes lookedImbalanced;
  private final Column.Ints localNr;
  private final Column.Ints localCapacity;
  private final Column.Longs localLoad;
  private final Column.Longs averageLoad;

  DecisionLog(TraceImport trace) {
    rows = trace.table(Tables.BALANCE_DECISION);
    ts = rows.longs("ts");
    cpu = rows.ints("cpu");
    level = rows.ints("level");
    idleType = rows.bytes("idle_type");
    lookedGroup = rows.ints("looked_group");
    busiestGroup = rows.ints("busiest_group");
    migrationType = rows.bytes("migration_type");
    amount = rows.longs("amount");
    queue = rows.ints("queue");
    moved = rows.ints("moved");
    reason = rows.bytes("reason");
    lookedNr = rows.ints("looked_nr");
    lookedCapacity = rows.ints("looked_capacity");
    lookedLoad = rows.longs("looked_load");
    lookedImbalanced = rows.bytes("looked_imbalanced");
    localNr = rows.ints("local_nr");
    localCapacity = rows.ints("local_capacity");
    localLoad = rows.longs("local_load");
    averageLoad = rows.longs("average_load");
  }

  @Override
  public void onDecision(
      long tsNs,
      SchedDomain domain,
      IdleType idle,
      Selection selection,
      int queueCpu,
      int movedTasks,
      Reason why) {
    boolean selected = why != Reason.NOT_BALANCER;
    SchedGroup busiest = selected ? selection.busiest : null;
    SchedGroup looked = selected ? selection.looked : null;
    if (looked == null) {
      looked = busiest;
    }
    boolean compared = looked != null;
    ts.add(tsNs);
    cpu.add(domain.cpu);
    level.add(domain.level);
    idleType.add(idle.ordinal());
    lookedGroup.add(first(looked));
    busiestGroup.add(first(busiest));
    migrationType.add(busiest == null ? Column.NULL_BYTE : LOAD);
    amount.add(busiest == null ? Column.NULL_LONG : selection.amount);
    queue.add(queueCpu < 0 ? Column.NULL_INT : queueCpu);
    moved.add(movedTasks);
    reason.add(why.ordinal());
    lookedNr.add(compared ? selection.busiestNr : Column.NULL_INT);
    lookedCapacity.add(compared ? selection.busiestCapacity : Column.NULL_INT);
    lookedLoad.add(compared ? selection.busiestLoad : Column.NULL_LONG);
    lookedImbalanced.add(compared ? (selection.groupImbalanced ? 1 : 0) : Column.NULL_BYTE);
    localNr.add(selected ? selection.localNr : Column.NULL_INT);
    localCapacity.add(selected ? selection.localCapacity : Column.NULL_INT);
    localLoad.add(selected ? selection.localLoad : Column.NULL_LONG);
    averageLoad.add(
        selected && selection.averageLoad != 0 ? selection.averageLoad : Column.NULL_LONG);
    rows.endRow();
  }

  private static int first(SchedGroup group) {
    return group == null ? Column.NULL_INT : group.cpus[0];
  }
}
