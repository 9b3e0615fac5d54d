package org.saevhadoop.converters;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.activations.ActivationManifest;
import org.saevhadoop.format.activations.Extraction;
import org.saevhadoop.format.activations.ShardDirectory;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
import org.saevhadoop.mapreduce.ActivationPickleOutputFormat;
import org.saevhadoop.mapreduce.ActivationPickleOutputFormat.Container;
import org.saevhadoop.mapreduce.InputNumbers;
import org.saevhadoop.mapreduce.SaevConf;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a conversion to pickled shards. */
final class PickleWriteOptions {
  private static final Set<Integer> PROTOCOLS = Set.of(2, 4, 5);

  @Option(
      names = "--dialect",
      paramLabel = "spec|real",
      description =
          "pickle: spec (keys layer_<l>, five fields a sample, metadata.json with checksums; the"
              + " default) or real (keys <l>, four fields, and the other metadata.json, as the tools"
              + " want that made such datasets).")
  ActivationManifest.Form dialect;

  @Option(
      names = "--pickle-protocol",
      paramLabel = "2|4|5",
      description = "pickle: the protocol (default: 4, which Python reads from 3.4 on).")
  Integer protocol;

  @Option(
      names = "--shard-mb",
      paramLabel = "N",
      description =
          "pickle: megabytes of numbers a file before compression, 10 to 2000 (default: 200).")
  Long shardMb;

  @Option(
      names = "--compression-level",
      paramLabel = "0..9",
      description =
          "pickle: gzip's level for all data (default: chosen for each block by its content, which is"
              + " fast and for dense numbers as small as level 9).")
  Integer level;

  @Option(
      names = "--single-member",
      description =
          "pickle: gzip files of one member, as Python writes them, instead of blocks (BGZF), which"
              + " every gzip reads too and several threads can inflate.")
  boolean singleMember;

  @Option(names = "--uncompressed", description = "pickle: shard_<n>.pkl instead of .pkl.gz.")
  boolean uncompressed;

  /**
   * Checks what picocli can not.
   *
   * @throws ParameterException where a value is wrong
   */
  void check(CommandLine line) {
    if (protocol != null && !PROTOCOLS.contains(protocol)) {
      throw new ParameterException(
          line, "--pickle-protocol is " + protocol + " (expected 2, 4 or 5)");
    }
    if (shardMb != null && (shardMb < 10 || shardMb > 2000)) {
      throw new ParameterException(line, "--shard-mb is " + shardMb + " (expected 10 to 2000)");
    }
    if (level != null && (level < 0 || level > 9)) {
      throw new ParameterException(line, "--compression-level is " + level + " (expected 0 to 9)");
    }
    if (uncompressed && (level != null || singleMember)) {
      throw new ParameterException(
          line, "--uncompressed excludes --compression-level and --single-member");
    }
  }

  /**
   * Puts what is to be written into a job's configuration, which says already whether attributes go
   * with it.
   *
   * @param src what the user named
   */
  void configure(Path src, Source source, Configuration conf) throws IOException {
    boolean asked = !SaevConf.INPUT_DTYPE.get(conf).isEmpty();
    if (asked) {
      SaevConf.OUTPUT_PICKLE_DTYPE.set(conf, "record");
    } else if (!SaevConf.OUTPUT_ATTRIBUTES.get(conf).isEmpty()) {
      // each array gets the type that its attributes tell
      SaevConf.INPUT_DTYPE.set(conf, InputNumbers.STORED);
    }
    ActivationDataset activations = DatasetFormat.activations(source.dataset(), conf);
    Geometry geometry = geometry(activations, conf);
    ActivationPickleOutputFormat.setGeometry(conf, geometry);
    String path = Paths.show(src, conf);
    ActivationPickleOutputFormat.setOrigin(conf, path, source.format().name());
    setExtraction(src, source, activations, conf);
    set(conf, SaevConf.OUTPUT_PICKLE_DIALECT, dialect);
    set(conf, SaevConf.OUTPUT_PICKLE_PROTOCOL, protocol);
    set(conf, SaevConf.OUTPUT_PICKLE_SHARD_MB, shardMb);
    set(conf, SaevConf.OUTPUT_PICKLE_LEVEL, level);
    set(conf, SaevConf.OUTPUT_PICKLE_CONTAINER, uncompressed ? Container.NONE : null);
    set(conf, SaevConf.OUTPUT_PICKLE_CONTAINER, singleMember ? Container.SINGLE_MEMBER : null);
  }

  private static Geometry geometry(ActivationDataset dataset, Configuration conf)
      throws FormatException {
    List<DType> types =
        InputNumbers.of(conf).table(dataset).columns().stream()
            .map(column -> column.dtype())
            .distinct()
            .toList();
    FormatException.check(
        types.size() == 1,
        dataset.folder().path(),
        "would become layers of different types, %s (expected one: --dtype for all columns)",
        types);
    return dataset.geometry().as(types.get(0));
  }

  /** Lets travel what the source says of the making of the activations. */
  private static void setExtraction(
      Path src, Source source, ActivationDataset dataset, Configuration conf) throws IOException {
    if (!SaevConf.OUTPUT_PICKLE_CONFIG.get(conf).isEmpty()) {
      return;
    }
    if (source.format() == DatasetFormat.pickle) {
      for (ShardDirectory directory : ActivationPickleInputFormat.shards(src, conf).directories()) {
        Optional<ActivationManifest> manifest = directory.manifest();
        if (manifest.isPresent()) {
          Extraction known = Extraction.of(manifest.get(), null);
          ActivationPickleOutputFormat.setExtraction(
              conf, known.config(), known.distributed(), known.seconds());
          return;
        }
      }
    } else if (dataset.saevMetadata().isPresent()) {
      byte[] text = dataset.saevMetadata().get().getBytes(StandardCharsets.UTF_8);
      SaevMetadata metadata = SaevMetadata.parse(dataset.folder().path(), text);
      ObjectNode config = JsonNodeFactory.instance.objectNode();
      config.put("model_name", metadata.checkpoint());
      config.put("model_architecture", metadata.family());
      config.putObject("model_params").put("hidden_size", dataset.geometry().dim());
      config.put("dataset_name", "unknown");
      config.put("max_seq_length", dataset.geometry().tokens());
      ActivationPickleOutputFormat.setExtraction(conf, config, null, null);
    }
  }

  private static void set(Configuration conf, SaevConf key, Object value) {
    if (value != null) {
      key.set(conf, value.toString());
    }
  }
}
