package org.saevhadoop.converters;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.io.Folder;
import org.saevhadoop.format.io.Input;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.safetensors.SafetensorsHeader;
import org.saevhadoop.format.safetensors.Tensor;
import org.saevhadoop.format.tensor.DType;
import org.saevhadoop.mapreduce.HadoopFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Tells what a dataset, or one safetensors file, says of itself. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Tells what the dataset at PATH says of itself, and what is unusual about it.",
      "Of one safetensors file it tells the tensors and the metadata. Only documents and headers are"
          + " read. Without --json it also tells the generation of SAEV metadata and all its fields."
    })
final class InspectCommand implements Callable<Integer> {
  @ParentCommand Main main;

  @Parameters(paramLabel = "PATH", description = "A directory or a safetensors file.")
  String path;

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  // half characters, as in a path that is no UTF-8, survive only as escapes
  private final ObjectMapper mapper =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Override
  public Integer call() throws IOException {
    Configuration conf = main.getConf();
    Path at = new Path(path);
    DatasetFormat format = DatasetFormat.of(at, null, conf);
    ObjectNode report;
    if (format == DatasetFormat.saev) {
      report = saev(SaevDataset.inspect(HadoopFolder.of(at, conf)));
    } else if (at.getFileSystem(conf).getFileStatus(at).isFile()) {
      report = file(at, conf);
    } else {
      report = dataset(DatasetFormat.safetensors.open(at, conf));
    }
    PrintWriter out = main.out();
    if (json) {
      out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(report));
    } else {
      report.fields().forEachRemaining(field -> print(out, field.getKey(), field.getValue()));
    }
    out.flush();
    return 0;
  }

  private static void print(PrintWriter out, String key, JsonNode value) {
    if (value.isObject()) {
      out.println(key);
      value
          .fields()
          .forEachRemaining(
              f -> out.printf("  %-26s %s%n", oneLine(f.getKey()), plain(f.getValue())));
      return;
    }
    if (!value.isArray() || key.equals("layers")) {
      out.printf("%-20s %s%n", key, plain(value));
      return;
    }
    out.printf("%-20s %d%n", key, value.size());
    value.forEach(item -> out.println("  " + (item.isTextual() ? plain(item) : line(item))));
  }

  private static String plain(JsonNode value) {
    return value.isTextual() ? oneLine(value.asText()) : value.toString();
  }

  /** A dataset may say anything, also what a terminal would obey. */
  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", "?");
  }

  private static String line(JsonNode item) {
    StringBuilder line = new StringBuilder();
    item.fields()
        .forEachRemaining(
            field -> {
              var value = field.getValue();
              if (value.isNull()) {
                line.append("  missing");
                return;
              }
              line.append(line.isEmpty() ? "" : "  ").append(plain(value));
              if (!value.isTextual()) {
                line.append(' ').append(field.getKey());
              }
            });
    return line.toString();
  }

  private ObjectNode saev(SaevDataset dataset) throws IOException {
    SaevMetadata metadata = dataset.metadata();
    ObjectNode report =
        report(
            DatasetFormat.saev,
            metadata,
            dataset.hash(),
            dataset.hashMatches(),
            dataset.geometry());
    if (!json) {
      report.put("generation", metadata.generation().title());
      report.put("cls_token", metadata.clsToken());
      report.put("examples_per_shard", metadata.examplesPerShard());
      report.put("labels", dataset.hasLabels());
      metadata.texts().forEach(report.putObject("metadata")::put);
    }
    shards(report, dataset.listedShards(), dataset.warnings());
    return report;
  }

  private ObjectNode dataset(ActivationDataset dataset) throws IOException {
    SaevMetadata metadata = null;
    if (dataset.saevMetadata().isPresent()) {
      byte[] text = dataset.saevMetadata().get().getBytes(StandardCharsets.UTF_8);
      metadata = SaevMetadata.parse(path, text);
    }
    String hash = metadata == null ? null : metadata.hash();
    ObjectNode report = report(DatasetFormat.safetensors, metadata, hash, null, dataset.geometry());
    shards(report, dataset.shards(), dataset.warnings());
    return report;
  }

  private ObjectNode report(
      DatasetFormat format,
      SaevMetadata metadata,
      String hash,
      Boolean hashMatches,
      Geometry geometry) {
    ObjectNode report = mapper.createObjectNode();
    report.put("format", format.name());
    report.put("protocol", metadata == null ? null : metadata.protocol());
    report.put("hash", hash);
    report.put("hash_matches", hashMatches);
    report.put("examples", geometry.examples());
    geometry.layers().forEach(report.putArray("layers")::add);
    report.put("tokens_per_example", geometry.tokens());
    report.put("dim", geometry.dim());
    report.put("dtype", DType.F32.numpyName());
    return report;
  }

  private static void shards(ObjectNode report, List<Shard> shards, List<String> warnings) {
    ArrayNode list = report.putArray("shards");
    for (Shard shard : shards) {
      list.addObject()
          .put("name", shard.name())
          .put("examples", shard.examples())
          .put("bytes", shard.bytes() < 0 ? null : shard.bytes());
    }
    warnings.forEach(report.putArray("warnings")::add);
  }

  private ObjectNode file(Path at, Configuration conf) throws IOException {
    Folder folder = HadoopFolder.of(at.getFileSystem(conf).makeQualified(at).getParent(), conf);
    try (Input in = folder.open(at.getName())) {
      SafetensorsHeader header = SafetensorsHeader.read(in);
      ObjectNode report = mapper.createObjectNode();
      report.put("format", DatasetFormat.safetensors.name());
      ArrayNode tensors = report.putArray("tensors");
      for (Tensor tensor : header.tensors()) {
        ObjectNode entry = tensors.addObject();
        entry.put("name", tensor.name());
        entry.put("dtype", tensor.dtype().name());
        tensor.shape().forEach(entry.putArray("shape")::add);
        entry.putArray("data_offsets").add(tensor.begin()).add(tensor.end());
      }
      if (header.metadata() == null) {
        report.putNull("metadata");
      } else {
        header.metadata().forEach(report.putObject("metadata")::put);
      }
      return report;
    }
  }
}
