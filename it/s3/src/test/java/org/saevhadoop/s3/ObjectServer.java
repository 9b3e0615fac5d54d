package org.saevhadoop.s3;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.gaul.s3proxy.AuthenticationType;
import org.gaul.s3proxy.S3Proxy;
import org.jclouds.ContextBuilder;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.BlobStoreContext;
import org.jclouds.blobstore.domain.MultipartUpload;
import org.jclouds.blobstore.domain.StorageMetadata;
import org.jclouds.blobstore.options.CopyOptions;
import org.jclouds.blobstore.options.ListContainerOptions;
import org.jclouds.blobstore.options.PutOptions;
import org.jclouds.blobstore.util.ForwardingBlobStore;

/** An S3 server on loopback whose objects are in memory. It counts the objects that it copies. */
final class ObjectServer {
  static final String BUCKET = "bucket";

  private static final String SECRET = "local";

  private final AtomicLong copies = new AtomicLong();
  private final Map<String, StoppedClient> clients = new ConcurrentHashMap<>();
  private final BlobStoreContext context;
  private final BlobStore store;
  private final S3Proxy proxy;

  ObjectServer() throws Exception {
    // the provider transient-nio2 lists folders as objects without a size, on which S3A fails
    context =
        ContextBuilder.newBuilder("transient")
            .credentials("identity", "credential")
            .overrides(new Properties())
            .build(BlobStoreContext.class);
    store = context.getBlobStore();
    store.createContainerInLocation(null, BUCKET);
    proxy =
        S3Proxy.builder()
            .blobStore(store)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, SECRET, SECRET)
            .ignoreUnknownHeaders(true) // the checksum of a request that deletes several objects
            .build();
    BlobStore all = new CountingStore(store);
    proxy.setBlobStoreLocator(
        (key, bucket, name) -> {
          StoppedClient client = clients.get(key);
          return Map.entry(SECRET, client == null ? all : client.request());
        });
    proxy.start();
    while (!proxy.getState().equals("STARTED")) {
      Thread.sleep(10);
    }
  }

  /** Returns options of the command line for this server. */
  List<String> options() {
    return List.of(
        "-Dfs.s3a.endpoint=http://127.0.0.1:" + proxy.getPort(),
        "-Dfs.s3a.endpoint.region=us-east-1",
        "-Dfs.s3a.path.style.access=true",
        "-Dfs.s3a.connection.ssl.enabled=false",
        "-Dfs.s3a.access.key=" + SECRET,
        "-Dfs.s3a.secret.key=" + SECRET,
        "-Dfs.s3a.multipart.size=5M",
        "-Dfs.s3a.multipart.threshold=5M");
  }

  /**
   * Adds a client that is stopped.
   *
   * @param key its access key
   * @param passing the number of its changes that are served
   */
  StoppedClient addClient(String key, int passing) {
    StoppedClient client = new StoppedClient(store, passing);
    clients.put(key, client);
    return client;
  }

  Configuration conf() {
    Configuration conf = new Configuration();
    for (String option : options()) {
      String[] pair = option.substring(2).split("=", 2);
      conf.set(pair[0], pair[1]);
    }
    return conf;
  }

  /** Returns the number of objects that were copied. */
  long copies() {
    return copies.get();
  }

  /** Returns the names of the objects below a prefix, without the prefix. */
  List<String> objects(String prefix) {
    List<String> names = new ArrayList<>();
    for (StorageMetadata object :
        store.list(BUCKET, ListContainerOptions.Builder.prefix(prefix).recursive())) {
      names.add(object.getName().substring(prefix.length()));
    }
    return names;
  }

  /** Returns the names of the objects below a prefix whose uploads were not completed. */
  List<String> uploads(String prefix) {
    return store.listMultipartUploads(BUCKET).stream()
        .map(MultipartUpload::blobName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  void beginUpload(String name) {
    store.initiateMultipartUpload(
        BUCKET, store.blobBuilder(name).build().getMetadata(), new PutOptions());
  }

  /** Deletes all objects below a prefix, and uploads to it. */
  void deleteAll(String prefix) {
    for (MultipartUpload upload : store.listMultipartUploads(BUCKET)) {
      if (upload.blobName().startsWith(prefix)) {
        store.abortMultipartUpload(upload);
      }
    }
    objects(prefix).forEach(name -> delete(prefix + name));
  }

  void copyAll(String from, String to) {
    for (String name : objects(from)) {
      store.copyBlob(BUCKET, from + name, BUCKET, to + name, CopyOptions.NONE);
    }
  }

  /** Returns the contents of the objects below a prefix, by names without the prefix. */
  Map<String, String> contents(String prefix) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (String name : objects(prefix)) {
      try (InputStream in = store.getBlob(BUCKET, prefix + name).getPayload().openStream()) {
        contents.put(name, new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
      }
    }
    return contents;
  }

  void delete(String name) {
    store.removeBlob(BUCKET, name);
  }

  void stop() throws Exception {
    proxy.stop();
    context.close();
  }

  private final class CountingStore extends ForwardingBlobStore {
    CountingStore(BlobStore store) {
      super(store);
    }

    @Override
    public String copyBlob(
        String fromContainer, String from, String toContainer, String to, CopyOptions options) {
      copies.incrementAndGet();
      return super.copyBlob(fromContainer, from, toContainer, to, options);
    }
  }
}
