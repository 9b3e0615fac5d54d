package org.saevhadoop.jobs.task;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A value that tasks write as bytes. */
public interface Streamed {
  void write(DataOutput out) throws IOException;

  /** Replaces this value with one that is read from a stream. */
  void readFields(DataInput in) throws IOException;

  /** Replaces this value with one that is read from the remaining bytes of a heap buffer. */
  default void read(ByteBuffer bytes) throws IOException {
    readFields(in(bytes));
  }

  /** Returns the remaining bytes of a heap buffer as a stream. */
  static DataInputStream in(ByteBuffer bytes) {
    return new DataInputStream(
        new ByteArrayInputStream(
            bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
  }
}
