package org.saevhadoop.converters.cluster;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.LocalJobRunner;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.protocol.ClientProtocol;
import org.apache.hadoop.mapreduce.protocol.ClientProtocolProvider;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A cluster that records the jobs that are submitted to it, as they are in their files, and runs
 * them in this process: by the user who submits them, with the tokens of the job and without a
 * Kerberos ticket.
 */
public final class RecordedJobs extends ClientProtocolProvider {
  private static final String FRAMEWORK = "recorded";
  private static final String CLUSTER = "test.recorded.cluster";
  private static final Map<String, Queue<Recorded>> SUBMITTED = new ConcurrentHashMap<>();
  private static final AtomicInteger JOBS = new AtomicInteger();

  /**
   * A job as it was submitted.
   *
   * @param settings the properties in its file
   * @param services the services for which it has tokens
   */
  record Recorded(Map<String, String> settings, Set<String> services) {
    /** Returns the step of a command, which is the second word of the job's name. */
    String step() {
      return settings.get("mapreduce.job.name").split(" ")[1];
    }
  }

  /** Makes a configuration that of a client of such a cluster. */
  static void use(Configuration conf, String cluster) {
    conf.set(MRConfig.FRAMEWORK_NAME, FRAMEWORK);
    conf.set(CLUSTER, cluster);
    // there is no ResourceManager
    conf.set("saev.contact.timeout", "0");
    conf.set("yarn.resourcemanager.connect.max-wait.ms", "1000");
  }

  /**
   * Skips a test whose jobs would run as the user of this JVM: since JDK 24 a thread does not
   * inherit its user, and Hadoop hands it on from 3.5 only.
   */
  static void assumeTheirUser(Configuration conf) {
    assumeTrue(
        !FRAMEWORK.equals(conf.get(MRConfig.FRAMEWORK_NAME))
            || Runtime.version().feature() < 24
            || conf.getClassByNameOrNull(
                    "org.apache.hadoop.util.concurrent.SubjectInheritingThread")
                != null,
        "jobs in the threads of this JVM have another user");
  }

  /** Returns the jobs that a cluster has received, in order. */
  static Queue<Recorded> of(String cluster) {
    return SUBMITTED.computeIfAbsent(cluster, name -> new ConcurrentLinkedQueue<>());
  }

  @Override
  public ClientProtocol create(Configuration conf) throws IOException {
    if (!FRAMEWORK.equals(conf.get(MRConfig.FRAMEWORK_NAME))) {
      return null;
    }
    Configuration unlimited = new Configuration(conf);
    unlimited.setLong(MRJobConfig.SPLIT_METAINFO_MAXSIZE, -1); // it ignores that of the job
    LocalJobRunner runner = new LocalJobRunner(unlimited);
    return (ClientProtocol)
        Proxy.newProxyInstance(
            ClientProtocol.class.getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            (proxy, method, args) -> {
              switch (method.getName()) {
                case "getNewJobID":
                  return new JobID("1", JOBS.incrementAndGet()); // numbers, as on YARN
                case "submitJob":
                  Credentials tokens = (Credentials) args[2];
                  of(conf.get(CLUSTER)).add(recorded((String) args[1], tokens));
                  return withTokens(tokens).doAs(submission(runner, method, args));
                default:
                  return submission(runner, method, args).run();
              }
            });
  }

  private static PrivilegedExceptionAction<Object> submission(
      LocalJobRunner runner, java.lang.reflect.Method method, Object... args) {
    return () -> {
      try {
        return method.invoke(runner, args);
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    };
  }

  private static UserGroupInformation withTokens(Credentials tokens) throws IOException {
    String name = UserGroupInformation.getCurrentUser().getShortUserName();
    UserGroupInformation user = UserGroupInformation.createRemoteUser(name);
    user.addCredentials(tokens);
    return user;
  }

  private static Recorded recorded(String folder, Credentials tokens) {
    Configuration conf = new Configuration(false);
    conf.addResource(
        YarnCluster.path(Path.of(YarnCluster.path(folder).toUri().getPath(), "job.xml")));
    Map<String, String> settings = new TreeMap<>();
    conf.forEach(property -> settings.put(property.getKey(), conf.getRaw(property.getKey())));
    return new Recorded(
        settings,
        tokens.getAllTokens().stream()
            .map(token -> token.getService().toString())
            .collect(Collectors.toSet()));
  }

  @Override
  public ClientProtocol create(InetSocketAddress address, Configuration conf) throws IOException {
    return create(conf);
  }

  @Override
  public void close(ClientProtocol client) {}
}
