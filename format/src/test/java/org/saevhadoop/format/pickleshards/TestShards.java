package org.saevhadoop.format.pickleshards;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.saevhadoop.format.io.MemoryOutput;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.write.ShardPickler;
import org.saevhadoop.format.tensor.DType;

/** Pickled shards of two layers, 3 and 7, of float32. */
public final class TestShards {
  public static final int[] LAYERS = {3, 7};
  public static final int TOKENS = 4;
  public static final int DIM = 256;
  public static final long BLOCK_BYTES = TOKENS * DIM * Float.BYTES;

  private TestShards() {}

  /** Writes a shard; compressed if its name says so. */
  public static void write(Path path, long... ids) throws IOException {
    Files.createDirectories(path.getParent());
    MemoryOutput out = new MemoryOutput(path.toString());
    ShardPickler pickler = new ShardPickler(path.toString(), out::write, 4, Form.SPEC);
    for (int layer : LAYERS) {
      pickler.beginLayer(layer);
      for (long id : ids) {
        pickler.sample(id, null, DType.F32, new long[] {TOKENS, DIM}, block(id, layer));
      }
      pickler.endLayer();
    }
    pickler.end();
    Files.write(path, path.toString().endsWith(".gz") ? gzip(out.bytes()) : out.bytes());
  }

  /** The values of a block: each says its sample, layer, token and place. */
  public static float value(long id, int layer, int token, int place) {
    return id * 100_000 + layer * 10_000 + token * 1_000 + place;
  }

  private static ByteBuffer block(long id, int layer) {
    ByteBuffer block = ByteBuffer.allocate((int) BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int token = 0; token < TOKENS; token++) {
      for (int i = 0; i < DIM; i++) {
        block.putFloat(value(id, layer, token, i));
      }
    }
    return block.flip();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
