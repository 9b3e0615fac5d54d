package org.saevhadoop.format.activations;

import static org.saevhadoop.format.pickle.PickleError.BAD_ARRAY;

import java.io.IOException;
import java.nio.ByteBuffer;
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
import org.saevhadoop.format.pickle.ArrayBytes;
import org.saevhadoop.format.pickle.Py;

/**
 * Says where the blocks of a shard are. Most are where they came to lie when it was read; what does
 * not lie as a block does is written to the spool anew.
 */
final class ShardCataloguer {
  private final OpenShard shard;
  private final Ragged ragged;
  private final ArrayBytes elements;

  ShardCataloguer(OpenShard shard, Ragged ragged) {
    this.shard = shard;
    this.ragged = ragged;
    this.elements = new ArrayBytes(shard.payloads());
  }

  /**
   * Writes the attributes of the samples beside the blocks, and says where these are.
   *
   * @param name the shard's path in the dataset
   * @param facts of the shard as it was read
   * @param blocks the name of the file with the blocks
   */
  Catalogue write(String name, Map<String, ShardFacts> facts, Folder target, String blocks)
      throws IOException {
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
    SampleText texts = new SampleText(shard.path(), shard.payloads());
    long line = 0;
    try (SidecarWriter attributes = new SidecarWriter(target, blocks, 0, lines.size())) {
      for (Map<Integer, Py.Dict> dicts : lines.values()) {
        attributes.write(new ExampleAttributes(line++, texts.of(dicts)));
      }
    }
    long[] ids = lines.keySet().stream().mapToLong(Long::longValue).toArray();
    return new Catalogue(name, ids, layers, facts, shard.samples().toTell(shard.path()));
  }

  /** Tells at once what can not be converted, instead of when all shards are unpacked. */
  private void checkLengths() throws FormatException {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    for (Layer layer : shard.samples().layers()) {
      for (Sample sample : layer.samples()) {
        long[] shape = sample.array().shape();
        lengths.merge(OpenShard.tokens(shape), 1L, Long::sum);
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
    long tokens = OpenShard.tokens(shape);
    boolean tooShort = ragged.mode() == Ragged.Mode.PAD && tokens < ragged.tokens();
    long place;
    if (shard.isPlain(array) && !tooShort) {
      place = array.data().position() | (shard.compressed() ? 0 : Catalogue.IN_SOURCE);
    } else {
      elements.copy(array, shard.spool()::append);
      place = shard.spool().length() - array.bytes();
      if (tooShort) {
        checkFilled(what, dim * array.type().itemSize());
        pad(array, Math.multiplyExact(ragged.tokens() - tokens, dim));
      }
    }
    return new Catalogue.Entry(sample.id(), array.type().dtype(), tokens, dim, place);
  }

  /** As much as a block may have: known before it is written. */
  private void checkFilled(String what, long vectorBytes) throws FormatException {
    FormatException.check(
        vectorBytes <= Integer.MAX_VALUE / ragged.tokens(),
        shard.path(),
        "%s, of %d bytes a token, can not be filled up to %d tokens (expected less than 2 GiB)",
        what,
        vectorBytes,
        ragged.tokens());
  }

  private void pad(Py.NumpyArray array, long numbers) throws IOException {
    ByteBuffer filling = ragged.filling(array.type().dtype());
    long left = numbers * array.type().itemSize();
    while (left > 0) {
      filling.clear().limit((int) Math.min(left, filling.capacity()));
      left -= filling.limit();
      shard.spool().append(filling);
    }
  }
}
