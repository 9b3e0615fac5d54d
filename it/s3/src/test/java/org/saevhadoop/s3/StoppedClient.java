package org.saevhadoop.s3;

import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jclouds.blobstore.BlobStore;
import org.jclouds.blobstore.domain.Blob;
import org.jclouds.blobstore.domain.BlobMetadata;
import org.jclouds.blobstore.domain.MultipartPart;
import org.jclouds.blobstore.domain.MultipartUpload;
import org.jclouds.blobstore.domain.MutableBlobMetadata;
import org.jclouds.blobstore.domain.internal.MutableBlobMetadataImpl;
import org.jclouds.blobstore.options.CopyOptions;
import org.jclouds.blobstore.options.GetOptions;
import org.jclouds.blobstore.options.PutOptions;
import org.jclouds.blobstore.util.ForwardingBlobStore;
import org.jclouds.io.Payload;
import org.jclouds.rest.AuthorizationException;

/**
 * The objects as one client sees them that is as good as killed before one of its changes: neither
 * that request nor a later one is served. A request that deletes several objects is one change for
 * each of them. Objects that are older than the client are an hour older, so that locks are void.
 */
final class StoppedClient {
  /** The number of changes of a client that is not stopped. */
  static final int ALL = Integer.MAX_VALUE;

  private final BlobStore store;
  private final int passing;
  private final Date began = new Date();
  private final AtomicInteger changes = new AtomicInteger();

  StoppedClient(BlobStore store, int passing) {
    this.store = store;
    this.passing = passing;
  }

  /** Returns the number of changes that the client has asked for. */
  int changes() {
    return changes.get();
  }

  /** Returns the objects for one request, which the server may serve in several steps. */
  BlobStore request() {
    return new Request();
  }

  private final class Request extends ForwardingBlobStore {
    private boolean isCounted;

    Request() {
      super(store);
    }

    private void change() {
      if (!isCounted) {
        isCounted = true;
        changes.incrementAndGet();
        check();
      }
    }

    private void read() {
      if (!isCounted) {
        check();
      }
    }

    private void check() {
      if (changes.get() > passing) {
        throw new AuthorizationException("stopped"); // which S3A does not repeat
      }
    }

    @Override
    public BlobMetadata blobMetadata(String container, String name) {
      read();
      BlobMetadata found = super.blobMetadata(container, name);
      if (found == null || !found.getLastModified().before(began)) {
        return found;
      }
      MutableBlobMetadata older = new MutableBlobMetadataImpl(found);
      older.setLastModified(new Date(began.getTime() - TimeUnit.HOURS.toMillis(1)));
      return older;
    }

    @Override
    public Blob getBlob(String container, String name, GetOptions options) {
      read();
      return super.getBlob(container, name, options);
    }

    @Override
    public String putBlob(String container, Blob blob) {
      change();
      return super.putBlob(container, blob);
    }

    @Override
    public String putBlob(String container, Blob blob, PutOptions options) {
      change();
      return super.putBlob(container, blob, options);
    }

    @Override
    public String copyBlob(
        String fromContainer, String from, String toContainer, String to, CopyOptions options) {
      change();
      return super.copyBlob(fromContainer, from, toContainer, to, options);
    }

    @Override
    public void removeBlob(String container, String name) {
      change();
      super.removeBlob(container, name);
    }

    @Override
    public void removeBlobs(String container, Iterable<String> names) {
      for (String name : names) {
        isCounted = false;
        removeBlob(container, name);
      }
    }

    @Override
    public MultipartUpload initiateMultipartUpload(
        String container, BlobMetadata blob, PutOptions options) {
      change();
      return super.initiateMultipartUpload(container, blob, options);
    }

    @Override
    public MultipartPart uploadMultipartPart(MultipartUpload upload, int number, Payload payload) {
      change();
      return super.uploadMultipartPart(upload, number, payload);
    }

    @Override
    public String completeMultipartUpload(MultipartUpload upload, List<MultipartPart> parts) {
      change();
      return super.completeMultipartUpload(upload, parts);
    }

    @Override
    public void abortMultipartUpload(MultipartUpload upload) {
      change();
      super.abortMultipartUpload(upload);
    }
  }
}
