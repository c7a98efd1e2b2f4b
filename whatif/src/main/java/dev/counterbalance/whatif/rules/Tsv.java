package dev.counterbalance.whatif.rules;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tables that come with the program: tab-separated, {@code #} comments, one line of column names.
 */
final class Tsv {
  private Tsv() {}

  /** The rows of a resource beside this class, each by column name; {@code -} is an empty cell. */
  static List<Map<String, String>> read(String resource) {
    try (InputStream in = Tsv.class.getResourceAsStream(resource);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return rows(resource, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Map<String, String>> rows(String resource, BufferedReader lines)
      throws IOException {
    List<Map<String, String>> rows = new ArrayList<>();
    String[] columns = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split("\t", -1);
      if (columns == null) {
        columns = cells;
        continue;
      }
      if (cells.length != columns.length) {
        throw new IllegalStateException(
            resource + ": " + cells.length + " cells, expected " + columns.length + ": " + line);
      }
      Map<String, String> row = new LinkedHashMap<>();
      for (int i = 0; i < cells.length; i++) {
        row.put(columns[i], cells[i].equals("-") ? "" : cells[i]);
      }
      rows.add(row);
    }
    return rows;
  }

  /** The words of a cell, which blanks separate; none for an empty one. */
  static List<String> words(String cell) {
    return cell.isEmpty() ? List.of() : List.of(cell.split(" "));
  }
}
