package dev.counterbalance.cli.render;

import java.util.List;

/** Bars of characters that show how a whole is shared out. */
public final class Bars {
  /** One part of a bar. */
  public record Part(double amount, char unicode, char ascii) {}

  private Bars() {}

  /**
   * A bar of exactly {@code width} characters. Parts keep their order; borders are rounded, so that
   * the error does not add up. All parts zero: blanks.
   */
  public static String of(List<Part> parts, int width, boolean unicode) {
    double total = 0;
    for (Part part : parts) {
      total += Math.max(0, part.amount());
    }
    if (total <= 0) {
      return " ".repeat(width);
    }
    StringBuilder bar = new StringBuilder(width);
    double sum = 0;
    for (Part part : parts) {
      sum += Math.max(0, part.amount());
      int border = (int) Math.round(sum / total * width);
      char c = unicode ? part.unicode() : part.ascii();
      while (bar.length() < border) {
        bar.append(c);
      }
    }
    return bar.toString();
  }
}
