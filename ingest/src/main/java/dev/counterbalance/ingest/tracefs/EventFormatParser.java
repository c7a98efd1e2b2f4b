package dev.counterbalance.ingest.tracefs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads the text of a tracefs {@code format} file: name, ID, one line per field with declaration,
 * offset, size and (since 2.6.3x) sign, and the print format. Lines it does not know are skipped.
 */
public final class EventFormatParser {
  private static final int MAX_OFFSET = 0xffff;
  private static final Set<String> SIGNED_TYPES =
      Set.of(
          "char",
          "signed char",
          "short",
          "int",
          "long",
          "long long",
          "pid_t",
          "s8",
          "s16",
          "s32",
          "s64",
          "__s8",
          "__s16",
          "__s32",
          "__s64",
          "ssize_t",
          "loff_t",
          "clockid_t");

  private EventFormatParser() {}

  /**
   * Reads one format.
   *
   * @param system the system the event belongs to; the text does not tell
   * @param bigEndian byte order of the recorded machine, which the text does not tell either
   * @throws IllegalArgumentException if name or ID is missing or a field makes no sense
   */
  public static EventFormat parse(String system, String text, boolean bigEndian) {
    String name = null;
    int id = -1;
    String printFormat = "";
    List<Field> fields = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      String trimmed = line.strip();
      if (trimmed.startsWith("name:")) {
        name = trimmed.substring(5).strip();
      } else if (trimmed.startsWith("ID:")) {
        id = number(trimmed.substring(3).strip(), "ID");
      } else if (trimmed.startsWith("field:") || trimmed.startsWith("field special:")) {
        fields.add(field(trimmed.substring(trimmed.indexOf(':') + 1), bigEndian));
      } else if (trimmed.startsWith("print fmt:")) {
        printFormat = trimmed.substring(10).strip();
      }
    }
    if (name == null || name.isEmpty() || id < 0) {
      throw new IllegalArgumentException("must have a name and an ID: event=" + name);
    }
    return new EventFormat(system, name, id, fields, printFormat);
  }

  private static Field field(String text, boolean bigEndian) {
    String[] parts = text.split(";", -1);
    int offset = -1;
    int size = -1;
    int sign = -1;
    for (int i = 1; i < parts.length; i++) {
      String part = parts[i].strip();
      if (part.startsWith("offset:")) {
        offset = number(part.substring(7), "offset");
      } else if (part.startsWith("size:")) {
        size = number(part.substring(5), "size");
      } else if (part.startsWith("signed:")) {
        sign = number(part.substring(7), "signed");
      }
    }
    if (offset < 0 || size < 0 || offset + size > MAX_OFFSET) {
      throw new IllegalArgumentException("must have an offset and a size: field=" + text);
    }
    return declared(parts[0].strip(), offset, size, sign, bigEndian);
  }

  private static Field declared(
      String declaration, int offset, int size, int sign, boolean bigEndian) {
    String text = withoutAttributes(declaration);
    int bracket = text.endsWith("]") ? text.lastIndexOf('[') : -1;
    String beforeArray = bracket < 0 ? text : text.substring(0, bracket).stripTrailing();
    int start = beforeArray.length();
    while (start > 0 && Character.isJavaIdentifierPart(beforeArray.charAt(start - 1))) {
      start--;
    }
    String name = beforeArray.substring(start);
    String type = beforeArray.substring(0, start).strip();
    if (name.isEmpty()) {
      throw new IllegalArgumentException("must have a name: field=" + declaration);
    }
    boolean signed = sign < 0 ? SIGNED_TYPES.contains(type) : sign > 0;
    if (type.startsWith("__data_loc") || type.startsWith("__rel_loc")) {
      Field.Kind kind = type.startsWith("__data_loc") ? Field.Kind.DATA_LOC : Field.Kind.REL_LOC;
      return new Field(
          name, type, offset, size, signed, size == 4 ? kind : Field.Kind.ARRAY, 1, bigEndian);
    }
    return plain(
        name,
        type,
        bracket < 0 ? null : text.substring(bracket + 1),
        offset,
        size,
        signed,
        bigEndian);
  }

  private static Field plain(
      String name,
      String type,
      String array,
      int offset,
      int size,
      boolean signed,
      boolean bigEndian) {
    boolean isArray = array != null || (size != 1 && size != 2 && size != 4 && size != 8);
    if (!isArray) {
      return new Field(name, type, offset, size, signed, Field.Kind.NUMBER, 1, bigEndian);
    }
    if (type.endsWith("char")) {
      return new Field(name, type, offset, size, signed, Field.Kind.TEXT, size, bigEndian);
    }
    int elements = size;
    String length = array == null ? "" : array.substring(0, array.length() - 1).strip();
    if (!length.isEmpty() && length.chars().allMatch(Character::isDigit) && length.length() < 6) {
      elements = Integer.parseInt(length);
    }
    return new Field(
        name,
        type,
        offset,
        size,
        signed,
        Field.Kind.ARRAY,
        Math.max(1, Math.min(elements, size)),
        bigEndian);
  }

  private static String withoutAttributes(String declaration) {
    int attribute = declaration.indexOf("__attribute__");
    return attribute < 0 ? declaration : declaration.substring(0, attribute).stripTrailing();
  }

  private static int number(String text, String what) {
    String digits = text.strip();
    if (digits.isEmpty() || digits.length() > 9 || !digits.chars().allMatch(Character::isDigit)) {
      throw new IllegalArgumentException("must be a number: " + what + "=" + text);
    }
    return Integer.parseInt(digits);
  }
}
