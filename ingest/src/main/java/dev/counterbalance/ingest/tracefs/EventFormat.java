package dev.counterbalance.ingest.tracefs;

import java.util.List;

/**
 * How the kernel lays out one tracepoint's events. Offsets differ between kernels and even change
 * their nature (a fixed comm became dynamic), so that they are never assumed.
 *
 * @param system e.g. {@code sched}
 * @param name e.g. {@code sched_switch}
 * @param id the {@code common_type} of its events; per boot, never to be compared across files
 * @param fields in the order of the text, common fields first
 * @param printFormat what follows {@code print fmt:}, empty if there is none
 */
public record EventFormat(
    String system, String name, int id, List<Field> fields, String printFormat) {

  public EventFormat {
    fields = List.copyOf(fields);
  }

  /** The field of that name, null if the event has none. */
  public Field field(String fieldName) {
    for (Field field : fields) {
      if (field.name().equals(fieldName)) {
        return field;
      }
    }
    return null;
  }

  /** Names of the fields that are not common to all events. */
  public List<String> ownFields() {
    return fields.stream().filter(f -> !f.isCommon()).map(Field::name).toList();
  }

  /** The name with its system, e.g. {@code sched:sched_switch}. */
  public String fullName() {
    return system + ":" + name;
  }
}
