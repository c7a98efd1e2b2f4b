package dev.counterbalance.cli.render;

import java.io.IOException;
import java.util.List;

/**
 * Writes tables row by row, so that large results need no memory. Cells are numbers, booleans,
 * texts or null, as many as there are columns.
 */
public interface TableWriter {
  /** Starts a table. */
  void begin(List<Column> columns) throws IOException;

  /** Writes, or remembers to write, one row. */
  void row(Object... cells) throws IOException;

  /** Ends the table and flushes. */
  void end() throws IOException;
}
