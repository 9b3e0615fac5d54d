package org.saevhadoop.converters.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the {@link Hdfs} and the {@link YarnCluster} of this JVM. Each starts when the first
 * test asks for it and stops after the last test of all classes.
 */
public final class ClusterExtension implements ParameterResolver {
  private static final Set<Class<?>> SHARED = Set.of(Hdfs.class, YarnCluster.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return SHARED.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Store store = context.getRoot().getStore(Namespace.create(ClusterExtension.class));
    // first, as the store closes what it has in reverse order
    Hdfs hdfs = store.getOrComputeIfAbsent(Hdfs.class, type -> start(Hdfs::new), Hdfs.class);
    return parameter.getParameter().getType() == Hdfs.class
        ? hdfs
        : store.getOrComputeIfAbsent(
            YarnCluster.class, type -> start(() -> new YarnCluster(hdfs)), YarnCluster.class);
  }

  private interface Start<T> {
    T start() throws IOException;
  }

  private static <T> T start(Start<T> server) {
    try {
      return server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
