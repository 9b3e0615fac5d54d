package org.saevhadoop.converters.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.write.InventedFiles;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.io.LocalFolder;
import org.saevhadoop.format.saev.directory.SaevWritePlan;
import org.saevhadoop.format.saev.metadata.ProtocolGeneration;
import org.saevhadoop.format.saev.metadata.SaevMetadata;

/** A SAEV dataset of any size that takes no room: holes, but for a mark in each example. */
public final class SparseDataset {
  private SparseDataset() {}

  /** Writes the dataset into {@code folder/<hash>}; returns that. */
  public static Path create(Path folder, Geometry geometry, long examplesPerShard)
      throws IOException {
    long budget = examplesPerShard * geometry.tokens() * geometry.layers().size();
    SaevMetadata metadata =
        SaevMetadata.create(
                ProtocolGeneration.V1_0, geometry, true, "clip", "sparse", "{}".getBytes())
            .withTokensPerShard(budget);
    SaevWritePlan target = new SaevWritePlan(metadata, SaevWritePlan.Tail.FULL, null);
    Path dataset = Files.createDirectories(folder.resolve(metadata.hash()));
    for (long i = 0; i < target.shardCount(); i++) {
      ShardPlan plan = target.shard(i);
      try (RandomAccessFile file =
          new RandomAccessFile(dataset.resolve(plan.name()).toFile(), "rw")) {
        for (long e = 0; e < plan.examples(); e++) {
          file.seek(e * geometry.exampleBytes() + e % 1000 * Float.BYTES);
          file.writeLong(plan.first() + e + 1);
        }
        file.setLength(plan.length());
      }
    }
    InventedFiles.writeDocuments(target, new LocalFolder(dataset));
    return dataset;
  }
}
