package dev.counterbalance.trace.store;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A column of a stored table.
 *
 * @param name column name
 * @param type how it is stored
 * @param unit {@code ns}, {@code kHz}, ...; empty for ids, names and counts
 * @param doc what it says, one sentence
 * @param codes for {@link ColumnType#CODE} the words behind the stored numbers, else empty
 */
public record ColumnSpec(
    String name, ColumnType type, String unit, String doc, List<String> codes) {

  public ColumnSpec {
    codes = List.copyOf(codes);
  }

  static ColumnSpec of(String name, ColumnType type, String unit, String doc) {
    return new ColumnSpec(name, type, unit, doc, List.of());
  }

  /** A column that stores the ordinals of an enum and shows the constants' names in lower case. */
  static <E extends Enum<E>> ColumnSpec code(String name, Class<E> words, String doc) {
    List<String> codes =
        Stream.of(words.getEnumConstants()).map(e -> e.name().toLowerCase(Locale.ROOT)).toList();
    return new ColumnSpec(name, ColumnType.CODE, "", doc, codes);
  }

  /** The expression that shows the column in the table's view. */
  String viewExpression() {
    if (type != ColumnType.CODE) {
      return '"' + name + '"';
    }
    StringBuilder sql = new StringBuilder("CASE \"").append(name).append('"');
    for (int i = 0; i < codes.size(); i++) {
      sql.append(" WHEN ").append(i).append(" THEN '").append(codes.get(i)).append('\'');
    }
    return sql.append(" END AS \"").append(name).append('"').toString();
  }
}
