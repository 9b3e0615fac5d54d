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
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.saevhadoop.format.activations.ShardFiles;
import org.saevhadoop.format.dataset.ActivationDataset;
import org.saevhadoop.format.dataset.Column;
import org.saevhadoop.format.dataset.Geometry;
import org.saevhadoop.format.dataset.Shard;
import org.saevhadoop.format.dataset.TableDataset;
import org.saevhadoop.format.saev.SaevDataset;
import org.saevhadoop.format.saev.SaevMetadata;
import org.saevhadoop.format.safetensors.Layout;
import org.saevhadoop.format.safetensors.SafetensorsTable;
import org.saevhadoop.format.safetensors.Strictness;
import org.saevhadoop.mapreduce.ActivationPickleInputFormat;
import org.saevhadoop.mapreduce.HadoopFolder;
import org.saevhadoop.mapreduce.PickleInput;
import org.saevhadoop.mapreduce.SafetensorsInputFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Tells what a dataset, or one safetensors file, says of itself. */
@Command(
    name = "inspect",
    sortOptions = false,
    description = {
      "Tells what the dataset at PATH says of itself, and what is unusual about it.",
      "Of a safetensors file, or of a model whose files an index names, it tells the tensors and the"
          + " metadata. Only documents and headers are read; of pickled shards, all. Without --json it also tells the"
          + " generation of SAEV metadata and all its fields."
    })
final class InspectCommand implements Callable<Integer> {
  @ParentCommand Main main;

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "PATH",
      description = "A dataset, a safetensors file, or a folder with model.safetensors.index.json.")
  String path;

  @Option(names = "--json", description = "One JSON object.")
  boolean json;

  @Option(
      names = "--digests",
      description =
          "Of a file or a model: with the SHA-256 of each tensor's bytes; reads all of them.")
  boolean digests;

  @Option(
      names = "--check",
      description =
          "Looks for everything that is wrong with a safetensors dataset, a model, a file or"
              + " pickled shards, and tells that instead: a line for each problem, and exit code 1"
              + " where there is one. Headers are read, and the index; of pickled shards, all.")
  boolean check;

  @Mixin SourceOptions sourceOptions;

  // half characters, as in a path that is no UTF-8, survive only as escapes
  private final ObjectMapper mapper =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  @Override
  public Integer call() throws IOException {
    Configuration conf = new Configuration(main.getConf());
    sourceOptions.apply(spec.commandLine(), conf);
    Path at = new Path(path);
    if (check) {
      return check(at, conf);
    }
    Strictness strictness = SafetensorsInputFormat.options(conf).strictness();
    InspectTensors tensors = new InspectTensors(main.out(), strictness, json, digests);
    Optional<Model> model = Model.find(at, conf);
    if (model.isPresent()) {
      tensors.model(model.get());
      return 0;
    }
    DatasetFormat format = DatasetFormat.of(at, null, conf);
    boolean pickle = format == DatasetFormat.pickle;
    if (pickle && !digests) {
      boolean perDirectory = PickleInput.options(conf).idsPerDirectory();
      ShardFiles files = ActivationPickleInputFormat.shards(at, conf);
      print(pickles(PickleReport.of(files, perDirectory)));
      return 0;
    }
    if (!pickle
        && at.getFileSystem(conf).getFileStatus(at).isFile()
        && sourceOptions.tensors.isEmpty()) {
      tensors.file(Model.parent(at, conf), at.getName());
      return 0;
    }
    if (digests) {
      throw new ParameterException(
          spec.commandLine(), "--digests is for files and models (list --digests for a dataset)");
    }
    print(
        format == DatasetFormat.saev
            ? saev(SaevDataset.inspect(HadoopFolder.of(at, conf)))
            : safetensors(format.openTable(at, conf)));
    return 0;
  }

  private int check(Path at, Configuration conf) throws IOException {
    List<String> problems = Check.problems(at, conf).stream().map(Throwable::getMessage).toList();
    if (json) {
      ObjectNode report = mapper.createObjectNode();
      report.put("path", Paths.show(at, conf));
      problems.forEach(report.putArray("problems")::add);
      print(report);
    } else if (problems.isEmpty()) {
      main.out().println("no problem found");
    } else {
      problems.forEach(problem -> main.out().println(OneLine.of(problem)));
    }
    main.out().flush();
    return problems.isEmpty() ? 0 : 1;
  }

  private void print(ObjectNode report) throws IOException {
    PrintWriter out = main.out();
    if (json) {
      out.println(mapper.writerWithDefaultPrettyPrinter().writeValueAsString(report));
    } else {
      report.fields().forEachRemaining(field -> print(out, field.getKey(), field.getValue()));
    }
    out.flush();
  }

  private static void print(PrintWriter out, String key, JsonNode value) {
    if (value.isObject()) {
      out.println(key);
      value
          .fields()
          .forEachRemaining(
              f -> out.printf("  %-26s %s%n", OneLine.of(f.getKey()), plain(f.getValue())));
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
    return value.isTextual() ? OneLine.of(value.asText()) : value.toString();
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
      report.put("attributes", dataset.attributes().isPresent());
      metadata.texts().forEach(report.putObject("metadata")::put);
    }
    shards(report, dataset.listedShards(), dataset.warnings());
    return report;
  }

  private ObjectNode pickles(PickleReport pickles) {
    ObjectNode report = mapper.createObjectNode();
    report.put("format", DatasetFormat.pickle.name());
    report.putNull("protocol").putNull("hash").putNull("hash_matches");
    report.put("examples", pickles.examples());
    pickles.layers().forEach(report.putArray("layers")::add);
    report.put("tokens_per_example", pickles.tokens());
    report.put("dim", pickles.dim());
    report.put("dtype", pickles.dtype());
    shards(report, pickles.shards(), pickles.warnings());
    return report;
  }

  private ObjectNode safetensors(TableDataset dataset) throws IOException {
    return dataset instanceof ActivationDataset activations
        ? activations(activations)
        : table((SafetensorsTable) dataset);
  }

  private ObjectNode table(SafetensorsTable table) throws IOException {
    ObjectNode report = mapper.createObjectNode();
    report.put("format", DatasetFormat.safetensors.name());
    report.put("layout", table.layout().toString());
    if (table.layout() == Layout.KV) {
      report.put("separator", table.separator());
    }
    report.put("examples", table.table().examples());
    ArrayNode columns = report.putArray("columns");
    for (Column column : table.table().columns()) {
      ObjectNode entry = columns.addObject();
      entry.put("name", column.name()).put("dtype", column.dtype().numpyName());
      column.shape().forEach(entry.putArray("shape")::add);
    }
    if (!json) {
      report.put("attributes", table.attributes().isPresent());
    }
    shards(report, table.shards(), table.warnings());
    return report;
  }

  private ObjectNode activations(ActivationDataset dataset) throws IOException {
    SaevMetadata metadata = null;
    if (dataset.saevMetadata().isPresent()) {
      byte[] text = dataset.saevMetadata().get().getBytes(StandardCharsets.UTF_8);
      metadata = SaevMetadata.parse(path, text);
    }
    String hash = metadata == null ? null : metadata.hash();
    ObjectNode report = report(DatasetFormat.safetensors, metadata, hash, null, dataset.geometry());
    if (!json) {
      report.put("attributes", dataset.attributes().isPresent());
    }
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
    report.put("dtype", geometry.dtype().numpyName());
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
}
