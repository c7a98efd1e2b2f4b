package dev.counterbalance.cli.report;

import dev.counterbalance.cli.render.Units;
import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.whatif.domain.SchedDomains;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * A machine as text: a line for each last-level cache with its cores, then a line for each kind of
 * domain. The threads of a core are joined by {@code +}; {@code x} after a CPU is offline, {@code
 * i} isolated. What repeats is folded, so that the map of a large machine is no longer than that of
 * a small one.
 */
public final class MachineMap {
  private static final int ROWS_UNFOLDED = 8;
  private static final int SHORTEST_FOLD = 4;
  private static final int MOST_ROWS = 40;
  private static final int CORES_WIDTH = 60;
  private static final int LIST_WIDTH = 80;

  private final Machine machine;
  private final boolean hasNodes;
  private final boolean hasCapacities;

  /** One last-level cache. */
  private static final class Row {
    final int socket;
    final int node;
    final int llc;
    final List<List<Machine.Cpu>> cores = new ArrayList<>();

    Row(int socket, int node, int llc) {
      this.socket = socket;
      this.node = node;
      this.llc = llc;
    }
  }

  private MachineMap(Machine machine) {
    this.machine = machine;
    hasNodes = count(cpu -> cpu.nodeId) > 1;
    hasCapacities = count(cpu -> cpu.capacity) > 1;
  }

  /** The map, each line ended. */
  public static String render(Machine machine, SchedDomains domains) {
    StringBuilder text = new StringBuilder();
    MachineMap map = new MachineMap(machine);
    text.append(map.summary()).append("\n\n");
    map.layout(map.rows()).forEach(line -> text.append(line).append('\n'));
    map.list(text, "isolated", cpu -> cpu.isolated && cpu.online, "marked i, in no domain");
    map.list(text, "offline", cpu -> !cpu.online, "marked x");
    text.append('\n').append(DomainTable.render(domains));
    return text.toString();
  }

  private String summary() {
    List<String> parts = new ArrayList<>();
    add(parts, count(cpu -> cpu.packageId), "socket", "sockets");
    add(parts, count(cpu -> cpu.nodeId), "NUMA node", "NUMA nodes");
    add(parts, count(cpu -> cpu.llcId), "LLC", "LLCs");
    add(parts, count(cpu -> cpu.coreId), "core", "cores");
    long online = machine.cpus().stream().filter(cpu -> cpu.online).count();
    String cpus = Units.counted(machine.cpus().size(), "CPU", "CPUs");
    if (online < machine.cpus().size()) {
      cpus += ", " + Units.count(online) + " online";
    }
    return cpus + (parts.isEmpty() ? ", topology unknown" : ": " + String.join(", ", parts));
  }

  private static void add(List<String> parts, long count, String singular, String plural) {
    if (count > 0) {
      parts.add(Units.counted(count, singular, plural));
    }
  }

  private long count(ToIntFunction<Machine.Cpu> id) {
    return machine.cpus().stream().mapToInt(id).filter(value -> value >= 0).distinct().count();
  }

  private List<Row> rows() {
    Map<List<Integer>, Row> rows = new LinkedHashMap<>();
    Map<List<Integer>, List<Machine.Cpu>> cores = new LinkedHashMap<>();
    for (Machine.Cpu cpu : machine.cpus()) {
      List<Integer> place = List.of(cpu.packageId, cpu.nodeId, cpu.llcId);
      Row row = rows.computeIfAbsent(place, key -> new Row(key.get(0), key.get(1), key.get(2)));
      int core = cpu.coreId >= 0 ? cpu.coreId : -1 - cpu.cpu;
      cores
          .computeIfAbsent(
              List.of(cpu.packageId, cpu.nodeId, cpu.llcId, core),
              key -> {
                List<Machine.Cpu> threads = new ArrayList<>();
                row.cores.add(threads);
                return threads;
              })
          .add(cpu);
    }
    List<Row> sorted = new ArrayList<>(rows.values());
    sorted.sort(
        (one, other) ->
            one.socket != other.socket
                ? Integer.compare(one.socket, other.socket)
                : Integer.compare(one.node, other.node));
    return sorted;
  }

  private List<String> layout(List<Row> rows) {
    List<String[]> cells = new ArrayList<>();
    Row above = null;
    int at = 0;
    while (at < rows.size()) {
      if (cells.size() == MOST_ROWS) {
        cells.add(folded(rows.subList(at, rows.size()), "more"));
        break;
      }
      cells.add(cells(rows.get(at), above));
      above = rows.get(at);
      int same = sameShape(rows, at);
      if (rows.size() > ROWS_UNFOLDED && same >= SHORTEST_FOLD) {
        cells.add(folded(rows.subList(at + 1, at + same - 1), "more like these"));
        above = null;
        at += same - 1;
        cells.add(cells(rows.get(at), above));
        above = rows.get(at);
      }
      at++;
    }
    return aligned(cells);
  }

