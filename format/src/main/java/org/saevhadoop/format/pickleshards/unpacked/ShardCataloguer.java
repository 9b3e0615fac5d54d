package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.SampleText;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;

/** Writes the catalogue of a shard: the locations of its blocks and the metadata of its samples. */
final class ShardCataloguer {
  private final OpenShard shard;
  private final RaggedPolicy ragged;
  private final BlockStore store;

  /**
   * Creates the cataloguer of a shard.
   *
   * @param choice the blocks to keep
   * @param kept the output for the kept blocks; null if all blocks are kept, which then stay in the
   *     spool
   */
  ShardCataloguer(OpenShard shard, RaggedPolicy ragged, BlockChoice choice, Output kept) {
    this.shard = shard;
    this.ragged = ragged;
    this.store = new BlockStore(shard, ragged, choice, kept);
  }

  /**
   * Writes the sample metadata beside the blocks and returns the catalogue.
   *
   * @param name the path of the shard relative to the dataset
   * @param target the folder for the sample metadata
   * @param blocks the name of the file with the blocks
   */
  ShardCatalogue write(String name, Map<String, ShardFacts> facts, Folder target, String blocks)
      throws IOException {
    if (ragged.mode() == RaggedPolicy.Mode.ERROR) {
      checkLengths();
    }
    Map<Long, Map<Integer, PythonValue.Dict>> lines = new LinkedHashMap<>();
    List<ShardCatalogue.Layer> layers = new ArrayList<>();
    for (Layer layer : shard.samples().layers()) {
      ShardCatalogue.Layer placed = new ShardCatalogue.Layer(layer.number());
      for (Sample sample : layer.samples()) {
        placed.add(store.address(layer.number(), sample));
        lines
            .computeIfAbsent(sample.id(), id -> new LinkedHashMap<>())
            .putIfAbsent(layer.number(), sample.dict());
      }
      layers.add(placed);
    }
    SampleText texts = new SampleText(shard.path(), shard.payloads());
    long line = 0;
    try (SidecarWriter sampleMetadata = new SidecarWriter(target, blocks, 0, lines.size())) {
      for (Map<Integer, PythonValue.Dict> dicts : lines.values()) {
        sampleMetadata.write(new ExampleMetadata(line++, texts.of(dicts)));
      }
    }
    long[] ids = lines.keySet().stream().mapToLong(Long::longValue).toArray();
    return new ShardCatalogue(name, ids, layers, facts, shard.samples().toTell(shard.path()));
  }

  /** Reports different lengths immediately rather than after all shards are unpacked. */
  private void checkLengths() throws FormatException {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    for (Layer layer : shard.samples().layers()) {
      for (Sample sample : layer.samples()) {
        long[] shape = sample.array().shape();
        lengths.merge(OpenShard.tokens(shape), 1L, Long::sum);
      }
    }
    if (lengths.size() > 1) {
      throw RaggedPolicy.refuse(shard.path(), lengths);
    }
  }
}
