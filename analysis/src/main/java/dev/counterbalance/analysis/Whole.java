package dev.counterbalance.analysis;

import java.util.List;

/** What must be in a trace as a whole for an entry to be right; import filters leave it out. */
public enum Whole {
  /** Every recorded CPU: {@code --cpus} leaves some out. */
  CPUS("every CPU", "cpus"),
  /** Every task: {@code --comm} and {@code --tid} leave some out. */
  TASKS("every task", "comm|tid");

  /** What is needed, for sentences. */
  final String words;

  private final String keys;

  Whole(String words, String keys) {
    this.words = words;
    this.keys = keys;
  }

  /** True if a trace's filters, as the store keeps them, leave some out. */
  boolean isBrokenBy(String filters) {
    return filters != null && keys().stream().anyMatch(key -> filters.contains(quoted(key)));
  }

  /** A condition on the column {@code filters} that holds if they leave some out. */
  String brokenSql() {
    StringBuilder sql = new StringBuilder();
    for (String key : keys()) {
      sql.append(sql.length() == 0 ? "" : " OR ");
      sql.append("contains(filters, '").append(quoted(key)).append("')");
    }
    return sql.toString();
  }

  private List<String> keys() {
    return List.of(keys.split("\\|", -1));
  }

  /** A key as it stands in JSON; in a value its quotes would be escaped. */
  private static String quoted(String key) {
    return "\"" + key + "\":";
  }
}
