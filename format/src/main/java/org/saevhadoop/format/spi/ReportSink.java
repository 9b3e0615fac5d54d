package org.saevhadoop.format.spi;

import java.io.IOException;

/** Accepts the properties of a dataset that a format reports. */
public interface ReportSink {
  /**
   * Returns whether the report is for a person; it may then have fields that the JSON object does
   * not have.
   */
  boolean isForPerson();

  /**
   * Returns whether digests of the data are requested. A format that has none for a dataset refuses
   * them before it reads the data.
   */
  boolean wantsDigests();

  /** Accepts a report whose fields fit in memory. */
  void report(DatasetReport report) throws IOException;

  /** Accepts a report of any number of tensors. */
  void tensors(TensorListing listing) throws IOException;
}
