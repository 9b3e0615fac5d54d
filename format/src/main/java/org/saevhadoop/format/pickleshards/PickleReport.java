package org.saevhadoop.format.pickleshards;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.LocalSpool;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.pickle.value.PickleLimits;
import org.saevhadoop.format.pickleshards.directory.ManifestCheck;
import org.saevhadoop.format.pickleshards.directory.ShardDirectory;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.directory.ShardFile;
import org.saevhadoop.format.pickleshards.directory.ShardFiles;
import org.saevhadoop.format.pickleshards.shard.OpenShard;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Layer;
import org.saevhadoop.format.pickleshards.shard.ShardSamples.Sample;
import org.saevhadoop.format.spi.DatasetReport;

/**
 * Reports the properties of pickled shards. All shards are read, because no document states the
 * properties reliably.
 */
final class PickleReport {
  /** Maximum length of a list of counts in a warning, in characters. */
  private static final int MAX_SHOWN = 200;

  private final Set<Long> ids = new HashSet<>();
  private final TreeSet<Integer> layers = new TreeSet<>();
  private final TreeMap<Long, Long> tokens = new TreeMap<>();
  private final TreeMap<Long, Long> widths = new TreeMap<>();
  private final TreeMap<String, Long> dtypes = new TreeMap<>();
  private final TreeMap<String, Long> storedDtypes = new TreeMap<>();
  private final List<Shard> shards = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private long examples;
  private long vectors;
  private long valueBytes;

  /**
   * Reads all shards and returns the report.
   *
   * @param idsPerDirectory whether the ids of samples are unique only within their directory
   * @param warnings the warnings about the options
   * @throws org.saevhadoop.format.io.FormatException if a shard cannot be read
   */
  static DatasetReport of(ShardFiles files, boolean idsPerDirectory, List<String> warnings)
      throws IOException {
    PickleReport report = new PickleReport();
    report.warnings.addAll(warnings);
    try (LocalSpool spool = LocalSpool.temporary(Path.of(System.getProperty("java.io.tmpdir")))) {
      for (ShardDirectory directory : files.directories()) {
        report.add(directory, spool);
        if (idsPerDirectory) {
          report.forgetIds();
        }
      }
    }
    report.forgetIds();
    report.warnOf("lengths", report.tokens);
    report.warnOf("widths", report.widths);
    report.warnOf("types", report.dtypes);
    return report.result(PickleStream.provenance(files));
  }

  private void add(ShardDirectory directory, LocalSpool spool) throws IOException {
    List<ShardFacts> facts = new ArrayList<>();
    for (ShardFile file : directory.shards()) {
      spool.clear();
      try (Input in = file.open()) {
        OpenShard shard = OpenShard.read(in, spool, PickleLimits.DEFAULT);
        facts.add(shard.facts(file.name(), file.bytes(), null));
        add(file, facts.get(facts.size() - 1), shard);
      }
    }
    directory.manifest().map(manifest -> ManifestCheck.all(manifest, facts)).stream()
        .flatMap(List::stream)
        .forEach(mismatch -> warnings.add(mismatch.exception().getMessage()));
  }

  private void add(ShardFile file, ShardFacts facts, OpenShard shard) {
    shards.add(new Shard(file.relativePath(), 0, facts.distinctSamples(), file.bytes()));
    warnings.addAll(shard.samples().warnings());
    shard.samples().faults().forEach(fault -> warnings.add(fault.getMessage()));
    for (Layer layer : shard.samples().layers()) {
      layers.add(layer.number());
      for (Sample sample : layer.samples()) {
        ids.add(sample.id());
        long[] shape = sample.array().shape();
        long width = shape.length == 0 ? 0 : shape[shape.length - 1];
        tokens.merge(OpenShard.tokens(shape), 1L, Long::sum);
        widths.merge(width, 1L, Long::sum);
        dtypes.merge(sample.dtype().numpyName(), 1L, Long::sum);
        storedDtypes.merge(sample.array().type().descr(), 1L, Long::sum);
        vectors += OpenShard.tokens(shape);
        valueBytes += sample.array().bytes();
      }
    }
  }

  private void forgetIds() {
    examples += ids.size();
    ids.clear();
  }

  private void warnOf(String what, TreeMap<?, Long> counts) {
    if (counts.size() > 1) {
      String shown = Quote.show(counts.toString(), MAX_SHOWN);
      warnings.add("arrays have different %s: %s".formatted(what, shown));
    }
  }

  private DatasetReport result(Provenance provenance) {
    return new DatasetReport()
        .put("format", PickleFormat.NAME)
        .put("examples", examples)
        .put("layers", List.copyOf(layers))
        .put("tokens", only(tokens))
        .put("dim", only(widths))
        .put("vectors", vectors)
        .put("dtype", only(dtypes))
        .put("stored_dtype", only(storedDtypes))
        .normalization(provenance)
        .sizes(shards, valueBytes)
        .shards(shards, warnings);
  }

  /** Returns the value that all arrays share; null if there are several values or none. */
  private static <T> @Nullable T only(TreeMap<T, Long> counts) {
    return counts.size() == 1 ? counts.firstKey() : null;
  }
}
