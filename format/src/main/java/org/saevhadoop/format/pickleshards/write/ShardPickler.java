package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.saevhadoop.format.pickle.value.PayloadStore;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes a shard {@code {layer: [sample, ...], ...}} layer by layer and sample by sample. Memory
 * use depends on the number of neither.
 */
public final class ShardPickler {
  /** Dialect of the keys of a shard. */
  public enum Dialect {
    /** The specification: layers are {@code "layer_15"}, and samples have {@code metadata}. */
    SPECIFICATION,
    /** The real writers: layers are {@code 15}, and new samples have no {@code metadata}. */
    REAL
  }

  private static final String ACTIVATION = "activation";

  private final String path;
  private final PickleWriter out;
  private final Dialect dialect;
  private final Set<Integer> layers = new HashSet<>();

  /**
   * Begins a shard.
   *
   * @param path the path of the file for error messages
   * @param sink the consumer of the pickle
   * @param protocol the pickle protocol: 2, 4 or 5
   * @param dialect the dialect of the keys
   */
  public ShardPickler(String path, PickleWriter.Sink sink, int protocol, Dialect dialect)
      throws IOException {
    this.path = path;
    this.out = new PickleWriter(path, protocol, sink);
    this.dialect = dialect;
    out.beginDict(PythonValue.Dict.Kind.DICT);
  }

  /**
   * Begins the list of the samples of a layer.
   *
   * @param layer the number of the layer in the model
   */
  public void beginLayer(int layer) throws IOException {
    PickleError.DUPLICATE_LAYER.check(
        layers.add(layer), path, "layer %d would be written twice", layer);
    if (dialect == Dialect.SPECIFICATION) {
      out.value("layer_" + layer, null);
    } else {
      out.value((long) layer, null);
    }
    out.beginList();
  }

  /**
   * Writes a sample with its original keys and values in their order; the value of {@code
   * activation} is replaced by the array.
   *
   * @param sampleMetadata the original entries; the value of {@code activation} is ignored
   * @param payloads the storage of long texts; null if there are none
   * @param shape the number of elements per dimension, slowest dimension first
   * @param data the elements, little-endian and in C order
   * @throws org.saevhadoop.format.io.FormatException if the entries have no {@code activation}
   */
  public void sample(
      PythonValue.Dict sampleMetadata,
      PayloadStore payloads,
      DType type,
      long[] shape,
      ByteBuffer data)
      throws IOException {
    boolean written = false;
    out.beginDict(sampleMetadata.kind());
    for (int i = 0; i < sampleMetadata.size(); i++) {
      if (sampleMetadata.key(i) instanceof String key) {
        out.key(key);
        if (key.equals(ACTIVATION)) {
          out.array(type, shape, data);
          written = true;
          continue;
        }
      } else {
        out.value(sampleMetadata.key(i), payloads);
      }
      out.value(sampleMetadata.value(i), payloads);
    }
    PickleError.SCHEMA.check(
        written,
        path,
        "the metadata of a sample has no key %s (expected one, whose value is replaced by the array)",
        ACTIVATION);
    out.endDict();
  }

  /**
   * Writes a sample without original entries.
   *
   * @param metadata the origin of the data; the dialect of the real writers omits it
   */
  public void sample(
      long sampleIndex, PythonValue.Dict metadata, DType type, long[] shape, ByteBuffer data)
      throws IOException {
    out.beginDict(PythonValue.Dict.Kind.DICT);
    out.key("sample_idx");
    out.value(sampleIndex, null);
    out.key(ACTIVATION);
    out.array(type, shape, data);
    out.key("shape");
    out.value(tuple(shape), null);
    out.key("text_preview");
    out.value("", null);
    if (dialect == Dialect.SPECIFICATION) {
      out.key("metadata");
      out.value(metadata, null);
    }
    out.endDict();
  }

  private static PythonValue.Tuple tuple(long[] shape) {
    return new PythonValue.Tuple(LongStream.of(shape).mapToObj(size -> (Object) size).toList());
  }

  /** Ends the layer. */
  public void endLayer() throws IOException {
    out.endList();
  }

  /** Ends the shard. The sink is not closed. */
  public void end() throws IOException {
    out.endDict();
    out.end();
  }
}
