package dev.counterbalance.ingest.ring;

import dev.counterbalance.ingest.TraceFormatException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a kernel lays out a page: time stamp (8 bytes), commit word, data.
 *
 * @param bigEndian byte order of the recorded machine
 * @param commitSize bytes of the commit word, 4 or 8
 * @param dataOffset where events begin in the page
 */
public record PageLayout(boolean bigEndian, int commitSize, int dataOffset) {
  private static final Pattern COMMIT = field("commit");
  private static final Pattern DATA = field("data");

  /** The layout of a kernel whose long has that many bytes. */
  public static PageLayout ofLong(boolean bigEndian, int longSize) {
    int size = longSize == 4 ? 4 : 8;
    return new PageLayout(bigEndian, size, 8 + size);
  }

  /**
   * Reads the text of tracefs {@code events/header_page}.
   *
   * @param offset where the text is in the file, -1 if it is elsewhere
   * @param longSize counts if the text is empty
   * @throws TraceFormatException if the text describes no layout known here
   */
  public static PageLayout parse(
      String file, long offset, String headerPage, boolean bigEndian, int longSize)
      throws TraceFormatException {
    if (headerPage.isBlank()) {
      return ofLong(bigEndian, longSize);
    }
    Matcher commit = COMMIT.matcher(headerPage);
    Matcher data = DATA.matcher(headerPage);
    if (!commit.find() || !data.find()) {
      throw new TraceFormatException(
          file, offset, "the description of its pages has no commit and data", "header_page", "");
    }
    int size = Integer.parseInt(commit.group(2));
    int dataAt = Integer.parseInt(data.group(1));
    boolean known = commit.group(1).equals("8") && (size == 4 || size == 8);
    if (!known || dataAt < 8 + size || dataAt > 64) {
      throw new TraceFormatException(
          file,
          -1,
          "its pages are laid out in a way not known here (commit of " + size + " bytes)",
          "a time stamp of 8 bytes, then a commit of 4 or 8",
          "");
    }
    return new PageLayout(bigEndian, size, dataAt);
  }

  /**
   * The size of a page that the text of {@code header_page} tells.
   *
   * @return -1 if it does not tell one between 512 bytes and 16 MiB
   */
  public static int pageSize(String headerPage) {
    Matcher data = DATA.matcher(headerPage);
    if (!data.find()) {
      return -1;
    }
    int size = Integer.parseInt(data.group(1)) + Integer.parseInt(data.group(2));
    return size >= 512 && size <= Pages.MAX_PAGE ? size : -1;
  }

  /**
   * Refuses the event headers of Linux 2.6.30 and older.
   *
   * @param headerEvent the text of tracefs {@code events/header_event}
   */
  public static void checkEventHeader(String file, String headerEvent) throws TraceFormatException {
    if (!headerEvent.isBlank() && !headerEvent.contains("type_len")) {
      throw new TraceFormatException(
          file,
          -1,
          "was recorded by Linux 2.6.30 or older, whose event headers are not read",
          "",
          "Print it on the recording machine with trace-cmd report, and import the text.");
    }
  }

  private static Pattern field(String name) {
    return Pattern.compile("field:[^;]*\\b" + name + ";\\s*offset:(\\d{1,6});\\s*size:(\\d{1,8});");
  }
}
