package dev.counterbalance.cli.prompt;

import java.util.ArrayList;
import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/** Lets a line go on until its last statement is ended; finds the word to complete. */
public final class SqlParser implements Parser {
  private record Line(String line, int cursor, List<String> words, int wordIndex, int wordCursor)
      implements CompletingParsedLine {
    @Override
    public String word() {
      return words.get(wordIndex);
    }

    @Override
    public CharSequence escape(CharSequence candidate, boolean complete) {
      return candidate;
    }

    @Override
    public int rawWordCursor() {
      return wordCursor;
    }

    @Override
    public int rawWordLength() {
      return word().length();
    }
  }

  @Override
  public ParsedLine parse(String line, int cursor, ParseContext context) {
    if (context == ParseContext.ACCEPT_LINE && !isDone(line)) {
      Statements statements = Statements.of(line);
      throw new EOFError(-1, cursor, "statement goes on", statements.open());
    }
    List<String> words = new ArrayList<>();
    int wordIndex = -1;
    int wordCursor = 0;
    int at = 0;
    while (at <= line.length()) {
      int end = at;
      while (end < line.length() && isWordPart(line.charAt(end))) {
        end++;
      }
      if (cursor >= at && cursor <= end && wordIndex < 0) {
        wordIndex = words.size();
        wordCursor = cursor - at;
        words.add(line.substring(at, end));
      } else if (end > at) {
        words.add(line.substring(at, end));
      }
      at = end + 1;
    }
    if (wordIndex < 0) {
      wordIndex = words.size();
      words.add("");
    }
    return new Line(line, cursor, List.copyOf(words), wordIndex, wordCursor);
  }

  /** True if the text can be run as it is: ended statements, a command, or nothing. */
  public static boolean isDone(String text) {
    String stripped = text.strip();
    return stripped.isEmpty() || isCommand(stripped) || Statements.of(text).rest().isEmpty();
  }

  /** True if a line is for the prompt itself: {@code \d}, {@code help}, {@code quit}. */
  public static boolean isCommand(String stripped) {
    return stripped.startsWith("\\")
        || stripped.equals("help")
        || stripped.equals("quit")
        || stripped.equals("exit");
  }

  private static boolean isWordPart(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '\\' || c == '?';
  }
}
