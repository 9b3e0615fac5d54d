package org.saevhadoop.converters;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.reader.BlockCursor;
import org.saevhadoop.format.reader.Selection;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Lists the blocks of a dataset. */
@Command(
    name = "list",
    sortOptions = false,
    description = {
      "Prints a line for each block of the dataset at PATH, in storage order.",
      "Of pickled shards it prints each array as it is recorded, checks them and metadata.json, and"
          + " ends with exit code 1 where something is wrong."
    })
final class ListCommand implements Callable<Integer> {
  @ParentCommand Main main;

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "PATH", description = "The dataset, or a pickled shard.")
  String path;

  @Option(names = "--json", description = "JSON lines.")
  boolean json;

  @Option(
      names = "--digests",
      description = "With the SHA-256 of each block's little-endian bytes; reads all of them.")
  boolean digests;

  @Mixin SourceOptions sourceOptions;

  @Override
  public Integer call() throws IOException {
    Configuration conf = new Configuration(main.getConf());
    sourceOptions.apply(spec.commandLine(), conf);
    Path at = new Path(path);
    DatasetFormat format = DatasetFormat.of(at, null, conf);
    if (format == DatasetFormat.pickle) {
      return listPickles(at, conf);
    }
    TableDataset dataset = format.openTable(at, conf);
    List<String> columns = columns(dataset);
    PrintWriter out = main.out();
    for (Shard shard : dataset.shards()) {
      if (digests) {
        listWithDigests(dataset, shard, columns, out);
      } else {
        list(dataset, shard, columns, out);
      }
    }
    out.flush();
    return 0;
  }

  private int listPickles(Path at, Configuration conf) throws IOException {
    ListPickles list =
        new ListPickles(ActivationPickleInputFormat.shards(at, conf), json, digests, main.out());
    Consumer<String> warn = warning -> System.err.println("warning: " + OneLine.of(warning));
    List<FormatException> faults = list.run(warn, misfit -> warn.accept(misfit.getMessage()));
    faults.forEach(fault -> System.err.println(OneLine.of(fault.getMessage())));
    return faults.isEmpty() ? 0 : 1;
  }

  private void list(TableDataset dataset, Shard shard, List<String> columns, PrintWriter out) {
    BlockOrder order = dataset.storageOrder();
    long blocks = Math.multiplyExact(shard.examples(), columns.size());
    for (long ordinal = 0; ordinal < blocks; ordinal++) {
      long example = shard.first() + order.indexInGroup(ordinal, shard.examples());
      print(out, example, columns.get(order.layerIndex(ordinal, shard.examples())), null);
    }
  }

  private void listWithDigests(
      TableDataset dataset, Shard shard, List<String> columns, PrintWriter out) throws IOException {
    Selection selection =
        Selection.whole(dataset.storageOrder(), Long.MAX_VALUE, Selection.Unit.BLOCK);
    try (BlockCursor cursor =
        new BlockCursor(dataset, selection, shard.first(), shard.examples())) {
      while (cursor.next()) {
        String digest = HexFormat.of().formatHex(Digests.sha256(cursor.bytes()));
        print(out, cursor.example(), columns.get(cursor.layerIndex()), digest);
      }
    }
  }

  /** What the lines of a column's blocks have in common. */
  private List<String> columns(TableDataset dataset) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < dataset.table().columns().size(); i++) {
      Column column = dataset.table().columns().get(i);
      int layer = dataset.table().numbers().get(i);
      boolean isLayer = dataset instanceof ActivationDataset;
      String shape = TensorReport.unsigned(column.shape());
      String dtype = column.dtype().numpyName();
      if (json) {
        String name = new String(JsonStringEncoder.getInstance().quoteAsString(column.name()));
        String key = isLayer ? "\"layer\":" + layer : "\"column\":\"" + name + '"';
        texts.add("%s,\"shape\":%s,\"dtype\":\"%s\"".formatted(key, shape, dtype));
      } else {
        String name = isLayer ? Integer.toString(layer) : OneLine.of(column.name());
        texts.add(name + " " + shape + " " + dtype);
      }
    }
    return texts;
  }

  private void print(PrintWriter out, long example, String column, String digest) {
    if (json) {
      String sha256 = digest == null ? "" : ",\"sha256\":\"" + digest + '"';
      out.println("{\"example\":" + example + ',' + column + sha256 + '}');
    } else {
      out.println(example + " " + column + (digest == null ? "" : " " + digest));
    }
  }
}
