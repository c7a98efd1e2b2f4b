package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Column;
import dev.counterbalance.cli.render.CsvWriter;
import dev.counterbalance.cli.render.Escape;
import dev.counterbalance.cli.render.JsonWriter;
import dev.counterbalance.cli.render.MarkdownWriter;
import dev.counterbalance.cli.render.TableWriter;
import dev.counterbalance.cli.render.TextWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Writes the sections of a report: rounded with units for people, raw and flat for machines. */
public final class ReportWriter {
  private static final int WIDTH = 100;
  private static final String INDENT = "  ";

  private ReportWriter() {}

  /** Plain text, at most 100 columns wide as long as names are no longer than the kernel's. */
  public static void text(List<Section> sections, Writer out, boolean unicode) throws IOException {
    String gap = "";
    for (Section section : sections) {
      out.append(gap).append(Escape.text(section.title(), unicode)).append('\n');
      gap = "\n";
      if (section.isUpright()) {
        upright(section, out, unicode);
      } else if (!section.rows().isEmpty()) {
        table(section, new TextWriter(out, unicode, true).indent(INDENT));
      }
      for (String note : section.notes()) {
        wrap(Escape.text(note, unicode), out);
      }
    }
    out.flush();
  }

  /** Markdown: a heading and a table for each section. */
  public static void markdown(List<Section> sections, Writer out) throws IOException {
    String gap = "";
    for (Section section : sections) {
      out.append(gap).append("## ").append(Escape.markdown(section.title())).append("\n\n");
      gap = "\n";
      if (section.isUpright()) {
        bullets(section, out);
      } else if (!section.rows().isEmpty()) {
        table(section, new MarkdownWriter(out, true));
      }
      for (String note : section.notes()) {
        out.append('\n').append(Escape.markdown(note)).append('\n');
      }
    }
    out.flush();
  }

  /** One JSON array for all: each row is an object that starts with its section's name. */
  public static void json(List<Section> sections, Writer out) throws IOException {
    JsonWriter writer = new JsonWriter(out);
    for (Section section : sections) {
      writer.label("section", section.key());
      List<Column> columns = section.stored();
      writer.begin(columns);
      for (Object[] row : section.rows()) {
        writer.row(section.cells(row, columns));
      }
      writer.end();
    }
    writer.finish();
  }

  /** One section as a table of raw values. */
  public static void csv(Section section, Writer out) throws IOException {
    CsvWriter writer = new CsvWriter(out);
    List<Column> columns = section.stored();
    writer.begin(columns);
    for (Object[] row : section.rows()) {
      writer.row(section.cells(row, columns));
    }
    writer.end();
  }

  private static void upright(Section section, Writer out, boolean unicode) throws IOException {
    List<Column> columns = section.shown();
    int width = columns.stream().mapToInt(c -> c.title().length()).max().orElse(0);
    for (Object[] row : section.rows()) {
      Object[] cells = section.cells(row, columns);
      for (int i = 0; i < cells.length; i++) {
        if (cells[i] != null) {
          String title = columns.get(i).title();
          String value = columns.get(i).human(cells[i], unicode);
          out.append(INDENT).append(title).append(" ".repeat(width - title.length() + 2));
          out.append(Escape.text(value, unicode)).append('\n');
        }
      }
    }
  }

  private static void bullets(Section section, Writer out) throws IOException {
    List<Column> columns = section.shown();
    for (Object[] row : section.rows()) {
      Object[] cells = section.cells(row, columns);
      for (int i = 0; i < cells.length; i++) {
        if (cells[i] != null) {
          String value = Escape.markdown(columns.get(i).human(cells[i], true));
          out.append("* ").append(columns.get(i).title()).append(": ").append(value).append('\n');
        }
      }
    }
  }

  private static void table(Section section, TableWriter writer) throws IOException {
    List<Column> columns = section.shown();
    writer.begin(columns);
    for (Object[] row : section.rows()) {
      writer.row(section.cells(row, columns));
    }
    writer.end();
  }

  private static void wrap(String text, Writer out) throws IOException {
    StringBuilder line = new StringBuilder(INDENT);
    for (String word : text.split(" ", -1)) {
      if (line.length() > INDENT.length() && line.length() + 1 + word.length() > WIDTH) {
        out.append(line).append('\n');
        line.setLength(0);
        line.append(INDENT);
      }
      line.append(line.length() > INDENT.length() ? " " : "").append(word);
    }
    out.append(line).append('\n');
  }
}
