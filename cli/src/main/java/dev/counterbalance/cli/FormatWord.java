package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A {@code --format} as it stands on the command line. */
final class FormatWord implements ITypeConverter<Format> {
  @Override
  public Format convert(String word) {
    for (Format format : Format.values()) {
      if (format.toString().equals(word)) {
        return format;
      }
    }
    String words =
        Arrays.stream(Format.values()).map(Format::toString).collect(Collectors.joining(", "));
    throw new TypeConversionException("must be one of " + words + ": " + word);
  }
}
