package dev.counterbalance.whatif.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.trace.machine.Machine;
import dev.counterbalance.trace.machine.TopologySpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the domains of any machine. */
class DomainPropertyTest {
  private static final int MACHINES = 300;
  private static final List<String> KERNELS = List.of("2.6.36", "4.1", "5.3", "5.10");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void domainsNestAndGroupsDivideThem(long seed) {
    Random random = new Random(seed);
    int withDomains = 0;
    for (int i = 0; i < MACHINES; i++) {
      String spec = spec(random);
      Machine machine = TopologySpec.parse(spec);
      StringBuilder name = new StringBuilder(spec);
      for (Machine.Cpu cpu : machine.cpus()) {
        cpu.online = cpu.cpu == 0 || random.nextInt(6) > 0;
        cpu.isolated = random.nextInt(8) == 0;
        name.append(cpu.online ? "" : " -" + cpu.cpu).append(cpu.isolated ? " !" + cpu.cpu : "");
      }
      String kernel = KERNELS.get(random.nextInt(KERNELS.size()));
      String origin = random.nextBoolean() ? "self" : "lowest-cpu";
      name.append(' ').append(kernel).append(' ').append(origin);
      SchedDomains domains =
          DomainBuilder.build(
              machine,
              DomainOptions.of(
                  Map.of("domain_params", kernel, "numa_group_origin", origin), Map.of()));
      withDomains += domains.all().length > 0 ? 1 : 0;
      check(machine, domains, name.toString());
    }
    assertThat(withDomains).isGreaterThan(MACHINES / 2);
  }

  private static void check(Machine machine, SchedDomains domains, String name) {
    int id = 0;
    for (Machine.Cpu cpu : machine.cpus()) {
      SchedDomain below = null;
      assertThat(domains.active().contains(cpu.cpu)).as(name).isEqualTo(cpu.online);
      assertThat(domains.of(cpu.cpu).length == 0 || (cpu.online && !cpu.isolated))
          .as(name)
          .isTrue();
      for (SchedDomain domain : domains.of(cpu.cpu)) {
        String where = name + ": CPU " + cpu.cpu + " " + domain;
        assertThat(domain.id).as(where).isEqualTo(id++);
        assertThat(domains.all()[domain.id]).as(where).isSameAs(domain);
        assertThat(domain.cpu).as(where).isEqualTo(cpu.cpu);
        assertThat(domain.child()).as(where).isSameAs(below);
        assertThat(domain.level).as(where).isEqualTo(below == null ? 0 : below.level + 1);
        assertThat(domain.span.contains(cpu.cpu)).as(where).isTrue();
        assertThat(below == null || domain.span.containsAll(below.span)).as(where).isTrue();
        checkSpan(machine, domains, domain, where);
        checkGroups(domains, domain, where);
        below = domain;
      }
    }
    assertThat(domains.all()).as(name).hasSize(id);
  }

  /** Who is in my domain has me in his, at the level of that name and size. */
  private static void checkSpan(
      Machine machine, SchedDomains domains, SchedDomain domain, String where) {
    for (int other : domain.span.toArray()) {
      assertThat(machine.cpu(other).online && !machine.cpu(other).isolated).as(where).isTrue();
      boolean seen = false;
      for (SchedDomain his : domains.of(other)) {
        seen |= his.name.equals(domain.name) && his.span.contains(domain.cpu);
      }
      // A level is dropped where a CPU does not need it, so a lower or higher one may stand for it
      boolean stoodFor = false;
      for (SchedDomain his : domains.of(other)) {
        stoodFor |= his.span.equals(domain.span);
      }
      assertThat(seen || stoodFor).as(where + " seen by " + other).isTrue();
    }
  }

  private static void checkGroups(SchedDomains domains, SchedDomain domain, String where) {
    int members = 0;
    CpuSet union = new CpuSet(domains.cpus());
    for (SchedGroup group : domain.groups) {
      assertThat(domains.groups()[group.id]).as(where).isSameAs(group);
      int power = 0;
      for (int cpu : group.cpus) {
        power += domains.power(cpu);
      }
      assertThat(group.power).as(where + group).isEqualTo(power);
      assertThat(group.mask.containsAll(group.balanceMask)).as(where + group).isTrue();
      assertThat(group.balanceCpu()).as(where + group).isNotNegative();
      members += group.cpus.length;
      union.addAll(group.mask);
    }
    assertThat(domain.groups[0].mask.contains(domain.cpu)).as(where).isTrue();
    assertThat(union).as(where).isEqualTo(domain.span);
    // sockets with equal distances: the groups of a NUMA level do not overlap either
    assertThat(members).as(where).isEqualTo(domain.span.size());
    assertThat(domain.span.size()).as(where).isGreaterThan(1);
  }

  private static String spec(Random random) {
    StringBuilder spec = new StringBuilder();
    spec.append(1 + random.nextInt(4)).append('s');
    if (random.nextBoolean()) {
      spec.append(1 + random.nextInt(3)).append('n');
    }
    spec.append(1 + random.nextInt(2)).append('l');
    spec.append(1 + random.nextInt(4)).append('c');
    spec.append(1 + random.nextInt(2)).append('t');
    return spec.toString();
  }

  /** The second and the third have more than the 16 nodes of a NODE domain. */
  @ParameterizedTest
  @ValueSource(strings = {"16s1n2l16c2t", "4s4n8l4c2t", "32s1n16c2t"})
  void largeMachinesAreBuiltFast(String spec) {
    Machine machine = TopologySpec.parse(spec);
    assertThat(machine.cpus()).hasSize(1024);
    for (String kernel : KERNELS) {
      DomainOptions options =
          DomainOptions.of(Map.of("domain_params", kernel, "numa_group_origin", "self"), Map.of());
      SchedDomains domains =
          Assertions.assertTimeout(
              Duration.ofSeconds(5), () -> DomainBuilder.build(machine, options));
      assertThat(domains.all().length).isGreaterThan(1024);
      // shared, not made anew for each CPU: no more groups than a few for each CPU
      assertThat(domains.groups().length).isLessThan(3 * 1024);
    }
  }

  @Test
  void equalMachinesGiveEqualDomains() {
    SchedDomains one = DomainBuilder.build(TopologySpec.parse("2s2c2t"), DomainOptions.linux2636());
    SchedDomains other =
        DomainBuilder.build(TopologySpec.parse("2s2c2t"), DomainOptions.linux2636());
    assertThat(one).usingRecursiveComparison().isEqualTo(other);
  }
}
