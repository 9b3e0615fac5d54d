package org.saevhadoop.format.pickleshards.unpacked;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.shard.FeatureSplitJoiner;
import org.saevhadoop.format.pickleshards.shard.OpenShard;

/**
 * Unpacks one shard into a folder: its blocks, their catalogue and the metadata of its samples.
 *
 * @param number the index of the shard in the dataset
 * @param options the conversion of samples to examples
 * @param choice the blocks to keep
 * @param target the folder for the files
 * @param localFolder a folder on the local disk for temporary data
 */
public record ShardUnpacker(
    int number, UnpackOptions options, BlockChoice choice, Folder target, Path localFolder) {
  /**
   * A shard to unpack.
   *
   * @param name the path relative to the dataset
   * @param file the open shard
   * @param sha256 the SHA-256 of the file; null if it is not needed
   */
  public record Packed(String name, Input file, String sha256) {
    private ShardFacts facts(OpenShard shard) throws IOException {
      return shard.facts(name.substring(name.lastIndexOf('/') + 1), file.length(), sha256);
    }
  }

  /**
   * Reads the shard once and writes the files.
   *
   * @param shard the shard, whose file is not closed
   * @param half the shard with the other halves of the vectors; null if the vectors are complete
   */
  public void run(Packed shard, Packed half) throws IOException {
    String blocks = UnpackedDataset.spoolName(number);
    ByteArrayOutputStream catalogue = new ByteArrayOutputStream();
    if (!choice.isEverything()) {
      try (LocalSpool spool = LocalSpool.temporary(localFolder);
          Output kept = target.create(blocks)) {
        unpack(shard, half, spool, kept).write(catalogue);
      }
    } else if (target instanceof LocalFolder) {
      try (LocalSpool spool = spool(blocks)) {
        unpack(shard, half, spool, null).write(catalogue);
        spool.keep();
      }
    } else {
      try (LocalSpool spool = LocalSpool.temporary(localFolder)) {
        unpack(shard, half, spool, null).write(catalogue);
        try (Output out = target.create(blocks)) {
          spool.copyTo(out);
        }
      }
    }
    try (Output out = target.create(UnpackedDataset.catalogueName(number))) {
      out.write(ByteBuffer.wrap(catalogue.toByteArray()));
    }
  }

  private LocalSpool spool(String blocks) throws IOException {
    Path folder = ((LocalFolder) target).directory();
    return LocalSpool.named(folder.resolve(blocks));
  }

  private ShardCatalogue unpack(Packed shard, Packed half, LocalSpool spool, Output kept)
      throws IOException {
    Map<String, ShardFacts> facts = new LinkedHashMap<>();
    if (half == null) {
      return catalogue(shard.name, read(shard, spool, facts), facts, kept);
    }
    try (LocalSpool first = LocalSpool.temporary(localFolder);
        LocalSpool second = LocalSpool.temporary(localFolder)) {
      OpenShard whole =
          FeatureSplitJoiner.join(read(shard, first, facts), read(half, second, facts), spool);
      return catalogue(shard.name, whole, facts, kept);
    }
  }

  private static OpenShard read(Packed shard, LocalSpool spool, Map<String, ShardFacts> facts)
      throws IOException {
    OpenShard read = OpenShard.read(shard.file, spool, PickleLimits.DEFAULT);
    facts.put(shard.name, shard.facts(read));
    return read;
  }

  private ShardCatalogue catalogue(
      String name, OpenShard shard, Map<String, ShardFacts> facts, Output kept) throws IOException {
    return new ShardCataloguer(shard, options.ragged(), choice, kept)
        .write(name, facts, target, UnpackedDataset.spoolName(number));
  }
}
