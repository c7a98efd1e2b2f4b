package dev.counterbalance.cli.run;

import java.util.Locale;

/** Which runs keep their events in the store; every run keeps its figures. */
public enum KeepEvents {
  /** The first seed of each rule. */
  FIRST,
  ALL,
  NONE;

  /** As it stands on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
