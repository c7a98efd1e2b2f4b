package dev.counterbalance.cli.render;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * An array of objects, one a line, numbers unrounded. Several tables make one array; {@link #label}
 * tells their rows apart.
 */
public final class JsonWriter implements TableWriter {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Writer out;
  private JsonGenerator json;
  private List<Column> columns = List.of();
  private String labelKey;
  private String label;
  private boolean several;

  public JsonWriter(Writer out) {
    this.out = out;
  }

  /** From now on each object starts with this member, and {@link #finish} ends the array. */
  public void label(String key, String value) {
    labelKey = key;
    label = value;
    several = true;
  }

  @Override
  public void begin(List<Column> columns) throws IOException {
    this.columns = List.copyOf(columns);
    if (json == null) {
      json = FACTORY.createGenerator(out);
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setCharacterEscapes(new TerminalSafe());
      json.setPrettyPrinter(new OneObjectALine());
      json.writeStartArray();
    }
  }

  @Override
  public void row(Object... cells) throws IOException {
    json.writeStartObject();
    if (label != null) {
      json.writeStringField(labelKey, label);
    }
    for (int i = 0; i < cells.length; i++) {
      json.writeFieldName(columns.get(i).key());
      value(cells[i]);
    }
    json.writeEndObject();
  }

  @Override
  public void end() throws IOException {
    if (!several) {
      finish();
    }
  }

  /** Ends the array of several tables. */
  public void finish() throws IOException {
    json.writeEndArray();
    json.flush();
    out.append('\n');
    out.flush();
  }

  private void value(Object cell) throws IOException {
    if (cell == null) {
      json.writeNull();
    } else if (cell instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (cell instanceof Double || cell instanceof Float) {
      decimal(((Number) cell).doubleValue());
    } else if (cell instanceof BigInteger big) {
      json.writeNumber(big);
    } else if (cell instanceof BigDecimal big) {
      json.writeNumber(big.toPlainString());
    } else if (cell instanceof Number number) {
      json.writeNumber(number.longValue());
    } else {
      json.writeString(cell.toString());
    }
  }

  private void decimal(double value) throws IOException {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      json.writeNull();
    } else {
      json.writeNumber(Units.plain(value));
    }
  }

  /** Escapes what {@link Escape} escapes, in JSON's own way: nothing is lost. */
  private static final class TerminalSafe extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private final int[] ascii;

    TerminalSafe() {
      ascii = standardAsciiEscapesForJSON();
      ascii[0x7f] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ascii.clone();
    }

    @Override
    public SerializableString getEscapeSequence(int c) {
      boolean safe = Character.isSurrogate((char) c) || Escape.isSafe(c, true);
      return safe ? null : new SerializedString("\\u" + Escape.hex(c, 4));
    }
  }

  private static final class OneObjectALine extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1;

    @Override
    public void beforeArrayValues(JsonGenerator json) throws IOException {
      json.writeRaw('\n');
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(",\n");
    }

    @Override
    public void writeEndArray(JsonGenerator json, int count) throws IOException {
      json.writeRaw(count == 0 ? "]" : "\n]");
    }

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws IOException {
      json.writeRaw(", ");
    }
  }
}
