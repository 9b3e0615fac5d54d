package org.saevhadoop.converters;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.io.FormatException;
import org.saevhadoop.format.saev.Generation;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.saev.SaevTarget;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.SaevConf;
import org.saevhadoop.mapreduce.SaevOutputFormat;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a conversion to SAEV, and the metadata that they and the source make. */
final class SaevOptions {
  @Option(
      names = "--protocol",
      paramLabel = "P",
      description =
          "SAEV: legacy, 1.0.0, 1.1, 2.0 or 2.1, which the current saev reads (default: as the"
              + " source's metadata, else 1.0.0).")
  String protocol;

  @Option(
      names = "--tokens-per-shard",
      paramLabel = "N",
      description =
          "SAEV: budget of tokens times layers a shard (default: as the source's metadata, else"
              + " 2400000).")
  Long tokensPerShard;

  @Option(names = "--family", paramLabel = "S", description = "SAEV: the model family.")
  String family;

  @Option(names = "--ckpt", paramLabel = "S", description = "SAEV: the model checkpoint.")
  String ckpt;

  @Option(
      names = "--data",
      paramLabel = "FILE.json",
      description = "SAEV: a JSON object that tells where the examples came from.")
  java.nio.file.Path data;

  @Option(
      names = "--cls",
      description = "SAEV: token 0 is [CLS], where the source has no metadata that says so.")
  boolean cls;

  /**
   * Checks what picocli can not.
   *
   * @throws ParameterException where a value is wrong
   */
  void check(CommandLine line) {
    if (tokensPerShard != null && tokensPerShard < 1) {
      throw new ParameterException(
          line, "--tokens-per-shard is " + tokensPerShard + " (expected at least 1)");
    }
    if (protocol != null) {
      try {
        Generation.ofLabel(protocol);
      } catch (IllegalArgumentException e) {
        throw new ParameterException(line, "--protocol: " + e.getMessage(), e);
      }
    }
  }

  /**
   * Puts what is to be written into a job's configuration.
   *
   * @param folder where the dataset's directory is asked for
   * @return the directory, named by its hash; readers of 2.x demand that it lies in saev/shards
   */
  Path configure(ActivationDataset dataset, SaevTarget.Tail tail, Path folder, Configuration conf)
      throws IOException {
    SaevMetadata metadata = metadata(dataset);
    SaevOutputFormat.setMetadata(conf, metadata.text());
    if (tail != null) {
      conf.set(SaevConf.OUTPUT_TAIL.key(), tail.name());
    }
    Path above =
        metadata.generation().liesInShardsFolder() && !folder.toString().endsWith("/saev/shards")
            ? new Path(folder, "saev/shards")
            : folder;
    return new Path(above, directory(dataset, metadata));
  }

  private static String directory(ActivationDataset dataset, SaevMetadata metadata) {
    String text = new String(metadata.text(), StandardCharsets.UTF_8);
    return dataset
        .saevDirectory()
        // a stranger's file may say anything here
        .filter(SaevMetadata::looksLikeHash)
        .filter(name -> dataset.saevMetadata().equals(Optional.of(text)))
        .orElse(metadata.hash());
  }

  /**
   * Takes what the user has not said from what a source says of its model.
   *
   * @param config {@code extraction_config} of a metadata.json
   * @throws FormatException where the model is still not known
   */
  void describe(Optional<ObjectNode> config, String source) throws FormatException {
    family = family == null ? text(config, "model_architecture") : family;
    ckpt = ckpt == null ? text(config, "model_name") : ckpt;
    checkModel(source);
  }

  private static String text(Optional<ObjectNode> config, String field) {
    return config
        .map(node -> node.path(field))
        .filter(value -> value.isTextual() && !value.asText().isEmpty())
        .map(JsonNode::asText)
        .orElse(null);
  }

  private void checkModel(String source) throws FormatException {
    FormatException.check(
        family != null && ckpt != null,
        source,
        "carries no SAEV metadata (expected --family and --ckpt, which name the model)");
  }

  /** Lets a source's SAEV metadata travel, and the directory's name where it is not its hash. */
  static void carry(ActivationDataset dataset, Configuration conf) throws IOException {
    SaevMetadata metadata = parse(dataset);
    SaevOutputFormat.setMetadata(conf, metadata.text());
    dataset
        .saevDirectory()
        .filter(name -> !name.equals(metadata.hash()))
        .ifPresent(name -> SaevConf.OUTPUT_SAEV_DIRECTORY.set(conf, name));
  }

  private SaevMetadata metadata(ActivationDataset dataset) throws IOException {
    SaevMetadata metadata = dataset.saevMetadata().isPresent() ? parse(dataset) : created(dataset);
    if (protocol != null) {
      metadata = metadata.to(Generation.ofLabel(protocol));
    }
    metadata = metadata.withGeometry(dataset.geometry().as(DType.F32));
    if (family != null) {
      metadata = metadata.withFamily(family);
    }
    if (ckpt != null) {
      metadata = metadata.withCheckpoint(ckpt);
    }
    if (data != null) {
      metadata = metadata.withData(data.toString(), Files.readAllBytes(data));
    }
    return tokensPerShard == null ? metadata : metadata.withTokensPerShard(tokensPerShard);
  }

  private SaevMetadata created(ActivationDataset dataset) throws IOException {
    checkModel(dataset.folder().path());
    byte[] described =
        data == null ? "{}".getBytes(StandardCharsets.UTF_8) : Files.readAllBytes(data);
    return SaevMetadata.create(dataset.geometry().as(DType.F32), cls, family, ckpt, described);
  }

  private static SaevMetadata parse(ActivationDataset dataset) throws FormatException {
    return SaevMetadata.parse(
        dataset.folder().path() + ": SAEV metadata",
        dataset.saevMetadata().orElseThrow().getBytes(StandardCharsets.UTF_8));
  }
}
