package dev.counterbalance.cli.render;

import java.io.Writer;
import java.util.Locale;

/** The output formats of {@code --format}. */
public enum Format {
  TEXT,
  CSV,
  JSON,
  MARKDOWN;

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * A writer of tables of raw values.
   *
   * @param unicode whether {@link #TEXT} may hold more than ASCII
   */
  public TableWriter writer(Writer out, boolean unicode) {
    return switch (this) {
      case TEXT -> new TextWriter(out, unicode, false);
      case CSV -> new CsvWriter(out);
      case JSON -> new JsonWriter(out);
      case MARKDOWN -> new MarkdownWriter(out, false);
    };
  }
}
