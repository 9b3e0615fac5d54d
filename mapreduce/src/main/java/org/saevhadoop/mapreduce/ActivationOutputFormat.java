package org.saevhadoop.mapreduce;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.util.ReflectionUtils;
import org.saevhadoop.format.attributes.AttributeSource;
import org.saevhadoop.format.attributes.Attributes;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.DatasetTarget;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.LabelSource;
import org.saevhadoop.format.dataset.Table;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.tensor.DType;

/**
 * Writes one dataset. A task writes whole files: its records are the blocks (or the examples) of
 * one or more of them, in the file's own order.
 */
public abstract class ActivationOutputFormat
    extends FileOutputFormat<ActivationKey, ActivationWritable> {
  /** What the configuration says is to be written. */
  public abstract DatasetTarget target(Configuration conf) throws IOException;

  /** Sets the shape of what is to be written. */
  public static void setGeometry(Configuration conf, Geometry geometry) {
    String layers =
        geometry.layers().stream().map(String::valueOf).collect(Collectors.joining(","));
    String dtype = geometry.dtype() == DType.F32 ? "" : ";" + geometry.dtype();
    SaevConf.OUTPUT_GEOMETRY.set(
        conf,
        geometry.examples()
            + ";"
            + layers
            + ";"
            + geometry.tokens()
            + ";"
            + geometry.dim()
            + dtype);
  }

  /** Sets the dataset whose labels are written with the examples. */
  public static void setLabels(
      Configuration conf, Path dataset, Class<? extends ActivationInputFormat> format) {
    SaevConf.OUTPUT_LABELS.set(conf, dataset.toString());
    SaevConf.OUTPUT_LABELS_FORMAT.set(conf, format.getName());
  }

  /** Sets the dataset whose attributes are written with the examples. */
  public static void setAttributes(
      Configuration conf, Path dataset, Class<? extends ActivationInputFormat> format) {
    SaevConf.OUTPUT_ATTRIBUTES.set(conf, dataset.toString());
    SaevConf.OUTPUT_ATTRIBUTES_FORMAT.set(conf, format.getName());
  }

  /**
   * The labels that the configuration says are to be written with examples of shape {@code
   * written}; null without.
   */
  static LabelSource labels(Configuration conf, Geometry written) throws IOException {
    String dataset = SaevConf.OUTPUT_LABELS.get(conf);
    if (dataset.isEmpty()) {
      return null;
    }
    if (open(dataset, SaevConf.OUTPUT_LABELS_FORMAT, conf)
        instanceof ActivationDataset activations) {
      return LabelSource.of(activations, written);
    }
    throw FormatException.of(dataset, "holds no activations (expected some with labels)");
  }

  /**
   * The attributes that the configuration says are to be written with the examples; empty without.
   *
   * @throws FormatException where they are of fewer examples
   */
  static Optional<Attributes> attributes(Configuration conf, Table written) throws IOException {
    String path = SaevConf.OUTPUT_ATTRIBUTES.get(conf);
    if (path.isEmpty()) {
      return Optional.empty();
    }
    TableDataset dataset = open(path, SaevConf.OUTPUT_ATTRIBUTES_FORMAT, conf);
    FormatException.check(
        dataset.table().examples() >= written.examples(),
        dataset.folder().path(),
        "has attributes of %d examples (expected %d, as are to be written)",
        dataset.table().examples(),
        written.examples());
    return dataset.attributes();
  }

  /** The shape of activations; null where it is no activations that are to be written. */
  static Geometry geometry(Configuration conf, byte[] metadata) throws IOException {
    String text = SaevConf.OUTPUT_GEOMETRY.get(conf);
    if (text.isEmpty()) {
      return metadata == null
          ? null
          : SaevMetadata.parse(SaevConf.OUTPUT_SAEV_METADATA.key(), metadata).geometry();
    }
    try {
      String[] parts = text.split(";");
      List<Integer> layers = Arrays.stream(parts[1].split(",")).map(Integer::valueOf).toList();
      return new Geometry(
          Long.parseLong(parts[0]),
          layers,
          Integer.parseInt(parts[2]),
          Integer.parseInt(parts[3]),
          parts.length > 4 ? DType.valueOf(parts[4]) : DType.F32);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "%s is \"%s\" (expected examples;layer,layer,...;tokens;dim)"
              .formatted(SaevConf.OUTPUT_GEOMETRY.key(), text),
          e);
    }
  }

  private static TableDataset open(String dataset, SaevConf formatKey, Configuration conf)
      throws IOException {
    String name = formatKey.get(conf);
    ActivationInputFormat format;
    try {
      Class<?> type = conf.getClassByName(name);
      format = ReflectionUtils.newInstance(type.asSubclass(ActivationInputFormat.class), conf);
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IllegalArgumentException(
          "%s is \"%s\" (expected the class of an ActivationInputFormat)"
              .formatted(formatKey.key(), name),
          e);
    }
    return format.open(new Path(dataset), conf);
  }

  @Override
  public void checkOutputSpecs(JobContext job) throws IOException {
    attributes(job.getConfiguration(), target(job.getConfiguration()).table());
    super.checkOutputSpecs(job);
    for (SaevConf key : List.of(SaevConf.OUTPUT_LABELS, SaevConf.OUTPUT_ATTRIBUTES)) {
      String dataset = key.get(job.getConfiguration());
      if (!dataset.isEmpty()) {
        TokenCache.obtainTokensForNamenodes(
            job.getCredentials(), new Path[] {new Path(dataset)}, job.getConfiguration());
      }
    }
    DatasetCommitter.checkPlace(job.getConfiguration());
  }

  @Override
  public RecordWriter<ActivationKey, ActivationWritable> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    PathOutputCommitter committer = getOutputCommitter(context);
    DatasetTarget target = target(conf);
    Optional<Attributes> attributes =
        target.hasSidecars() ? attributes(conf, target.table()) : Optional.empty();
    return new ActivationRecordWriter(
        HadoopFolder.of(committer.getWorkPath(), conf),
        target,
        attributes.map(AttributeSource::new).orElse(null),
        SaevConf.OUTPUT_SPOOL.getEnum(conf, ActivationRecordWriter.Spool.class));
  }

  // not the base class's: that one remembers the first committer it was asked for
  @Override
  public synchronized PathOutputCommitter getOutputCommitter(TaskAttemptContext context)
      throws IOException {
    Path output = getOutputPath(context);
    return DatasetCommitter.create(output, context, this);
  }
}
