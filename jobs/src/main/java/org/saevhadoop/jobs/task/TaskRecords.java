package org.saevhadoop.jobs.task;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The output of the tasks of a job, task by task, in the order in which each task wrote it. */
public interface TaskRecords {
  /** Makes the result of a job from the output of its tasks. */
  @FunctionalInterface
  interface Collector<R> {
    R collect(TaskRecords records) throws IOException;
  }

  @FunctionalInterface
  interface Visitor {
    /**
     * Takes a record.
     *
     * @param value the bytes of the record on the heap, valid until the method returns
     */
    void visit(long key, ByteBuffer value) throws IOException;
  }

  /** A position in the output of one task. */
  interface Cursor extends Closeable {
    long position() throws IOException;

    /** Moves to a position that {@link #position} returned. */
    void seek(long position) throws IOException;

    /** Moves to the next record; returns whether there is one. */
    boolean next() throws IOException;

    long key();

    /** Returns the value of the record on the heap, valid until the next record is read. */
    ByteBuffer value() throws IOException;
  }

  /** Returns the number of tasks that have written output. */
  int tasks();

  Cursor open(int task) throws IOException;

  default void forEach(Visitor visitor) throws IOException {
    for (int task = 0; task < tasks(); task++) {
      try (Cursor cursor = open(task)) {
        while (cursor.next()) {
          visitor.visit(cursor.key(), cursor.value());
        }
      }
    }
  }
}
