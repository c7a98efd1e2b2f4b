package dev.counterbalance.whatif.rtapp;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rtapp.RtAppFile.Action;
import dev.counterbalance.whatif.rtapp.RtAppFile.Event;
import dev.counterbalance.whatif.rtapp.RtAppFile.Phase;
import dev.counterbalance.whatif.rtapp.RtAppFile.Task;
import dev.counterbalance.whatif.rtapp.RtAppKey.Place;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes an {@link RtAppFile} of JSON. */
final class RtAppParser {
  private final String file;
  private final int cpus;
  private Policy defaultPolicy = Policy.NORMAL;

  RtAppParser(String file, int cpus) {
    this.file = file;
    this.cpus = cpus;
  }

  RtAppFile parse(JsonValue json, String defaultName) {
    Fields root = new Fields(file, "", json, Place.FILE);
    long duration = -1;
    Fields global = root.object("global", "global", Place.GLOBAL);
    if (global != null) {
      duration = global.integer("duration", -1, -1, Fields.MAX_INT);
      if (duration == 0) {
        throw global.error(global.get("duration"), "must be >= 1, or -1 for ever: duration=0");
      }
      if (global.isTrue("pi_enabled")) {
        throw global.error(
            global.get("pi_enabled"), "priority inheritance cannot be simulated: pi_enabled=true");
      }
      if (global.has("default_policy")) {
        defaultPolicy = policy(global, "default_policy");
      }
    }
    Map<String, Task> tasks = new LinkedHashMap<>();
    Fields all = root.has("tasks") ? tasks(root) : null;
    if (all == null || all.members().isEmpty()) {
      throw root.error(json, "needs \"tasks\", an object with at least one task");
    }
    all.members().forEach((name, value) -> tasks.put(name, task(name, value)));
    Fields ours = root.object("counterbalance", "counterbalance", Place.OUR_FILE);
    String name = ours == null ? defaultName : ours.text("name", defaultName);
    String description = ours == null ? "" : ours.text("description", "");
    return new RtAppFile(name, description, duration, tasks, actions(ours, tasks));
  }

  /** The names of tasks are free, so this object is looked at by hand. */
  private Fields tasks(Fields root) {
    return new Fields(file, "tasks", root.get("tasks"));
  }

  private Task task(String name, JsonValue value) {
    String context = "task " + name;
    JsonValue phasesValue = value.value() instanceof Map<?, ?> map ? phasesOf(map) : null;
    Fields fields =
        phasesValue == null
            ? new Fields(file, context, value, Place.TASK, Place.EVENT)
            : new Fields(file, context, value, Place.TASK);
    if (name.isEmpty() || name.length() > 64) {
      throw fields.error(value, "a task's name must have 1 to 64 characters");
    }
    int instances = (int) fields.integer("instance", 1, 0, WorkloadBuilder.MAX_TASKS);
    Policy policy = fields.has("policy") ? policy(fields, "policy") : defaultPolicy;
    int priority = priority(fields, policy);
    CpuSet affinity = fields.has("cpus") ? fields.cpus("cpus", cpus) : null;
    long delay = fields.integer("delay", 0, 0, Fields.MAX_INT);
    List<Phase> phases = new ArrayList<>();
    long loop = fields.loop(-1);
    if (phasesValue == null) {
      phases.add(phase(fields, null, 1));
    } else {
      Fields all = new Fields(file, context + ", phases", phasesValue);
      all.members()
          .forEach(
              (phaseName, phaseValue) -> {
                String itsContext = context + ", phase " + phaseName;
                Fields itsFields =
                    new Fields(file, itsContext, phaseValue, Place.PHASE, Place.EVENT);
                CpuSet itsCpus = itsFields.has("cpus") ? itsFields.cpus("cpus", cpus) : null;
                phases.add(phase(itsFields, itsCpus, itsFields.loop(1)));
              });
      if (phases.isEmpty()) {
        throw all.error(phasesValue, "must have at least one phase");
      }
    }
    return new Task(
        name,
        instances,
        policy,
        priority,
        affinity,
        delay,
        loop,
        phases,
        startCpus(fields, instances),
        fields);
  }

  private static JsonValue phasesOf(Map<?, ?> task) {
    return task.get("phases") instanceof JsonValue value ? value : null;
  }

  private List<Integer> startCpus(Fields task, int instances) {
    Fields ours = task.object("counterbalance", task.context(), Place.OUR_TASK);
    JsonValue value = ours == null ? null : ours.get("start_cpu");
    if (value == null) {
      return Collections.nCopies(instances, -1);
    }
    if (!(value.value() instanceof List)) {
      return Collections.nCopies(instances, ours.cpu("start_cpu", value, cpus));
    }
    List<JsonValue> list = ours.array("start_cpu", value);
    if (list.size() != instances) {
      throw ours.error(
          value,
          "must have a CPU for each of "
              + instances
              + " instances: start_cpu has "
              + list.size()
              + " elements");
    }
    List<Integer> result = new ArrayList<>();
    for (JsonValue cpu : list) {
      result.add(ours.cpu("start_cpu", cpu, cpus));
    }
    return result;
  }

