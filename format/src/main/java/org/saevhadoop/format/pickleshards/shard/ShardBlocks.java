package org.saevhadoop.format.pickleshards.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.tensor.DType;

/**
 * Cursor over the arrays of one shard in file order. The whole shard is read first, because it is
 * not known to be complete before its end.
 */
public final class ShardBlocks implements Closeable {
  private final Input file;
  private final LocalSpool spool;
  private final OpenShard shard;
  private final ArrayBytes elements;
  private int layer;
  private int sample = -1;

  /**
   * Reads a shard.
   *
   * @param file the shard, which is closed together with this object
   * @param localFolder a folder on the local disk for decompressed data
   */
  public ShardBlocks(Input file, Path localFolder) throws IOException {
    this.file = file;
    this.spool = LocalSpool.temporary(localFolder);
    try {
      this.shard = OpenShard.read(file, spool, PickleLimits.DEFAULT);
      this.elements = new ArrayBytes(shard.payloads());
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Moves to the next array.
   *
   * @return false at the end
   */
  public boolean next() {
    sample++;
    while (layer < shard.samples().layers().size() && sample >= layer().samples().size()) {
      layer++;
      sample = 0;
    }
    return layer < shard.samples().layers().size();
  }

  private Layer layer() {
    return shard.samples().layers().get(layer);
  }

  private Sample sample() {
    return layer().samples().get(sample);
  }

  /** Returns the number of the layer in the model. */
  public int layerNumber() {
    return layer().number();
  }

  /** Returns the {@code sample_idx} of the array. */
  public long sampleId() {
    return sample().id();
  }

  /** Returns the element type. */
  public DType dtype() {
    return sample().array().type().dtype();
  }

  /** Returns the dimensions of the array. */
  public long[] shape() {
    return sample().array().shape();
  }

  /** Returns the values, little-endian and in C order. */
  public ByteBuffer bytes() throws IOException {
    long bytes = sample().array().bytes();
    ShardError.TOO_LARGE.check(
        bytes <= Integer.MAX_VALUE - Long.BYTES,
        file.path(),
        "sample %d of layer %d has %d bytes, too many for a record (expected less than 2 GiB)",
        sampleId(),
        layerNumber(),
        bytes);
    ByteBuffer buffer = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    elements.copy(sample().array(), buffer::put);
    return buffer.flip();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      spool.close();
    }
  }
}
