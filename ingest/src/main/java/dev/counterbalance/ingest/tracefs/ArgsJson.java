package dev.counterbalance.ingest.tracefs;

import dev.counterbalance.ingest.io.Json;
import java.nio.charset.StandardCharsets;

/** Writes the fields of any event as one JSON object: numbers as numbers, text as strings. */
public final class ArgsJson {
  private static final int MAX_ELEMENTS = 1024;

  private ArgsJson() {}

  /**
   * The own fields of an event; common fields are left out.
   *
   * @param start where the event begins in the bytes
   * @param length size of the event in bytes; fields beyond it are left out
   */
  public static String of(EventFormat format, byte[] bytes, int start, int length) {
    Json json = new Json();
    for (Field field : format.fields()) {
      if (!field.isCommon() && field.offset() + field.size() <= length) {
        add(json, field, bytes, start, length);
      }
    }
    return json.end();
  }

  private static void add(Json json, Field field, byte[] bytes, int start, int length) {
    int at = start + field.offset();
    switch (field.kind()) {
      case NUMBER -> {
        json.raw(field.name(), number(bytes, at, field.size(), field.signed(), field));
      }
      case TEXT -> {
        json.string(field.name(), text(bytes, at, field.size()));
      }
      case ARRAY -> {
        json.raw(
            field.name(), array(bytes, at, field.size(), field.elements(), field.signed(), field));
      }
      default -> {
        dynamic(json, field, bytes, start, length);
      }
    }
  }

  private static void dynamic(Json json, Field field, byte[] bytes, int start, int length) {
    boolean relative = field.kind() == Field.Kind.REL_LOC;
    long range = Payload.dynamic(bytes, start, length, field.offset(), relative, field.bigEndian());
    int at = start + (int) (range >>> 32);
    int size = (int) range;
    if (field.isDynamicText()) {
      json.string(field.name(), text(bytes, at, size));
    } else {
      json.raw(field.name(), array(bytes, at, size, elements(field.type(), size), false, field));
    }
  }

  private static int elements(String type, int size) {
    int width = 1;
    if (type.contains("long") || type.contains("64") || type.contains("cpumask")) {
      width = 8;
    } else if (type.contains("int") || type.contains("32")) {
      width = 4;
    } else if (type.contains("short") || type.contains("16")) {
      width = 2;
    }
    return size % width == 0 ? size / width : size;
  }

  private static String array(
      byte[] bytes, int at, int size, int elements, boolean signed, Field field) {
    int width = elements == 0 ? 0 : size / elements;
    boolean whole = width == 1 || width == 2 || width == 4 || width == 8;
    int step = whole ? width : 1;
    int count = Math.min(size / step, MAX_ELEMENTS);
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",").append(number(bytes, at + i * step, step, signed, field));
    }
    return text.append(']').toString();
  }

  private static String number(byte[] bytes, int at, int size, boolean signed, Field field) {
    long value = Payload.number(bytes, at, Payload.element(size, signed, field.bigEndian()));
    return signed ? Long.toString(value) : Long.toUnsignedString(value);
  }

  private static String text(byte[] bytes, int at, int size) {
    int n = 0;
    while (n < size && bytes[at + n] != 0) {
      n++;
    }
    String utf8 = new String(bytes, at, n, StandardCharsets.UTF_8);
    return utf8.indexOf('\uFFFD') < 0
        ? utf8
        : new String(bytes, at, n, StandardCharsets.ISO_8859_1);
  }
}
