package org.saevhadoop.format.activations;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickle.Limits;

/**
 * Unpacks one shard into a folder: its blocks, their catalogue, and the attributes of its samples.
 *
 * @param name the shard's path in the dataset
 * @param number its place among the dataset's shards
 * @param target where the files go
 * @param localFolder a folder of the local disk, for what must be written before it can be copied
 */
public record ShardUnpacker(
    String name, int number, UnpackOptions options, Folder target, Path localFolder) {
  /**
   * Reads the shard, once, and writes the files.
   *
   * @param file the shard, which stays open
   * @param half the shard with the other halves of its vectors; null where it has whole ones
   */
  public void run(Input file, Input half) throws IOException {
    String blocks = UnpackedDataset.spoolName(number);
    boolean inPlace = target instanceof LocalFolder;
    Path folder = inPlace ? ((LocalFolder) target).directory() : localFolder;
    Files.createDirectories(folder);
    Path path = inPlace ? folder.resolve(blocks) : temporary();
    try (Spool spool = new Spool(path)) {
      ByteArrayOutputStream catalogue = new ByteArrayOutputStream();
      unpack(file, half, spool).write(catalogue);
      try (Output out = target.create(UnpackedDataset.catalogueName(number))) {
        out.write(ByteBuffer.wrap(catalogue.toByteArray()));
      }
      if (!inPlace) {
        try (Output out = target.create(blocks)) {
          spool.copyTo(out);
        }
      }
    } finally {
      if (!inPlace) {
        Files.delete(path);
      }
    }
  }

  private Catalogue unpack(Input file, Input half, Spool spool) throws IOException {
    if (half == null) {
      return catalogue(OpenShard.read(file, spool, Limits.DEFAULT));
    }
    Path one = temporary();
    Path other = temporary();
    try (Spool first = new Spool(one);
        Spool second = new Spool(other)) {
      return catalogue(
          Halves.join(
              OpenShard.read(file, first, Limits.DEFAULT),
              OpenShard.read(half, second, Limits.DEFAULT),
              spool));
    } finally {
      Files.delete(one);
      Files.delete(other);
    }
  }

  private Catalogue catalogue(OpenShard shard) throws IOException {
    return new ShardCataloguer(shard, options.ragged())
        .write(name, target, UnpackedDataset.spoolName(number));
  }

  private Path temporary() throws IOException {
    return Files.createTempFile(localFolder, "shard", ".spool");
  }
}
