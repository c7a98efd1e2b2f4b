package dev.counterbalance.whatif.rtapp;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.counterbalance.whatif.workload.WorkloadException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RtAppErrorsTest {
  private static final String EVENTS =
      "run, runtime, sleep, timer, lock, unlock, wait, signal, broad, sync, barrier, suspend,"
          + " resume, yield, fork, sem_wait, sem_post";

  private static void refused(String json, String message) {
    assertThatThrownBy(() -> RtAppTest.read(json.replace('\'', '"')))
        .isInstanceOf(WorkloadException.class)
        .hasMessage("test.json" + message);
  }

  @Test
  void unknownKeysAreNamedWithPlaceAndTask() {
    refused(
        "{'tasks':{\n  'a':{ 'phases':{ 'p':{ 'run':1,\n    'sleeep':5 }}}}}",
        ":3:5: task a, phase p: \"sleeep\" is not known here (rt-app ignores such keys)."
            + " Supported: loop, cpus, "
            + EVENTS
            + ".");
  }

  /** rt-app reads any key that begins with "run" as run. */
  @Test
  void aKeyThatOnlyBeginsLikeAnEventIsUnknown() {
    assertThatThrownBy(() -> RtAppTest.read("{\"tasks\":{\"a\":{\"runner\":5}}}"))
        .hasMessageStartingWith("test.json:1:16: task a: \"runner\" is not known here");
  }

  @Test
  void whatRtAppHasAndWeHaveNotIsNamed() {
    refused(
        "{'tasks':{'a':{ 'phases':{ 'p':{ 'run':1, 'mem1':5 }}}}}",
        ":1:43: task a, phase p: \"mem1\" cannot be simulated, though rt-app has it. Supported:"
            + " loop, cpus, "
            + EVENTS
            + ".");
    for (String key : new String[] {"memrun", "iorun", "taskgroup", "dl-period", "util_min"}) {
      assertThatThrownBy(() -> RtAppTest.read("{\"tasks\":{\"a\":{\"run\":1,\"" + key + "\":5}}}"))
          .hasMessageContaining("\"" + key + "\" cannot be simulated, though rt-app has it");
    }
  }

  @Test
  void eventsBesidePhasesAreUnknown() {
    assertThatThrownBy(
            () ->
                RtAppTest.read("{\"tasks\":{\"a\":{\"sleep\":1,\"phases\":{\"p\":{\"run\":1}}}}}"))
        .hasMessageStartingWith("test.json:1:16: task a: \"sleep\" is not known here");
  }

  @Test
  void aNameThatAppearsTwiceIsAnError() {
    refused(
        "{'tasks':{'a':{'run':1,'run':2}}}",
        ":1:24: \"run\" appears twice in one object, of which rt-app would see the last only."
            + " Number them, like run0 and run1, as its workgen does.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'loop':0,'run':1 | task a: must be >= 1, or -1 for ever: loop=0",
        "'run':-1 | task a: must be within 0 to 2147483647: run=-1",
        "'run':2147483648 | task a: must be within 0 to 2147483647: run=2147483648",
        "'run':1.5 | task a: \"run\" must be a whole number, not 1.5",
        "'run':'5' | task a: \"run\" must be a whole number, not the text \"5\"",
        "'run':99999999999999999999"
            + " | task a: \"run\" must be a whole number, not 99999999999999999999",
        "'lock':5 | task a: \"lock\" must be a string, not 5",
        "'lock':'' | task a: \"lock\" must name something",
        "'priority':20,'run':1 | task a: must be within -20 to 19: priority=20",
        "'policy':'SCHED_FIFO','priority':0,'run':1"
            + " | task a: must be within 1 to 99: priority=0",
        "'policy':'SCHED_DEADLINE','run':1 | task a: must be SCHED_OTHER, SCHED_BATCH, SCHED_IDLE,"
            + " SCHED_FIFO or SCHED_RR: policy=SCHED_DEADLINE",
        "'cpus':[],'run':1 | task a: \"cpus\" must have at least one CPU",
        "'cpus':[8],'run':1 | task a: must be a CPU of the machine, 0 to 7: cpus=8",
        "'cpus':3,'run':1 | task a: \"cpus\" must be an array, not 3",
        "'instance':-1,'run':1 | task a: must be within 0 to 1000000: instance=-1",
        "'delay':-1,'run':1 | task a: must be within 0 to 2147483647: delay=-1",
        "'phases':{} | task a, phases: must have at least one phase",
        "'phases':{'p':{'loop':2}} | task a, phase p: needs at least one event: " + EVENTS,
        "'phases':{'p':5} | task a, phase p: must be an object, not 5",
        "'timer':{'period':5} | task a, timer: needs \"ref\"",
        "'timer':{'ref':'t'} | task a, timer: needs \"period\"",
        "'timer':{'ref':'t','period':5,'mode':'x'}"
            + " | task a, timer: must be relative or absolute: mode=x",
        "'run':1,'wait':{'ref':'c','mutex':'m'}"
            + " | task a: must hold the mutex when it waits: mutex=m",
        "'run':1,'lock':'m','wait':{'ref':'c','mutex':'m'}"
            + " | task a: would wait for ever, no task signals it: wait=c",
        "'run':1,'suspend':'' | task a: would wait for ever, no task resumes it: suspend=a",
        "'run':1,'sem_wait':'s' | task a: would wait for ever, no task posts it: sem_wait=s",
        "'run':1,'unlock':'m' | task a: does not hold the mutex: m",
        "'run':1,'lock':'m' | task a: repeats, but begins and ends with different mutexes held",
        "'lock0':'m','lock1':'m' | task a: would wait for itself, it holds the mutex: m",
        "'fork':'b' | task a: a fork in an endless loop would never stop: set \"loop\"",
        "'loop':1,'fork':'b' | task a: no task of that name: fork=b",
        "'run':1,'barrier0':'b','barrier1':'b' | task a: a task can use a barrier once: barrier=b",
        "'run':1,'counterbalance':{'start_cpu':[1,2]} | task a: must have a CPU for each of 1"
            + " instances: start_cpu has 2 elements",
        "'run':1,'counterbalance':{'start_cpu':8}"
            + " | task a: must be a CPU of the machine, 0 to 7: start_cpu=8",
        "'run':1,'counterbalance':{'nice':8} | task a: \"nice\" is not known here (rt-app ignores"
            + " such keys). Supported: start_cpu.",
        "'yield':'' | task a: task 0 (a), operation 1: LOOP: must contain a RUN, SLEEP or TIMER longer than 0",
      })
  void badTasks(String task, String message) {
    assertThatThrownBy(() -> RtAppTest.read(("{'tasks':{'a':{" + task + "}}}").replace('\'', '"')))
        .isInstanceOf(WorkloadException.class)
        .hasMessageStartingWith("test.json:1:")
        .hasMessageContaining(": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | :1:1: needs \"tasks\", an object with at least one task",
        "{'tasks':{}} | :1:1: needs \"tasks\", an object with at least one task",
        "{'tasks':[]} | :1:2: tasks: must be an object, not an array",
        "[] | :1:1: must be an object, not an array",
        "{'tasks':{'a':{'run':1}},'golbal':{}} | :1:26: \"golbal\" is not known here (rt-app ignores"
            + " such keys). Supported: tasks, global, resources, counterbalance.",
        "{'tasks':{'a':{'run':1}},'global':{'duration':0}}"
            + " | :1:36: global: must be >= 1, or -1 for ever: duration=0",
        "{'tasks':{'a':{'run':1}},'global':{'pi_enabled':true}}"
            + " | :1:36: global: priority inheritance cannot be simulated: pi_enabled=true",
        "{'tasks':{'a':{'run':1}},'global':{'pi_enabled':1}}"
            + " | :1:36: global: \"pi_enabled\" must be true or false, not 1",
        "{'tasks':{'a':{'run':1}},'counterbalance':{'actions':[{'task':'a','cpus':[1]}]}}"
            + " | :1:55: counterbalance, action 0: needs \"at\"",
        "{'tasks':{'a':{'run':1}},'counterbalance':{'actions':[{'at':1,'task':'a'}]}} | :1:55:"
            + " counterbalance, action 0: must be one of cpus, policy and priority, cpu_off, cpu_on",
        "{'tasks':{'a':{'run':1}},'counterbalance':{'actions':[{'at':1,'cpus':[1]}]}}"
            + " | :1:55: counterbalance, action 0: needs \"task\"",
        "{'tasks':{'a':{'run':1}},'counterbalance':{'actions':[{'at':1,'task':'b','cpus':[1]}]}}"
            + " | :1:63: counterbalance, action 0: must be one of a: task=b",
        "{'tasks':{'a':{'run':1}},'counterbalance':{'actions':[{'at':1,'task':'a','cpu_off':1}]}}"
            + " | :1:55: counterbalance, action 0: is of a CPU: must not name a task",
        "{'tasks':{'a':{'instance':0,'run':1},'b':{'loop':1,'fork':'a'}}} 5"
            + " | :1:66: must end after the first value",
      })
  void badFiles(String json, String message) {
    refused(json, message);
  }

  @Test
  void whatIsNoJsonSaysWhere() {
    assertThatThrownBy(() -> RtAppTest.read("{ \"tasks\" : \n  { x"))
        .isInstanceOf(WorkloadException.class)
        .hasMessageStartingWith("test.json:2:")
        .hasMessageContaining(": is no JSON: ");
    refused("", ": is empty, expected rt-app JSON");
    assertThatThrownBy(() -> RtAppTest.read("{"))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining("is no JSON");
  }

  @Test
  void sizeAndDepthAreLimited() {
    byte[] large = new byte[JsonReader.MAX_BYTES + 1];
    Arrays.fill(large, (byte) ' ');
    assertThatThrownBy(() -> RtApp.read("test.json", large, 8))
        .hasMessage(
            "test.json: must be at most 16777216 bytes: a workload of that size is generated");
    assertThatThrownBy(() -> RtAppTest.read("[".repeat(1000)))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining("nesting depth");
    assertThatThrownBy(() -> RtAppTest.read("\"" + "x".repeat(1001) + "\""))
        .isInstanceOf(WorkloadException.class)
        .hasMessageContaining("1000");
    String many = "[" + "0,".repeat(JsonReader.MAX_VALUES) + "0]";
    assertThatThrownBy(() -> RtAppTest.read(many))
        .hasMessageEndingWith("must have at most 1000000 values");
  }

  @Test
  void expansionIsLimited() {
    assertThatThrownBy(
            () ->
                RtAppTest.read(
                    "{\"tasks\":{\"a\":{\"instance\":600000,\"run\":1},"
                        + "\"b\":{\"instance\":600000,\"run\":1}}}"))
        .hasMessage("test.json:1:43: task b: more than 1000000 tasks");
    assertThatThrownBy(
            () ->
                RtAppTest.read("{\"tasks\":{\"a\":{\"loop\":1,\"fork1\":\"a\",\"fork2\":\"a\"}}}"))
        .hasMessageEndingWith("task a: more than 100000 forks");
    assertThatThrownBy(
            () ->
                RtAppTest.read(
                    "{\"tasks\":{\"a\":{\"loop\":2147483647,\"run\":1,\"fork2\":\"b\"},"
                        + "\"b\":{\"loop\":1,\"run\":1}}}"))
        .hasMessageEndingWith("task a: more than 100000 forks");
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    byte[] json = "{\"\\u001b[2J\":1}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> RtApp.read("test.json", json, 8))
        .hasMessageStartingWith("test.json:1:2: \"?[2J\" is not known here");
  }
}
