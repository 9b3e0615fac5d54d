package org.saevhadoop.mapreduce.io;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.security.TokenCache;

/**
 * Delegation tokens of secured storage. Tasks and the application master have no Kerberos ticket:
 * they can access only the file systems whose tokens the client obtained before it submitted the
 * job.
 */
public final class StorageTokens {
  private StorageTokens() {}

  /**
   * Obtains tokens for the file systems of paths and adds them to the credentials of a job. Tokens
   * that the job already has are kept. Without Hadoop security, this method does nothing.
   *
   * @throws IOException if a server issues no token
   */
  public static void obtain(JobContext job, Path... paths) throws IOException {
    TokenCache.obtainTokensForNamenodes(job.getCredentials(), paths, job.getConfiguration());
  }
}
