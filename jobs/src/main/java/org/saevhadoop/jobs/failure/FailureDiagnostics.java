package org.saevhadoop.jobs.failure;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;

/**
 * Reduces the diagnostics of YARN to one line. The diagnostics of a failed container have many
 * lines, which name neither the cause in plain words nor the setting to change.
 *
 * @param application the id of the application
 * @param conf the configuration of the job
 */
public record FailureDiagnostics(String application, Configuration conf) {
  /** ContainersMonitorImpl#formatErrorMessage. */
  private static final Pattern PHYSICAL =
      Pattern.compile(
          "(?s)'PHYSICAL' memory limit.*?usage: ([\\d.]+ \\w+)"
              + " of ([\\d.]+ \\w+) physical memory used");

  private static final Pattern VIRTUAL =
      Pattern.compile(
          "(?s)'VIRTUAL' memory limit.*?used; ([\\d.]+ \\w+) of"
              + " ([\\d.]+ \\w+) virtual memory used");

  private static final Pattern OUT_OF_MEMORY =
      Pattern.compile(
          "OutOfMemoryError|Java heap space|GC overhead limit exceeded|unable to create (?:new )?native"
              + " thread|Cannot reserve \\d+ bytes of direct buffer memory|Direct buffer memory");

  /** TaskHeartbeatHandler. */
  private static final Pattern TIMED_OUT = Pattern.compile("Timed out after (\\d+) secs");

  /**
   * Messages of JobImpl and RMContainerAllocator, and messages of the ResourceManager about the
   * application master.
   */
  private static final Pattern TOO_LARGE =
      Pattern.compile(
          "more than the supported max container capability"
              + "|InvalidResourceRequestException|Invalid resource request");

  private static final Pattern OLD_JAVA =
      Pattern.compile("UnsupportedClassVersionError|compiled by a more recent version of the Java");

  private static final Pattern NO_JAVA =
      Pattern.compile("\\S*/bin/java: No such file or directory");

  private static final Pattern EXIT_CODE =
      Pattern.compile("(?i)(?:exit code(?: is|:)?|exitCode:) +(-?\\d+)");

  /** RMAppImpl. */
  private static final Pattern MASTER_FAILED =
      Pattern.compile("Application application_\\d+_\\d+ failed (\\d+) times?");

  /** ContainerImpl: a NodeManager's report on a container begins with the time. */
  private static final Pattern BY_NODE =
      Pattern.compile("^(?:.*Diagnostics: )?\\[[\\d-]+ [\\d:.]+\\] *(?=\\S)", Pattern.MULTILINE);

  /** ContainerExitStatus#INVALID: the node could not fetch the files of the container. */
  private static final String NOT_STARTED = "-1000";

  private static final List<String> KILLED = List.of("137", "143");

  /** ContainerExitStatus: the reasons for which YARN itself has ended a container. */
  private static final Map<String, String> ENDED_BY_YARN =
      Map.of(
          "-100", "was ended because its node was lost or released",
          "-102", "was preempted by another application");

  public String ofTask(ContainerRole role, String text) {
    String known = known(role, text);
    if (known != null) {
      return known;
    }
    Matcher byNode = BY_NODE.matcher(text);
    return byNode.lookingAt()
        ? "%s cannot run on its node: %s (expected a node that can start it; %s)"
            .formatted(
                role.shown, ErrorMessages.fromDiagnostics(text.substring(byNode.end())), logs())
        : ErrorMessages.fromDiagnostics(text);
  }

  /**
   * Returns the reason that the application master reported.
   *
   * @param text the diagnostics of the job
   */
  public String ofJob(String text) {
    ContainerRole role = ContainerRole.MASTER;
    if (TOO_LARGE.matcher(text).find()) {
      role = text.contains("REDUCE") ? ContainerRole.REDUCE : ContainerRole.MAP;
    }
    String known = known(role, text);
    String reason = text.strip().replaceFirst("^Job (?:commit failed|init failed ?): ", "");
    return known == null ? ErrorMessages.fromDiagnostics(reason) : known;
  }

  /**
   * Returns the reason why the application master itself died.
   *
   * @param text the diagnostics of the application
   */
  public String ofMaster(String text) {
    Matcher failed = MASTER_FAILED.matcher(text);
    String times = failed.find() ? ", after %s attempts".formatted(failed.group(1)) : "";
    String known = known(ContainerRole.MASTER, text);
    if (known != null) {
      return known + times;
    }
    Matcher exit = EXIT_CODE.matcher(text);
    Matcher byNode = BY_NODE.matcher(text);
    String code = exit.find() ? exit.group(1) : "";
    String reason = code.isEmpty() ? "" : " with exit code " + code;
    if (code.equals(NOT_STARTED) && byNode.find()) {
      reason = ": " + ErrorMessages.fromDiagnostics(text.substring(byNode.end()));
    }
    reason = text.contains("timed out") ? " without an answer in time" : reason;
    return "the application master failed%s%s (expected it to run to the end of the job; %s)"
        .formatted(reason, times, logs());
  }

