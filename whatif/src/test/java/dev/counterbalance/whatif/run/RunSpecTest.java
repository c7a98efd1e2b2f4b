package dev.counterbalance.whatif.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.MachineChanges;
import dev.counterbalance.trace.machine.TopologySpec;
import dev.counterbalance.whatif.workload.OpKind;
import dev.counterbalance.whatif.workload.Policy;
import dev.counterbalance.whatif.workload.Workload;
import dev.counterbalance.whatif.workload.WorkloadBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunSpecTest {
  private static final RunSpec SPEC = Specs.of("soakers:idle=2", "4c", "v2.6.36");

  @Test
  void equalSpecsHaveEqualHashes() {
    assertThat(Specs.of("soakers:idle=2", "4c", "v2.6.36").hash()).isEqualTo(SPEC.hash());
    assertThat(SPEC.hash()).matches("[0-9a-f]{64}");
    assertThat(RunSpec.shortHash(SPEC.hash())).isEqualTo(SPEC.hash().substring(0, 10));
  }

  @Test
  void everythingThatDecidesARunChangesItsHash() {
    Machine machine = TopologySpec.parse("4c");
    Workload workload = SPEC.workload();
    List<RunSpec> others = new ArrayList<>();
    others.add(SPEC);
    others.add(SPEC.withSeed(2));
    others.add(Specs.of("soakers:idle=3", "4c", "v2.6.36"));
    others.add(Specs.of("soakers:idle=2", "2l2c", "v2.6.36"));
    others.add(Specs.of("soakers:idle=2", "4c", "v2.6.37"));
    others.add(Specs.of("soakers:idle=2", "4c", "v2.6.36", "HZ=1000"));
    others.add(Specs.of("soakers:idle=2", "4c", "v2.6.36", "imb_needs_nr2=on"));
    others.add(Specs.of("soakers:idle=2", "4c", "v2.6.36", "imbalance_pct[MC]=110"));
    others.add(Specs.of(workload, MachineChanges.offline(machine, "3"), "v2.6.36"));
    others.add(Specs.of(workload, MachineChanges.isolated(machine, "3"), "v2.6.36"));
    others.add(with(2 * Specs.SECOND, false, 0));
    others.add(with(Specs.SECOND, true, 0));
    others.add(with(Specs.SECOND, false, 1));
    assertThat(others.stream().map(RunSpec::hash)).doesNotHaveDuplicates();
  }

  private static RunSpec with(long horizonNs, boolean untilDone, long warmupNs) {
    return new RunSpec(
        SPEC.workload(),
        SPEC.workloadHash(),
        SPEC.machine(),
        SPEC.machineText(),
        SPEC.domains(),
        SPEC.rule(),
        horizonNs,
        untilDone,
        warmupNs,
        SPEC.seed());
  }

  @Test
  void everythingAWorkloadSaysChangesItsHash() {
    List<Workload> workloads = new ArrayList<>();
    workloads.add(task().build());
    workloads.add(task().nice(1).build());
    workloads.add(task().policy(Policy.BATCH, 0).build());
    workloads.add(task().policy(Policy.FIFO, 2).build());
    workloads.add(task().policy(Policy.FIFO, 3).build());
    workloads.add(task().startCpu(1).build());
    workloads.add(task().startNs(5).build());
    WorkloadBuilder pinned = task();
    workloads.add(pinned.affinity(pinned.mask(CpuSet.of(4, 1))).build());
    WorkloadBuilder elsewhere = task();
    workloads.add(elsewhere.affinity(elsewhere.mask(CpuSet.of(4, 2))).build());
    WorkloadBuilder longer = task();
    longer.run(7);
    workloads.add(longer.build());
    WorkloadBuilder slept = task();
    slept.sleep(7);
    workloads.add(slept.build());
    WorkloadBuilder waits = task();
    waits.op(OpKind.WAIT, 0, waits.semaphore(0));
    workloads.add(waits.build());
    WorkloadBuilder passes = task();
    passes.op(OpKind.WAIT, 0, passes.semaphore(1));
    workloads.add(passes.build());
    workloads.add(
        task().action(new Workload.Action(9, Workload.Action.Kind.CPU_OFF, -1, 1, 0)).build());
    WorkloadBuilder named = new WorkloadBuilder("w");
    named.task("other");
    named.run(3);
    workloads.add(named.build());
    assertThat(workloads.stream().map(CanonicalText::hash)).doesNotHaveDuplicates();
  }

  private static WorkloadBuilder task() {
    WorkloadBuilder builder = new WorkloadBuilder("w");
    builder.task("one");
    builder.run(3);
    return builder;
  }

  @Test
  void aWorkloadsOwnNameIsNoPartOfWhatItDoes() {
    WorkloadBuilder renamed = new WorkloadBuilder("another");
    renamed.task("one");
    renamed.run(3);
    assertThat(CanonicalText.hash(renamed.build())).isEqualTo(CanonicalText.hash(task().build()));
  }

  @Test
  void aRunIsCalledByWorkloadRuleSettingsAndSeed() {
    RunSpec spec = Specs.of("soakers", "4c", "v2.6.36", "imb_needs_nr2=on", "HZ=1000").withSeed(7);
    assertThat(RunName.of(spec, name -> false))
        .isEqualTo("soakers@v2.6.36+HZ=1000+imb_needs_nr2=on#7");
  }

  @Test
  void aTakenNameGetsTheHash() {
    RunSpec spec = Specs.of("soakers", "4c", "v2.6.36");
    assertThat(RunName.of(spec, "soakers@v2.6.36#1"::equals))
        .isEqualTo("soakers@v2.6.36#1~" + spec.hash().substring(0, 10));
  }

  @Test
  void aWarmUpLeavesSomethingToMeasure() {
    assertThatThrownBy(() -> with(100, false, 100))
        .hasMessage("must be >= 0 and below horizonNs=100: warmupNs=100");
    assertThatThrownBy(() -> with(0, false, 0)).hasMessage("must be > 0: horizonNs=0");
  }
}
