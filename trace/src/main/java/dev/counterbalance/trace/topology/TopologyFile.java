package dev.counterbalance.trace.topology;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.counterbalance.trace.machine.Machine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A machine as a JSON file:
 *
 * <pre>{@code
 * {"description": "free text",
 *  "cpus": [{"cpu": 0, "core": 0, "llc": 0, "node": 0, "package": 0, "cluster": 0, "die": 0,
 *            "capacity": 1024, "online": true, "isolated": false}, ...],
 *  "distances": [{"from": 0, "to": 1, "distance": 20}, ...]}
 * }</pre>
 *
 * Of a CPU only {@code cpu} is required; ids may be any numbers from 0 up, -1 or absent is unknown.
 * A core and a die number count within their package, as in sysfs. Capacity is 1 to 1024. Every CPU
 * from 0 to the last is listed once, those offline with {@code "online": false}. Distances may also
 * be a table, {@code [[10, 20], [20, 10]]}, whose rows and columns are the nodes in the order of
 * their numbers; a distance is 10 to 255, and 10 is local. Anything else in the file is an error.
 */
public final class TopologyFile {
  private static final int MAX_BYTES = 16 << 20;
  private static final int MAX_ID = 65535;
  private static final int MAX_CAPACITY = 1024;
  private static final int MAX_NODES = 1024;
  private static final int MIN_DISTANCE = 10;
  private static final int MAX_DISTANCE = 255;
  private static final String CPU_KEYS =
      "cpu, core, llc, node, package, cluster, die, capacity, online, isolated";

  private final String name;
  private final JsonParser in;
  private final TreeMap<Integer, Machine.Cpu> listed = new TreeMap<>();
  private final Machine machine = Machine.unknown();
  private final List<int[]> table = new ArrayList<>();

  private TopologyFile(String name, JsonParser in) {
    this.name = name;
    this.in = in;
  }

  /**
   * Reads the file.
   *
   * @throws TopologyFormatException if it describes no machine; says where and what is expected
   * @throws IOException if it cannot be read
   */
  public static Machine read(Path file) throws IOException {
    byte[] bytes;
    try (InputStream stream = Files.newInputStream(file)) {
      bytes = stream.readNBytes(MAX_BYTES + 1);
    }
    String name = String.valueOf(file.getFileName());
    if (bytes.length > MAX_BYTES) {
      throw new TopologyFormatException(
          printable(name) + ": larger than 16 MiB, which no topology is.", null);
    }
    return read(name, bytes);
  }

  /** Reads a file's content; {@code name} is for messages. */
  static Machine read(String name, byte[] bytes) throws TopologyFormatException {
    JsonFactory factory =
        JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
    try (JsonParser parser = factory.createParser(bytes)) {
      return new TopologyFile(name, parser).machine();
    } catch (JsonProcessingException e) {
      throw new TopologyFormatException(
          message(name, e.getLocation(), "no JSON: " + e.getOriginalMessage()), e);
    } catch (TopologyFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new TopologyFormatException(printable(name) + ": no JSON: " + e.getMessage(), e);
    }
  }