  /**
   * Returns the reason why a killed application did not succeed.
   *
   * @param text the diagnostics of the application, naming the user who killed it
   */
  public String ofKill(String text) {
    String reason = ErrorMessages.fromDiagnostics(text).replaceFirst("^Application(?= app)", "");
    String killed =
        reason.strip().startsWith(application + " was killed ")
            ? reason.strip()
            : application + " was killed from outside" + (reason.isEmpty() ? "" : ": " + reason);
    return "%s (expected it to run to the end of the job; %s)".formatted(killed, logs());
  }

  /** Returns the reason for a known container failure; null for any other failure. */
  private @Nullable String known(ContainerRole role, String text) {
    String memory = memoryReason(role, text);
    if (memory != null) {
      return memory;
    }
    Matcher timedOut = TIMED_OUT.matcher(text);
    if (timedOut.find()) {
      return "%s reported no progress for %s s (expected some within %s ms; %s)"
          .formatted(role.shown, timedOut.group(1), setting("mapreduce.task.timeout"), logs());
    }
    if (TOO_LARGE.matcher(text).find()) {
      return ("%s needs a larger container than the cluster has (expected a smaller %s, or a"
              + " larger yarn.scheduler.maximum-allocation-mb of the cluster)")
          .formatted(role.shown, setting(role.memory));
    }
    if (OLD_JAVA.matcher(text).find()) {
      return "%s runs on a version of Java that is too old (expected Java 17 or later: %s=JAVA_HOME=...)"
          .formatted(role.shown, role.environment);
    }
    Matcher noJava = NO_JAVA.matcher(text);
    if (noJava.find()) {
      return "%s cannot be started: %s (expected a JAVA_HOME that exists on all nodes: %s)"
          .formatted(role.shown, Quote.show(noJava.group()), role.environment);
    }
    return exitReason(role, text);
  }

  private @Nullable String memoryReason(ContainerRole role, String text) {
    Matcher physical = PHYSICAL.matcher(text);
    if (physical.find()) {
      return "%s used %s of the %s of its container and was killed (expected a larger %s; %s)"
          .formatted(
              role.shown, physical.group(1), physical.group(2), setting(role.memory), logs());
    }
    Matcher virtual = VIRTUAL.matcher(text);
    if (virtual.find()) {
      return ("%s used %s of %s of virtual memory and was killed (expected a larger %s, or a"
              + " larger yarn.nodemanager.vmem-pmem-ratio of the cluster; %s)")
          .formatted(role.shown, virtual.group(1), virtual.group(2), setting(role.memory), logs());
    }
    Matcher full = OUT_OF_MEMORY.matcher(text);
    if (full.find()) {
      return "%s ran out of memory: %s (expected a larger %s, and -Xmx in %s; %s)"
          .formatted(role.shown, full.group(), setting(role.memory), setting(role.options), logs());
    }
    return null;
  }

  private @Nullable String exitReason(ContainerRole role, String text) {
    Matcher exit = EXIT_CODE.matcher(text);
    if (!exit.find()) {
      return null;
    }
    String code = exit.group(1);
    if (ENDED_BY_YARN.containsKey(code)) {
      return "%s %s (expected it to run to its end; %s)"
          .formatted(role.shown, ENDED_BY_YARN.get(code), logs());
    }
    if (KILLED.contains(code) && role == ContainerRole.MASTER) {
      return "%s was killed from outside, exit code %s (expected it to run to the end of the job; %s)"
          .formatted(role.shown, code, logs());
    }
    if (KILLED.contains(code)) {
      return ("%s was killed from outside, exit code %s, which happens on a node that runs out of"
              + " memory (expected a larger %s, or fewer containers on a node; %s)")
          .formatted(role.shown, code, setting(role.memory), logs());
    }
    return role == ContainerRole.MASTER
        ? null
        : "%s ended with exit code %s (expected 0; %s)".formatted(role.shown, code, logs());
  }

  private String setting(String key) {
    String value = conf.getRaw(key);
    return key + (value == null ? ", not set" : ", now " + Quote.show(value));
  }

  /** Returns the command that shows the logs of the containers. */
  private String logs() {
    return "yarn logs -applicationId " + application;
  }
}
