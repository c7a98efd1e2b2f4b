package dev.counterbalance.cli.render;

/** How many columns of a terminal a text takes. */
final class Width {
  private Width() {}

  /** The width of an escaped text. */
  static int of(String text) {
    int width = 0;
    int i = 0;
    while (i < text.length()) {
      int c = text.codePointAt(i);
      width += c < 0x300 ? 1 : ofCharacter(c);
      i += Character.charCount(c);
    }
    return width;
  }

  private static int ofCharacter(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
      return 0;
    }
    boolean wide =
        (c >= 0x1100 && c <= 0x115f)
            || (c >= 0x2e80 && c <= 0xa4cf)
            || (c >= 0xac00 && c <= 0xd7a3)
            || (c >= 0xf900 && c <= 0xfaff)
            || (c >= 0xfe30 && c <= 0xfe6f)
            || (c >= 0xff00 && c <= 0xff60)
            || (c >= 0xffe0 && c <= 0xffe6)
            || (c >= 0x1f300 && c <= 0x1faff)
            || (c >= 0x20000 && c <= 0x3fffd);
    return wide ? 2 : 1;
  }
}
