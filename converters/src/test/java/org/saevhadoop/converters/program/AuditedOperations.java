package org.saevhadoop.converters.program;

import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;

/** The audit log of a NameNode, which creates it from the name of its class. */
public abstract class AuditedOperations implements AuditLogger {
  /**
   * Accepts an operation.
   *
   * @param command the operation, such as {@code create}
   * @param path its first path
   */
  public abstract void accept(String command, String path);

  @Override
  public final void initialize(Configuration conf) {}

  @Override
  public final void logAuditEvent(
      boolean succeeded,
      String user,
      InetAddress address,
      String command,
      String path,
      String destination,
      FileStatus status) {
    accept(command, path);
  }
}
