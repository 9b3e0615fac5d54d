package org.saevhadoop.format.pickleshards.shard;

import static org.saevhadoop.format.pickle.value.PickleError.SCHEMA;
import static org.saevhadoop.format.pickle.value.PickleError.SHAPE_MISMATCH;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.numpy.header.NumpyType;
import org.saevhadoop.format.pickle.value.ArrayBytes;
import org.saevhadoop.format.pickle.value.PayloadData;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PyJson;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;

/**
 * Joins two shards that contain halves of the same vectors. Runs on several hosts produce them:
 * {@code host_2k} has the first half of each vector, and {@code host_2k+1} has the second half,
 * under the same {@code sample_idx} and in shards of the same name.
 */
public final class FeatureSplitJoiner {
  private static final int COPY_BYTES = 1 << 20;

  private final OpenShard first;
  private final OpenShard second;
  private final LocalSpool spool;

  private record SampleKey(int layer, long sample) {}

  private FeatureSplitJoiner(OpenShard first, OpenShard second, LocalSpool spool) {
    this.first = first;
    this.second = second;
    this.spool = spool;
  }

  /**
   * Joins two shards.
   *
   * @param spool the spool for the joined arrays; each shard has a separate spool
   * @throws FormatException if the shards do not have matching samples
   */
  public static OpenShard join(OpenShard first, OpenShard second, LocalSpool spool)
      throws IOException {
    return new FeatureSplitJoiner(first, second, spool).join();
  }

  private OpenShard join() throws IOException {
    Map<SampleKey, Sample> unpaired = new HashMap<>();
    for (Layer layer : second.samples().layers()) {
      for (Sample sample : layer.samples()) {
        SCHEMA.check(
            unpaired.put(new SampleKey(layer.number(), sample.id()), sample) == null,
            second.path(),
            "sample %d occurs twice in layer %d of the same half",
            sample.id(),
            layer.number());
      }
    }
    List<Layer> layers = new ArrayList<>();
    for (Layer layer : first.samples().layers()) {
      List<Sample> joined = new ArrayList<>();
      for (Sample sample : layer.samples()) {
        Sample other = unpaired.remove(new SampleKey(layer.number(), sample.id()));
        if (other == null) {
          throw SCHEMA.in(
              second.path(),
              "lacks sample %d of layer %d, whose other half is in %s",
              sample.id(),
              layer.number(),
              first.path());
        }
        joined.add(join(layer.number(), sample, other));
      }
      layers.add(new Layer(layer.number(), joined));
    }
    SCHEMA.check(
        unpaired.isEmpty(),
        second.path(),
        "has %d arrays whose other half is not in %s",
        unpaired.size(),
        first.path());
    ShardSamples halves = first.samples();
    ShardSamples others = second.samples();
    ShardSamples joined =
        new ShardSamples(
            layers,
            both(halves.notes(), others.notes()),
            both(halves.misfits(), others.misfits()),
            both(halves.faults(), others.faults()));
    return new OpenShard(first.path(), true, joined, new SpooledPayloads(spool), spool);
  }

  private static <T> List<T> both(List<T> some, List<T> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private Sample join(int layer, Sample one, Sample other) throws IOException {
    long[] shape = one.array().shape();
    long[] otherShape = other.array().shape();
    int last = shape.length - 1;
    SHAPE_MISMATCH.check(
        last >= 0
            && otherShape.length == shape.length
            && Arrays.equals(shape, 0, last, otherShape, 0, last)
            && one.dtype() == other.dtype(),
        second.path(),
        "sample %d of layer %d is %s %s, but its other half is %s %s: they cannot be joined",
        one.id(),
        layer,
        other.dtype().numpyName(),
        Arrays.toString(otherShape),
        one.dtype().numpyName(),
        Arrays.toString(shape));
    SCHEMA.check(
        metadata(first, one).equals(metadata(second, other)),
        second.path(),
        "sample %d of layer %d has sample metadata that differs from its other half in %s",
        one.id(),
        layer,
        first.path());
    long position = spool.length();
    interleave(one.array(), other.array());
    shape[last] += otherShape[last];
    NumpyType type = one.array().type();
    PythonValue.NumpyArray array = new PythonValue.NumpyArray();
    array.build(
        type.bigEndian(false),
        shape,
        false,
        new PayloadData(null, position, spool.length() - position, PayloadData.Form.RAW));
    PythonValue.Dict dict = LayerKey.with(one.dict(), SampleText.ACTIVATION, array);
    PythonValue.Tuple joined = LayerKey.tuple(shape);
    return new Sample(one.id(), array, LayerKey.with(dict, SampleText.SHAPE, joined));
  }

  /** Returns the sample metadata of a half, without the array. */
  private static String metadata(OpenShard shard, Sample sample) throws IOException {
    PythonValue.Dict dict = new PythonValue.Dict(sample.dict().kind());
    for (int i = 0; i < sample.dict().size(); i++) {
      Object key = sample.dict().key(i);
      if (!SampleText.ACTIVATION.equals(key) && !SampleText.SHAPE.equals(key)) {
        dict.append(key, sample.dict().value(i));
      }
    }
    return PyJson.write(shard.path(), dict, shard.payloads(), SampleText.MAX_CHARS);
  }

  /** Writes the vectors of both arrays alternately. */
  private void interleave(PythonValue.NumpyArray one, PythonValue.NumpyArray other)
      throws IOException {
    long vectors = OpenShard.tokens(one.shape());
    Rows rows = rows(first, one);
    Rows otherRows = rows(second, other);
    ByteBuffer joined = ByteBuffer.allocate(COPY_BYTES);
    for (long i = 0; i < vectors; i++) {
      append(rows, i, joined);
      append(otherRows, i, joined);
    }
    spool.append(joined.flip());
  }

  /** Appends a vector to the buffer, which is written to the spool whenever it is full. */
  private void append(Rows rows, long vector, ByteBuffer joined) throws IOException {
    for (long done = 0; done < rows.bytes; ) {
      if (!joined.hasRemaining()) {
        spool.append(joined.flip());
        joined.clear();
      }
      int piece = (int) Math.min(joined.remaining(), rows.bytes - done);
      rows.payloads.read(rows.at(vector) + done, joined.limit(joined.position() + piece));
      joined.limit(COPY_BYTES);
      done += piece;
    }
  }

  /**
   * The consecutive vectors of an array.
   *
   * @param position the position of the first vector
   * @param bytes the size of a vector in bytes
   */
  private record Rows(PayloadStore payloads, long position, long bytes) {
    long at(long vector) {
      return position + vector * bytes;
    }
  }

  private static Rows rows(OpenShard shard, PythonValue.NumpyArray array) throws IOException {
    long[] shape = array.shape();
    long bytes = Math.multiplyExact(shape[shape.length - 1], (long) array.type().itemSize());
    if (shard.isPlain(array)) {
      return new Rows(shard.payloads(), array.data().position(), bytes);
    }
    LocalSpool own = shard.spool();
    new ArrayBytes(shard.payloads()).copy(array, own::append);
    return new Rows(new SpooledPayloads(own), own.length() - array.bytes(), bytes);
  }
}
