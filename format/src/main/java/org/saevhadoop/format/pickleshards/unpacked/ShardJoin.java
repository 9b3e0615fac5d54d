package org.saevhadoop.format.pickleshards.unpacked;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
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
   * @param shards the paths of the shards of each part
   * @param lines the number of lines of sample metadata in each part
   */
  private record Joined(
      SampleTable samples, List<List<String>> shards, List<Integer> lines, List<String> notes) {}

  /**
   * Writes the files that {@link UnpackedDataset#open} reads.
   *
   * @param reopen the path of the folder that contains the shards, for {@link UnpackedDataset#open}
   * @throws FormatException if the samples do not form a dataset, or do not match the claims
   */
  public void write(String reopen, Provenance provenance) throws IOException {
    Joined joined = join();
    List<Home> homes = new ArrayList<>();
    boolean flatten = options.ragged().isFlattening();
    for (int i = 0; i < count; i++) {
      PartAddresses own = joined.samples.addresses(i);
      long examples = flatten ? LongStream.of(own.tokens()).sum() : own.samples();
      int lines = joined.lines.get(i);
      homes.add(new Home(i, joined.shards.get(i), lines, own.samples(), examples));
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
   * Numbers the examples of parts whose blocks have not been kept yet, and writes the ids of the
   * requested samples of each part.
   *
   * @return the parts that must be unpacked again because some of their blocks are requested
   * @throws FormatException if the dataset does not have the requested examples, and under the
   *     conditions of {@link #write}
   */
  public List<Integer> choose() throws IOException {
    SampleTable joined = join().samples;
    List<IndexRange> examples = request.resolveExamples(joined.examples(), source.path());
    Set<SampleTable.Sample> samples = joined.samplesOf(examples);
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<ShardCatalogue> part = catalogues(i);
      Set<Long> ids = new HashSet<>(); // unique in the directory of the part
      part.forEach(shard -> ids.addAll(joined.ids(shard, samples)));
      BlockChoice choice = new BlockChoice(request, ids);
      if (part.stream().anyMatch(shard -> shard.hasDropped(choice))) {
        Jackson.write(unpacked, UnpackedDataset.chosenName(i), ids);
        chosen.add(i);
      }
    }
    return chosen;
  }

  /** Returns the ids of the requested samples of a part, as written by {@link #choose}. */
  public static Set<Long> chosen(Folder unpacked, int part) throws IOException {
    return Set.of(Jackson.read(unpacked, UnpackedDataset.chosenName(part), Long[].class));
  }

  private Joined join() throws IOException {
    TreeSet<Integer> layers = new TreeSet<>();
    List<List<String>> shards = new ArrayList<>();
    Map<String, ShardFacts> facts = new HashMap<>();
    List<String> shardNotes = new ArrayList<>();
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<ShardCatalogue> part = catalogues(i);
      for (ShardCatalogue shard : part) {
        facts.putAll(shard.facts());
        if (shardNotes.size() <= MAX_NOTES) {
          shardNotes.addAll(shard.notes());
        }
        shard.layers().stream()
            .filter(layer -> !layer.arrays().isEmpty())
            .forEach(layer -> layers.add(layer.number()));
      }
      shards.add(part.stream().map(ShardCatalogue::source).toList());
      lines.add(part.stream().mapToInt(shard -> shard.lines().size()).sum());
    }
    List<String> differences = promises.check(facts);
    UnpackedFiles files = UnpackedFiles.of(unpacked, source, shards);
    ShardError.NO_SAMPLES.check(
        !layers.isEmpty(),
        files.path(),
        "contains no samples, so the shape of an example is unknown (expected at least one"
            + " sample)");
    SampleTable table = new SampleTable(source.path(), options, layers);
    try (Input all = files.open(UnpackedDataset.FILE)) {
      for (int i = 0; i < count; i++) {
        table.add(catalogues(i), all);
      }
    }
    table.join();
    List<String> notes = new ArrayList<>(table.notes());
    notes.addAll(few(differences));
    notes.addAll(few(shardNotes));
    return new Joined(table, shards, lines, notes);
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

  private List<ShardCatalogue> catalogues(int part) throws IOException {
    return List.of(
        Jackson.read(unpacked, UnpackedDataset.cataloguesName(part), ShardCatalogue[].class));
  }
}
