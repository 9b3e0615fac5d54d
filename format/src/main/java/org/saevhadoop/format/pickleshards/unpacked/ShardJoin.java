package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.json.Jackson;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.unpacked.UnpackedDocument.Home;
import org.saevhadoop.format.projection.ProjectionRequest;

/** Joins the samples of all shards after they have been unpacked. */
public record ShardJoin(
    Folder unpacked,
    Folder source,
    ManifestClaims promises,
    int count,
    UnpackOptions options,
    ProjectionRequest request) {
  private static final int MAX_NOTES = 100;

  /**
   * The samples of all shards and warnings for the user.
   *
   * @param sources the paths of the shards
   * @param lines the number of lines of sample metadata in each shard
   */
  private record Joined(
      SampleTable samples, List<String> sources, List<Integer> lines, List<String> notes) {}

  /**
   * Writes the files that {@link UnpackedDataset#open} reads.
   *
   * @param reopen the path of the folder of the shards for {@link UnpackedDataset#open}
   * @throws FormatException if the samples do not form a dataset, or do not match the claims
   */
  public void write(String reopen, Provenance provenance) throws IOException {
    Joined joined = join();
    List<Home> homes = new ArrayList<>();
    boolean flatten = options.ragged().isFlattening();
    for (int i = 0; i < count; i++) {
      ShardAddresses own = joined.samples.addresses(i);
      long examples = flatten ? LongStream.of(own.tokens()).sum() : own.samples();
      int lines = joined.lines.get(i);
      homes.add(new Home(i, joined.sources.get(i), lines, own.samples(), examples));
      Jackson.write(unpacked, UnpackedDataset.addressesName(i), own);
    }
    Geometry geometry = joined.samples.geometry();
    long firstToken =
        BlockChoice.stretch(request, source.path(), geometry.tokens(), options.ragged()).start();
    Jackson.write(
        unpacked,
        UnpackedDataset.FILE,
        new UnpackedDocument(
            reopen, flatten, geometry, firstToken, homes, joined.notes, provenance));
  }

  /**
   * Numbers the examples of shards whose blocks have not been kept yet, and writes the ids of the
   * requested samples of each shard.
   *
   * @return the shards that must be unpacked again because some of their blocks are requested
   * @throws FormatException if the dataset does not have the requested examples, and under the
   *     conditions of {@link #write}
   */
  public List<Integer> choose() throws IOException {
    SampleTable joined = join().samples;
    List<IndexRange> examples = request.resolveExamples(joined.examples(), source.path());
    Set<SampleTable.Sample> samples = joined.samplesOf(examples);
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ShardCatalogue catalogue = catalogue(i);
      Set<Long> ids = joined.ids(catalogue, samples);
      if (catalogue.hasDropped(new BlockChoice(request, ids))) {
        Jackson.write(unpacked, UnpackedDataset.chosenName(i), ids);
        chosen.add(i);
      }
    }
    return chosen;
  }

  /** Returns the ids of the requested samples of a shard, as written by {@link #choose}. */
  public static Set<Long> chosen(Folder unpacked, int shard) throws IOException {
    return Set.of(Jackson.read(unpacked, UnpackedDataset.chosenName(shard), Long[].class));
  }

  private Joined join() throws IOException {
    TreeSet<Integer> layers = new TreeSet<>();
    List<String> sources = new ArrayList<>();
    Map<String, ShardFacts> facts = new HashMap<>();
    List<String> shardNotes = new ArrayList<>();
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ShardCatalogue catalogue = catalogue(i);
      facts.putAll(catalogue.facts());
      if (shardNotes.size() <= MAX_NOTES) {
        shardNotes.addAll(catalogue.notes());
      }
      catalogue.layers().stream()
          .filter(layer -> !layer.arrays().isEmpty())
          .forEach(layer -> layers.add(layer.number()));
      sources.add(catalogue.source());
      lines.add(catalogue.lines().size());
    }
    List<String> differences = promises.check(facts);
    UnpackedFiles files = new UnpackedFiles(unpacked, source, sources);
    ShardError.NO_SAMPLES.check(
        !layers.isEmpty(),
        files.path(),
        "contains no samples, so the shape of an example is unknown (expected at least one"
            + " sample)");
    SampleTable table = new SampleTable(source.path(), options, layers);
    try (Input all = files.open(UnpackedDataset.FILE)) {
      for (int i = 0; i < count; i++) {
        table.add(catalogue(i), all);
      }
    }
    table.join();
    List<String> notes = new ArrayList<>(table.notes());
    notes.addAll(few(differences));
    notes.addAll(few(shardNotes));
    return new Joined(table, sources, lines, notes);
  }

  /** Limits the number of messages. */
  private static List<String> few(List<String> notes) {
    if (notes.size() <= MAX_NOTES) {
      return notes;
    }
    List<String> few = new ArrayList<>(notes.subList(0, MAX_NOTES));
    few.add("more warnings of this kind are left out");
    return few;
  }

  private ShardCatalogue catalogue(int shard) throws IOException {
    return Jackson.read(unpacked, UnpackedDataset.catalogueName(shard), ShardCatalogue.class);
  }
}
