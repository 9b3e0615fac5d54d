package org.saevhadoop.format.pickleshards.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ExtractionConfig;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.SampleText;
import org.saevhadoop.format.pickleshards.shard.ShardSamples;
import org.saevhadoop.format.tensor.DType;

/** Shards that tests have written, as they are read back. */
public final class WrittenShards {
  /** An extraction of which only the time of writing is known. */
  public static final ExtractionConfig UNKNOWN =
      new ExtractionConfig(null, null, null, "1970-01-01T00:00:00Z");

  /** An array as it is in a shard, and its sample as sample metadata. */
  public record Pickled(int layer, long id, DType dtype, long[] shape, byte[] data, String text) {}

  private WrittenShards() {}

  /** Returns the arrays of a shard in their order. */
  public static List<Pickled> read(Folder from, String name, Path local) throws IOException {
    List<Pickled> arrays = new ArrayList<>();
    try (Input file = from.open(name);
        LocalSpool spool = LocalSpool.temporary(local)) {
      OpenShard shard = OpenShard.read(file, spool, PickleLimits.DEFAULT);
      assertThat(shard.samples().faults()).isEmpty();
      for (ShardSamples.Layer layer : shard.samples().layers()) {
        for (ShardSamples.Sample sample : layer.samples()) {
          arrays.add(pickled(shard, layer.number(), sample));
        }
      }
    }
    return arrays;
  }

  private static Pickled pickled(OpenShard shard, int layer, ShardSamples.Sample sample)
      throws IOException {
    PythonValue.NumpyArray array = sample.array();
    byte[] data = array.data().inline();
    if (data == null) {
      data = new byte[(int) array.data().length()];
      shard.payloads().read(array.data().position(), ByteBuffer.wrap(data));
    }
    assertThat(array.isRowMajor()).isTrue();
    String text = new SampleText("", shard.payloads()).of(Map.of(layer, sample.dict()));
    return new Pickled(layer, sample.id(), array.type().dtype(), array.shape(), data, text);
  }
}
