package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.saevhadoop.format.io.FileError;

/**
 * Creates the errors for exceeded HDFS quotas. The NameNode's message names the folder that has the
 * quota, the quota, and its use (QuotaExceededException in Hadoop 3.4), but not the file.
 */
public final class QuotaFailure {
  private QuotaFailure() {}

  /**
   * Returns the error for an operation that exceeded a quota; returns any other failure unchanged.
   */
  public static IOException of(String path, IOException failure) {
    IOException cause =
        failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
    if (!(cause instanceof ClusterStorageCapacityExceededException)) {
      return failure;
    }
    return FileError.NO_SPACE
        .in(
            path,
            "cannot be written: %s (expected a larger quota, or less data in that folder)",
            String.valueOf(cause.getMessage()).lines().findFirst().orElse(""))
        .causedBy(failure);
  }
}
