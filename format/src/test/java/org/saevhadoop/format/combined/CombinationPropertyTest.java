package org.saevhadoop.format.combined;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.format.combined.MadeSource.Side;
import org.saevhadoop.format.combined.MadeSource.Storage;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.PatchLabels;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.padding.PaddingMask;
import org.saevhadoop.format.projection.Projection;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.samples.ExampleMetadata;
import org.saevhadoop.format.samples.SampleMetadataCursor;
import org.saevhadoop.format.samples.TokenRange;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.format.tokens.TokenArrays;
import org.saevhadoop.format.tokens.TokenReader;
import org.saevhadoop.testing.Property;
import org.saevhadoop.testing.RandomValues;

/** Random combinations of datasets in files, against values computed from their coordinates. */
@Tag("sampled")
class CombinationPropertyTest {
  private static final List<DType> TYPES = List.of(DType.F32, DType.F16, DType.BF16, DType.F64);
  private static final int TOKENS = 3;

  @TempDir Path folder;

  private int made;

  /**
   * A combination.
   *
   * @param sources what each source is
   * @param examples the number of its first example, by source; last, that of all
   */
  private record Case(
      Combine way, List<MadeSource> sources, List<Integer> examples, ActivationDataset view) {
    ByteBuffer vector(long example, int layer, int token) {
      DType type = view.geometry().dtype();
      for (int i = 0; i < sources.size(); i++) {
        MadeSource source = sources.get(i);
        if (way == Combine.LAYERS && source.layers().contains(layer)) {
          return source.vector((int) example, layer, token, type);
        }
        if (way == Combine.EXAMPLES && example < examples.get(i + 1)) {
          return source.vector((int) example - examples.get(i), layer, token, type);
        }
      }
      throw new IllegalStateException(layer + " of " + example);
    }
  }

