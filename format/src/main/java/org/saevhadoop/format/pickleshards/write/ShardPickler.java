package org.saevhadoop.format.pickleshards.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.saevhadoop.format.io.Io;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickle.write.PickleWriter;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.shard.LayerKey;
import org.saevhadoop.format.pickleshards.shard.SampleText;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes a shard {@code {layer: [sample, ...], ...}} layer by layer and sample by sample. Memory
 * use does not depend on the number of layers or samples.
 */
public final class ShardPickler {
  private final String path;
  private final PickleWriter out;
  private final Form dialect;
  private final Set<Integer> layers = new HashSet<>();

  /** Begins a shard. */
  public ShardPickler(String path, Io.Consumer<ByteBuffer> sink, int protocol, Form dialect)
      throws IOException {
    this.path = path;
    this.out = new PickleWriter(path, protocol, sink);
    this.dialect = dialect;
    out.beginDict(PythonValue.Dict.Kind.DICT);
  }

  /** Begins the list of the samples of a layer. */
  public void beginLayer(int layer) throws IOException {
    PickleError.DUPLICATE_LAYER.check(
        layers.add(layer), path, "layer %d would be written twice", layer);
    if (dialect == Form.SPEC) {
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
   * @param shape the number of elements per dimension, slowest dimension first
   * @param data the elements, little-endian and in C order
   * @throws org.saevhadoop.format.io.FormatException if the entries have no {@code activation}
   */
  public void sample(PythonValue.Dict entries, DType type, long[] shape, ByteBuffer data)
      throws IOException {
    boolean written = false;
    out.beginDict(entries.kind());
    for (int i = 0; i < entries.size(); i++) {
      Object key = entries.key(i);
      if (key instanceof String text) {
        out.key(text);
      } else {
        out.value(key, null);
      }
      if (SampleText.ACTIVATION.equals(key)) {
        out.array(type, shape, data);
        written = true;
      } else {
        out.value(entries.value(i), null);
      }
    }
    PickleError.SCHEMA.check(
        written,
        path,
        "the metadata of a sample has no key %s (expected one, whose value is replaced by the array)",
        SampleText.ACTIVATION);
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
    PythonValue.Dict entries = entries(sampleIndex, shape, "");
    if (dialect == Form.SPEC) {
      entries.append("metadata", metadata);
    }
    sample(entries, type, shape, data);
  }

  /** Returns the entries that each new sample has. */
  static PythonValue.Dict entries(long sampleIndex, long[] shape, String textPreview) {
    PythonValue.Dict entries = new PythonValue.Dict(PythonValue.Dict.Kind.DICT);
    entries.append("sample_idx", sampleIndex);
    entries.append(SampleText.ACTIVATION, null);
    entries.append(SampleText.SHAPE, LayerKey.tuple(shape));
    entries.append("text_preview", textPreview);
    return entries;
  }

  public void endLayer() throws IOException {
    out.endList();
  }

  /** Ends the shard. The sink is not closed. */
  public void end() throws IOException {
    out.endDict();
    out.end();
  }
}
