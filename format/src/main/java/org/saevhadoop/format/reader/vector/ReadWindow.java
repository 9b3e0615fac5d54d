package org.saevhadoop.format.reader.vector;

import java.io.IOException;
import java.util.List;

/** Batches that are filled together, in parts distributed among threads. */
abstract class ReadWindow {
  private final List<VectorBatch> batches;
  private final int parts;
  private int claimed;
  private int done;

  ReadWindow(List<VectorBatch> batches, int parts) {
    this.batches = batches;
    this.parts = parts;
  }

  /** Fills one part. Parts are independent and may be filled in any order. */
  abstract void fill(int part, VectorSource source) throws IOException;

  List<VectorBatch> batches() {
    return batches;
  }

  // The following members are guarded by the lock of ReadAhead.

  boolean hasUnclaimedPart() {
    return claimed < parts;
  }

  int claimPart() {
    return claimed++;
  }

  void partIsDone() {
    done++;
  }

  boolean isComplete() {
    return done == parts;
  }
}
