package org.saevhadoop.jobs.task;

import java.io.IOException;
import java.lang.reflect.Constructor;

/**
 * The work of a map task of a verb: it reads records and writes results. It does not depend on
 * Hadoop, so it can run in threads of this process as well as in tasks on YARN. Implementations
 * have a no-argument constructor; each instance runs once.
 */
@FunctionalInterface
public interface Task {
  void run(TaskInput input, TaskOutput output) throws IOException, InterruptedException;

  static Task of(Class<? extends Task> type) {
    try {
      Constructor<? extends Task> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true); // the classes of tasks belong to the packages of verbs
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(type.getName(), e);
    }
  }
}
