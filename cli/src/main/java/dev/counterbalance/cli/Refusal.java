package dev.counterbalance.cli;

/**
 * A command cannot do what it was asked to; the message is finished sentences for the person who
 * asked.
 */
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  private Refusal(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The input, the data or the environment does not allow it. */
  static Refusal data(String message) {
    return new Refusal(Main.EXIT_DATA, message, null);
  }

  /** The input, the data or the environment does not allow it. */
  static Refusal data(String message, Throwable cause) {
    return new Refusal(Main.EXIT_DATA, message, cause);
  }

  /** The command line asks for something that makes no sense. */
  static Refusal usage(String message) {
    return new Refusal(Main.EXIT_USAGE, message, null);
  }

  int exitCode() {
    return exitCode;
  }
}
