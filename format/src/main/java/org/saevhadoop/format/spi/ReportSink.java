package org.saevhadoop.format.spi;

import java.io.IOException;

/** Accepts the properties of a dataset that a format reports. */
public interface ReportSink {
  /**
   * Returns whether the report is for a person; such a report may have fields that the JSON object
   * does not have.
   */
  boolean isForPerson();

  /**
   * Returns whether digests of the data are requested. A format that has no digests for a dataset
   * rejects the request before it reads the data.
   */
  boolean wantsDigests();

  /** Accepts a report whose fields fit in memory. */
  void report(DatasetReport report) throws IOException;

  /** Accepts a report of any number of tensors. */
  void tensors(TensorListing listing) throws IOException;
}
