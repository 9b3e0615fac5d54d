package org.saevhadoop.jobs.server;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * A server, or the servers of a service with failover.
 *
 * @param path the path or the service that error messages name
 * @param role the role of the server
 * @param addresses the host and port of each server
 * @param origin the origin of the addresses, as the end of a sentence
 */
record RemoteServer(String path, String role, List<String> addresses, String origin) {
  /** {@link URI#getPort} does not find the port if the host name contains an underscore. */
  private static final Pattern HAS_PORT = Pattern.compile(":\\d+$");

  private static final String MANAGER = "ResourceManager";

  private static final String NAME_NODE = "NameNode";

  private static final String DEFAULT_MANAGER_PORT = ":8032";

  /**
   * Returns the server of a file system.
   *
   * @param path the path that the user named
   * @param uri a URI of the file system, with its authority
   */
  static RemoteServer ofFileSystem(String path, URI uri, boolean isDefault, Configuration conf) {
    String origin = isDefault ? ", as fs.defaultFS is " + uri : "";
    String service = uri.getAuthority();
    Collection<String> nodes = conf.getTrimmedStringCollection("dfs.ha.namenodes." + service);
    List<String> addresses = new ArrayList<>();
    for (String node : nodes) {
      String key = "dfs.namenode.rpc-address." + service + "." + node;
      addresses.add(conf.getTrimmed(key, node));
    }
    if (addresses.isEmpty()) {
      addresses.add(
          HAS_PORT.matcher(service).find() ? service : service + defaultPort(uri.getScheme()));
    }
    String role = uri.getScheme().endsWith("hdfs") ? NAME_NODE : "server of " + uri.getScheme();
    return new RemoteServer(path, role, List.copyOf(addresses), origin);
  }

  private static String defaultPort(String scheme) {
    return switch (scheme) {
      case "hdfs" -> ":8020";
      case "webhdfs" -> ":9870";
      case "swebhdfs" -> ":9871";
      default -> "";
    };
  }

  static RemoteServer resourceManager(Configuration conf) {
    String prefix = "yarn.resourcemanager.";
    List<String> addresses = new ArrayList<>();
    if (conf.getBoolean(prefix + "ha.enabled", false)) {
      for (String id : conf.getTrimmedStringCollection(prefix + "ha.rm-ids")) {
        String host = conf.getTrimmed(prefix + "hostname." + id, id);
        addresses.add(conf.getTrimmed(prefix + "address." + id, host + DEFAULT_MANAGER_PORT));
      }
    }
    if (addresses.isEmpty()) {
      String host = conf.getTrimmed(prefix + "hostname", "0.0.0.0");
      addresses.add(conf.getTrimmed(prefix + "address", host + DEFAULT_MANAGER_PORT));
    }
    return new RemoteServer(
        "YARN", MANAGER, List.copyOf(addresses), ", as in " + prefix + "address");
  }

  /** Returns the key that names the Kerberos principal of the server. */
  String principalKey() {
    return role.equals(MANAGER)
        ? "yarn.resourcemanager.principal"
        : "dfs.namenode.kerberos.principal";
  }

  /** Returns whether this is a NameNode, whatever the protocol. */
  boolean isNameNode() {
    return role.equals(NAME_NODE);
  }

  String shownAddresses() {
    return String.join(" and ", addresses);
  }
}
