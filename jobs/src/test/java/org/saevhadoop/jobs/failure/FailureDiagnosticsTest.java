package org.saevhadoop.jobs.failure;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Diagnostics of YARN and the line that the user gets. Those of a container that cannot start, of a
 * request that is too large and of a master that timed out are as a cluster of 3.4.3 gave them; the
 * others follow the format of its classes.
 */
class FailureDiagnosticsTest {
  private static final String LOGS = "yarn logs -applicationId application_1_0002";

  private final Configuration conf = new Configuration(false);
  private final FailureDiagnostics diagnostics = new FailureDiagnostics("application_1_0002", conf);

  @Test
  void aContainerBeyondItsMemoryNamesTheKeyOfItsRole() {
    conf.set("mapreduce.map.memory.mb", "384");
    String text =
        """
        [2026-11-22 17:13:57.605]Container [pid=4711,containerID=container_1_0002_01_000002] is \
        running 12345678B beyond the 'PHYSICAL' memory limit. Current usage: 395.8 MB of 384 MB \
        physical memory used; 2.4 GB of 806.4 MB virtual memory used. Killing container.
        Dump of the process-tree for container_1_0002_01_000002 :
        [2026-11-22 17:13:57.674]Container killed on request. Exit code is 143
        [2026-11-22 17:13:57.674]Container exited with a non-zero exit code 143.
        """;
    assertThat(diagnostics.ofTask(ContainerRole.MAP, text))
        .isEqualTo(
            "a map task used 395.8 MB of the 384 MB of its container and was killed (expected a"
                + " larger mapreduce.map.memory.mb, now 384; "
                + LOGS
                + ")");
    assertThat(diagnostics.ofTask(ContainerRole.REDUCE, text))
        .startsWith("a reduce task used ")
        .contains("mapreduce.reduce.memory.mb, not set");
    assertThat(diagnostics.ofMaster(text)).contains("yarn.app.mapreduce.am.resource.mb");
    assertThat(diagnostics.ofTask(ContainerRole.MAP, text.replace("'PHYSICAL'", "'VIRTUAL'")))
        .startsWith("a map task used 2.4 GB of 806.4 MB of virtual memory ")
        .contains("yarn.nodemanager.vmem-pmem-ratio");
  }

  @Test
  void aFullHeapNamesMemoryAndOptions() {
    conf.set("mapreduce.map.java.opts", "-Xmx28m");
    assertThat(
            diagnostics.ofTask(
                ContainerRole.MAP,
                "Error: java.lang.OutOfMemoryError: Java heap space\n\tat java.base/x.y(Z.java:1)"))
        .startsWith("a map task ran out of memory: ")
        .contains("mapreduce.map.memory.mb, not set", "mapreduce.map.java.opts, now -Xmx28m", LOGS)
        .doesNotContain("SAEV_HADOOP_OPTS");
    assertThat(
            diagnostics.ofJob("Job commit failed: java.lang.OutOfMemoryError: Java heap space\n"))
        .startsWith("the application master ran out of memory")
        .contains("yarn.app.mapreduce.am.command-opts");
  }

  @Test
  void aContainerThatItsNodeCannotStartNamesTheReasonWithoutTheTime() {
    String text =
        """
        [2026-11-22 20:53:02.733]java.io.IOException: No space left on device
        	at java.base/java.io.FileOutputStream.writeBytes(Native Method)
        """;
    assertThat(diagnostics.ofTask(ContainerRole.MAP, text))
        .isEqualTo(
            "a map task cannot run on its node: No space left on device (expected a node that can"
                + " start it; "
                + LOGS
                + ")");
    assertThat(
            diagnostics.ofMaster(
                """
                Application application_1_0002 failed 2 times due to AM Container for \
                appattempt_1_0002_000002 exited with  exitCode: -1000
                Failing this attempt.Diagnostics: %sFor more detailed output, check the page
                """
                    .formatted(text)))
        .startsWith("the application master failed: No space left on device, after 2 attempts (");
  }

  @ParameterizedTest
  @CsvSource({
    "137, 'was killed from outside, exit code 137'",
    "143, 'was killed from outside, exit code 143'",
    "-100, 'was ended because its node was lost or released'",
    "-102, 'was preempted by another application'"
  })
  void aMasterThatWasKilledFromOutsideDoesNotNeedMoreMemory(String exitCode, String reason) {
    assertThat(
            diagnostics.ofMaster(
                """
                Application application_1_0002 failed 2 times due to AM Container for \
                appattempt_1_0002_000002 exited with  exitCode: %1$s
                Failing this attempt.Diagnostics: [2026-11-22 17:13:57.605]Container killed on \
                request. Exit code is %1$s
                [2026-11-22 17:13:57.675]Container exited with a non-zero exit code %1$s.
                """
                    .formatted(exitCode)))
        .startsWith("the application master " + reason + " (expected it to run to ")
        .endsWith(LOGS + "), after 2 attempts");
  }

