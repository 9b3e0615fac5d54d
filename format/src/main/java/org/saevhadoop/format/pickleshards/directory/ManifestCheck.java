package org.saevhadoop.format.pickleshards.directory;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.value.PickleError;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Totals;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

/**
 * Compares a metadata.json with the shards of its directory. Absent fields are not mismatches;
 * unlisted shards, such as those left by a resumed run, cause only a warning.
 */
public final class ManifestCheck {
  private static final double MIB = 1 << 20;

  /** Relative tolerance for a size in MiB, which programs round. */
  private static final double ROUNDING = 0.01;

  private final ActivationManifest manifest;
  private final List<ManifestMismatch> differences = new ArrayList<>();

  private ManifestCheck(ActivationManifest manifest) {
    this.manifest = manifest;
  }

  public static List<ManifestMismatch> all(
      ActivationManifest manifest, Collection<ShardFacts> facts) {
    Map<String, ShardFacts> byName = new HashMap<>();
    SortedMap<String, Long> lengths = new TreeMap<>();
    for (ShardFacts shard : facts) {
      byName.put(shard.name(), shard);
      lengths.put(shard.name(), shard.bytes());
    }
    ManifestCheck check = new ManifestCheck(manifest);
    check.checkFiles(lengths);
    for (ManifestEntry entry : manifest.shards()) {
      if (byName.containsKey(entry.filename())) {
        check.checkShard(entry, byName.get(entry.filename()));
      }
    }
    check.checkTotals(facts);
    return check.differences;
  }

  /**
   * Returns the mismatches that are known before a shard is read: missing files and wrong lengths.
   *
   * @param lengths the lengths of the shards in bytes, by name
   */
  public static List<ManifestMismatch> files(
      ActivationManifest manifest, SortedMap<String, Long> lengths) {
    ManifestCheck check = new ManifestCheck(manifest);
    check.checkFiles(lengths);
    return check.differences;
  }

  private void checkFiles(SortedMap<String, Long> lengths) {
    int listed = 0;
    for (ManifestEntry entry : manifest.shards()) {
      Long bytes = lengths.get(entry.filename());
      if (bytes == null) {
        String copy = entry.uploadedTo() == null ? "" : "; it was uploaded to another location";
        shard(entry, PickleError.COUNT_MISMATCH, "is listed but does not exist%s", copy);
        continue;
      }
      listed++;
      if (entry.bytes() != null && !entry.bytes().equals(bytes)) {
        shard(
            entry,
            PickleError.SIZE_MISMATCH,
            "has %d bytes (expected %d, its size_bytes in metadata.json)",
            bytes,
            entry.bytes());
      }
      checkRoundedSize(entry, bytes);
    }
    if (listed < lengths.size()) {
      warns(
          PickleError.COUNT_MISMATCH,
          "lists %d of the %d existing shards, as after a resumed run",
          listed,
          lengths.size());
    }
  }

  private void checkRoundedSize(ManifestEntry entry, long bytes) {
    if (entry.fileMiB() == null) {
      return;
    }
    double found = bytes / MIB;
    boolean near = Math.abs(entry.fileMiB() - found) <= ROUNDING * Math.max(1, found);
    if (!near) {
      warns(
          PickleError.SIZE_MISMATCH,
          "%s has %.3f MiB (its file_size_mb is %.3f)",
          entry.filename(),
          found,
          entry.fileMiB());
    }
  }

  private void checkShard(ManifestEntry entry, ShardFacts facts) {
    String name = entry.filename();
    if (entry.sha256() != null
        && facts.sha256() != null
        && !entry.sha256().equals(facts.sha256())) {
      shard(
          entry,
          PickleError.SIZE_MISMATCH,
          "has the sha256 %s (expected %s, as in metadata.json)",
          facts.sha256(),
          entry.sha256());
    }
    if (entry.compressed() != null && entry.compressed() != facts.compressed()) {
      warns(
          PickleError.BAD_METADATA,
          "%s is %s, although compressed is %s",
          name,
          facts.compressed() ? "gzip" : "not gzip",
          entry.compressed());
    }
    Set<Integer> layers = facts.samplesOfLayer().keySet();
    if (entry.layers() != null && !layers.equals(new HashSet<>(entry.layers()))) {
      loses(
          PickleError.LAYER_MISMATCH,
          "%s has the layers %s (expected %s)",
          name,
          layers,
          entry.layers());
    }
    checkCounts(entry, facts);
  }

