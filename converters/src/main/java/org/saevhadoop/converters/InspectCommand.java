package org.saevhadoop.converters;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
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
          + " read."
    })
final class InspectCommand implements Callable<Integer> {
  @ParentCommand Main main;

  @Parameters(paramLabel = "PATH", description = "A directory or a safetensors file.")
  String path;

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  private final ObjectMapper mapper = new ObjectMapper();

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
    if (!value.isArray() || key.equals("layers")) {
      out.printf("%-20s %s%n", key, value.isTextual() ? value.asText() : value);
      return;
    }
    out.printf("%-20s %d%n", key, value.size());
    value.forEach(item -> out.println("  " + (item.isTextual() ? item.asText() : line(item))));
  }

  private static String line(JsonNode item) {
    StringBuilder line = new StringBuilder();
    item.fields()
        .forEachRemaining(
            field -> {
              var value = field.getValue();
              line.append(line.isEmpty() ? "" : "  ")
                  .append(value.isTextual() ? value.asText() : value);
              if (!value.isTextual()) {
                line.append(' ').append(field.getKey());
              }
            });
    return line.toString();
  }

  private ObjectNode saev(SaevDataset dataset) {
    SaevMetadata metadata = dataset.metadata();
    return report(
        DatasetFormat.saev,
        metadata,
        dataset.hashMatches(),
        dataset.geometry(),
        dataset.listedShards(),
        dataset.warnings());
  }

  private ObjectNode dataset(ActivationDataset dataset) throws IOException {
    SaevMetadata metadata =
        dataset.saevMetadata().isEmpty()
            ? null
            : SaevMetadata.parse(
                path, dataset.saevMetadata().get().getBytes(StandardCharsets.UTF_8));
    return report(
        DatasetFormat.safetensors,
        metadata,
        null,
        dataset.geometry(),
        dataset.shards(),
        dataset.warnings());
  }

  private ObjectNode report(
      DatasetFormat format,
      SaevMetadata metadata,
      Boolean hashMatches,
      Geometry geometry,
      List<Shard> shards,
      List<String> warnings) {
    ObjectNode report = mapper.createObjectNode();
    report.put("format", format.name());
    report.put("protocol", metadata == null ? null : metadata.generation().label());
    report.put("hash", metadata == null ? null : metadata.hash());
    report.put("hash_matches", hashMatches);
    report.put("examples", geometry.examples());
    geometry.layers().forEach(report.putArray("layers")::add);
    report.put("tokens_per_example", geometry.tokens());
    report.put("dim", geometry.dim());
    report.put("dtype", DType.F32.numpyName());
    ArrayNode list = report.putArray("shards");
    for (Shard shard : shards) {
      list.addObject()
          .put("name", shard.name())
          .put("examples", shard.examples())
          .put("bytes", shard.bytes() < 0 ? null : shard.bytes());
    }
    warnings.forEach(report.putArray("warnings")::add);
    return report;
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
