package dev.counterbalance.whatif.engine;

import dev.counterbalance.trace.machine.CpuSet;
import dev.counterbalance.whatif.domain.SchedDomain;
import dev.counterbalance.whatif.domain.SchedGroup;
import dev.counterbalance.whatif.rule.IdleType;
import dev.counterbalance.whatif.rule.LoadBalancer;
import dev.counterbalance.whatif.rule.SchedView;
import dev.counterbalance.whatif.rule.Selection;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.function.Supplier;

/** Hands decisions on to a rule, and fails if one changes anything of the state that it reads. */
final class PureView implements LoadBalancer {
  private final LoadBalancer rule;
  long calls;

  PureView(LoadBalancer rule) {
    this.rule = rule;
  }

  @Override
  public int balancer(SchedView view, SchedDomain domain, CpuSet cpus) {
    return unchanged(view, cpus, () -> rule.balancer(view, domain, cpus));
  }

  @Override
  public void select(
      SchedView view, SchedDomain domain, int cpu, IdleType idle, CpuSet cpus, Selection out) {
    unchanged(
        view,
        cpus,
        () -> {
          rule.select(view, domain, cpu, idle, cpus, out);
          return null;
        });
  }

  @Override
  public int busiestQueue(
      SchedView view,
      SchedDomain domain,
      SchedGroup group,
      long amount,
      IdleType idle,
      CpuSet cpus) {
    return unchanged(view, cpus, () -> rule.busiestQueue(view, domain, group, amount, idle, cpus));
  }

  @Override
  public boolean isHot(SchedView view, int task, int executingCpu) {
    return unchanged(view, new CpuSet(1), () -> rule.isHot(view, task, executingCpu));
  }

  private <T> T unchanged(SchedView view, CpuSet cpus, Supplier<T> call) {
    calls++;
    long before = hash(view) * 31 + cpus.hashCode();
    T result = call.get();
    if (hash(view) * 31 + cpus.hashCode() != before) {
      throw new AssertionError("a decision changed the state at " + view.nowNs());
    }
    return result;
  }

  /** Everything the state holds, whatever fields it has. */
  static long hash(SchedView view) {
    long hash = 1;
    try {
      for (Field field : RunState.class.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        Object value = field.get(view);
        int part;
        if (value instanceof long[] longs) {
          part = Arrays.hashCode(longs);
        } else if (value instanceof int[] ints) {
          part = Arrays.hashCode(ints);
        } else if (value instanceof byte[] bytes) {
          part = Arrays.hashCode(bytes);
        } else if (value instanceof boolean[] flags) {
          part = Arrays.hashCode(flags);
        } else if (value instanceof Object[] objects) {
          part = Arrays.hashCode(objects);
        } else {
          part = value.hashCode();
        }
        hash = hash * 1_000_003 + part;
      }
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
    return hash;
  }
}