  private void checkCounts(ManifestEntry entry, ShardFacts facts) {
    String name = entry.filename();
    // A list may contain a sample twice, in which case other programs count it twice.
    long longest = facts.samplesOfLayer().values().stream().mapToLong(n -> n).max().orElse(0);
    Long samples = entry.samples();
    if (samples != null && samples != facts.distinctSamples() && samples != longest) {
      wrongCount(
          name,
          Quote.sentence("%d samples", facts.distinctSamples()),
          samples + ", its num_samples");
    }
    if (entry.arrays() != null && entry.arrays() != facts.arrays()) {
      String declared = entry.arrays() + ", its total_samples_in_shard";
      wrongCount(name, Quote.sentence("%d arrays", facts.arrays()), declared);
    }
    if (entry.samplesOfLayer() != null && !entry.samplesOfLayer().equals(facts.samplesOfLayer())) {
      String declared = entry.samplesOfLayer() + ", its samples_per_layer";
      wrongCount(name, facts.samplesOfLayer() + " samples in its layers", declared);
    }
    IdRange found = new IdRange(facts.minSampleId(), facts.maxSampleId());
    if (entry.ids() != null && facts.distinctSamples() > 0 && !entry.ids().equals(found)) {
      wrongCount(name, "the sample ids " + found, entry.ids() + ", its sample_id_range");
    }
  }

  private void wrongCount(String name, String found, String declared) {
    loses(PickleError.COUNT_MISMATCH, "%s has %s (expected %s)", name, found, declared);
  }

  /**
   * Totals from real writers include shards of earlier runs and of other locations. Totals as
   * defined by the specification refer to the shards that are present, so a larger total means that
   * data was lost.
   */
  private void checkTotals(Collection<ShardFacts> facts) {
    Totals totals = manifest.totals();
    long samples = facts.stream().mapToLong(ShardFacts::distinctSamples).sum();
    long most = facts.stream().mapToLong(ShardFacts::distinctSamples).max().orElse(0);
    long arrays = facts.stream().mapToLong(ShardFacts::arrays).sum();
    long bytes = facts.stream().mapToLong(ShardFacts::bytes).sum();
    total("total_shards", "shards", totals.shards(), facts.size());
    // The layers of a sample may be in different shards, which all count the sample; some writers
    // count arrays.
    Long declared = totals.samples();
    if (declared != null && declared != arrays && declared < most) {
      total("total_samples", "samples in a shard", declared, most);
    } else if (declared != null && declared != arrays && declared > samples) {
      total("total_samples", "samples", declared, samples);
    }
    total("total_activations", "arrays", totals.activations(), arrays);
    total("total_size_bytes", "bytes", totals.bytes(), bytes);
    checkLayers(totals.layers(), facts);
  }

  private void total(String key, String unit, @Nullable Long declared, long found) {
    if (declared == null || declared == found) {
      return;
    }
    boolean loses = manifest.form() == Form.SPEC && declared > found;
    PickleError kind =
        unit.equals("bytes") ? PickleError.SIZE_MISMATCH : PickleError.COUNT_MISMATCH;
    add(loses, kind, "there are %d %s (%s is %d)", found, unit, key, declared);
  }

  private void checkLayers(@Nullable List<Integer> declared, Collection<ShardFacts> facts) {
    Set<Integer> found = new HashSet<>();
    facts.forEach(shard -> found.addAll(shard.samplesOfLayer().keySet()));
    if (declared != null && !found.equals(new HashSet<>(declared))) {
      add(
          !found.containsAll(declared),
          PickleError.LAYER_MISMATCH,
          "the shards have the layers %s (layers_extracted is %s)",
          found.stream().sorted().toList(),
          declared);
    }
  }

  @FormatMethod
  private void loses(PickleError kind, @FormatString String text, Object... args) {
    add(true, kind, text, args);
  }

  /** Adds a mismatch for a damaged or missing shard. */
  @FormatMethod
  private void shard(
      ManifestEntry entry, PickleError kind, @FormatString String text, Object... args) {
    String path = manifest.path();
    String shard = path.substring(0, path.lastIndexOf('/') + 1) + entry.filename();
    differences.add(new ManifestMismatch(kind, shard, String.format(text, args), true));
  }

  @FormatMethod
  private void warns(PickleError kind, @FormatString String text, Object... args) {
    add(false, kind, text, args);
  }

  @FormatMethod
  private void add(boolean loses, PickleError kind, @FormatString String text, Object... args) {
    differences.add(new ManifestMismatch(kind, manifest.path(), String.format(text, args), loses));
  }
}
