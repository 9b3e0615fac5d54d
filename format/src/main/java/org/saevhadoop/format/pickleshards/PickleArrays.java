package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.spi.ArrayCursor;
import org.saevhadoop.format.tensor.DType;

/**
 * Cursor over the arrays of one shard in file order. The whole shard is read first, because only
 * its end shows that it is complete.
 */
final class PickleArrays implements ArrayCursor {
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
  PickleArrays(Input file, Path localFolder) throws IOException {
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

  @Override
  public boolean next() {
    sample++;
    while (layer < shard.samples().layers().size() && sample >= recordedLayer().samples().size()) {
      layer++;
      sample = 0;
    }
    return layer < shard.samples().layers().size();
  }

  private Layer recordedLayer() {
    return shard.samples().layers().get(layer);
  }

  private Sample recordedSample() {
    return recordedLayer().samples().get(sample);
  }

  @Override
  public long sample() {
    return recordedSample().id();
  }

  @Override
  public int layer() {
    return recordedLayer().number();
  }

  @Override
  public DType dtype() {
    return recordedSample().dtype();
  }

  @Override
  public long[] shape() {
    return recordedSample().array().shape();
  }

  @Override
  public ByteBuffer bytes() throws IOException {
    PythonValue.NumpyArray array = recordedSample().array();
    long bytes = array.bytes();
    ShardError.TOO_LARGE.check(
        bytes <= Integer.MAX_VALUE - Long.BYTES,
        file.path(),
        "sample %d of layer %d has %d bytes, too many for a record (expected less than 2 GiB)",
        sample(),
        layer(),
        bytes);
    ByteBuffer buffer = ByteBuffer.allocate((int) bytes).order(ByteOrder.LITTLE_ENDIAN);
    elements.copy(array, buffer::put);
    return buffer.flip();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      spool.close();
    }
  }
}
