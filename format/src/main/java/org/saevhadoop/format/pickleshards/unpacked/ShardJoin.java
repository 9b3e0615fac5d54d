package org.saevhadoop.format.pickleshards.unpacked;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.IndexRange;
import org.saevhadoop.format.dataset.Provenance;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.pickleshards.directory.ManifestClaims;
import org.saevhadoop.format.pickleshards.directory.ShardError;
import org.saevhadoop.format.pickleshards.directory.ShardFacts;
import org.saevhadoop.format.pickleshards.unpacked.UnpackedDocument.Home;
import org.saevhadoop.format.projection.ProjectionRequest;

/**
 * Joins the samples of shards that are all unpacked.
 *
 * @param unpacked the folder of the spools
 * @param source the folder of the shards
 * @param promises what is said of the shards
 * @param count how many were unpacked
 * @param request what is asked for of the dataset
 */
public record ShardJoin(
    Folder unpacked,
    Folder source,
    ManifestClaims promises,
    int count,
    UnpackOptions options,
    ProjectionRequest request) {
  private static final int MAX_NOTES = 100;

  /** The samples of all shards, and what a person should know of them. */
  private record Joined(SampleTable.Joined samples, int[] lines, List<String> notes) {}

  /**
   * Writes what {@link UnpackedDataset#open} reads.
   *
   * @param reopen where {@link UnpackedDataset#open} finds the folder of the shards
   * @param provenance what is known of the activations
   * @throws FormatException if the samples make no dataset, or not the one that was promised
   */
  public void write(String reopen, Provenance provenance) throws IOException {
    Joined joined = join();
    List<Home> homes = new ArrayList<>();
    boolean flatten = options.ragged().mode() == RaggedPolicy.Mode.FLATTEN;
    for (int i = 0; i < count; i++) {
      ShardPlaces places = joined.samples.places(i);
      long mine = flatten ? places.firstTokens()[places.samples()] : places.samples();
      String shard = joined.samples.sources().get(i);
      homes.add(new Home(i, shard, joined.lines[i], places.samples(), mine));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      places.write(bytes);
      create(UnpackedDataset.placesName(i), bytes.toByteArray());
    }
    Geometry geometry = joined.samples.geometry(joined.samples.examples());
    long firstToken =
        BlockChoice.stretch(request, source.path(), geometry.tokens(), options.ragged()).start();
    create(
        UnpackedDataset.FILE,
        new UnpackedDocument(reopen, flatten, geometry, firstToken, homes, joined.notes, provenance)
            .toBytes());
  }

  /**
   * Numbers the examples of shards of which no block was kept yet, and writes for each shard which
   * of its samples are asked for.
   *
   * @return the shards that must be unpacked again, as blocks of them are asked for
   * @throws FormatException if the dataset does not have the examples, as {@link #write} otherwise
   */
  public List<Integer> choose() throws IOException {
    SampleTable.Joined joined = join().samples;
    List<IndexRange> examples = request.resolveExamples(joined.examples(), source.path());
    BitSet samples = joined.samplesOf(examples);
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ShardCatalogue catalogue = catalogue(i);
      Set<Long> ids = joined.ids(catalogue, samples);
      if (catalogue.hasDropped(new BlockChoice(request, ids))) {
        create(UnpackedDataset.chosenName(i), ChosenSamples.bytes(ids));
        chosen.add(i);
      }
    }
    return chosen;
  }

  private Joined join() throws IOException {
    TreeSet<Integer> layers = new TreeSet<>();
    List<String> sources = new ArrayList<>();
    Map<String, ShardFacts> facts = new HashMap<>();
    List<String> oddities = new ArrayList<>();
    int[] lines = new int[count];
    for (int i = 0; i < count; i++) {
      ShardCatalogue catalogue = catalogue(i);
      facts.putAll(catalogue.facts());
      if (oddities.size() <= MAX_NOTES) {
        oddities.addAll(catalogue.notes());
      }
      catalogue.layers().stream().filter(l -> l.size() > 0).forEach(l -> layers.add(l.number()));
      sources.add(catalogue.source());
      lines[i] = catalogue.lines().length;
    }
    List<String> differences = promises.check(facts);
    UnpackedFiles files = new UnpackedFiles(unpacked, source, sources);
    ShardError.NO_SAMPLES.check(
        !layers.isEmpty(),
        files.path(),
        "contains no samples, which alone tell the shape of an example (expected at least one)");
    SampleTable table = new SampleTable(source.path(), options, layers);
    try (Input all = files.open(UnpackedDataset.FILE)) {
      for (int i = 0; i < count; i++) {
        table.add(catalogue(i), all);
      }
    }
    SampleTable.Joined joined = table.join();
    List<String> notes = new ArrayList<>(joined.notes());
    notes.addAll(few(differences));
    notes.addAll(few(oddities));
    return new Joined(joined, lines, notes);
  }

  /** As many as somebody would read. */
  private static List<String> few(List<String> notes) {
    if (notes.size() <= MAX_NOTES) {
      return notes;
    }
    List<String> few = new ArrayList<>(notes.subList(0, MAX_NOTES));
    few.add("there are more like these");
    return few;
  }

  private ShardCatalogue catalogue(int shard) throws IOException {
    byte[] bytes = unpacked.readSmall(UnpackedDataset.catalogueName(shard), Integer.MAX_VALUE);
    return ShardCatalogue.read(new ByteArrayInputStream(bytes));
  }

  private void create(String name, byte[] bytes) throws IOException {
    try (Output out = unpacked.create(name)) {
      out.write(ByteBuffer.wrap(bytes));
    }
  }
}
