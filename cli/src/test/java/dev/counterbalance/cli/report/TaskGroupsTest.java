package dev.counterbalance.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.cli.report.RunReport.TaskGroup;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskGroupsTest {
  @Test
  void tasksThatDifferByANumberAreFolded() {
    WorkloadBuilder builder = new WorkloadBuilder("w");
    for (int i = 0; i < 3; i++) {
      builder.task("soaker-" + i);
      builder.policy(Policy.IDLE, 0).hog();
    }
    builder.task("worker");
    builder.nice(-15).hog();
    builder.task("worker");
    builder.hog();
    builder.task("rt9");
    builder.policy(Policy.FIFO, 50).hog();
    assertThat(TaskGroups.of(builder.build(), 4))
        .containsExactly(
            new TaskGroup(
                "soaker (idle)", List.of("soaker-0:1000", "soaker-1:1001", "soaker-2:1002")),
            new TaskGroup("worker (nice -15)", List.of("worker:1003")),
            new TaskGroup("worker", List.of("worker:1004")),
            new TaskGroup("rt9 (fifo 50)", List.of("rt9:1005")));
  }

  @Test
  void manyNamesEndInOthers() {
    WorkloadBuilder builder = new WorkloadBuilder("w");
    for (char c = 'a'; c <= 'z'; c++) {
      builder.task("task" + c);
      builder.hog();
    }
    List<TaskGroup> groups = TaskGroups.of(builder.build(), 4);
    assertThat(groups).hasSize(12);
    assertThat(groups.get(11).label()).isEqualTo("others");
    assertThat(groups.get(11).subjects())
        .hasSize(15)
        .startsWith("taskl:1011")
        .endsWith("taskz:1025");
  }
}
