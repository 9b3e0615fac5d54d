package org.saevhadoop.converters.program;

import java.net.InetAddress;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;

/**
 * The audit log of a NameNode, which creates it from the name of its class: the operations of the
 * users that a test asks for.
 */
public final class AuditedOperations implements AuditLogger {
  private static final Map<String, Queue<Operation>> LOGS = new ConcurrentHashMap<>();

  /**
   * An operation.
   *
   * @param command such as {@code create}
   * @param path its first path
   */
  public record Operation(String command, String path) {}

  /** Returns the log of a user, which grows from now on. */
  public static Queue<Operation> of(String user) {
    return LOGS.computeIfAbsent(user, name -> new ConcurrentLinkedQueue<>());
  }

  @Override
  public void initialize(Configuration conf) {}

  @Override
  public void logAuditEvent(
      boolean succeeded,
      String user,
      InetAddress address,
      String command,
      String path,
      String destination,
      FileStatus status) {
    Queue<Operation> log = LOGS.get(user.split(" ")[0]); // followed by how it was authenticated
    if (log != null) {
      log.add(new Operation(command, String.valueOf(path)));
    }
  }
}
