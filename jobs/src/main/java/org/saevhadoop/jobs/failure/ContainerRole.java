package org.saevhadoop.jobs.failure;

import org.apache.hadoop.mapreduce.TaskType;

/** The process in a container of a job, with the keys that define its resources. */
public enum ContainerRole {
  MAP("a map task", "mapreduce.map.memory.mb", "mapreduce.map.java.opts", "mapreduce.map.env"),
  REDUCE(
      "a reduce task",
      "mapreduce.reduce.memory.mb",
      "mapreduce.reduce.java.opts",
      "mapreduce.reduce.env"),
  MASTER(
      "the application master",
      "yarn.app.mapreduce.am.resource.mb",
      "yarn.app.mapreduce.am.command-opts",
      "yarn.app.mapreduce.am.env");

  /** The name of the process, as a noun phrase that can be the subject of a sentence. */
  final String shown;

  /** The key for the memory of the container, in MiB. */
  final String memory;

  /** The key for the JVM options of the process. */
  final String options;

  /** The key for the environment of the process. */
  final String environment;

  ContainerRole(String shown, String memory, String options, String environment) {
    this.shown = shown;
    this.memory = memory;
    this.options = options;
    this.environment = environment;
  }

  public static ContainerRole of(TaskType type) {
    return type == TaskType.REDUCE ? REDUCE : MAP;
  }
}
