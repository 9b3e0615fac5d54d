package org.saevhadoop.format.pickleshards.unpacked;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.RaggedPolicy;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickle.read.PickleReader;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickle.value.PythonValue;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.shard.FeatureSplitJoiner;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.SampleText;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SidecarWriter;

/**
 * Unpacks the shards of a part into a folder: their blocks, the catalogues of the blocks and the
 * metadata of their samples.
 *
 * @param number the number of the part
 */
public record ShardUnpacker(
    int number, UnpackOptions options, BlockChoice choice, Folder target, Path localFolder) {
  /**
   * A shard to unpack.
   *
   * @param name the path relative to the dataset
   * @param isHashed whether the SHA-256 of the file is needed
   */
  public record Packed(String name, Input file, boolean isHashed) {
    private ShardFacts facts(OpenShard shard) throws IOException {
      String sha256 = isHashed ? Sha256.of(file.length(), file::readFully) : null;
      return shard.facts(name.substring(name.lastIndexOf('/') + 1), file.length(), sha256);
    }
  }

  /**
   * Reads the shards once and writes the files.
   *
   * @param shards the shards; two if halves are joined. Otherwise, each is closed before the next
   *     is read
   */
  public void run(List<Packed> shards) throws IOException {
    String blocks = UnpackedDataset.spoolName(number);
    boolean all = choice.isEverything();
    Optional<LocalSpool> inPlace = all ? target.createSpool(blocks) : Optional.empty();
    List<ShardCatalogue> catalogues;
    try (LocalSpool spool =
            inPlace.isPresent() ? inPlace.get() : LocalSpool.temporary(localFolder);
        Output kept = all ? null : target.create(blocks);
        SampleLines lines = new SampleLines(target, blocks)) {
      catalogues = unpack(shards, spool, kept, lines);
      if (inPlace.isPresent()) {
        spool.keep();
      } else if (all) {
        try (Output out = target.create(blocks)) {
          spool.copyTo(out);
        }
      }
    }
    Jackson.write(target, UnpackedDataset.cataloguesName(number), catalogues);
  }

  private List<ShardCatalogue> unpack(
      List<Packed> shards, LocalSpool spool, @Nullable Output kept, SampleLines lines)
      throws IOException {
    if (options.joinHalves()) {
      return List.of(join(shards.get(0), shards.get(1), spool, kept, lines));
    }
    List<ShardCatalogue> catalogues = new ArrayList<>();
    ByteBuffer buffer = PickleReader.buffer();
    for (Packed shard : shards) {
      Map<String, ShardFacts> facts = new LinkedHashMap<>();
      OpenShard read = read(shard, spool, facts, buffer);
      catalogues.add(catalogue(shard.name, read, facts, kept, lines));
      shard.file.close(); // an object store has few connections
    }
    return catalogues;
  }

  private ShardCatalogue join(
      Packed shard, Packed half, LocalSpool spool, @Nullable Output kept, SampleLines lines)
      throws IOException {
    Map<String, ShardFacts> facts = new LinkedHashMap<>();
    ByteBuffer buffer = PickleReader.buffer();
    try (LocalSpool first = LocalSpool.temporary(localFolder);
        LocalSpool second = LocalSpool.temporary(localFolder)) {
      OpenShard read = read(shard, first, facts, buffer);
      OpenShard whole = FeatureSplitJoiner.join(read, read(half, second, facts, buffer), spool);
      return catalogue(shard.name, whole, facts, kept, lines);
    }
  }

  private static OpenShard read(
      Packed shard, LocalSpool spool, Map<String, ShardFacts> facts, ByteBuffer buffer)
      throws IOException {
    OpenShard read = OpenShard.read(shard.file, spool, PickleLimits.DEFAULT, buffer);
    facts.put(shard.name, shard.facts(read));
    return read;
  }

  /**
   * Writes the sample metadata of a shard and returns its catalogue.
   *
   * @param kept the output for the kept blocks; null if all blocks are kept, which then stay in the
   *     spool
   */
  private ShardCatalogue catalogue(
      String name,
      OpenShard shard,
      Map<String, ShardFacts> facts,
      @Nullable Output kept,
      SampleLines lines)
      throws IOException {
    if (options.ragged().mode() == RaggedPolicy.Mode.ERROR) {
      checkLengths(shard);
    }
    BlockStore store = new BlockStore(shard, options.ragged(), choice, kept);
    Map<Long, Map<Integer, PythonValue.Dict>> samples = new LinkedHashMap<>();
    List<ShardCatalogue.Layer> layers = new ArrayList<>();
    for (Layer layer : shard.samples().layers()) {
      List<ShardCatalogue.Entry> arrays = new ArrayList<>();
      for (Sample sample : layer.samples()) {
        arrays.add(store.address(layer.number(), sample));
        samples
            .computeIfAbsent(sample.id(), id -> new TreeMap<>())
            .putIfAbsent(layer.number(), sample.dict());
      }
      layers.add(new ShardCatalogue.Layer(layer.number(), arrays));
    }
    SampleText texts = new SampleText(shard.path(), shard.payloads());
    for (Map<Integer, PythonValue.Dict> dicts : samples.values()) {
      lines.write(texts.of(dicts));
    }
    List<Long> ids = List.copyOf(samples.keySet());
    return new ShardCatalogue(name, ids, layers, facts, shard.samples().warnings());
  }

  /** The sample metadata of a part. */
  private static final class SampleLines implements Closeable {
    private final SidecarWriter sidecar;
    private long next;

    SampleLines(Folder target, String blocks) {
      sidecar = new SidecarWriter(target, blocks, 0, Long.MAX_VALUE);
    }

    void write(String sample) throws IOException {
      sidecar.write(new ExampleMetadata(next++, sample));
    }

    @Override
    public void close() throws IOException {
      sidecar.close();
    }
  }

  /** Reports different lengths immediately rather than after all shards are unpacked. */
  private static void checkLengths(OpenShard shard) throws FormatException {
    TreeMap<Long, Long> lengths = new TreeMap<>();
    for (Layer layer : shard.samples().layers()) {
      for (Sample sample : layer.samples()) {
        lengths.merge(OpenShard.tokens(sample.array().shape()), 1L, Long::sum);
      }
    }
    if (lengths.size() > 1) {
      throw RaggedPolicy.refuse(shard.path(), lengths);
    }
  }
}
