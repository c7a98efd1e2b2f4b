package dev.counterbalance.ingest.bundle;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The columns of a table with a header line and a TAB between columns. */
final class Cells {
  private final List<String> wanted;
  private int[] index;
  private int width;

  /**
   * Columns of a table.
   *
   * @param wanted those to take
   */
  Cells(String... wanted) {
    this.wanted = List.of(wanted);
  }

  /**
   * The wanted columns of a line, as {@link #text} gives them.
   *
   * @return null for the header line, the first one
   * @throws BadLineException if a column is missing or one too many, or a text is none
   */
  String[] of(String line) throws BadLineException {
    List<String> cells = split(line);
    if (width == 0) {
      width = cells.size();
      index = wanted.stream().mapToInt(cells::indexOf).toArray();
    }
    if (Arrays.stream(index).anyMatch(i -> i < 0)) {
      throw new BadLineException(
          "the table has not all of the columns " + String.join(", ", wanted) + " in its header");
    }
    if (cells.size() != width) {
      throw new BadLineException(cells.size() + " columns, expected " + width);
    }
    String[] texts = new String[index.length];
    boolean header = true;
    for (int i = 0; i < index.length; i++) {
      texts[i] = text(cells.get(index[i]));
      header &= texts[i].equals(wanted.get(i));
    }
    return header ? null : texts;
  }

  static List<String> split(String line) {
    List<String> cells = new ArrayList<>();
    int from = 0;
    for (int tab = line.indexOf('\t'); tab >= 0; tab = line.indexOf('\t', from)) {
      cells.add(line.substring(from, tab));
      from = tab + 1;
    }
    cells.add(line.substring(from));
    return cells;
  }

  /**
   * A text as it was before it was put into a table: escapes are resolved, and its bytes are UTF-8
   * where they are valid UTF-8, else ISO-8859-1.
   *
   * @param cell a char for each byte
   */
  static String text(String cell) throws BadLineException {
    boolean plain = true;
    for (int i = 0; i < cell.length() && plain; i++) {
      plain = cell.charAt(i) > 0 && cell.charAt(i) < 0x80 && cell.charAt(i) != '\\';
    }
    if (plain) {
      return cell;
    }
    if (cell.indexOf(0) >= 0) {
      throw new BadLineException("a text holds a NUL byte");
    }
    String bytes = cell.indexOf('\\') < 0 ? cell : unescaped(cell);
    String utf8 = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    return utf8.indexOf('\uFFFD') < 0 ? utf8 : bytes;
  }

  private static String unescaped(String cell) throws BadLineException {
    StringBuilder text = new StringBuilder();
    boolean escaped = false;
    for (int i = 0; i < cell.length(); i++) {
      char c = cell.charAt(i);
      if (!escaped && c == '\\') {
        escaped = true;
        continue;
      }
      int kind = escaped ? "tn\\".indexOf(c) : 0;
      if (kind < 0) {
        break;
      }
      text.append(escaped ? "\t\n\\".charAt(kind) : c);
      escaped = false;
    }
    if (escaped) {
      throw new BadLineException("a backslash without t, n or a backslash behind it");
    }
    return text.toString();
  }
}
