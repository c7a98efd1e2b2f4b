package dev.counterbalance.whatif.workload;

import java.util.Arrays;

/**
 * Hackbench over pipes, as its option --pipe has it: a parent forks all tasks, waits until each has
 * said that it is ready, lets all go and waits for their ends. Each sender writes its messages to
 * every receiver of its group in turn. A writer waits while the pipe is full; a reader lets writers
 * in when it has emptied a page (fs/pipe.c). Both are sync wakeups.
 */
final class Hackbench {
  private Hackbench() {}

  static void build(WorkloadBuilder builder, Generators.Values values) {
    int groups = values.count("groups");
    int fds = values.count("fds");
    int batch = values.count("batch");
    if (batch > values.count("capacity")) {
      throw new WorkloadException(
          "must be <= capacity, or writers would wait for ever: batch=" + batch);
    }
    long tasks = 2L * groups * fds;
    if (tasks + 1 > WorkloadBuilder.MAX_TASKS) {
      throw new WorkloadException(
          "must be <= " + WorkloadBuilder.MAX_TASKS + ": tasks=" + (tasks + 1));
    }
    long opsOfSenders = (long) fds * (3L * fds + 4);
    long opsOfReceivers = (long) fds * (batch + 10L);
    if (groups * (opsOfSenders + opsOfReceivers) > WorkloadBuilder.MAX_OPS - 2 * tasks - 7) {
      throw new WorkloadException(
          "needs more operations than "
              + WorkloadBuilder.MAX_OPS
              + ": groups="
              + groups
              + ", fds="
              + fds);
    }
    int ready = builder.semaphore(0);
    int go = builder.semaphore(0);
    int done = builder.semaphore(0);
    parent(builder, values, (int) tasks, ready, go, done);
    for (int group = 0; group < groups; group++) {
      int[] data = new int[fds];
      int[] space = new int[fds];
      Arrays.setAll(data, receiver -> builder.semaphore(0));
      Arrays.setAll(space, receiver -> builder.semaphore(values.count("capacity")));
      for (int receiver = 0; receiver < fds; receiver++) {
        begin(builder, "receiver", ready, go);
        receive(builder, values, data[receiver], space[receiver]);
        builder.op(OpKind.SIGNAL, 0, done);
      }
      for (int sender = 0; sender < fds; sender++) {
        begin(builder, "sender", ready, go);
        send(builder, values, data, space);
        builder.op(OpKind.SIGNAL, 0, done);
      }
    }
  }

  private static void parent(
      WorkloadBuilder builder, Generators.Values values, int tasks, int ready, int go, int done) {
    builder.task("hackbench");
    for (int task = 1; task <= tasks; task++) {
      builder.run(values.number("fork"));
      builder.op(OpKind.FORK, 0, task);
    }
    int first = builder.op(OpKind.WAIT, 0, ready);
    builder.loop(first, tasks);
    first = builder.run(values.number("wake"));
    builder.op(OpKind.SIGNAL, 0, go);
    builder.loop(first, tasks);
    first = builder.op(OpKind.WAIT, 0, done);
    builder.loop(first, tasks);
  }

  private static void begin(WorkloadBuilder builder, String name, int ready, int go) {
    builder.task(name);
    builder.startNs(-1);
    builder.op(OpKind.SIGNAL, 0, ready);
    builder.op(OpKind.WAIT, 0, go);
  }

  private static void send(
      WorkloadBuilder builder, Generators.Values values, int[] data, int[] space) {
    int first = builder.ops;
    for (int receiver = 0; receiver < data.length; receiver++) {
      builder.op(OpKind.WAIT, 0, space[receiver]);
      builder.run(values.number("write"));
      builder.op(OpKind.SIGNAL_SYNC, 0, data[receiver]);
    }
    builder.loop(first, values.number("loops"));
  }

  private static void receive(
      WorkloadBuilder builder, Generators.Values values, int data, int space) {
    long messages = values.number("fds") * values.number("loops");
    int batch = values.count("batch");
    if (messages >= batch) {
      int page = builder.op(OpKind.WAIT, 0, data);
      builder.run(values.number("read"));
      builder.loop(page, batch);
      for (int i = 0; i < batch; i++) {
        builder.op(OpKind.SIGNAL_SYNC, 0, space);
      }
      builder.loop(page, messages / batch);
    }
    if (messages % batch > 0) {
      int rest = builder.op(OpKind.WAIT, 0, data);
      builder.run(values.number("read"));
      builder.loop(rest, messages % batch);
    }
  }
}
