package dev.counterbalance.whatif.run;

import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Workloads and machines as texts that are equal exactly if they are. */
public final class CanonicalText {
  private CanonicalText() {}

  /** SHA-256 of all that a workload says, its own name left out. */
  public static String hash(Workload workload) {
    MessageDigest digest = digest();
    StringBuilder line = new StringBuilder();
    for (int task = 0; task < workload.tasks(); task++) {
      line.append("task ").append(workload.name(task).length()).append(' ');
      line.append(workload.name(task)).append(' ').append(workload.policy(task));
      line.append(' ').append(workload.nice(task)).append(' ').append(workload.rtPriority(task));
      line.append(' ').append(workload.affinity(task)).append(' ').append(workload.startCpu(task));
      line.append(' ').append(workload.startNs(task)).append('\n');
      for (int op = workload.firstOp(task); op < workload.endOp(task); op++) {
        line.append(workload.kind(op)).append(' ').append(workload.arg(op));
        line.append(' ').append(workload.ref(op)).append('\n');
      }
      update(digest, line);
    }
    for (int semaphore = 0; semaphore < workload.semaphores(); semaphore++) {
      line.append("semaphore ").append(workload.initialTokens(semaphore)).append('\n');
    }
    for (int mask = 0; mask < workload.masks(); mask++) {
      line.append("mask ").append(workload.mask(mask)).append('\n');
    }
    for (Workload.Action action : workload.actions()) {
      line.append("action ").append(action.atNs()).append(' ').append(action.kind());
      line.append(' ').append(action.task()).append(' ').append(action.ref());
      line.append(' ').append(action.arg()).append('\n');
    }
    line.append("timers ").append(workload.timers()).append('\n');
    update(digest, line);
    return HexFormat.of().formatHex(digest.digest());
  }

  /** A machine, one CPU a line. */
  static String of(Machine machine) {
    StringBuilder text = new StringBuilder();
    for (Machine.Cpu cpu : machine.cpus()) {
      text.append("cpu ").append(cpu.cpu).append(" core ").append(cpu.coreId);
      text.append(" cluster ").append(cpu.clusterId).append(" die ").append(cpu.dieId);
      text.append(" package ").append(cpu.packageId).append(" node ").append(cpu.nodeId);
      text.append(" llc ").append(cpu.llcId).append(" capacity ").append(cpu.capacity);
      text.append(cpu.online ? "" : " offline").append(cpu.isolated ? " isolated" : "");
      text.append('\n');
    }
    for (Machine.Distance d : machine.distances()) {
      text.append("distance ").append(d.fromNode()).append(' ').append(d.toNode());
      text.append(' ').append(d.distance()).append('\n');
    }
    return text.toString();
  }

  static String sha256(String text) {
    MessageDigest digest = digest();
    return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void update(MessageDigest digest, StringBuilder text) {
    digest.update(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
