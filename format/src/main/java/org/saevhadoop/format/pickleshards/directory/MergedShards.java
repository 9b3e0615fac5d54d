package org.saevhadoop.format.pickleshards.directory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickleshards.directory.ActivationManifest.Form;
import org.saevhadoop.format.pickleshards.directory.ManifestEntry.IdRange;

/**
 * The shards of several directories, combined as the shards of one directory with a merged
 * metadata.json, as the specification requires after a distributed extraction. Each directory comes
 * from one machine: shard names repeat across directories, but each directory has its own samples.
 */
public final class MergedShards {
  /** The maximum number of shards that a metadata.json may list. */
  private static final int MAX_SHARDS = 100_000;

  private static final String CONFIG = "extraction_config";
  private static final String LAYERS = "layers_extracted";

  private record Unit(int source, ShardDirectory directory, @Nullable ActivationManifest manifest) {
    String path() {
      return directory.folder().path();
    }

    ActivationManifest known() {
      return Objects.requireNonNull(manifest);
    }

    SortedSet<Integer> layers() {
      SortedSet<Integer> layers = new TreeSet<>();
      for (ManifestEntry entry : known().shards()) {
        Optional.ofNullable(entry.layers()).ifPresent(layers::addAll);
      }
      return layers;
    }
  }

  private final List<Unit> units = new ArrayList<>();

  private final List<FormatException> wrongFiles = new ArrayList<>();

  /**
   * Adds a dataset.
   *
   * @param source its index
   * @param claims the claims in the metadata.json files of the dataset
   */
  public void add(int source, ShardFiles files, ManifestClaims claims) {
    wrongFiles.addAll(claims.wrongFiles());
    for (ShardDirectory directory : files.directories()) {
      if (!directory.shards().isEmpty()) {
        units.add(new Unit(source, directory, claims.of(directory).orElse(null)));
      }
    }
  }

  /**
   * Returns the reasons, found in the documents, why shards do not form one dataset: differences
   * between the documents, and shards that are missing or have different lengths.
   */
  public List<FormatException> conflicts() {
    List<FormatException> conflicts = new ArrayList<>(wrongFiles);
    List<Unit> described = units.stream().filter(unit -> unit.manifest != null).toList();
    for (Unit unit : described) {
      Unit first = described.get(0);
      compare("", config(first), config(unit), unit, first, conflicts);
      boolean known = !unit.layers().isEmpty() && !first.layers().isEmpty();
      if (known && !unit.layers().equals(first.layers())) {
        conflicts.add(
            ShardError.CONFIG_DIFFERS.in(
                unit.path(),
                "has the layers %s (expected %s, as in %s, or --combine layers)",
                unit.layers(),
                first.layers(),
                first.path()));
      }
    }
    return conflicts;
  }

  private static JsonNode config(Unit unit) {
    return unit.known().document().path(CONFIG);
  }

