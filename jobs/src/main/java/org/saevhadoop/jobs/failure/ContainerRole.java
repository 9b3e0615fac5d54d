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

  /** A noun phrase, as the subject of a sentence. */
  final String shown;

  /** The key of the memory of its container, in MiB. */
  final String memory;

  /** The key of the options of its JVM. */
  final String options;

  /** The key of its environment. */
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
