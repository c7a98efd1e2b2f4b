package dev.counterbalance.cli;

import dev.counterbalance.cli.render.Format;
import dev.counterbalance.whatif.rules.ResolvedRule;
import dev.counterbalance.whatif.rules.Rules;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code trace-rules}: which rules there are, and what each does. */
@Command(
    name = "trace-rules",
    aliases = "rules",
    versionProvider = Version.class,
    description = {"List, explain and compare the scheduler rules that a what-if can run.", ""},
    synopsisHeading = "Usage:%n",
    customSynopsis = {
      "  trace-rules [list] [--format FORMAT] [-o FILE]",
      "  trace-rules show ID [--set NAME=VALUE]... [--cpus N] [--format FORMAT] [-o FILE]",
      "  trace-rules diff ID ID [--format FORMAT] [-o FILE]"
    },
    footer = {
      "",
      "A rule is its parent and the switches it flips; tunables are the figures beside them. show says",
      "where a rule comes from, what it models and leaves out, and every switch and tunable it reads.",
      "NAME is a switch, a tunable, or a kernel's name for one: sched_latency_ns, CONFIG_HZ.",
      "",
      "Examples:",
      "  trace-rules",
      "  trace-rules show v2.6.37",
      "  trace-rules show v2.6.36 --set HZ=1000 --set imbalance_pct[MC]=117",
      "  trace-rules diff v2.6.36 v2.6.37"
    })
final class RulesCommand implements Callable<Integer> {
  private enum Action {
    LIST(0, ""),
    SHOW(1, "ID"),
    DIFF(2, "ID ID");

    private final int arguments;
    private final String synopsis;

    Action(int arguments, String synopsis) {
      this.arguments = arguments;
      this.synopsis = synopsis;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An action as it stands on the command line. */
  private static final class ActionWord implements ITypeConverter<Action> {
    @Override
    public Action convert(String word) {
      for (Action action : Action.values()) {
        if (action.word().equals(word)) {
          return action;
        }
      }
      String words =
          Arrays.stream(Action.values()).map(Action::word).collect(Collectors.joining(", "));
      throw new TypeConversionException("must be one of " + words + ": " + word);
    }
  }

  private static final int DEFAULT_CPUS = 8;
  private static final int MOST_CPUS = 8192;

  private final Console console;

  @SuppressWarnings("unused") // picocli fills and reads it
  @Mixin
  private CommonOptions common;

  @Mixin private OutputOptions output;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ACTION",
      defaultValue = "list",
      converter = ActionWord.class,
      description = "list, show or diff; default: list.")
  private Action action;

  @Parameters(index = "1..*", arity = "0..2", hidden = true)
  private List<String> ids = List.of();

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Set a switch or a tunable of the rule; may be repeated.")
  private List<String> settings = List.of();

  @Option(
      names = "--cpus",
      paramLabel = "N",
      description = "CPUs online, which some defaults depend on; default: 8.")
  private Integer cpus;

  RulesCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    if (ids.size() != action.arguments) {
      throw Refusal.usage(
          "Expected: trace-rules " + (action.word() + " " + action.synopsis).strip() + ".");
    }
    if (action != Action.SHOW && (!settings.isEmpty() || cpus != null)) {
      throw Refusal.usage("--set and --cpus go with show only.");
    }
    int online = cpus == null ? DEFAULT_CPUS : cpus;
    if (online < 1 || online > MOST_CPUS) {
      throw Refusal.usage("--cpus must be between 1 and " + MOST_CPUS + ": " + cpus + ".");
    }
    Format format = output.format;
    RuleHelp help = new RuleHelp(Rules.load(), online);
    switch (action) {
      case LIST -> output.write(console, (out, unicode) -> help.list(format, out, unicode));
      case SHOW -> {
        ResolvedRule rule = resolve(help, ids.get(0));
        output.write(console, (out, unicode) -> help.show(rule, format, out, unicode));
      }
      case DIFF -> {
        ResolvedRule left = resolve(help, ids.get(0));
        ResolvedRule right = resolve(help, ids.get(1));
        output.write(console, (out, unicode) -> help.diff(left, right, format, out, unicode));
      }
    }
    return Main.EXIT_OK;
  }

  private ResolvedRule resolve(RuleHelp help, String id) {
    try {
      return help.resolve(id, settings);
    } catch (IllegalArgumentException e) {
      throw misused(e);
    }
  }

  /** What the rules say of a setting, as a sentence of the command line. */
  static Refusal misused(IllegalArgumentException e) {
    String message = e.getMessage();
    String begin =
        Character.isLowerCase(message.charAt(0)) && !message.endsWith(".") ? "--set " : "";
    String end = message.endsWith(".") || message.endsWith("?") ? "" : ".";
    return Refusal.usage(begin + message + end);
  }
}
