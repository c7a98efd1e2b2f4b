package dev.counterbalance.whatif.rtapp;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.rtapp.RtAppKey.Place;
import dev.counterbalance.whatif.rtapp.RtAppKey.Support;
import dev.counterbalance.whatif.workload.WorkloadException;
import java.util.List;
import java.util.Map;

/** The members of one JSON object, of which every one must be known. */
final class Fields {
  /** rt-app keeps its numbers in an int and cuts larger ones. */
  static final long MAX_INT = Integer.MAX_VALUE;

  private final String file;
  private final String context;
  private final JsonValue object;
  private final Map<String, JsonValue> members;

  /**
   * @param context what the object is, for errors: "task a, phase b"; empty for the file itself
   * @param places the kinds of object it may be; with {@link Place#EVENT}, keys may have suffixes;
   *     none if its keys are names
   */
  Fields(String file, String context, JsonValue object, Place... places) {
    this.file = file;
    this.context = context;
    this.object = object;
    members = members(object);
    for (Map.Entry<String, JsonValue> member : members.entrySet()) {
      if (places.length == 0) {
        break;
      }
      check(member.getKey(), member.getValue(), places);
    }
  }

  private void check(String name, JsonValue value, Place... places) {
    RtAppKey known = null;
    for (Place place : places) {
      RtAppKey key = RtAppKey.find(place, name);
      if (key == null && place == Place.EVENT) {
        key = RtAppKey.event(name);
      }
      known = known == null ? key : known;
    }
    if (known == null) {
      throw error(
          value,
          "\""
              + name
              + "\" is not known here (rt-app ignores such keys). Supported: "
              + RtAppKey.known(places)
              + ".");
    }
    if (known.support() == Support.NO) {
      throw error(
          value,
          "\""
              + name
              + "\" cannot be simulated, though rt-app has it. Supported: "
              + RtAppKey.known(places)
              + ".");
    }
  }

  @SuppressWarnings("unchecked") // JsonValue holds no other maps.
  private Map<String, JsonValue> members(JsonValue value) {
    if (value.value() instanceof Map<?, ?> map) {
      return (Map<String, JsonValue>) map;
    }
    throw error(value, "must be an object, not " + value.kind());
  }

  /** Name and value of each member, in the order of the file. */
  Map<String, JsonValue> members() {
    return members;
  }

  String context() {
    return context;
  }

  JsonValue object() {
    return object;
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  /** The member, or null. */
  JsonValue get(String name) {
    return members.get(name);
  }

  /** An object that is a member, or null. */
  Fields object(String name, String itsContext, Place... places) {
    JsonValue value = members.get(name);
    return value == null ? null : new Fields(file, itsContext, value, places);
  }

  long integer(String name, long otherwise, long least, long most) {
    JsonValue value = members.get(name);
    return value == null ? otherwise : integer(name, value, least, most);
  }

  long integer(String name, JsonValue value, long least, long most) {
    if (!(value.value() instanceof Long number)) {
      throw error(value, "\"" + name + "\" must be a whole number, not " + value.kind());
    }
    if (number < least || number > most) {
      throw error(value, "must be within " + least + " to " + most + ": " + name + "=" + number);
    }
    return number;
  }

  /** As {@link #integer(String, long, long, long)}, for loops: at least 1, or -1. */
  long loop(long otherwise) {
    long loop = integer("loop", otherwise, -1, MAX_INT);
    if (loop == 0) {
      throw error(get("loop"), "must be >= 1, or -1 for ever: loop=0");
    }
    return loop;
  }

  String text(String name, String otherwise) {
    JsonValue value = members.get(name);
    return value == null ? otherwise : text(name, value);
  }

  String text(String name, JsonValue value) {
    if (!(value.value() instanceof String text)) {
      throw error(value, "\"" + name + "\" must be a string, not " + value.kind());
    }
    return text;
  }

  /** A text that must be there and not be empty. */
  String required(String name) {
    String text = text(name, "");
    if (text.isEmpty()) {
      throw error(object, "needs \"" + name + "\"");
    }
    return text;
  }

  boolean isTrue(String name) {
    JsonValue value = members.get(name);
    if (value == null) {
      return false;
    }
    if (!(value.value() instanceof Boolean flag)) {
      throw error(value, "\"" + name + "\" must be true or false, not " + value.kind());
    }
    return flag;
  }

  @SuppressWarnings("unchecked") // JsonValue holds no other lists.
  List<JsonValue> array(String name, JsonValue value) {
    if (value.value() instanceof List<?> list) {
      return (List<JsonValue>) list;
    }
    throw error(value, "\"" + name + "\" must be an array, not " + value.kind());
  }

  /** CPUs, at least one, all of the machine. */
  CpuSet cpus(String name, int cpus) {
    JsonValue value = members.get(name);
    List<JsonValue> list = array(name, value);
    if (list.isEmpty()) {
      throw error(value, "\"" + name + "\" must have at least one CPU");
    }
    CpuSet result = new CpuSet(cpus);
    for (JsonValue cpu : list) {
      result.add(cpu(name, cpu, cpus));
    }
    return result;
  }

  int cpu(String name, JsonValue value, int cpus) {
    long cpu = integer(name, value, 0, MAX_INT);
    if (cpu >= cpus) {
      throw error(
          value, "must be a CPU of the machine, 0 to " + (cpus - 1) + ": " + name + "=" + cpu);
    }
    return (int) cpu;
  }

  WorkloadException error(JsonValue at, String message) {
    return new WorkloadException(
        file
            + ":"
            + at.line()
            + ":"
            + at.column()
            + ": "
            + (context.isEmpty() ? "" : context + ": ")
            + message);
  }
}