  /** How many rows from that one on are of one shape. */
  private static int sameShape(List<Row> rows, int from) {
    String shape = shape(rows.get(from));
    int to = from + 1;
    while (to < rows.size() && shape(rows.get(to)).equals(shape)) {
      to++;
    }
    return to - from;
  }

  private String[] folded(List<Row> rows, String more) {
    CpuSet cpus = new CpuSet(machine.cpus().size());
    rows.forEach(row -> row.cores.forEach(core -> core.forEach(cpu -> cpus.add(cpu.cpu))));
    return new String[] {"... " + Units.count(rows.size()) + " " + more + ", CPUs " + list(cpus)};
  }

  private String[] cells(Row row, Row above) {
    boolean sameSocket = above != null && above.socket == row.socket;
    boolean sameNode = sameSocket && above.node == row.node;
    return new String[] {
      sameSocket ? "" : "socket " + shown(row.socket),
      !hasNodes || sameNode ? "" : "node " + shown(row.node),
      "LLC " + shown(row.llc),
      cores(row),
      hasCapacities ? "capacity " + capacities(row) : ""
    };
  }

  private static String shown(int id) {
    return id < 0 ? "?" : String.valueOf(id);
  }

  private static String cores(Row row) {
    List<String> texts = new ArrayList<>();
    for (List<Machine.Cpu> core : row.cores) {
      List<String> threads = new ArrayList<>();
      for (Machine.Cpu cpu : core) {
        threads.add(cpu.cpu + (!cpu.online ? "x" : cpu.isolated ? "i" : ""));
      }
      texts.add(String.join("+", threads));
    }
    String all = String.join(" ", texts);
    if (all.length() <= CORES_WIDTH) {
      return all;
    }
    int last = texts.size() - 1;
    return texts.get(0)
        + " "
        + texts.get(1)
        + " ... "
        + texts.get(last)
        + " ("
        + Units.counted(texts.size(), "core", "cores")
        + ")";
  }

  private static String capacities(Row row) {
    int least = Integer.MAX_VALUE;
    int most = -1;
    for (List<Machine.Cpu> core : row.cores) {
      for (Machine.Cpu cpu : core) {
        least = Math.min(least, cpu.capacity);
        most = Math.max(most, cpu.capacity);
      }
    }
    return least == most ? shown(least) : shown(least) + "-" + most;
  }

  /** What rows must have in common to be folded: all but numbers. */
  private static String shape(Row row) {
    StringBuilder shape = new StringBuilder();
    for (List<Machine.Cpu> core : row.cores) {
      for (Machine.Cpu cpu : core) {
        shape.append(cpu.capacity).append(cpu.online).append(cpu.isolated).append('+');
      }
      shape.append(' ');
    }
    return shape.toString();
  }

  private void list(
      StringBuilder text, String title, Predicate<Machine.Cpu> which, String explained) {
    CpuSet cpus = new CpuSet(machine.cpus().size());
    machine.cpus().stream().filter(which).forEach(cpu -> cpus.add(cpu.cpu));
    if (!cpus.isEmpty()) {
      text.append(title)
          .append(": ")
          .append(list(cpus))
          .append(" (")
          .append(explained)
          .append(")\n");
    }
  }

  private static String list(CpuSet cpus) {
    String list = cpus.toString();
    int end = list.lastIndexOf(',', LIST_WIDTH);
    return list.length() <= LIST_WIDTH || end < 0
        ? list
        : list.substring(0, end) + ",... " + Units.counted(cpus.size(), "CPU", "CPUs");
  }

  /** Lines with the cells in columns; a cell alone in its line runs over all columns. */
  static List<String> aligned(List<String[]> cells) {
    int columns = cells.stream().mapToInt(line -> line.length).max().orElse(0);
    int[] widths = new int[columns];
    for (String[] line : cells) {
      for (int i = 0; i < line.length && line.length > 1; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] line : cells) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < line.length; i++) {
        if (line.length == 1) {
          text.append(Objects.requireNonNull(line[0]));
        } else if (widths[i] > 0) {
          text.append(line[i]).append(" ".repeat(widths[i] - line[i].length() + 2));
        }
      }
      lines.add(text.toString().stripTrailing());
    }
    return lines;
  }
}
