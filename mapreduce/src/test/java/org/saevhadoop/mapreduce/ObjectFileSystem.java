package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.MultipartUploaderBuilder;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploader;
import org.apache.hadoop.fs.impl.FileSystemMultipartUploaderBuilder;

/** The local disk as an object store, {@code objects:}, that has pending uploads. */
public final class ObjectFileSystem extends FilterFileSystem {
  /** The scheme. Its state is static, so classes that use it must not run at once. */
  public static final String SCHEME = "objects";

  private static final URI ROOT = URI.create(SCHEME + ":///");
  private static final Set<String> UPLOADS = ConcurrentHashMap.newKeySet();
  private static volatile boolean renamesFail;

  public ObjectFileSystem() {
    super(
        new RawLocalFileSystem() {
          @Override
          public URI getUri() {
            return ROOT;
          }
        });
  }

  /** Makes the scheme known to a configuration, and forgets what happened before. */
  static void register(Configuration conf) {
    conf.setClass("fs.objects.impl", ObjectFileSystem.class, FileSystem.class);
    UPLOADS.clear();
    renamesFail = false;
  }

  /** Returns the path under this scheme of a path of the local disk. */
  static Path path(java.nio.file.Path local) {
    return new Path(SCHEME + "://" + local.toAbsolutePath());
  }

  /** Sets whether renames fail, which an object store would do by copies. */
  static void failRenames(boolean fail) {
    renamesFail = fail;
  }

  /** Begins an upload that is never completed. */
  static void beginUpload(Path path) {
    UPLOADS.add(path.toUri().getPath());
  }

  /** Returns the paths of the uploads that were neither completed nor aborted. */
  static Set<String> uploads() {
    return UPLOADS;
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (renamesFail) {
      throw new AssertionError("a copy of " + from);
    }
    return super.rename(from, to);
  }

  @Override
  public boolean hasPathCapability(Path path, String capability) throws IOException {
    return capability.equals(CommonPathCapabilities.FS_MULTIPART_UPLOADER)
        || super.hasPathCapability(path, capability);
  }

  @Override
  public MultipartUploaderBuilder<?, ?> createMultipartUploader(Path base) {
    return new FileSystemMultipartUploaderBuilder(this, base) {
      @Override
      public FileSystemMultipartUploader build() throws IOException {
        return new AbortingUploader(this, getFS());
      }
    };
  }

  private static final class AbortingUploader extends FileSystemMultipartUploader {
    AbortingUploader(FileSystemMultipartUploaderBuilder builder, FileSystem fs) {
      super(builder, fs);
    }

    @Override
    public CompletableFuture<Integer> abortUploadsUnderPath(Path path) {
      int before = UPLOADS.size();
      UPLOADS.removeIf(upload -> upload.startsWith(path.toUri().getPath() + "/"));
      return CompletableFuture.completedFuture(before - UPLOADS.size());
    }
  }
}