  /** Compares all fields of the configurations except the layers, which the shards define. */
  private static void compare(
      String where,
      JsonNode expected,
      JsonNode found,
      Unit unit,
      Unit first,
      List<FormatException> conflicts) {
    if (!expected.isObject() || !found.isObject()) {
      if (!expected.equals(found)) {
        conflicts.add(
            ShardError.CONFIG_DIFFERS.in(
                unit.known().path(),
                "has %s%s %s (expected %s, as in %s)",
                CONFIG,
                where,
                ManifestFields.show(found),
                ManifestFields.show(expected),
                first.path()));
      }
      return;
    }
    SortedSet<String> names = new TreeSet<>();
    for (JsonNode node : List.of(expected, found)) {
      for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
        names.add(fields.next());
      }
    }
    names.remove(LAYERS);
    names.forEach(
        name ->
            compare(
                where + "." + name, expected.path(name), found.path(name), unit, first, conflicts));
  }

  /** Returns the merge plan, provided that there are no conflicts. */
  public MergePlan plan() {
    for (Unit unit : units) {
      Optional<String> unknown = unknown(unit);
      if (unknown.isPresent()) {
        return MergePlan.rewriting(unit.path() + " " + unknown.get());
      }
    }
    Optional<String> shared = sharedIds();
    if (shared.isPresent()) {
      return MergePlan.rewriting(shared.get());
    }
    int shards = units.stream().mapToInt(unit -> unit.directory.shards().size()).sum();
    return shards <= MAX_SHARDS
        ? copies()
        : MergePlan.rewriting(Quote.sentence("%d shards are too many for one directory", shards));
  }

  /**
   * Returns a description of the facts about shards that a document does not state, as the end of a
   * sentence.
   */
  private static Optional<String> unknown(Unit unit) {
    if (unit.manifest == null || unit.manifest.form() != Form.SPEC) {
      return Optional.of("has no %s of the specification".formatted(ActivationManifest.FILE));
    }
    Map<String, ManifestEntry> entries = entries(unit);
    for (ShardFile shard : unit.directory.shards()) {
      ManifestEntry entry = entries.get(shard.name());
      if (entry == null) {
        return Optional.of("has a shard %s that is not listed".formatted(shard.name()));
      }
      if (entry.samples() == null
          || entry.layers() == null
          || entry.sha256() == null
          || entry.ids() == null && entry.samples() > 0) {
        return Optional.of(
            "does not list the samples, the layers, the range of ids and the checksum of "
                + shard.name());
      }
    }
    return Optional.empty();
  }

  private static Map<String, ManifestEntry> entries(Unit unit) {
    Map<String, ManifestEntry> entries = new HashMap<>();
    unit.known().shards().forEach(entry -> entries.put(entry.filename(), entry));
    return entries;
  }

  /** Returns a description of two directories whose samples may have the same ids. */
  private Optional<String> sharedIds() {
    List<UnitRange> ranges = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      for (ManifestEntry entry : units.get(i).known().shards()) {
        if (entry.ids() != null) {
          ranges.add(new UnitRange(i, entry.ids()));
        }
      }
    }
    return UnitRange.firstOverlap(ranges)
        .map(
            pair ->
                "%s has samples %s and %s has samples %s, which may have the same ids"
                    .formatted(
                        units.get(pair.get(0).unit()).path(),
                        pair.get(0).ids(),
                        units.get(pair.get(1).unit()).path(),
                        pair.get(1).ids()));
  }

  private MergePlan copies() {
    List<CopiedFile> files = new ArrayList<>();
    List<ShardFacts> facts = new ArrayList<>();
    for (Unit unit : units) {
      Map<String, ManifestEntry> entries = entries(unit);
      for (ShardFile shard : unit.directory.shards()) {
        String suffix = shard.name().substring(shard.name().indexOf(".pkl"));
        String to = String.format(Locale.ROOT, "shard_%04d%s", files.size() + 1, suffix);
        files.add(new CopiedFile(unit.source, shard.relativePath(), to, shard.bytes()));
        facts.add(facts(to, shard, Objects.requireNonNull(entries.get(shard.name()))));
      }
    }
    ExtractionConfig extraction = extraction();
    long samples = samples();
    return MergePlan.of(files, written -> List.of(ManifestWriter.spec(facts, samples, extraction)));
  }

  private static ShardFacts facts(String name, ShardFile shard, ManifestEntry entry) {
    long samples = Objects.requireNonNull(entry.samples());
    SortedMap<Integer, Long> layers = new TreeMap<>();
    Objects.requireNonNull(entry.layers()).forEach(layer -> layers.put(layer, samples));
    IdRange ids = entry.ids() == null ? new IdRange(0, 0) : entry.ids();
    boolean compressed = entry.compressed() == null ? name.endsWith(".gz") : entry.compressed();
    return new ShardFacts(
        name,
        shard.bytes(),
        entry.sha256(),
        compressed,
        layers,
        samples,
        ids.least(),
        ids.greatest(),
        0,
        0,
        0);
  }

  /** Returns the number of samples; a sample in several shards counts once if that is known. */
  private long samples() {
    long samples = 0;
    for (Unit unit : units) {
      Long total = unit.known().totals().samples();
      samples +=
          total != null
              ? total
              : unit.known().shards().stream()
                  .mapToLong(entry -> Objects.requireNonNull(entry.samples()))
                  .sum();
    }
    return samples;
  }

  /**
   * Returns the fields on which all documents agree, the sum of the durations, and the latest time.
   */
  private ExtractionConfig extraction() {
    List<ExtractionConfig> all =
        units.stream().map(unit -> ExtractionConfig.of(unit.known())).toList();
    ObjectNode distributed = Optional.ofNullable(all.get(0).distributed()).orElse(null);
    boolean hasAll = all.stream().allMatch(each -> each.distributed() != null);
    if (distributed != null && hasAll) {
      ObjectNode common = distributed.deepCopy();
      List<String> names = new ArrayList<>();
      common.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        JsonNode value = common.get(name);
        if (!all.stream()
            .allMatch(each -> value.equals(Objects.requireNonNull(each.distributed()).get(name)))) {
          common.remove(name);
        }
      }
      distributed = common;
    }
    boolean timed = all.stream().allMatch(each -> each.seconds() != null);
    Double seconds =
        timed
            ? (Double) all.stream().mapToDouble(e -> Objects.requireNonNull(e.seconds())).sum()
            : null;
    List<String> created = new ArrayList<>();
    all.forEach(each -> Optional.ofNullable(each.created()).ifPresent(created::add));
    return new ExtractionConfig(
        all.get(0).config(),
        hasAll ? distributed : null,
        seconds,
        created.isEmpty() ? null : Collections.max(created));
  }
}
