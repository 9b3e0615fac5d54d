package org.saevhadoop.format.saev.directory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.saevhadoop.format.dataset.BlockOrder;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableShape;
import org.saevhadoop.format.dataset.write.CopiedFile;
import org.saevhadoop.format.dataset.write.DatasetFinisher;
import org.saevhadoop.format.dataset.write.DatasetWrite;
import org.saevhadoop.format.dataset.write.Document;
import org.saevhadoop.format.dataset.write.MergePlan;
import org.saevhadoop.format.dataset.write.PlainShardSinks;
import org.saevhadoop.format.dataset.write.ShardPlan;
import org.saevhadoop.format.dataset.write.WritePlan;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.saev.metadata.SaevMetadata;
import org.saevhadoop.format.samples.SampleMetadata;

/**
 * Plan of a SAEV dataset to be written: its shards and its documents.
 *
 * @param metadata the content of metadata.json
 * @param tail the length of the last file
 * @param labels the content of labels.bin; null for none
 */
public record SaevWritePlan(SaevMetadata metadata, Tail tail, @Nullable LabelSource labels)
    implements WritePlan, DatasetFinisher {
  /** Length of a last file that is not full. */
  public enum Tail {
    /**
     * The length of the other files: the readers of the saev project map the full shape of each
     * file and reject a shorter one.
     */
    FULL,
    /** The length of the examples in the file, as the specifications require. */
    EXACT
  }

  private static final byte[] NO_HEADER = {};

  /** Returns the complete description of the write. */
  public DatasetWrite write(SampleMetadata sampleMetadata) {
    return new DatasetWrite(this, new PlainShardSinks(this, sampleMetadata), this);
  }

  /**
   * Returns the shards of several datasets as the shards of this one: all but the very last are
   * full. The space after the examples of the last shard is padding.
   *
   * @param samples whether sample metadata is copied
   */
  public List<CopiedFile> copies(List<SaevDataset> sources, boolean samples) throws IOException {
    MergePlan.Copies copies = new MergePlan.Copies(samples);
    int next = 0;
    for (int source = 0; source < sources.size(); source++) {
      SaevDataset dataset = sources.get(source);
      SortedMap<String, Long> there = samples ? dataset.folder().files() : new TreeMap<>();
      for (Shard shard : dataset.shards()) {
        long bytes = shard.examples() * geometry().exampleBytes();
        ShardPlan to = shard(next++);
        copies.add(
            new CopiedFile(source, shard.name(), to.name(), "", 0, bytes, to.length()), there);
      }
    }
    return copies.list();
  }

  /** Returns the shape of the activations. */
  public Geometry geometry() {
    return metadata.geometry();
  }

  @Override
  public TableShape table() {
    return geometry().table();
  }

  @Override
  public BlockOrder order() {
    return BlockOrder.byExample(table());
  }

  @Override
  public long examplesPerShard() {
    return metadata.examplesPerShard();
  }

  @Override
  public long paddedExamples() {
    long room = shardCount() * examplesPerShard();
    return tail == Tail.FULL ? room - geometry().examples() : 0;
  }

  @Override
  public ShardPlan shard(long index) {
    long examples = examples(index);
    long kept = tail == Tail.FULL ? examplesPerShard() : examples;
    return new ShardPlan(
        SaevDataset.shardName(index),
        index * examplesPerShard(),
        examples,
        NO_HEADER,
        kept * geometry().exampleBytes());
  }

  @Override
  public List<Document> documents(Folder written) {
    List<Document> documents = new ArrayList<>();
    if (labels != null) {
      documents.add(
          new Document(SaevDataset.LABELS, out -> labels.copy(0, geometry().examples(), out)));
    }
    if (metadata.generation().hasShardsJson()) {
      List<ShardInfo.Entry> entries = new ArrayList<>();
      for (long i = 0; i < shardCount(); i++) {
        entries.add(new ShardInfo.Entry(SaevDataset.shardName(i), examples(i)));
      }
      documents.add(
          new Document(
              ShardInfo.FILE, new ShardInfo(metadata.generation().countKey(), entries).text()));
    }
    documents.add(new Document(SaevMetadata.FILE, metadata.text()));
    return documents;
  }
}
