package dev.counterbalance.ingest.tracefs;

/**
 * One field of an event, as its format text declares it.
 *
 * @param name the declared name
 * @param type the declaration without name and array length
 * @param offset bytes from the start of the event ({@code common_type})
 * @param size bytes in the event; what is read, whatever the type says
 * @param signed true if numbers extend their sign
 * @param kind how the bytes are meant
 * @param elements how many elements an array has, 1 for anything else
 * @param bigEndian byte order of its numbers, that of the recorded machine
 */
public record Field(
    String name,
    String type,
    int offset,
    int size,
    boolean signed,
    Kind kind,
    int elements,
    boolean bigEndian) {

  /** How the bytes of a field are meant. */
  public enum Kind {
    /** A number of 1, 2, 4 or 8 bytes, pointers and enums included. */
    NUMBER,
    /** Characters up to a NUL or the end of the field. */
    TEXT,
    /** Numbers of equal size. */
    ARRAY,
    /** {@code __data_loc}: 4 bytes, offset from the event's start and length. */
    DATA_LOC,
    /** {@code __rel_loc}: 4 bytes, offset from the end of the field and length. */
    REL_LOC
  }

  /** True for the fields that every event begins with. */
  public boolean isCommon() {
    return name.startsWith("common_");
  }

  /** True if the dynamic data of the field is text. */
  public boolean isDynamicText() {
    return type.contains("char");
  }
}
