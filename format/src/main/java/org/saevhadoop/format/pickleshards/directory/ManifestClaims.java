package org.saevhadoop.format.pickleshards.directory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.pickle.value.PickleError;

/** Claims about shards in the metadata.json of each directory. */
public final class ManifestClaims {
  private final Map<ShardDirectory, ActivationManifest> manifests = new LinkedHashMap<>();

  private ManifestClaims() {}

  public static ManifestClaims of(ShardFiles files) throws IOException {
    ManifestClaims claims = new ManifestClaims();
    for (ShardDirectory directory : files.directories()) {
      directory.manifest().ifPresent(manifest -> claims.manifests.put(directory, manifest));
    }
    return claims;
  }

  /** Returns the document of the first directory that has one. */
  public Optional<ActivationManifest> first() {
    return manifests.values().stream().findFirst();
  }

  /** Returns the document of a directory, if it has one. */
  Optional<ActivationManifest> of(ShardDirectory directory) {
    return Optional.ofNullable(manifests.get(directory));
  }

  /** Returns whether any shard has a declared checksum. */
  public boolean haveChecksums() {
    return manifests.values().stream()
        .flatMap(manifest -> manifest.shards().stream())
        .anyMatch(entry -> entry.sha256() != null);
  }

  /**
   * Checks the claims that do not require reading a shard.
   *
   * @throws FormatException if shards are missing or have different lengths
   */
  public void checkFiles() throws FormatException {
    for (FormatException wrong : wrongFiles()) {
      throw wrong;
    }
  }

  /** Returns the problems of files: shards that are missing or have different lengths. */
  List<FormatException> wrongFiles() {
    List<FormatException> wrong = new ArrayList<>();
    for (Map.Entry<ShardDirectory, ActivationManifest> entry : manifests.entrySet()) {
      TreeMap<String, Long> lengths = new TreeMap<>();
      entry.getKey().shards().forEach(shard -> lengths.put(shard.name(), shard.bytes()));
      ManifestCheck.files(entry.getValue(), lengths).stream()
          .filter(ManifestMismatch::losesData)
          .forEach(mismatch -> wrong.add(mismatch.exception()));
    }
    return wrong;
  }

  /**
   * Checks that each manifest lists all shards of its directory. Readers only warn about unlisted
   * shards, which a resumed run can leave.
   *
   * @throws FormatException if a shard is not listed; the message names the first such shard
   */
  public void checkListed() throws FormatException {
    for (Map.Entry<ShardDirectory, ActivationManifest> entry : manifests.entrySet()) {
      Set<String> listed = new HashSet<>();
      entry.getValue().shards().forEach(shard -> listed.add(shard.filename()));
      for (ShardFile shard : entry.getKey().shards()) {
        PickleError.COUNT_MISMATCH.check(
            listed.contains(shard.name()),
            shard.path(),
            "is not listed by %s (expected it to list all shards)",
            ActivationManifest.FILE);
      }
    }
  }

  /**
   * Checks the remaining claims.
   *
   * @param facts the facts of all shards, by relative path
   * @return the mismatches that cause no loss of data
   * @throws FormatException if a conversion would lose or invent samples
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
