package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.saevhadoop.format.io.FormatException;

/** What the metadata.json of each directory says of its shards. */
public final class ManifestClaims {
  private final Map<ShardDirectory, ActivationManifest> manifests = new LinkedHashMap<>();

  private ManifestClaims() {}

  /** Reads them. */
  public static ManifestClaims of(ShardFiles files) throws IOException {
    ManifestClaims promises = new ManifestClaims();
    for (ShardDirectory directory : files.directories()) {
      directory.manifest().ifPresent(manifest -> promises.manifests.put(directory, manifest));
    }
    return promises;
  }

  /** Whether a checksum is said of any shard. */
  public boolean haveChecksums() {
    return manifests.values().stream()
        .flatMap(manifest -> manifest.shards().stream())
        .anyMatch(entry -> entry.sha256() != null);
  }

  /**
   * Checks what can be told before a shard is read.
   *
   * @throws FormatException where shards are missing, or are not of their length
   */
  public void checkFiles() throws FormatException {
    for (Map.Entry<ShardDirectory, ActivationManifest> entry : manifests.entrySet()) {
      TreeMap<String, Long> lengths = new TreeMap<>();
      entry.getKey().shards().forEach(shard -> lengths.put(shard.name(), shard.bytes()));
      refuse(ManifestCheck.files(entry.getValue(), lengths));
    }
  }

  /**
   * Checks the rest.
   *
   * @param facts of all shards, by their paths
   * @return what is different, though nothing is lost by it
   * @throws FormatException where who converts the shards would lose or make up samples
   */
  public List<String> check(Map<String, ShardFacts> facts) throws FormatException {
    List<String> warnings = new ArrayList<>();
    for (Map.Entry<ShardDirectory, ActivationManifest> entry : manifests.entrySet()) {
      List<ShardFacts> own =
          entry.getKey().shards().stream().map(shard -> facts.get(shard.relativePath())).toList();
      List<ManifestMismatch> differences = ManifestCheck.all(entry.getValue(), own);
      refuse(differences);
      differences.forEach(difference -> warnings.add(difference.exception().getMessage()));
    }
    return warnings;
  }

  private static void refuse(List<ManifestMismatch> differences) throws FormatException {
    for (ManifestMismatch difference : differences) {
      if (difference.losesData()) {
        throw difference.exception();
      }
    }
  }
}