  private static Policy policy(Fields fields, String name) {
    String text = fields.text(name, "");
    return switch (text) {
      case "SCHED_OTHER" -> Policy.NORMAL;
      case "SCHED_BATCH" -> Policy.BATCH;
      case "SCHED_IDLE" -> Policy.IDLE;
      case "SCHED_FIFO" -> Policy.FIFO;
      case "SCHED_RR" -> Policy.RR;
      default ->
          throw fields.error(
              fields.get(name),
              "must be SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_FIFO or SCHED_RR: "
                  + name
                  + "="
                  + text);
    };
  }

  private static int priority(Fields fields, Policy policy) {
    return (int)
        (policy.isRealtime()
            ? fields.integer("priority", 10, 1, 99)
            : fields.integer("priority", 0, -20, 19));
  }

  private Phase phase(Fields fields, CpuSet affinity, long loop) {
    List<Event> events = new ArrayList<>();
    fields
        .members()
        .forEach(
            (key, value) -> {
              if (RtAppKey.find(Place.TASK, key) == null) {
                RtAppKey event = RtAppKey.event(key);
                if (event != null) {
                  events.add(event(fields, event.name(), key, value));
                }
              }
            });
    if (events.isEmpty()) {
      throw fields.error(
          fields.object(), "needs at least one event: " + RtAppKey.known(Place.EVENT));
    }
    return new Phase(affinity, loop, events, fields);
  }

  private Event event(Fields fields, String name, String key, JsonValue value) {
    switch (name) {
      case "run", "runtime", "sleep" -> {
        long us = fields.integer(key, value, 0, Fields.MAX_INT);
        return new Event(name, us, "", "", false, value);
      }
      case "timer" -> {
        Fields timer = new Fields(file, fields.context() + ", " + key, value, Place.TIMER);
        String mode = timer.text("mode", "relative");
        if (!mode.equals("relative") && !mode.equals("absolute")) {
          throw timer.error(timer.get("mode"), "must be relative or absolute: mode=" + mode);
        }
        String ref = timer.required("ref");
        if (!timer.has("period")) {
          throw timer.error(value, "needs \"period\"");
        }
        long us = timer.integer("period", 0, 0, Fields.MAX_INT);
        return new Event(name, us, ref, "", mode.equals("absolute"), value);
      }
      case "wait", "sync" -> {
        Fields wait = new Fields(file, fields.context() + ", " + key, value, Place.WAIT);
        return new Event(name, 0, wait.required("ref"), wait.required("mutex"), false, value);
      }
      case "yield" -> {
        return new Event(name, 0, "", "", false, value);
      }
      default -> {
        String ref = fields.text(key, value);
        if (ref.isEmpty() && !name.equals("suspend")) {
          throw fields.error(value, "\"" + key + "\" must name something");
        }
        return new Event(name, 0, ref, "", false, value);
      }
    }
  }

  private List<Action> actions(Fields ours, Map<String, Task> tasks) {
    List<Action> actions = new ArrayList<>();
    if (ours == null || !ours.has("actions")) {
      return actions;
    }
    int number = 0;
    for (JsonValue value : ours.array("actions", ours.get("actions"))) {
      String context = "counterbalance, action " + number++;
      actions.add(action(new Fields(file, context, value, Place.ACTION), value, tasks));
    }
    return actions;
  }

  private Action action(Fields fields, JsonValue value, Map<String, Task> tasks) {
    if (!fields.has("at")) {
      throw fields.error(value, "needs \"at\"");
    }
    long at = fields.integer("at", 0, 0, Fields.MAX_INT);
    int off = fields.has("cpu_off") ? fields.cpu("cpu_off", fields.get("cpu_off"), cpus) : -1;
    int on = fields.has("cpu_on") ? fields.cpu("cpu_on", fields.get("cpu_on"), cpus) : -1;
    boolean priority = fields.has("priority") || fields.has("policy");
    int kinds = (off >= 0 ? 1 : 0) + (on >= 0 ? 1 : 0) + (fields.has("cpus") ? 1 : 0);
    if (kinds + (priority ? 1 : 0) != 1) {
      throw fields.error(value, "must be one of cpus, policy and priority, cpu_off, cpu_on");
    }
    boolean ofTask = off < 0 && on < 0;
    if (ofTask != fields.has("task")) {
      throw fields.error(value, ofTask ? "needs \"task\"" : "is of a CPU: must not name a task");
    }
    Task task = null;
    if (ofTask) {
      String name = fields.text("task", "");
      task = tasks.get(name);
      if (task == null) {
        throw fields.error(
            fields.get("task"),
            (tasks.size() > 20
                    ? "must be a task of the file"
                    : "must be one of " + String.join(", ", tasks.keySet()))
                + ": task="
                + name);
      }
    }
    CpuSet affinity = null;
    if (fields.has("cpus") && !"all".equals(fields.get("cpus").value())) {
      affinity = fields.cpus("cpus", cpus);
    }
    Policy policy = null;
    int itsPriority = 0;
    if (priority) {
      policy = fields.has("policy") ? policy(fields, "policy") : task.policy();
      itsPriority = priority(fields, policy);
    }
    return new Action(at, task, affinity, policy, itsPriority, off, on);
  }
}