  private Machine machine() throws IOException {
    in.nextToken();
    expect(JsonToken.START_OBJECT, "an object with cpus");
    boolean hasCpus = false;
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String key = in.currentName();
      switch (key) {
        case "description" -> {
          in.nextToken();
          expect(JsonToken.VALUE_STRING, "a text as description");
        }
        case "cpus" -> {
          cpus();
          hasCpus = true;
        }
        case "distances" -> distances();
        default -> throw fail("unknown key \"" + key + "\", expected description, cpus, distances");
      }
    }
    if (in.nextToken() != null) {
      throw fail("more after the end of the object");
    }
    if (!hasCpus) {
      throw fail("no cpus");
    }
    number();
    checkNesting();
    distanceTable();
    return machine;
  }

  private void cpus() throws IOException {
    in.nextToken();
    expect(JsonToken.START_ARRAY, "a list of cpus");
    while (in.nextToken() != JsonToken.END_ARRAY) {
      expect(JsonToken.START_OBJECT, "an object with the keys " + CPU_KEYS);
      Machine.Cpu values = Machine.unknown().cpu(0);
      int cpu = -1;
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        String key = in.currentName();
        in.nextToken();
        switch (key) {
          case "cpu" -> cpu = integer(key, 0, Machine.MAX_CPUS - 1);
          case "core" -> values.coreId = integer(key, -1, MAX_ID);
          case "llc" -> values.llcId = integer(key, -1, MAX_ID);
          case "node" -> values.nodeId = integer(key, -1, MAX_NODES - 1);
          case "package" -> values.packageId = integer(key, -1, MAX_ID);
          case "cluster" -> values.clusterId = integer(key, -1, MAX_ID);
          case "die" -> values.dieId = integer(key, -1, MAX_ID);
          case "capacity" -> values.capacity = integer(key, 1, MAX_CAPACITY);
          case "online" -> values.online = bool(key);
          case "isolated" -> values.isolated = bool(key);
          default -> throw fail("unknown key \"" + key + "\" of a CPU, expected " + CPU_KEYS);
        }
      }
      if (cpu < 0) {
        throw fail("a CPU without its number, expected \"cpu\"");
      }
      if (listed.put(cpu, values) != null) {
        throw fail("CPU " + cpu + " for the second time");
      }
    }
  }

  private void distances() throws IOException {
    in.nextToken();
    expect(JsonToken.START_ARRAY, "a list of distances");
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (machine.distances().size() + table.size() > MAX_NODES * MAX_NODES) {
        throw fail("more distances than " + MAX_NODES + " nodes have");
      }
      if (in.currentToken() == JsonToken.START_ARRAY) {
        table.add(row());
      } else {
        expect(JsonToken.START_OBJECT, "{\"from\", \"to\", \"distance\"} or a row of numbers");
        machine.distances().add(distance());
      }
      if (!table.isEmpty() && !machine.distances().isEmpty()) {
        throw fail("rows and objects mixed, expected distances of one kind");
      }
    }
  }

  private int[] row() throws IOException {
    int[] row = new int[MAX_NODES];
    int n = 0;
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (n == MAX_NODES) {
        throw fail("a row of more than " + MAX_NODES + " distances");
      }
      row[n++] = integer("distance", MIN_DISTANCE, MAX_DISTANCE);
    }
    return Arrays.copyOf(row, n);
  }

  private Machine.Distance distance() throws IOException {
    int from = -1;
    int to = -1;
    int distance = -1;
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String key = in.currentName();
      in.nextToken();
      switch (key) {
        case "from" -> from = integer(key, 0, MAX_NODES - 1);
        case "to" -> to = integer(key, 0, MAX_NODES - 1);
        case "distance" -> distance = integer(key, MIN_DISTANCE, MAX_DISTANCE);
        default ->
            throw fail("unknown key \"" + key + "\" of a distance, expected from, to, distance");
      }
    }
    if (from < 0 || to < 0 || distance < 0) {
      throw fail("a distance without from, to or distance");
    }
    return new Machine.Distance(from, to, distance);
  }

  /** Gives the listed CPUs to the machine, cores and dies named by their lowest CPU. */
  private void number() throws IOException {
    if (listed.isEmpty()) {
      throw fail("no CPU in cpus");
    }
    Map<Long, Integer> cores = new HashMap<>();
    Map<Long, Integer> dies = new HashMap<>();
    boolean anyOnline = false;
    for (int cpu = 0; cpu <= listed.lastKey(); cpu++) {
      Machine.Cpu from = listed.get(cpu);
      if (from == null) {
        throw fail("CPU " + cpu + " is missing, expected \"online\": false if it is offline");
      }
      Machine.Cpu to = machine.cpu(cpu);
      to.coreId = lowest(cores, from.packageId, from.coreId, cpu);
      to.dieId = lowest(dies, from.packageId, from.dieId, cpu);
      to.clusterId = from.clusterId;
      to.llcId = from.llcId;
      to.nodeId = from.nodeId;
      to.packageId = from.packageId;
      to.capacity = from.capacity;
      to.online = from.online;
      to.isolated = from.isolated;
      anyOnline |= from.online;
    }
    if (!anyOnline) {
      throw fail("no CPU is online");
    }
  }

  private static int lowest(Map<Long, Integer> seen, int packageId, int id, int cpu) {
    if (id < 0) {
      return -1;
    }
    return seen.computeIfAbsent(((long) packageId << 32) + id, key -> cpu);
  }

  /** The threads of a core share all that is outside it. */
  private void checkNesting() throws IOException {
    for (Machine.Cpu cpu : machine.cpus()) {
      if (cpu.coreId >= 0) {
        Machine.Cpu first = machine.cpu(cpu.coreId);
        if (first.llcId != cpu.llcId) {
          throw split(first, cpu, "LLCs");
        }
        if (first.nodeId != cpu.nodeId) {
          throw split(first, cpu, "nodes");
        }
      }
    }
  }

  private TopologyFormatException split(Machine.Cpu one, Machine.Cpu other, String what)
      throws IOException {
    return fail(
        "the CPUs " + one.cpu + " and " + other.cpu + " are one core and in different " + what);
  }

  private void distanceTable() throws IOException {
    if (table.isEmpty()) {
      return;
    }
    int[] nodes =
        machine.cpus().stream()
            .mapToInt(cpu -> cpu.nodeId)
            .filter(node -> node >= 0)
            .distinct()
            .sorted()
            .toArray();
    if (table.size() != nodes.length) {
      throw fail(
          table.size()
              + " rows of distances for "
              + nodes.length
              + " nodes, expected a row for each; nodes without CPUs need"
              + " {\"from\", \"to\", \"distance\"} objects");
    }
    for (int from = 0; from < nodes.length; from++) {
      int[] row = table.get(from);
      if (row.length != nodes.length) {
        throw fail(row.length + " distances in row " + (from + 1) + ", expected " + nodes.length);
      }
      for (int to = 0; to < nodes.length; to++) {
        machine.distances().add(new Machine.Distance(nodes[from], nodes[to], row[to]));
      }
    }
  }

  private int integer(String key, int least, int most) throws IOException {
    if (in.currentToken() == JsonToken.VALUE_NUMBER_INT
        && in.getNumberType() == JsonParser.NumberType.INT) {
      int value = in.getIntValue();
      if (value >= least && value <= most) {
        return value;
      }
    }
    String found = in.currentToken() == null ? "the end" : in.getText();
    String shown = found.length() > 40 ? found.substring(0, 40) + "..." : found;
    throw fail("must be a whole number within " + least + " to " + most + ": " + key + "=" + shown);
  }

  private boolean bool(String key) throws IOException {
    if (in.currentToken() == JsonToken.VALUE_TRUE || in.currentToken() == JsonToken.VALUE_FALSE) {
      return in.getBooleanValue();
    }
    throw fail("must be true or false: " + key);
  }

  private void expect(JsonToken token, String what) throws IOException {
    if (in.currentToken() != token) {
      throw fail("expected " + what);
    }
  }

  private TopologyFormatException fail(String what) {
    return new TopologyFormatException(message(name, in.currentTokenLocation(), what), null);
  }

  private static String message(String name, JsonLocation where, String what) {
    String place =
        where == null ? "" : ": line " + where.getLineNr() + ", column " + where.getColumnNr();
    return printable(name + place + ": " + what + ".");
  }

  private static String printable(String text) {
    StringBuilder safe = new StringBuilder(text);
    for (int i = 0; i < safe.length(); i++) {
      if (Character.isISOControl(safe.charAt(i))) {
        safe.setCharAt(i, '?');
      }
    }
    return safe.toString();
  }
}
