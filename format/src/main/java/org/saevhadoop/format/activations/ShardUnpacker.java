package org.saevhadoop.format.activations;

import static org.saevhadoop.format.pickle.PickleError.BAD_ARRAY;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.activations.ShardSamples.Layer;
import org.saevhadoop.format.activations.ShardSamples.Sample;
import org.saevhadoop.format.attributes.ExampleAttributes;
import org.saevhadoop.format.attributes.SidecarWriter;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickle.ArrayBytes;
import org.saevhadoop.format.pickle.Limits;
import org.saevhadoop.format.pickle.Py;

/**
 * Makes the arrays of a shard readable at a position. Those of a compressed shard are in the spool
 * when it has been read; of others, what does not lie as a block does is written there anew.
 */
public final class ShardUnpacker {
  private final OpenShard shard;
  private final Spool spool;
  private final Ragged ragged;

  private ShardUnpacker(OpenShard shard, Spool spool, Ragged ragged) {
    this.shard = shard;
    this.spool = spool;
    this.ragged = ragged;
  }

  /**
   * Unpacks a shard into a folder: its blocks, their catalogue, and the attributes of its samples.
   *
   * @param file the shard, which stays open
   * @param name its path in the dataset
   * @param number its place among the dataset's shards
   * @param localFolder a folder of the local disk
   */
  public static void unpack(
      Input file, String name, int number, UnpackOptions options, Folder target, Path localFolder)
      throws IOException {
    String blocks = UnpackedDataset.spoolName(number);
    boolean local = target instanceof LocalFolder;
    Path path = local ? ((LocalFolder) target).directory() : localFolder;
    Files.createDirectories(path);
    path = local ? path.resolve(blocks) : Files.createTempFile(path, blocks, ".spool");
    try (Spool spool = new Spool(path)) {
      OpenShard shard = OpenShard.read(file, spool, Limits.DEFAULT);
      Catalogue catalogue = new ShardUnpacker(shard, spool, options.ragged()).write(name, target, blocks);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      catalogue.write(bytes);
      try (Output out = target.create(UnpackedDataset.catalogueName(number))) {
        out.write(ByteBuffer.wrap(bytes.toByteArray()));
      }
      if (!local) {
        try (Output out = target.create(blocks)) {
          spool.copyTo(out);
        }
      }
    } finally {
      if (!local) {
        Files.delete(path);
      }
    }
  }

  private Catalogue write(String name, Folder target, String blocks) throws IOException {
    if (ragged.mode() == Ragged.Mode.ERROR) {
      checkLengths();
    }
    Map<Long, Map<Integer, Py.Dict>> lines = new LinkedHashMap<>();
    List<Catalogue.Layer> layers = new ArrayList<>();
    for (Layer layer : shard.samples().layers()) {
      Catalogue.Layer placed = new Catalogue.Layer(layer.number());
      for (Sample sample : layer.samples()) {
        placed.add(place(layer.number(), sample));
        lines
            .computeIfAbsent(sample.id(), id -> new LinkedHashMap<>())
            .putIfAbsent(layer.number(), sample.dict());
      }
      layers.add(placed);
    }
    long line = 0;
    try (SidecarWriter attributes = new SidecarWriter(target, blocks, 0, lines.size())) {
      for (Map<Integer, Py.Dict> dicts : lines.values()) {
        String text = SampleText.of(shard.path(), dicts, shard.payloads());
        attributes.write(new ExampleAttributes(line++, text));
      }
    }
    long[] ids = lines.keySet().stream().mapToLong(Long::longValue).toArray();
    return new Catalogue(name, ids, layers);
  }

  /** Tells at once what can not be converted, instead of when all shards are unpacked. */
  private void checkLengths() throws FormatException {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    for (Layer layer : shard.samples().layers()) {
      for (Sample sample : layer.samples()) {
        long[] shape = sample.array().shape();
        lengths.merge(tokens(shape), 1L, Long::sum);
      }
    }
    if (lengths.size() > 1) {
      throw Ragged.refuse(shard.path(), lengths);
    }
  }

  private Catalogue.Entry place(int layer, Sample sample) throws IOException {
    Py.NumpyArray array = sample.array();
    long[] shape = array.shape();
    String what = "sample %d of layer %d".formatted(sample.id(), layer);
    BAD_ARRAY.check(
        shape.length > 0, shard.path(), "%s is a single number (expected tokens)", what);
    long dim = shape[shape.length - 1];
    long tokens = tokens(shape);
    boolean tooShort = ragged.mode() == Ragged.Mode.PAD && tokens < ragged.tokens();
    long place;
    if (shard.isPlain(array) && !tooShort) {
      place = array.data().position() | (shard.compressed() ? 0 : Catalogue.IN_SOURCE);
    } else {
      place = spool.begin(0);
      ArrayBytes.copy(shard.path(), array, shard.payloads(), spool::append);
      if (tooShort) {
        pad(array, Math.multiplyExact(ragged.tokens() - tokens, dim));
      }
    }
    return new Catalogue.Entry(sample.id(), array.type().dtype(), tokens, dim, place);
  }

  private void pad(Py.NumpyArray array, long numbers) throws IOException {
    ByteBuffer filling = ragged.filling(array.type().dtype());
    long left = numbers * array.type().itemSize();
    while (left > 0) {
      filling.clear().limit((int) Math.min(left, filling.capacity()));
      left -= filling.limit();
      spool.append(filling);
    }
  }

  /** Numbers of all dimensions but the last: vectors in an array of any shape. */
  static long tokens(long[] shape) {
    long tokens = 1;
    for (int i = 0; i < shape.length - 1; i++) {
      tokens *= shape[i];
    }
    return tokens;
  }
}