  @Test
  void anApplicationThatWasKilledNamesWhoKilledIt() {
    assertThat(
            diagnostics.ofKill(
                "Application application_1_0002 was killed by user ann at 10.0.0.7\n"))
        .isEqualTo(
            "application_1_0002 was killed by user ann at 10.0.0.7 (expected it to run to the end of"
                + " the job; "
                + LOGS
                + ")");
  }

  @ParameterizedTest
  @CsvSource({"'', ''", "'killed by the administrator\n', ': killed by the administrator'"})
  void anApplicationThatWasKilledIsNamedWhateverYarnReports(String text, String reason) {
    assertThat(diagnostics.ofKill(text))
        .startsWith(
            "application_1_0002 was killed from outside" + reason + " (expected it to run ");
  }

  @Test
  void aContainerThatCannotStartNamesItsExitCodeAndTheLogs() {
    assertThat(
            diagnostics.ofTask(
                ContainerRole.MAP,
                """
                [2026-11-22 17:13:57.605]Exception from container-launch.
                Container id: container_1_0002_01_000002
                Exit code: 1

                [2026-11-22 17:13:57.674]Container exited with a non-zero exit code 1. Error file: \
                prelaunch.err.
                Last 4096 bytes of prelaunch.err :
                Last 4096 bytes of stderr :
                Exception in thread "main"
                """))
        .isEqualTo("a map task ended with exit code 1 (expected 0; " + LOGS + ")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MAP | Container killed on request. Exit code is 137 | a map task was killed from outside,"
            + " exit code 137 | expected a larger mapreduce.map.memory.mb",
        "REDUCE | Container killed on request. Exit code is 137 | a reduce task was killed from"
            + " outside, exit code 137 | mapreduce.reduce.memory.mb, not set, or fewer containers"
            + " on a node; yarn logs -applicationId application_1_0002)",
        "MAP | Exit code: 127 /bin/bash: line 1: /none/bin/java: No such file or directory | a map"
            + " task cannot be started: /none/bin/java: | mapreduce.map.env",
        "MAP | Error: java.lang.UnsupportedClassVersionError: org/saevhadoop/A has been compiled by"
            + " a more recent version of the Java Runtime (class file version 61.0) | a map task"
            + " runs on a version of Java that is too old | Java 17 or later:"
            + " mapreduce.map.env=JAVA_HOME",
        "MAP | AttemptID:attempt_1_0002_m_000000_0 Timed out after 60 secs | a map task reported no"
            + " progress for 60 s | mapreduce.task.timeout, now 60000 ms"
      })
  void aTaskThatEndsNamesTheCauseAndTheSetting(
      ContainerRole role, String text, String cause, String setting) {
    conf.set("mapreduce.task.timeout", "60000");
    assertThat(diagnostics.ofTask(role, text)).startsWith(cause).contains(setting);
  }

  @Test
  void aRequestThatIsTooLargeNamesTheLimitOfTheCluster() {
    conf.set("mapreduce.map.memory.mb", "1000000");
    assertThat(
            diagnostics.ofJob(
                "The required MAP capability is more than the supported max container capability in"
                    + " the cluster. Killing the Job. mapResourceRequest: <memory:1000000, vCores:1>"
                    + " maxContainerCapability:<memory:1536, vCores:4>\nJob received Kill while in"
                    + " RUNNING state.\n"))
        .startsWith("a map task needs a larger container than the cluster has")
        .contains("mapreduce.map.memory.mb, now 1000000", "yarn.scheduler.maximum-allocation-mb");
  }

  @Test
  void aMasterThatDiedNamesItsAttempts() {
    assertThat(
            diagnostics.ofMaster(
                "Application application_1_0002 failed 2 times due to ApplicationMaster for attempt"
                    + " appattempt_1_0002_000002 timed out. Failing the application."))
        .isEqualTo(
            "the application master failed without an answer in time, after 2 attempts (expected it"
                + " to run to the end of the job; "
                + LOGS
                + ")");
    assertThat(
            diagnostics.ofMaster(
                "Application application_1_0002 failed 2 times due to AM Container for"
                    + " appattempt_1_0002_000002 exited with  exitCode: 1\nFailing this"
                    + " attempt.Diagnostics: [x]Exception from container-launch."))
        .startsWith("the application master failed with exit code 1, after 2 attempts");
  }

  @Test
  void anErrorInDataIsShownAsItIs() {
    assertThat(
            diagnostics.ofTask(
                ContainerRole.MAP,
                "Error: org.saevhadoop.format.io.FormatException: /acts/a.bin: ends at byte 7, 3"
                    + " bytes short\n\tat java.base/x.y(Z.java:1)"))
        .isEqualTo("/acts/a.bin: ends at byte 7, 3 bytes short");
    assertThat(diagnostics.ofJob("Job commit failed: java.io.IOException: no room\n\tat x"))
        .isEqualTo("no room");
  }
}
