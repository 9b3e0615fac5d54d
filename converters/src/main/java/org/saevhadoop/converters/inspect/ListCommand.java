package org.saevhadoop.converters.inspect;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.converters.command.SourceCommand;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.console.JsonOutput;
import org.saevhadoop.converters.console.ProgressDisplay;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.io.Quote;
import org.saevhadoop.format.io.Sha256;
import org.saevhadoop.format.reader.block.BlockCursor;
import org.saevhadoop.format.reader.block.RecordSelection;
import org.saevhadoop.format.settings.SettingKey;
import org.saevhadoop.format.spi.DatasetFormat;
import org.saevhadoop.format.spi.RecordedArrays;
import org.saevhadoop.format.spi.RecordedArrays.Recorded;
import org.saevhadoop.format.spi.StreamAccess;
import org.saevhadoop.jobs.source.OpenedSource;
import org.saevhadoop.jobs.source.SourceRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the blocks of a dataset. */
@Command(
    name = "list",
    sortOptions = false,
    description = {
      "Lists the blocks of a dataset: a line for each example and layer.",
      "Lines are in storage order, or in the order of the part that is selected. Examples have"
          + " the numbers that the dataset gives them. Pickled shards are listed as they were"
          + " recorded, and compared with metadata.json."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  saev-hadoop list shards/64988989",
      "  saev-hadoop list shards/64988989 --examples -1,0 --layers 23",
      "  saev-hadoop list hdfs://namenode/data/acts --digests --json"
    })
public final class ListCommand extends SourceCommand {
  @Parameters(paramLabel = "PATH", description = "The dataset, or a pickled shard.")
  String path;

  @Option(names = "--json", description = "Print JSON lines.")
  boolean json;

  @Option(
      names = "--digests",
      description = "Add the SHA-256 of the little-endian bytes of each block. Reads all of them.")
  boolean digests;

  public ListCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() throws Exception {
    checkKeys();
    SourceRequest request = request(path);
    Optional<RecordedArrays> recorded = request.format().recordedArrays();
    PrintWriter out = console.out();
    try {
      if (recorded.isPresent() && isWhole(request)) {
        return list(recorded.get(), request, out);
      }
      try (OpenedSource source = OpenedSource.open(request, runner())) {
        list(source.dataset(), request.format(), order(source), out);
      }
      return 0;
    } finally {
      out.flush();
    }
  }

  /** Returns whether no option selects a part or determines how the arrays form examples. */
  private static boolean isWhole(SourceRequest request) {
    List<SettingKey<?>> keys = request.format().readingKeys();
    return request.spec().projection().isEverything()
        && request.spec().format().only(keys).keys().isEmpty();
  }

  private int list(RecordedArrays arrays, SourceRequest request, PrintWriter out)
      throws IOException {
    List<FormatException> problems;
    try (ReadProgress progress = progress(digests ? bytes(request) : 0)) {
      problems =
          arrays.forEach(
              CountedFolder.view(request.location(), progress::add),
              request.spec().format(),
              digests,
              array -> print(out, array),
              console::warning);
    }
    for (FormatException problem : problems) {
      console.err().println(Quote.show(problem.getMessage()));
      if (json) {
        out.println(JsonOutput.failure(problem, null, 1));
      }
    }
    return problems.isEmpty() ? 0 : 1;
  }

  /** Returns the length of the files that are read to list their arrays. */
  private static long bytes(SourceRequest request) throws IOException {
    StreamAccess stream = request.format().stream().orElseThrow();
    return stream.parts(request.location(), request.spec().format()).stream()
        .mapToLong(StreamAccess.Part::bytes)
        .sum();
  }

  /** The progress of reading, if digests are listed: other lists take no time. */
  private record ReadProgress(ProgressDisplay display, AtomicLong done) implements AutoCloseable {
    void add(long bytes) {
      display.at(done.addAndGet(bytes));
    }

    @Override
    public void close() {
      display.close();
    }
  }

  private ReadProgress progress(long bytes) {
    return new ReadProgress(
        digests ? console.progress("list", bytes) : ProgressDisplay.NONE, new AtomicLong());
  }

