package org.saevhadoop.converters.cluster;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.security.AccessControlException;

/**
 * The connection of a client of HDFS that is as good as killed before one of its requests that
 * change a name or a length: neither that request nor a later one reaches the NameNode.
 */
public final class StoppedNameNode<T> extends ConfiguredFailoverProxyProvider<T> {
  /** The number of requests that pass; -1 for all. */
  public static final String PASSING = "test.namenode.requests";

  /** The name of the run to which a client belongs. */
  public static final String RUN = "test.namenode.run";

  private static final Set<String> CHANGES =
      Set.of(
          ("create append addBlock complete fsync rename rename2 delete mkdirs truncate concat"
                  + " setPermission setReplication updatePipeline")
              .split(" "));

  /** The requests of each run that change a name or a length. */
  private static final Map<String, AtomicInteger> MADE = new ConcurrentHashMap<>();

  private final int passing;
  private final String run;

  public StoppedNameNode(
      Configuration conf, URI uri, Class<T> protocol, HAProxyFactory<T> factory) {
    super(conf, uri, protocol, factory);
    this.passing = conf.getInt(PASSING, -1);
    this.run = conf.get(RUN, "");
  }

  /** Returns the number of requests of a run that change a name or a length. */
  public static int made(String run) {
    return counter(run).get();
  }

  private static AtomicInteger counter(String run) {
    return MADE.computeIfAbsent(run, name -> new AtomicInteger());
  }

  @Override
  public synchronized ProxyInfo<T> getProxy() {
    ProxyInfo<T> real = super.getProxy();
    Object counted =
        Proxy.newProxyInstance(
            xface.getClassLoader(),
            real.proxy.getClass().getInterfaces(),
            (proxy, method, args) -> {
              AtomicInteger made = counter(run);
              boolean changes = CHANGES.contains(method.getName());
              int last = changes ? made.incrementAndGet() : made.get();
              if (passing >= 0 && last > passing) {
                // a request must be made, as the client has numbered one for this thread
                ((ClientProtocol) real.proxy).getServerDefaults();
                throw new AccessControlException("stopped before " + method.getName());
              }
              try {
                return method.invoke(real.proxy, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return new ProxyInfo<>(xface.cast(counted), real.proxyInfo);
  }
}
