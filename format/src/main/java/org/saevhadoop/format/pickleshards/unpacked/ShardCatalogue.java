package org.saevhadoop.format.pickleshards.unpacked;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.tensor.DType;

/**
 * Locations of the arrays of one unpacked shard.
 *
 * @param source the path of the shard relative to the directory of the dataset
 * @param lines the sample ids in the order of their first occurrence, one per line of sample
 *     metadata
 * @param layers the arrays of each layer in file order
 * @param facts the facts of the shard and of the shard with the other halves, by relative path
 * @param notes warnings for the user
 */
record ShardCatalogue(
    String source,
    long[] lines,
    List<Layer> layers,
    Map<String, ShardFacts> facts,
    List<String> notes) {
  /**
   * Flag of a location in the source shard; without it, the location is a position in the spool.
   */
  static final long IN_SOURCE = 1L << 62;

  /** Location of an array that was not kept. */
  static final long DROPPED = -1;

  /** Checksum of an array whose bytes can all be read. */
  static final long NO_CHECKSUM = -1;

  private static final DType[] DTYPES = DType.values();

  /**
   * One array.
   *
   * @param id the sample id
   * @param dtype the element type
   * @param tokens the number of tokens
   * @param dim the number of values per token
   * @param address the location of the block or of the part that was kept
   * @param checksum the CRC-32C of the elements; {@link #NO_CHECKSUM} if all of them can be read
   */
  record Entry(long id, DType dtype, long tokens, long dim, long address, long checksum) {
    long bytes() {
      return tokens * dim * dtype.bits() / Byte.SIZE;
    }
  }

  /** The growing list of the arrays of one layer. */
  static final class Layer {
    private static final int FIRST_CAPACITY = 64;
    private static final int FIELDS = 5;

    private final int number;
    private long[] fields = new long[FIRST_CAPACITY * FIELDS];
    private byte[] types = new byte[FIRST_CAPACITY];
    private int size;

    Layer(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    int size() {
      return size;
    }

    void add(Entry entry) {
      if (size == types.length) {
        types = Arrays.copyOf(types, size * 2);
        fields = Arrays.copyOf(fields, fields.length * 2);
      }
      types[size] = (byte) entry.dtype.ordinal();
      int at = size++ * FIELDS;
      fields[at] = entry.id;
      fields[at + 1] = entry.tokens;
      fields[at + 2] = entry.dim;
      fields[at + 3] = entry.address;
      fields[at + 4] = entry.checksum;
    }

    Entry get(int index) {
      int at = index * FIELDS;
      return new Entry(
          fields[at],
          DTYPES[types[index]],
          fields[at + 1],
          fields[at + 2],
          fields[at + 3],
          fields[at + 4]);
    }
  }

  /** Returns whether a chosen block was not kept, whichever of its tokens are chosen. */
  boolean hasDropped(BlockChoice choice) {
    for (Layer layer : layers) {
      for (int i = 0; i < layer.size; i++) {
        Entry entry = layer.get(i);
        if (entry.address == DROPPED && choice.has(layer.number, entry.id)) {
          return true;
        }
      }
    }
    return false;
  }

  void write(OutputStream stream) throws IOException {
    DataOutputStream out = new DataOutputStream(stream);
    out.writeUTF(source);
    out.writeInt(lines.length);
    for (long id : lines) {
      out.writeLong(id);
    }
    out.writeInt(layers.size());
    for (Layer layer : layers) {
      out.writeInt(layer.number);
      out.writeInt(layer.size);
      out.write(layer.types, 0, layer.size);
      for (int i = 0; i < layer.size * Layer.FIELDS; i++) {
        out.writeLong(layer.fields[i]);
      }
    }
    out.writeInt(facts.size());
    for (Map.Entry<String, ShardFacts> shard : facts.entrySet()) {
      byte[] json = shard.getValue().toJson();
      out.writeUTF(shard.getKey());
      out.writeInt(json.length);
      out.write(json);
    }
    out.writeInt(notes.size());
    for (String note : notes) {
      out.writeUTF(note);
    }
    out.flush();
  }

  static ShardCatalogue read(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(stream);
    String source = in.readUTF();
    long[] lines = new long[in.readInt()];
    for (int i = 0; i < lines.length; i++) {
      lines[i] = in.readLong();
    }
    List<Layer> layers = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      Layer layer = new Layer(in.readInt());
      layer.size = in.readInt();
      layer.types = in.readNBytes(layer.size);
      layer.fields = new long[layer.size * Layer.FIELDS];
      for (int i = 0; i < layer.fields.length; i++) {
        layer.fields[i] = in.readLong();
      }
      layers.add(layer);
    }
    Map<String, ShardFacts> facts = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String path = in.readUTF();
      facts.put(path, ShardFacts.parse(path, in.readNBytes(in.readInt())));
    }
    List<String> notes = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      notes.add(in.readUTF());
    }
    return new ShardCatalogue(source, lines, layers, facts, notes);
  }
}
