package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.safetensors.KeyedTarget;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.Provenance;
import org.saevhadoop.format.safetensors.RowIds;
import org.saevhadoop.format.safetensors.SafetensorsTarget;
import org.saevhadoop.format.safetensors.SafetensorsTarget.Columns;

/**
 * Writes a dataset of safetensors files. {@code saev.output.geometry}, {@code saev.output.table} or
 * {@code saev.output.metadata} says its shape. Job commit writes dataset_manifest.json.
 */
public final class SafetensorsOutputFormat extends ActivationOutputFormat {
  private static final long MIB = 1 << 20;
  private static final long LEAST_SHARD_MB = 50;
  private static final long MOST_SHARD_MB = 1000;

  /** Sets the shape of what is to be written, where it is no activations. */
  public static void setTable(Configuration conf, Table table) {
    SaevConf.OUTPUT_TABLE.set(conf, TableText.of(table));
  }

  @Override
  public DatasetTarget target(Configuration conf) throws IOException {
    byte[] metadata = SaevOutputFormat.metadata(conf).orElse(null);
    boolean any = conf.getRaw(SaevConf.OUTPUT_TABLE.key()) != null;
    Geometry geometry = any ? null : geometry(conf, metadata);
    Table table = geometry == null ? table(conf) : geometry.table();
    String directory = SaevConf.OUTPUT_SAEV_DIRECTORY.get(conf);
    Provenance provenance =
        new Provenance(
            metadata == null ? null : new String(metadata, StandardCharsets.UTF_8),
            directory.isEmpty() ? null : directory);
    LabelSource labels = labels(conf, table);
    return SaevConf.OUTPUT_LAYOUT.getEnum(conf, Layout.class) == Layout.KV
        ? keyed(conf, table, provenance, labels)
        : batches(conf, table, provenance, labels);
  }

  private static DatasetTarget batches(
      Configuration conf, Table table, Provenance provenance, LabelSource labels) {
    long asked = SaevConf.OUTPUT_BATCH_SIZE.getLong(conf, 0);
    long batch = asked == 0 ? SafetensorsTarget.defaultExamplesPerShard(table) : asked;
    SafetensorsTarget.Tail tail =
        SaevConf.OUTPUT_BATCH_TAIL.getEnum(conf, SafetensorsTarget.Tail.class);
    return new SafetensorsTarget(
        table.withExamples(SafetensorsTarget.written(table.examples(), batch, tail)),
        SaevConf.OUTPUT_COLUMNS.getEnum(conf, Columns.class),
        batch,
        tail,
        alignment(conf),
        provenance,
        labels);
  }

  private static DatasetTarget keyed(
      Configuration conf, Table table, Provenance provenance, LabelSource labels)
      throws IOException {
    Columns columns = SaevConf.OUTPUT_COLUMNS.getEnum(conf, Columns.class);
    String separator = SaevConf.OUTPUT_SEPARATOR.getPlain(conf);
    long shardMb = SaevConf.OUTPUT_SHARD_MB.getLong(conf, LEAST_SHARD_MB);
    if (shardMb > MOST_SHARD_MB) {
      throw new IllegalArgumentException(
          "%s is %d (expected %d to %d)"
              .formatted(SaevConf.OUTPUT_SHARD_MB.key(), shardMb, LEAST_SHARD_MB, MOST_SHARD_MB));
    }
    RowIds ids = ids(conf, table);
    long perShard =
        KeyedTarget.examplesPerShard(
            table,
            columns,
            separator,
            ids,
            provenance,
            labels,
            alignment(conf),
            shardMb * MIB,
            SaevConf.OUTPUT_HEADER_BYTES.getLong(conf, 1));
    return new KeyedTarget(
        table, columns, separator, ids, perShard, alignment(conf), provenance, labels);
  }

  private static RowIds ids(Configuration conf, Table table) throws IOException {
    String source = SaevConf.OUTPUT_IDS.get(conf);
    return source.isEmpty()
        ? RowIds.numbers(table.examples())
        : new SourceIds(
            SafetensorsInputFormat.table(new Path(source), conf),
            (int) SaevConf.OUTPUT_IDS_LONGEST.getLong(conf, 1));
  }

  /** Columns of other types are layers all the same, whose patches may be labelled. */
  private static LabelSource labels(Configuration conf, Table table) throws IOException {
    List<Long> block = table.columns().get(0).shape();
    if (block.size() != 2
        || !table.columns().stream()
            .allMatch(c -> c.name().startsWith(Geometry.LAYER_PREFIX) && c.shape().equals(block))) {
      return null;
    }
    int tokens = Math.toIntExact(block.get(0));
    int dim = Math.toIntExact(block.get(1));
    return tokens == 0 || dim == 0
        ? null
        : labels(conf, new Geometry(table.examples(), table.numbers(), tokens, dim));
  }

  private static int alignment(Configuration conf) {
    long alignment = SaevConf.OUTPUT_ALIGNMENT.getLong(conf, SafetensorsTarget.ALIGNMENT);
    if (Long.bitCount(alignment) != 1 || alignment > MIB) {
      throw new IllegalArgumentException(
          "%s is %d (expected a power of two from 8 to %d)"
              .formatted(SaevConf.OUTPUT_ALIGNMENT.key(), alignment, MIB));
    }
    return (int) alignment;
  }

  private static Table table(Configuration conf) {
    String text = conf.getRaw(SaevConf.OUTPUT_TABLE.key());
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(
          "none of %s, %s and %s is set (one must say the shape of the dataset)"
              .formatted(
                  SaevConf.OUTPUT_GEOMETRY.key(),
                  SaevConf.OUTPUT_TABLE.key(),
                  SaevConf.OUTPUT_SAEV_METADATA.key()));
    }
    return TableText.parse(text);
  }
}
