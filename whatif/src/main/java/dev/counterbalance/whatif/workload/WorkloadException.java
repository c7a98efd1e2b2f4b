package dev.counterbalance.whatif.workload;

/** A workload that cannot be: the message says where, what was found and what is possible. */
public final class WorkloadException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int task;

  public WorkloadException(String message) {
    this(message, -1);
  }

  /** An error of one task of the workload. */
  WorkloadException(String message, int task) {
    super(printable(message));
    this.task = task;
  }

  public WorkloadException(String message, Throwable cause) {
    super(printable(message), cause);
    task = -1;
  }

  /** The task it is about, as {@link WorkloadBuilder#task} counts them; -1 if none. */
  public int task() {
    return task;
  }

  /** Texts from a file may hold anything, and the message goes to a terminal. */
  private static String printable(String message) {
    StringBuilder text = new StringBuilder(message);
    for (int i = 0; i < text.length(); i++) {
      if (Character.isISOControl(text.charAt(i))) {
        text.setCharAt(i, '?');
      }
    }
    return text.toString();
  }
}
