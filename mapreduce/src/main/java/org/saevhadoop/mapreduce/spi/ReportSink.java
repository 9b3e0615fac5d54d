package org.saevhadoop.mapreduce.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** Takes what a format says of a dataset. */
public interface ReportSink {
  /** Returns whether a person reads it, who may get fields that the JSON object does not have. */
  boolean isForPerson();

  /** Returns whether digests of the data are asked for. */
  boolean wantsDigests();

  /** Takes a report whose fields fit into memory. */
  void report(ObjectNode fields) throws IOException;

  /** Takes a report of many tensors. */
  void tensors(TensorListing listing) throws IOException;
}
