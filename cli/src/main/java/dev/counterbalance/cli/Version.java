package dev.counterbalance.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build was made with. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"Counterbalance " + number()};
  }

  /** The bare number. */
  static String number() {
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
