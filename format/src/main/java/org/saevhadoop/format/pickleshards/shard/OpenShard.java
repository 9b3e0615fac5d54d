package org.saevhadoop.format.pickleshards.shard;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.gzip.GzipSource;
import org.saevhadoop.format.gzip.PlainOrGzip;
import org.saevhadoop.format.io.ByteSource;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.read.PickleReader;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;

/**
 * A shard after its pickle has been read.
 *
 * @param compressed whether the content is gzip, regardless of the name
 * @param payloads the data of the arrays, in the spool or in the file itself
 * @param spool the spool for blocks that the payloads do not contain in plain form
 */
public record OpenShard(
    String path,
    boolean compressed,
    ShardSamples samples,
    PayloadStore payloads,
    LocalSpool spool) {
  /**
   * Reads a whole shard.
   *
   * @param file the shard, which must stay open while its arrays are read
   * @param spool the spool for the arrays of a compressed shard
   */
  public static OpenShard read(Input file, LocalSpool spool, PickleLimits limits)
      throws IOException {
    return read(file, spool, limits, PickleReader.buffer());
  }

  /**
   * Reads a whole shard, as the other method does.
   *
   * @param buffer a buffer of {@link PickleReader#buffer}: making one takes longer than reading a
   *     small shard
   */
  public static OpenShard read(Input file, LocalSpool spool, PickleLimits limits, ByteBuffer buffer)
      throws IOException {
    ByteSource source = PlainOrGzip.open(file);
    boolean compressed = source instanceof GzipSource;
    PayloadStore payloads =
        compressed ? new SpooledPayloads(spool) : new InPlacePayloads(file, spool);
    Object root = PickleReader.read(source, payloads, limits, null, buffer);
    return new OpenShard(
        file.path(), compressed, ShardSamples.of(file.path(), root), payloads, spool);
  }

  /**
   * Returns whether the payloads contain the array in the form of a block: in C order and
   * little-endian.
   */
  public boolean isPlain(PythonValue.NumpyArray array) {
    return array.data().inline() == null
        && array.data().form() == PayloadData.Form.RAW
        && array.isRowMajor()
        && (compressed || !InPlacePayloads.isMade(array.data().position()))
        && (!array.type().bigEndian() || array.type().itemSize() == 1);
  }

  /**
   * Checks that the metadata of all samples can be represented as text.
   *
   * @throws org.saevhadoop.format.io.FormatException if the metadata is too large or contains
   *     itself
   */
  public void checkSampleMetadata() throws IOException {
    SampleText texts = new SampleText(path, payloads);
    for (ShardSamples.Layer layer : samples.layers()) {
      for (ShardSamples.Sample sample : layer.samples()) {
        texts.of(Map.of(layer.number(), sample.dict()));
      }
    }
  }

  /**
   * Returns the facts of the shard for comparison with metadata.json.
   *
   * @param fileBytes the length of the file as stored
   * @param sha256 the SHA-256 of the file as stored; null if unknown
   */
  public ShardFacts facts(String name, long fileBytes, @Nullable String sha256) {
    SortedMap<Integer, Long> samplesOfLayer = new TreeMap<>();
    Set<Long> ids = new HashSet<>();
    LongSummaryStatistics range = new LongSummaryStatistics();
    LongSummaryStatistics tokens = new LongSummaryStatistics();
    LongSummaryStatistics width = new LongSummaryStatistics();
    long bytes = 0;
    for (ShardSamples.Layer layer : samples.layers()) {
      samplesOfLayer.put(layer.number(), (long) layer.samples().size());
      for (ShardSamples.Sample sample : layer.samples()) {
        ids.add(sample.id());
        range.accept(sample.id());
        long[] shape = sample.array().shape();
        tokens.accept(tokens(shape));
        width.accept(shape.length == 0 ? 0 : shape[shape.length - 1]);
        bytes += sample.array().bytes();
      }
    }
    boolean any = range.getCount() > 0;
    return new ShardFacts(
        name,
        fileBytes,
        sha256,
        compressed,
        samplesOfLayer,
        ids.size(),
        any ? range.getMin() : 0,
        any ? range.getMax() : 0,
        bytes,
        any ? tokens.getMax() : 0,
        any && width.getMin() == width.getMax() ? width.getMin() : 0);
  }

  /** Returns the number of vectors in an array: the product of all dimensions except the last. */
  public static long tokens(long[] shape) {
    long tokens = 1;
    for (int i = 0; i < shape.length - 1; i++) {
      tokens *= shape[i];
    }
    return tokens;
  }
}
