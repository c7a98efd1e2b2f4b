package dev.counterbalance.analysis.query;

import java.io.IOException;
import java.util.List;

/** Receives a query's rows one by one, so that large results need no memory. */
public interface RowSink {
  /** A column of the result, and whether its cells are numbers. */
  record Column(String name, boolean isNumber) {}

  /** Starts the result. */
  void begin(List<Column> columns) throws IOException;

  /** One row; cells are numbers, booleans, texts or null. The array is used again. */
  void row(Object[] cells) throws IOException;

  /** Ends the result. */
  void end() throws IOException;
}
