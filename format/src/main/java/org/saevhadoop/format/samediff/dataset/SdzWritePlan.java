package org.saevhadoop.format.samediff.dataset;

import java.util.ArrayList;
import java.util.List;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.samediff.container.ContainerFiles;
import org.saevhadoop.format.samediff.container.ShardName;
import org.saevhadoop.format.samediff.sdnb.ArraySpec;
import org.saevhadoop.format.samediff.sdnb.SdnbLayout;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * Write plan of a dataset in a single SDZ file, which is written by one task. The arrays follow
 * each other column by column; each entry contains as many of them as fit.
 *
 * @param base the base name of the file
 * @param maxEntryBytes the maximum total size of the arrays of an entry, in bytes; a larger array
 *     gets its own entry
 * @param deflated whether entries are compressed; arrays in compressed entries cannot be read in
 *     place
 * @param level the compression level, from 0 to 9
 */
public record SdzWritePlan(
    WrittenArrays arrays, String base, long maxEntryBytes, boolean deflated, int level)
    implements WritePlan, DatasetFinisher {
  /** Base name that the real loader looks for. */
  static final String ENTRY_BASE = "model";

  /** An array in an entry: one column of a group of examples. */
  record Placed(int column, long group) {}

  /** Returns the complete description of the write. */
  public DatasetWrite write(SampleMetadata sampleMetadata) {
    return new DatasetWrite(
        this,
        new PlainShardSinks(
            this,
            sampleMetadata,
            (shard, index, folder, local) ->
                new SdzSink(folder.create(shard.name()), this, shard, local)),
        this);
  }

  @Override
  public TableShape table() {
    return arrays.table();
  }

  @Override
  public BlockOrder order() {
    return new BlockOrder(true, BlockOrder.byExample(table()).columns());
  }

  @Override
  public long examplesPerShard() {
    return Math.max(1, table().examples());
  }

  @Override
  public long shardCount() {
    return 1;
  }

  @Override
  public String shardName(long index) {
    return base + ContainerFiles.SDZ_SUFFIX;
  }

  @Override
  public boolean isCompressed() {
    return deflated;
  }

  @Override
  public ShardPlan shard(long index) {
    return new ShardPlan(shardName(index), 0, table().examples(), new byte[0], ShardPlan.UNKNOWN);
  }

  List<List<Placed>> entries() {
    List<List<Placed>> entries = new ArrayList<>();
    List<Placed> entry = new ArrayList<>();
    long bytes = 0;
    for (int column = 0; column < arrays.columns(); column++) {
      for (long group = 0; group < arrays.groups(); group++) {
        long size = arrays.exampleBytes(column) * arrays.examples(group);
        if (!entry.isEmpty() && size > maxEntryBytes - bytes) {
          entries.add(entry);
          entry = new ArrayList<>();
          bytes = 0;
        }
        entry.add(new Placed(column, group));
        bytes += size;
      }
    }
    entries.add(entry);
    return entries;
  }

  /** Returns the number of entries of the file, including the graph. */
  int entryCount() {
    int weights = entries().size();
    return weights == 1 ? 1 : weights + 1;
  }

  /** Returns the name of an entry; if there are several entries, the graph has index 0. */
  static String entryName(int index, int count) {
    return count == 1
        ? ENTRY_BASE + ShardName.SUFFIX
        : new ShardName(ENTRY_BASE, index, count).toString();
  }

  SdnbLayout layout(List<Placed> entry, int index, int count) {
    return SdnbLayout.of(
        specs(entry),
        count == 1 ? DatasetMetadata.describing(arrays) : DatasetMetadata.shard(arrays, index));
  }

  /** Returns the layout of the graph, which lists the arrays of all entries. */
  SdnbLayout graph(List<List<Placed>> entries) {
    return SdnbLayout.ofGraph(
        specs(entries.stream().flatMap(List::stream).toList()), DatasetMetadata.shard(arrays, 0));
  }

  private List<ArraySpec> specs(List<Placed> placed) {
    return placed.stream().map(array -> arrays.array(array.column(), array.group())).toList();
  }

  /** Returns an empty list, because the file is complete without documents. */
  @Override
  public List<Document> documents(Folder written) {
    return List.of();
  }
}