  private static <T> List<T> shuffled(List<T> items, Random random) {
    List<T> shuffled = new ArrayList<>(items);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  private static List<Integer> some(int count, int of, Random random) {
    return shuffled(MadeSource.range(of), random).subList(0, count);
  }

  /** Writes a dataset from which the examples, layers and tokens are selected. */
  private MadeSource source(
      int examples, List<Integer> layers, Side side, boolean mixed, Random random)
      throws IOException {
    boolean whole = random.nextBoolean();
    int moreExamples = whole ? 0 : random.nextInt(3);
    int moreTokens = whole ? 0 : random.nextInt(3);
    DType type = mixed ? TYPES.get(random.nextInt(TYPES.size())) : DType.F32;
    Geometry stored = new Geometry(examples + moreExamples, layers, TOKENS + moreTokens, 2, type);
    MadeSource all = MadeSource.of(folder.resolve("source" + made++), random.nextInt(100), stored);
    Storage storage = Storage.values()[random.nextInt(Storage.values().length)];
    all.write(storage, 1 + random.nextInt(6), side);
    return whole
        ? all
        : all.part(
            some(examples, examples + moreExamples, random),
            MadeSource.range(layers.size()),
            some(TOKENS, TOKENS + moreTokens, random).stream().sorted().toList());
  }

  private Case someCase(RandomValues any) throws IOException {
    Random random = any.random();
    Combine way = any.of(Combine.class);
    int count = any.intBetween(2, 5);
    boolean mixed = any.bool();
    Side side = new Side(any.bool(), any.bool(), any.bool(), "");
    List<Integer> layers = shuffled(List.of(-1, 0, 5, 7, 11, 20), random);
    List<MadeSource> sources = new ArrayList<>();
    List<Integer> firsts = new ArrayList<>(List.of(0));
    int same = 1 + random.nextInt(9);
    for (int i = 0; i < count; i++) {
      int examples = way == Combine.LAYERS ? same : 1 + random.nextInt(9);
      List<Integer> own =
          way == Combine.LAYERS ? layers.subList(i, i + 1) : shuffled(layers.subList(0, 2), random);
      if (way == Combine.LAYERS && i == count - 1) {
        own = layers.subList(i, layers.size());
      }
      String names = way == Combine.LAYERS ? "x" : "source" + i + "-";
      sources.add(
          source(
              examples,
              own,
              new Side(
                  side.labels(),
                  side.tokens() && (way == Combine.LAYERS || random.nextInt(3) > 0),
                  side.samples(),
                  names),
              mixed,
              random));
      firsts.add(firsts.get(i) + examples);
    }
    List<CombinedSource> combined = new ArrayList<>();
    for (MadeSource source : sources) {
      combined.add(source.source());
    }
    Combination combination = Combination.of(combined, any.bool() ? way : null, false);
    assertThat(combination.way()).isEqualTo(way);
    return new Case(way, sources, firsts, combination.dataset().requireActivations());
  }

  private static void checkBlocks(
      Case some, ActivationDataset dataset, MadeSource coordinates, Random random)
      throws IOException {
    Geometry geometry = dataset.geometry();
    BlockOrder order =
        new BlockOrder(
            random.nextBoolean(), shuffled(MadeSource.range(geometry.layers().size()), random));
    RecordSelection selection =
        new RecordSelection(order, 1 + random.nextInt(4), RecordSelection.Unit.VECTOR);
    long vectors = 0;
    try (BlockCursor cursor = new BlockCursor(dataset, selection, 0, geometry.examples())) {
      while (cursor.next()) {
        assertThat(cursor.bytes())
            .isEqualTo(
                some.vector(
                    coordinates.examples().get((int) cursor.example()),
                    geometry.layers().get(cursor.column()),
                    coordinates.tokens().get(cursor.token())));
        vectors++;
      }
    }
    assertThat(vectors)
        .isEqualTo(geometry.examples() * geometry.layers().size() * geometry.tokens());
  }

  @Property(tries = 300, sample = 60)
  void blocksAreThoseOfTheSources(RandomValues any) throws IOException {
    Case some = someCase(any);
    Geometry geometry = some.view.geometry();
    Random random = any.random();
    MadeSource all = MadeSource.of(folder, 0, geometry);
    checkBlocks(some, some.view, all, random);
    List<Integer> examples =
        some(1 + random.nextInt((int) geometry.examples()), (int) geometry.examples(), random);
    int layers = geometry.layers().size();
    List<Integer> columns = some(1 + random.nextInt(layers), layers, random);
    List<Integer> tokens =
        some(1 + random.nextInt(TOKENS), TOKENS, random).stream().sorted().toList();
    Projection projection =
        new Projection(columns, MadeSource.ranges(examples), MadeSource.ranges(tokens));
    checkBlocks(
        some,
        projection.of(some.view).requireActivations(),
        all.part(examples, columns, tokens),
        random);
  }

  @Property(tries = 300, sample = 60)
  void shardsHaveAllExamples(RandomValues any) throws IOException {
    Case some = someCase(any);
    long next = 0;
    for (Shard shard : some.view.shards()) {
      assertThat(shard.first()).isEqualTo(next);
      next = shard.end();
      assertThat(Path.of(some.view.folder().path(shard.name()))).isRegularFile();
    }
    assertThat(next).isEqualTo(some.view.geometry().examples());
    for (int i = 0; i < some.sources.size() && some.way == Combine.EXAMPLES; i++) {
      assertThat(some.view.sourceExample(some.examples.get(i))).isZero();
      assertThat(some.view.sourceExample(some.examples.get(i + 1) - 1))
          .isEqualTo(some.examples.get(i + 1) - some.examples.get(i) - 1);
    }
  }

  /** What belongs to the examples of a dataset, read one piece after another. */
  private record SideData(
      List<String> ids,
      int patches,
      List<Byte> labels,
      List<Long> tokens,
      List<Long> mask,
      List<ExampleMetadata> samples) {
    static SideData of(TableDataset table, int piece) throws IOException {
      ActivationDataset dataset = table.requireActivations();
      long examples = dataset.geometry().examples();
      List<Byte> labels = new ArrayList<>();
      int patches = 0;
      if (dataset.hasLabels()) {
        try (PatchLabels open = dataset.openLabels()) {
          patches = open.patches();
          for (long first = 0; first < examples; first += piece) {
            int count = (int) Math.min(piece, examples - first);
            ByteBuffer read = ByteBuffer.allocate(count * open.patches());
            open.read(first, read);
            for (byte label : read.array()) {
              labels.add(label);
            }
          }
        }
      }
      return new SideData(
          MadeSource.ids(dataset),
          patches,
          labels,
          tokens(dataset.tokenArrays(), examples, piece),
          tokens(new PaddingMask(dataset), examples, piece),
          samples(dataset));
    }

    private static List<Long> tokens(TokenArrays arrays, long examples, int piece)
        throws IOException {
      List<Long> tokens = new ArrayList<>();
      if (!arrays.isEmpty()) {
        try (TokenReader open = arrays.open()) {
          for (long first = 0; first < examples; first += piece) {
            int count = (int) Math.min(piece, examples - first);
            LongBuffer read = LongBuffer.allocate(count * arrays.tokens());
            open.read(0, first, read);
            for (long token : read.array()) {
              tokens.add(token);
            }
          }
        }
      }
      return tokens;
    }

    private static List<ExampleMetadata> samples(ActivationDataset dataset) throws IOException {
      List<ExampleMetadata> samples = new ArrayList<>();
      if (dataset.sampleMetadata().isPresent()) {
        long examples = dataset.geometry().examples();
        try (SampleMetadataCursor open = dataset.sampleMetadata().get().cursor(0, examples)) {
          for (ExampleMetadata next = open.next(); next != null; next = open.next()) {
            samples.add(next);
          }
        }
      }
      return samples;
    }
  }

  @Property(tries = 300, sample = 60)
  void whatBelongsToExamplesIsThatOfTheSources(RandomValues any) throws IOException {
    Case some = someCase(any);
    SideData view = SideData.of(some.view, any.intBetween(1, 5));
    List<SideData> sources = new ArrayList<>();
    Set<String> firsts = new HashSet<>();
    for (MadeSource source : some.sources) {
      sources.add(SideData.of(source.open(), 100));
      firsts.addAll(source.open().ids().isPresent() ? List.of("ids") : List.of());
    }
    if (some.way == Combine.LAYERS) {
      checkFirst(some.view.ids().isPresent(), view, sources);
      return;
    }
    List<String> ids = new ArrayList<>();
    List<Byte> labels = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    List<Long> mask = new ArrayList<>();
    boolean allLabels = true;
    boolean allTokens = true;
    for (SideData source : sources) {
      ids.addAll(source.ids);
      labels.addAll(source.labels);
      tokens.addAll(source.tokens);
      allLabels &= source.patches > 0 && source.patches == sources.get(0).patches;
      allTokens &= !source.tokens.isEmpty();
      mask.addAll(source.mask);
    }
    assertThat(view.ids)
        .isEqualTo(
            firsts.isEmpty()
                ? MadeSource.range(ids.size()).stream().map(String::valueOf).toList()
                : ids);
    assertThat(view.labels).isEqualTo(allLabels ? labels : List.of());
    assertThat(view.tokens).isEqualTo(allTokens ? tokens : tokens.isEmpty() ? List.of() : mask);
    assertThat(view.mask).isEqualTo(mask);
    checkSelectedMask(some, mask, any.random());
    checkSamples(some, view, sources, !allTokens);
  }

  private static void checkSelectedMask(Case some, List<Long> mask, Random random)
      throws IOException {
    int examples = mask.size() / TOKENS;
    List<Integer> tokens =
        some(1 + random.nextInt(TOKENS), TOKENS, random).stream().sorted().toList();
    List<Integer> chosen = some(1 + random.nextInt(examples), examples, random);
    List<Integer> columns = MadeSource.range(some.view.geometry().layers().size());
    Projection selection =
        new Projection(columns, MadeSource.ranges(chosen), MadeSource.ranges(tokens));
    List<Long> selected =
        chosen.stream()
            .flatMap(example -> tokens.stream().map(token -> mask.get(TOKENS * example + token)))
            .toList();
    assertThat(SideData.of(selection.of(some.view), 3).mask).isEqualTo(selected);
  }

  private static void checkFirst(boolean hasIds, SideData view, List<SideData> sources) {
    assertThat(sources).extracting(SideData::ids).contains(view.ids);
    assertThat(view.ids.get(0).startsWith("x")).isEqualTo(hasIds);
    assertThat(view.labels)
        .isEqualTo(
            sources.stream()
                .map(SideData::labels)
                .filter(all -> !all.isEmpty())
                .findFirst()
                .orElse(List.of()));
    assertThat(view.tokens)
        .isEqualTo(
            sources.stream()
                .map(SideData::tokens)
                .filter(all -> !all.isEmpty())
                .findFirst()
                .orElse(List.of()));
  }

  private static void checkSamples(
      Case some, SideData view, List<SideData> sources, boolean withTokens) {
    List<ExampleMetadata> samples = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      SideData source = sources.get(i);
      for (ExampleMetadata sample :
          withTokens && !source.tokens.isEmpty() ? withTokens(source) : source.samples) {
        samples.add(sample.from(sample.first() + some.examples.get(i)));
      }
    }
    assertThat(view.samples).isEqualTo(samples);
  }

  /** Returns the samples of all examples, each with its token ids. */
  private static List<ExampleMetadata> withTokens(SideData source) {
    List<ExampleMetadata> samples = new ArrayList<>();
    for (int example = 0; example < source.ids.size(); example++) {
      long number = example;
      ExampleMetadata known =
          source.samples.stream()
              .filter(sample -> sample.first() == number)
              .findFirst()
              .orElse(new ExampleMetadata(number, "{}"));
      List<Long> own = new ArrayList<>();
      Iterator<Long> next =
          source.tokens.subList(TOKENS * example, TOKENS * (example + 1)).iterator();
      for (TokenRange range : known.tokens()) {
        own.addAll(Collections.nCopies(range.start() - own.size(), -1L));
        for (int i = range.start(); i < range.stop(); i++) {
          own.add(next.next());
        }
      }
      next.forEachRemaining(own::add);
      String start = known.sample().substring(0, known.sample().length() - 1);
      String comma = start.equals("{") ? "" : ", ";
      String sample = start + comma + "\"tokens\": {\"token_ids\": " + own + "}}";
      samples.add(new ExampleMetadata(number, 1, ExampleMetadata.WHOLE, known.tokens(), sample));
    }
    return samples;
  }
}
