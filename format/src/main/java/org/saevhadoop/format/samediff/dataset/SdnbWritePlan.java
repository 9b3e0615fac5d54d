package org.saevhadoop.format.samediff.dataset;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.saevhadoop.format.dataset.BlockOffsets;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Output;
import org.saevhadoop.format.samediff.container.ShardName;
import org.saevhadoop.format.samediff.sdnb.ArraySpec;
import org.saevhadoop.format.samediff.sdnb.SdnbLayout;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * Write plan of a dataset of SDNB files: either a single file, or one shard for each group of
 * examples plus shard 0, the graph, which lists all variables and is written last.
 *
 * @param base the base name of the files
 */
public record SdnbWritePlan(WrittenArrays arrays, String base)
    implements WritePlan, DatasetFinisher {
  /** Returns the complete description of the write. */
  public DatasetWrite write(SampleMetadata sampleMetadata) {
    return new DatasetWrite(
        this,
        new PlainShardSinks(
            this,
            sampleMetadata,
            (shard, index, folder, local) ->
                new SdnbSink(folder.create(shard.name()), this, index, shard)),
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
    return arrays.examplesPerGroup();
  }

  @Override
  public long shardCount() {
    return arrays.groups();
  }

  private boolean isSingle() {
    return arrays.groups() == 1;
  }

  /** Returns the number of files; if there are several, the first one is the graph. */
  private int fileCount() {
    return Math.toIntExact(arrays.groups() + 1);
  }

  @Override
  public String shardName(long index) {
    return isSingle()
        ? base + ShardName.SUFFIX
        : new ShardName(base, (int) index + 1, fileCount()).toString();
  }

  /** Returns the file of a group. Arrays are aligned, which leaves gaps between columns. */
  @Override
  public ShardPlan shard(long index) {
    SdnbLayout layout = layout(index);
    BlockOffsets placement =
        (example, column) -> layout.offset(column) + example * arrays.exampleBytes(column);
    return new ShardPlan(
        shardName(index),
        arrays.first(index),
        arrays.examples(index),
        layout.head(),
        layout.length(),
        new ShardPlan.Scattered(placement, layout.dataEnd(), null),
        null);
  }

  SdnbLayout layout(long group) {
    List<ArraySpec> specs =
        IntStream.range(0, arrays.columns())
            .mapToObj(column -> arrays.array(column, group))
            .toList();
    SortedMap<String, String> metadata =
        isSingle() ? DatasetMetadata.describing(arrays) : DatasetMetadata.shard(arrays, group + 1);
    return SdnbLayout.of(specs, metadata);
  }

  @Override
  public List<Document> documents(Folder written) {
    return isSingle()
        ? List.of()
        : List.of(new Document(new ShardName(base, 0, fileCount()).toString(), this::writeGraph));
  }

  private void writeGraph(Output out) throws IOException {
    List<ArraySpec> all = new ArrayList<>();
    for (long group = 0; group < arrays.groups(); group++) {
      for (int column = 0; column < arrays.columns(); column++) {
        all.add(arrays.array(column, group));
      }
    }
    SdnbLayout layout = SdnbLayout.ofGraph(all, DatasetMetadata.shard(arrays, 0));
    out.write(ByteBuffer.wrap(layout.head()));
    out.write(ByteBuffer.wrap(layout.manifest()));
  }
}