  /**
   * Returns the order of the list: a part of a dataset is listed in the order of the request in all
   * formats.
   */
  private static BlockOrder order(OpenedSource source) {
    return source.spec().projection().isEverything()
        ? source.dataset().storageOrder()
        : BlockOrder.byExample(source.dataset().table());
  }

  private void list(TableDataset dataset, DatasetFormat format, BlockOrder order, PrintWriter out)
      throws IOException {
    List<String> columns = columns(dataset, format);
    if (digests) {
      listWithDigests(dataset, order, columns, out);
      return;
    }
    for (Shard shard : dataset.shards()) {
      long blocks = Math.multiplyExact(shard.examples(), columns.size());
      for (long ordinal = 0; ordinal < blocks; ordinal++) {
        long example = shard.first() + order.indexInGroup(ordinal, shard.examples());
        String column = columns.get(order.column(ordinal, shard.examples()));
        print(out, dataset.sourceExample(example), column, null);
      }
    }
  }

  private void listWithDigests(
      TableDataset dataset, BlockOrder order, List<String> columns, PrintWriter out)
      throws IOException {
    TableShape table = dataset.table();
    RecordSelection selection = RecordSelection.blocks(order, Long.MAX_VALUE);
    try (ReadProgress progress = progress(table.examples() * table.exampleBytes())) {
      for (Shard shard : dataset.shards()) {
        try (BlockCursor cursor =
            new BlockCursor(dataset, selection, shard.first(), shard.examples())) {
          while (cursor.next()) {
            String digest = HexFormat.of().formatHex(Sha256.of(cursor.bytes()));
            long example = dataset.sourceExample(cursor.example());
            print(out, example, columns.get(cursor.column()), digest);
            progress.add(table.blockBytes(cursor.column()));
          }
        }
      }
    }
  }

  /** Returns the text that is common to the lines of all blocks of a column. */
  private List<String> columns(TableDataset dataset, DatasetFormat format) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < dataset.table().columns().size(); i++) {
      Column column = dataset.table().columns().get(i);
      int layer = dataset.table().columnIds().get(i);
      boolean isLayer = dataset instanceof ActivationDataset;
      String shape = TensorReport.unsigned(column.shape());
      String dtype = column.dtype().numpyName();
      if (json) {
        String key =
            isLayer ? "\"layer\":" + layer : "\"column\":" + JsonOutput.text(column.name());
        String types = types(dtype, format.storedName(column.dtype()));
        texts.add("%s,\"shape\":%s,%s".formatted(key, shape, types));
      } else {
        String name = isLayer ? Integer.toString(layer) : Quote.show(column.name());
        texts.add(name + " " + shape + " " + dtype);
      }
    }
    return texts;
  }

  private void print(PrintWriter out, long example, String column, @Nullable String digest) {
    if (json) {
      out.println(
          JsonOutput.START + "\"example\":" + example + ',' + column + jsonDigest(digest) + '}');
    } else {
      out.println(example + " " + column + (digest == null ? "" : " " + digest));
    }
  }

  private void print(PrintWriter out, Recorded array) {
    String shape = TensorReport.unsigned(array.shape());
    if (json) {
      out.printf(
          "%s\"file\":%s,\"layer\":%d,\"sample_idx\":%d,\"shape\":%s,%s%s}%n",
          JsonOutput.START,
          JsonOutput.text(array.file()),
          array.layer(),
          array.sample(),
          shape,
          types(array.dtype(), array.storedDtype()),
          jsonDigest(array.digest()));
    } else {
      String digest = array.digest() == null ? "" : " " + array.digest();
      out.printf(
          "%s %d %d %s %s%s%n",
          Quote.show(array.file()), array.layer(), array.sample(), shape, array.dtype(), digest);
    }
  }

  private static String types(String dtype, @Nullable String stored) {
    return "\"dtype\":\""
        + dtype
        + '"'
        + (stored == null ? "" : ",\"stored_dtype\":\"" + stored + '"');
  }

  private static String jsonDigest(@Nullable String digest) {
    return digest == null ? "" : ",\"digest\":\"" + digest + '"';
  }
}
