package dev.counterbalance.whatif.rtapp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.UnlimitedCpus;
import dev.counterbalance.whatif.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of sample-traces/workloads against the vectors of T2-1, T2-2 and T2-4 to T2-7. */
class SampleWorkloadsTest {
  static final Path FOLDER =
      Path.of(System.getProperty("repo.root", "..")).resolve("sample-traces/workloads");

  private static Workload read(String name, int cpus) throws IOException {
    return Workloads.read(FOLDER.resolve(name).toString(), cpus);
  }

  /** The tasks of each CPU, as policy or nice, in the order they are started. */
  private static String placed(Workload workload) {
    TreeMap<Integer, String> cpus = new TreeMap<>();
    for (int task = 0; task < workload.tasks(); task++) {
      String weight = workload.policy(task) == Policy.IDLE ? "idle" : "n" + workload.nice(task);
      cpus.merge(workload.startCpu(task), weight, (a, b) -> a + "+" + b);
    }
    return cpus.toString();
  }

  @Test
  void everyFileSaysWhatItShows() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> all = files.toList();
      assertThat(all).hasSize(9);
      String readme = Files.readString(FOLDER.resolveSibling("README.md"));
      for (Path file : all) {
        Workload workload = Workloads.read(file.toString(), 16);
        assertThat(workload.description()).as(file.toString()).isNotEmpty();
        assertThat(workload.durationNs()).as(file.toString()).isPositive();
        assertThat(readme).contains("`" + file.getFileName() + "`");
      }
    }
  }

  @Test
  void nikhil() throws IOException {
    Workload free = read("nikhil.json", 16);
    assertThat(free.tasks()).isEqualTo(17);
    // The soakers first, the normal task last, nobody on a CPU of its own choice.
    assertThat(placed(free)).isEqualTo("{-1=" + "idle+".repeat(16) + "n0}");
    Workload stuck = read("nikhil-stuck.json", 16);
    assertThat(placed(stuck))
        .isEqualTo(
            "{0=n0, 4=idle+idle, 5=idle+idle, 6=idle, 7=idle, 8=idle+idle, 9=idle, 10=idle,"
                + " 11=idle, 12=idle+idle, 13=idle, 14=idle, 15=idle}");
  }

  @Test
  void mike() throws IOException {
    assertThat(placed(read("mike-stuck.json", 4))).isEqualTo("{1=n-15, 2=n0+n0, 3=n0+n0}");
    assertThat(placed(read("mike-full.json", 4))).isEqualTo("{0=n0, 1=n-15, 2=n0+n0, 3=n0}");
    Workload freed = read("mike-freed.json", 4);
    assertThat(placed(freed)).isEqualTo("{-1=n-15+n0+n0+n0+n0}");
    for (int task = 0; task < 5; task++) {
      String mask = freed.mask(freed.affinity(task)).toString();
      assertThat(mask).isEqualTo(task == 0 ? "1" : task < 3 ? "2" : "3");
      int op = freed.firstOp(task) + 1;
      assertThat(freed.kind(op)).isEqualTo(OpKind.AFFINITY);
      assertThat(freed.mask(freed.ref(op)).toString()).isEqualTo("0-3");
    }
  }

  @Test
  void sockets() throws IOException {
    assertThat(placed(read("ht.json", 8))).isEqualTo("{0=n0, 1=n0, 2=n0, 4=n0}");
    assertThat(placed(read("t2-6.json", 8))).isEqualTo("{0=n0, 1=n0, 2=n0, 4=n0}");
    assertThat(placed(read("t2-7.json", 8))).isEqualTo("{0=n0, 1=n0}");
  }

  @Test
  void timers() throws IOException {
    UnlimitedCpus run = new UnlimitedCpus(read("timers.json", 1)).run(40_000_000);
    assertThat(run.log()).containsExactly("A@0", "B@0", "A@15000", "B@19000", "A@30000", "B@38000");
  }

  @Test
  void generatorsAreReadToo() throws IOException {
    assertThat(Workloads.read("soakers:idle=1", 4).tasks()).isEqualTo(2);
    assertThat(Workloads.read("pipe", 4).tasks()).isEqualTo(2);
  }
}
