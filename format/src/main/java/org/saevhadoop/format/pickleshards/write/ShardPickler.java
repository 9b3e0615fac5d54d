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
 * Writes a shard: {@code {layer: [sample, ...], ...}}, layer by layer, sample by sample, in memory
 * that does not grow with either.
 */
public final class ShardPickler {
  /** Whose keys a shard has. */
  public enum Dialect {
    /** The specification's: {@code "layer_15"}, and a sample has {@code metadata}. */
    SPECIFICATION,
    /** The real writer's: {@code 15}, and a sample of its own has no {@code metadata}. */
    REAL
  }

  private static final String ACTIVATION = "activation";

  private final String path;
  private final PickleWriter out;
  private final Dialect dialect;
  private final Set<Integer> layers = new HashSet<>();

  /**
   * @param path as error messages name the file
   * @param protocol 2, 4 or 5
   */
  public ShardPickler(String path, PickleWriter.Sink sink, int protocol, Dialect dialect)
      throws IOException {
    this.path = path;
    this.out = new PickleWriter(path, protocol, sink);
    this.dialect = dialect;
    out.beginDict(PythonValue.Dict.Kind.DICT);
  }

  /**
   * Begins the list of a layer's samples.
   *
   * @param layer the number that the model gives it
   */
  public void beginLayer(int layer) throws IOException {
    PickleError.DUPLICATE_LAYER.check(
        layers.add(layer), path, "layer %d is to be written twice", layer);
    if (dialect == Dialect.SPECIFICATION) {
      out.value("layer_" + layer, null);
    } else {
      out.value((long) layer, null);
    }
    out.beginList();
  }

  /**
   * A sample with the keys and values that it had, whatever they are, in their order; only the
   * value of {@code activation} is the array.
   *
   * @param attributes what it had; its {@code activation} is not looked at
   * @param payloads where its long texts are; null where it has none
   * @param shape elements per dimension, the slowest first
   * @param data elements, little-endian, in C's order
   */
  public void sample(
      PythonValue.Dict attributes, PayloadStore payloads, DType type, long[] shape, ByteBuffer data)
      throws IOException {
    boolean written = false;
    out.beginDict(attributes.kind());
    for (int i = 0; i < attributes.size(); i++) {
      if (attributes.key(i) instanceof String key) {
        out.key(key);
        if (key.equals(ACTIVATION)) {
          out.array(type, shape, data);
          written = true;
          continue;
        }
      } else {
        out.value(attributes.key(i), payloads);
      }
      out.value(attributes.value(i), payloads);
    }
    PickleError.SCHEMA.check(
        written,
        path,
        "the attributes of a sample have no key %s (expected its place)",
        ACTIVATION);
    out.endDict();
  }

  /**
   * A sample of a source without texts.
   *
   * @param metadata where the data came from: the dialect of the real writer leaves it out
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

  /** Ends the shard; the sink is not closed. */
  public void end() throws IOException {
    out.endDict();
    out.end();
  }
}
