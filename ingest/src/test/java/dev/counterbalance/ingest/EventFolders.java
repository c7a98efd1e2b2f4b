package dev.counterbalance.ingest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the event formats that a recording embeds as tracefs has them: one file each. */
final class EventFolders {
  private static final Pattern FORMAT =
      Pattern.compile("name: (\\w+)\nID: \\d+\nformat:\n.*?\nprint fmt: [^\n]*\n", Pattern.DOTALL);

  private EventFolders() {}

  static void write(byte[] recording, Path events) throws IOException {
    Matcher matcher = FORMAT.matcher(new String(recording, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      String name = matcher.group(1);
      String system = name.startsWith("sched_") ? "sched" : "irq";
      Path folder = Files.createDirectories(events.resolve(system).resolve(name));
      Files.writeString(folder.resolve("format"), matcher.group(), StandardCharsets.ISO_8859_1);
    }
  }
}
