package dev.counterbalance.whatif.rtapp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.whatif.workload.Generators;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The tables of docs/workloads.md are those of the code. */
class WorkloadsDocumentTest {
  @Test
  void tablesAreThoseOfTheCode() throws IOException {
    Path root = Path.of(System.getProperty("repo.root", ".."));
    String document = Files.readString(root.resolve("docs/workloads.md"));
    assertThat(document).contains(Generators.markdown());
    assertThat(document).contains(RtApp.markdown());
  }

  @Test
  void examplesOfTheDocumentAreWorkloads() throws IOException {
    assertThat(Workloads.read("soakers:idle=16,normal=1,start=stuck", 16).tasks()).isEqualTo(17);
    assertThat(Workloads.read("soakers:idle=0,normal=4,heavy=1,group=2,start=stuck", 4).tasks())
        .isEqualTo(5);
    assertThat(Workloads.read("pipe:loops=100000,work=500ns", 4).tasks()).isEqualTo(2);
  }
}
