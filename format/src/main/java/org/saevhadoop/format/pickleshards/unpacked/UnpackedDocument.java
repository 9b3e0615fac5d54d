package org.saevhadoop.format.pickleshards.unpacked;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.tensor.DType;

/**
 * The document that describes an unpacked dataset.
 *
 * @param source the path of the folder of the shards
 * @param flattened whether each token is an example
 * @param geometry the shape of the whole dataset
 * @param firstToken the first token kept of each block in a spool
 * @param homes the shards, each with the number of samples whose home it is
 * @param notes warnings for the user
 * @param provenance the provenance of the activations
 */
record UnpackedDocument(
    String source,
    boolean flattened,
    Geometry geometry,
    long firstToken,
    List<Home> homes,
    List<String> notes,
    Provenance provenance) {
  /**
   * A shard and the samples whose home it is.
   *
   * @param number the index of the shard
   * @param path the path relative to the folder of the shards
   * @param lines the number of lines of sample metadata in the shard
   * @param samples the number of samples whose home is the shard
   * @param examples the number of examples made from those samples
   */
  record Home(int number, String path, int lines, long samples, long examples) {}

  byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    text(source, out);
    out.writeBoolean(flattened);
    out.writeUTF(geometry.dtype().name());
    out.writeLong(geometry.examples());
    out.writeInt(geometry.tokens());
    out.writeInt(geometry.dim());
    out.writeInt(geometry.layers().size());
    for (int layer : geometry.layers()) {
      out.writeInt(layer);
    }
    out.writeLong(firstToken);
    out.writeInt(homes.size());
    for (Home home : homes) {
      text(home.path, out);
      out.writeInt(home.lines);
      out.writeLong(home.samples);
      out.writeLong(home.examples);
    }
    out.writeInt(notes.size());
    for (String note : notes) {
      text(note, out);
    }
    out.writeInt(provenance.documents().size());
    for (Map.Entry<String, String> document : provenance.documents().entrySet()) {
      text(document.getKey(), out);
      text(document.getValue(), out);
    }
    return bytes.toByteArray();
  }

  static UnpackedDocument parse(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    String source = text(in);
    boolean flattened = in.readBoolean();
    DType dtype = DType.valueOf(in.readUTF());
    long examples = in.readLong();
    int tokens = in.readInt();
    int dim = in.readInt();
    List<Integer> layers = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      layers.add(in.readInt());
    }
    long firstToken = in.readLong();
    List<Home> homes = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      homes.add(new Home(i, text(in), in.readInt(), in.readLong(), in.readLong()));
    }
    List<String> notes = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      notes.add(text(in));
    }
    Provenance provenance = Provenance.NONE;
    for (int left = in.readInt(); left > 0; left--) {
      provenance = provenance.with(text(in), text(in));
    }
    Geometry geometry = new Geometry(examples, layers, tokens, dim, dtype);
    return new UnpackedDocument(source, flattened, geometry, firstToken, homes, notes, provenance);
  }

  /**
   * Writes UTF-16, because writeUTF is limited to 64 KiB and UTF-8 cannot represent lone
   * surrogates, which paths may contain.
   */
  private static void text(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_16BE);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_16BE);
  }
}
