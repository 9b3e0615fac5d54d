package org.saevhadoop.converters;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.reader.BlockCursor;
import org.saevhadoop.format.reader.Selection;
import org.saevhadoop.format.tensor.DType;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Lists the blocks of a dataset. */
@Command(
    name = "list",
    sortOptions = false,
    description = "Prints a line for each block of the dataset at PATH, in storage order.")
final class ListCommand implements Callable<Integer> {
  @ParentCommand Main main;

  @Parameters(paramLabel = "PATH", description = "The dataset.")
  String path;

  @Option(names = "--json", description = "JSON lines.")
  boolean json;

  @Option(
      names = "--digests",
      description = "With the SHA-256 of each block's little-endian bytes; reads all of them.")
  boolean digests;

  @Override
  public Integer call() throws IOException {
    Path at = new Path(path);
    ActivationDataset dataset = DatasetFormat.of(at, null, main.getConf()).open(at, main.getConf());
    PrintWriter out = main.out();
    for (Shard shard : dataset.shards()) {
      if (digests) {
        listWithDigests(dataset, shard, out);
      } else {
        list(dataset, shard, out);
      }
    }
    out.flush();
    return 0;
  }

  private void list(ActivationDataset dataset, Shard shard, PrintWriter out) {
    BlockOrder order = dataset.storageOrder();
    long blocks = shard.examples() * dataset.geometry().layers().size();
    for (long ordinal = 0; ordinal < blocks; ordinal++) {
      long example = shard.first() + order.indexInGroup(ordinal, shard.examples());
      int layerIndex = order.layerIndex(ordinal, shard.examples());
      print(out, dataset.geometry(), example, layerIndex, null);
    }
  }

  private void listWithDigests(ActivationDataset dataset, Shard shard, PrintWriter out)
      throws IOException {
    Selection selection =
        Selection.blocks(dataset.geometry(), dataset.storageOrder(), Long.MAX_VALUE);
    try (BlockCursor cursor =
        new BlockCursor(dataset, selection, shard.first(), shard.examples())) {
      while (cursor.next()) {
        String digest = HexFormat.of().formatHex(Digests.sha256(cursor.bytes()));
        print(out, dataset.geometry(), cursor.example(), cursor.layerIndex(), digest);
      }
    }
  }

  private void print(
      PrintWriter out, Geometry geometry, long example, int layerIndex, String digest) {
    int layer = geometry.layers().get(layerIndex);
    String dtype = DType.F32.numpyName();
    if (json) {
      out.printf(
          "{\"example\":%d,\"layer\":%d,\"shape\":[%d,%d],\"dtype\":\"%s\"%s}%n",
          example,
          layer,
          geometry.tokens(),
          geometry.dim(),
          dtype,
          digest == null ? "" : ",\"sha256\":\"" + digest + '"');
    } else {
      out.printf(
          "%d %d [%d,%d] %s%s%n",
          example,
          layer,
          geometry.tokens(),
          geometry.dim(),
          dtype,
          digest == null ? "" : " " + digest);
    }
  }
}
