package org.saevhadoop.format.reader;

import java.io.IOException;
import java.util.List;

/** Batches that are filled together, in parts that threads take one by one. */
abstract class ReadWindow {
  private final List<VectorBatch> batches;
  private final int parts;
  private int claimed;
  private int done;

  ReadWindow(List<VectorBatch> batches, int parts) {
    this.batches = batches;
    this.parts = parts;
  }

  /** Does one part of the work. Parts have nothing in common, and no order. */
  abstract void fill(int part, VectorSource source) throws IOException;

  List<VectorBatch> batches() {
    return batches;
  }

  // the rest only under the lock of ReadAhead

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
