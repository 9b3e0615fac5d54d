package org.saevhadoop.converters.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.Main;
import org.saevhadoop.converters.arrays.OwnArrays;
import org.saevhadoop.converters.console.Console;
import org.saevhadoop.converters.parquet.Tables;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.converters.projection.NaiveTensors;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.format.DatasetFormats;
import org.saevhadoop.format.safetensors.dataset.SmallFile;
import org.saevhadoop.format.samediff.ForeignContainer;
import org.saevhadoop.format.samediff.ForeignContainer.Storage;
import org.saevhadoop.format.tensor.DType;
import picocli.CommandLine;

/** The page docs/json.md lists the keys that commands print with {@code --json}, and no others. */
@Tag("late")
class JsonPageTest {
  private static final Path PAGE = Path.of("../docs/json.md");
  private static final String ERRORS = "Errors";
  private static final String PLANS = "dry-run";

  /** Numbers of a plan that may be unknown. */
  private static final Set<String> UNKNOWN =
      Set.of("files", "bytes_written", "temporary[].bytes", "temporary[].free");

  /** Keys that need a cluster. */
  private static final Set<String> OF_CLUSTERS = Set.of("jobs[].application");

  /** Documents of a dataset, which are printed as they are. */
  private static final Set<String> DOCUMENTS = Set.of("metadata", "sample");

  private static final Pattern ROW = Pattern.compile("\\| (`.*?`) \\| .* \\|");
  private static final Pattern KEY = Pattern.compile("`([^`]+)`");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** By the heading of its section, the keys that each command prints. */
  private static final Map<String, Set<String>> PRINTED = new TreeMap<>();

  @TempDir static Path folder;

  @BeforeAll
  static void runEveryCommand() throws IOException {
    Path saev = Fixtures.small();
    Path pickle = Fixtures.pickle("spec");
    Path safetensors = convert(saev, "safetensors", "safetensors --digest");
    Path kv = convert(saev, "kv", "safetensors --kv --dtype bf16");
    Path samediff = convert(saev, "samediff", "samediff --verify");
    Path flat = convert(Fixtures.pickle("ragged"), "flat", "safetensors --ragged flatten");
    Path part = convert(saev, "part", "saev --layers 13");
    Path statistics = folder.resolve("statistics.safetensors");
    Cli.run("stats", saev, "--to-safetensors", statistics).succeeds();
    String normalize = "parquet --normalize-by center --normalize " + statistics;
    Path parquet = convert(saev, "parquet", normalize);
    Path table = Files.createDirectory(folder.resolve("table"));
    SmallFile.ofThree(table.resolve("p.safetensors"), "1__x", "2__x");
    SmallFile.manifest(table, "p.safetensors:2");
    Path tokens = convert(request(), "tokens", "safetensors --tensor a=token,dim");
    for (Path dataset :
        List.of(saev, safetensors, kv, samediff, pickle, flat, part, parquet, table, tokens)) {
      run("inspect", dataset);
      run("inspect", dataset, "--with", dataset, "--renumber");
      run("list", dataset, "--digests");
      run("digest", dataset);
      run("verify", dataset);
    }
    run("inspect", Tables.texts(folder.resolve("texts/texts.parquet"), 3));
    Path copy = convert(table, "copy", "safetensors");
    inspectTensors(safetensors, samediff);
    for (Path dataset : List.of(saev, safetensors, samediff, pickle)) {
      run("list", dataset, "--examples", "0");
      run("cat", dataset, "--examples", "0:2");
    }
    run("cat", pickle, "--sample-metadata");
    run("cat", flat, "--sample-metadata");
    run("cat", convert(pickle, "cut", "safetensors --tokens 1:3"), "--sample-metadata");
    run("cat", pickle, "--example", 0, "--sample-metadata");
    run("cat", samediff, "--name", "layer_13/shard_0");
    run("cat", kv, "--key", "3__layer_21");
    run("digest", saev, "--expect", Cli.run("digest", saev).lastLine());
    run("diff", saev, kv);
    run("diff", saev, safetensors);
    try (var files = Files.list(copy)) {
      Path file = files.filter(f -> f.toString().endsWith(".safetensors")).findFirst().get();
      Fixtures.flip(file, Math.toIntExact(Files.size(file)) - 1);
    }
    run("diff", table, copy);
    for (Path dataset : List.of(saev, pickle)) {
      Path planned = folder.resolve("planned");
      run("convert", dataset, planned, "--to", "safetensors", "--dtype", "bf16", "--dry-run");
      run("digest", dataset, "--dry-run");
      run("diff", saev, dataset, "--dry-run");
    }
    Path many = Fixtures.copy(Fixtures.SMALL, folder.resolve("many"));
    for (int i = 0; i < 4; i++) {
      byte[] bytes = Files.readAllBytes(many.resolve("acts00000" + i + ".bin"));
      Arrays.fill(bytes, (byte) 0xff);
      Files.write(many.resolve("acts00000" + i + ".bin"), bytes);
    }
    run("verify", many);
    run(
        "stats",
        Fixtures.labelled(Fixtures.SMALL, Files.createDirectory(folder.resolve("labelled"))),
        "--vectors");
    run("stats", faulty());
    run("stats", saev, "--dry-run");
    Path shuffled = folder.resolve("shuffled");
    run("shuffle", saev, shuffled, "--to", "safetensors", "--layers", "13", "--dry-run");
    run("shuffle", saev, shuffled, "--to", "safetensors", "--layers", "13");
    for (String verb : List.of("convert", "shuffle")) {
      Object[] again = {saev, shuffled, "--to", "safetensors", "--layers", "13", "--overwrite"};
      run(verb, again, "--dry-run");
    }
    merge(safetensors, pickle);
    run("bench", saev, "--seconds", "0.01", "--rounds", 1);
    run("bench-keys", kv, "--key", "3__layer_21", "--fetches", 2);
    inspectArrays();
    fail(saev, pickle);
  }

  private static void merge(Path safetensors, Path pickle) throws IOException {
    run("merge", safetensors, safetensors, folder.resolve("merged"), "--dry-run");
    run("merge", safetensors, safetensors, folder.resolve("merged"), "--verify");
    run("merge", convert(pickle, "pickle", "pickle"), folder.resolve("shards of one"));
    Path nothing = folder.resolve("nothing");
    run("merge", safetensors, nothing, pickle, folder.resolve("conflicts"));
  }

  /** Returns a file of activations with token ids. */
  private static Path request() throws IOException {
    Path file = folder.resolve("request.safetensors");
    NaiveTensors.write(
        file,
        Map.of(
            "a", Found.of("F32", List.of(1L, 1L), new byte[4]),
            "token_ids", Found.of("I64", List.of(1L), new byte[8])));
    return file;
  }

  /** Returns a file with NaN, an infinity and a zero vector. */
  private static Path faulty() throws IOException {
    Path file = folder.resolve("faulty.safetensors");
    ByteBuffer values = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    values.putFloat(Float.NaN).putFloat(Float.NEGATIVE_INFINITY).putFloat(0);
    NaiveTensors.write(
        file, Map.of("layer_0", Found.of("F32", List.of(3L, 1L, 1L), values.array())));
    return file;
  }

  private static void inspectArrays() throws IOException {
    Path own = folder.resolve("own");
    OwnArrays.writeNpy(own.resolve("acts.npy"), DType.F32, List.of(2L, 3L), new byte[24]);
    run("inspect", own);
    Files.writeString(own.resolve("damaged.npy"), "");
    run("inspect", own);
  }

  private static void inspectTensors(Path safetensors, Path samediff) throws IOException {
    Path file = safetensors.resolve("part.safetensors");
    try (var files = Files.list(safetensors)) {
      Files.copy(files.filter(f -> f.toString().endsWith(".safetensors")).findFirst().get(), file);
    }
    run("inspect", file, "--digests");
    Path model = Files.createDirectory(folder.resolve("model"));
    SmallFile.ofThree(model.resolve("m.safetensors"), "a");
    Files.writeString(
        model.resolve("model.safetensors.index.json"),
        "{\"metadata\":{\"total_size\":3},\"weight_map\":{\"a\":\"m.safetensors\"}}");
    run("inspect", model);
    run("inspect", samediff, "--digests");
    ForeignContainer container =
        new ForeignContainer()
            .array("a", ForeignContainer.FLOAT, Storage.APPENDED, 'f', new byte[24], 2, 3)
            .array("mask", ForeignContainer.LONG, Storage.NONE, 'c', new byte[0])
            .placeholder("in");
    Path shards = Files.createDirectory(folder.resolve("shards"));
    container.writeShards(shards, "net", 1000);
    run("inspect", shards);
  }

  /** Commands that fail, some of which have printed lines before. */
  private static void fail(Path saev, Path pickle) throws IOException {
    run("inspect", folder.resolve("nothing"));
    run("inspect", Fixtures.pickle("spec").resolveSibling("../samediff")); // several datasets
    run("inspect");
    run("digest", saev, "--nonsense");
    run("digest", saev, "--expect", "sha256-blocks:0");
    run("diff", saev, folder.resolve("nothing"));
    run("convert", saev, folder.resolve("out"), "--to", "safetensors", "--dtype", "nonsense");
    run("convert", saev, folder.resolve("x"), "--to", "safetensors", "--examples", "7");
    Path broken = Fixtures.copy(Fixtures.SMALL, folder);
    Files.delete(broken.resolve("acts000001.bin"));
    Files.writeString(broken.resolve("shards.json"), "[");
    run("inspect", broken);
    run("verify", broken, "--structure");
    run("verify", broken);
    Path lacking = Fixtures.copy(Fixtures.D768, folder);
    Files.delete(lacking.resolve("acts000001.bin"));
    run("inspect", lacking);
    Path shard = Files.createDirectory(folder.resolve("bad")).resolve("shard_0001.pkl.gz");
    Files.write(shard, new byte[] {1, 2, 3});
    run("list", shard.getParent());
    run("list", pickle, "--layers", 99);
  }

  private static Path convert(Path source, String name, String options) throws IOException {
    JsonNode report =
        run("convert", source, folder.resolve(name), "--to", options.split(" ")).get(0);
    return Path.of(report.get("path").textValue());
  }

  private static List<JsonNode> run(String command, Object... words) throws IOException {
    Cli cli = Cli.run(command, words, "--json");
    List<JsonNode> objects;
    try (MappingIterator<JsonNode> found = JSON.readerFor(JsonNode.class).readValues(cli.text())) {
      objects = found.readAll();
    }
    String what = command + List.of(words) + ": " + cli.stderr();
    assertThat(objects).as(what).isNotEmpty();
    assertThat(cli.text().chars().allMatch(c -> c < 0x7f)).as(what).isTrue();
    for (JsonNode object : objects) {
      assertThat(object.fieldNames().next()).as(what).isEqualTo("schema");
      assertThat(object.get("schema").intValue()).as(what).isEqualTo(1);
      boolean isPlan = List.of(words).contains("--dry-run");
      String section = object.has("error") ? ERRORS : isPlan ? PLANS : command;
      collect(object, "", PRINTED.computeIfAbsent(section, c -> new TreeSet<>()));
    }
    JsonNode last = objects.get(objects.size() - 1);
    if (last.has("error")) {
      assertThat(last.get("exit").intValue()).as(what).isEqualTo(cli.exitCode());
      assertThat(JSON.readTree(cli.lastLine())).as(what).isEqualTo(last);
      assertThat(cli.stderr()).as(what).contains(last.at("/error/message").textValue());
    } else {
      boolean differs = last.has("same") && !last.get("same").booleanValue();
      boolean fails = last.has("ok") && !last.get("ok").booleanValue();
      assertThat(cli.exitCode()).as(what).isEqualTo(differs || fails ? 1 : 0);
    }
    return objects;
  }

  private static void collect(JsonNode node, String name, Set<String> keys) {
    boolean mayBeNull = UNKNOWN.contains(name) || name.startsWith("findings[]");
    assertThat(node.isNull() && !mayBeNull).as(name).isFalse();
    if (node.isArray()) {
      node.forEach(item -> collect(item, name + "[]", keys));
    }
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String key = name.isEmpty() ? field.getKey() : name + '.' + field.getKey();
      boolean container = field.getValue().isObject() && !isCounters(key);
      boolean objects = field.getValue().isArray() && field.getValue().path(0).isObject();
      if (DOCUMENTS.contains(key)) {
        keys.add(key);
        continue;
      }
      if (!container && !objects) {
        keys.add(key.replace("jobs[].counters.", "counters."));
      }
      collect(field.getValue(), key, keys);
    }
  }

  private static boolean isCounters(String key) {
    return key.endsWith("counters");
  }

  /** By the heading of its section, the keys that the page lists. */
  private static Map<String, Set<String>> listed() throws IOException {
    Map<String, Set<String>> keys = new TreeMap<>();
    String section = "";
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        section = line.substring(3);
      }
      Matcher row = ROW.matcher(line);
      if (row.matches() && !section.isEmpty()) {
        Matcher key = KEY.matcher(row.group(1));
        while (key.find()) {
          keys.computeIfAbsent(section, s -> new TreeSet<>()).add(key.group(1));
        }
      }
    }
    return keys;
  }

  @Test
  void thePageListsTheKeysThatCommandsPrint() throws IOException {
    Map<String, Set<String>> listed = listed();
    listed.get(ERRORS).add("schema"); // of which the page says that all objects have it
    listed.values().forEach(keys -> keys.removeAll(OF_CLUSTERS));
    PRINTED.values().forEach(keys -> keys.removeIf(key -> isEmptyList(key)));
    assertThat(PRINTED).isEqualTo(listed);
  }

  /** Lists of objects that were empty in one run and not in another. */
  private static boolean isEmptyList(String key) {
    return Set.of(
            "shards",
            "jobs",
            "arrays",
            "tensors",
            "findings",
            "not_listed",
            "removes",
            "suggestion")
        .contains(
            key.replaceFirst("layers\\[\\]\\.(counts|histogram)", "findings")
                .replaceFirst("datasets\\[\\]\\.removes", "removes"));
  }

  @Test
  void everyCommandHasASection() throws IOException {
    Console console =
        new Console(
            new org.apache.hadoop.conf.Configuration(),
            DatasetFormats.registry(),
            System.out,
            System.err);
    CommandLine line = new Main(System.out, System.err).commandLine(console);
    Set<String> commands = new TreeSet<>(line.getSubcommands().keySet());
    commands.removeIf(
        name -> line.getSubcommands().get(name).getCommandSpec().findOption("--json") == null);
    assertThat(listed().keySet()).containsAll(commands).hasSize(commands.size() + 2);
    Set<String> offered = new TreeSet<>(line.getSubcommands().keySet());
    offered.removeIf(
        name -> line.getSubcommands().get(name).getCommandSpec().usageMessage().hidden());
    assertThat(commands).isEqualTo(offered);
  }

  @Test
  void theExamplesArePrintedByTheCommands() throws IOException {
    Matcher example =
        Pattern.compile("## (\\S+)|```json\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE));
    String section = "";
    int examples = 0;
    while (example.find()) {
      if (example.group(1) != null) {
        section = example.group(1);
        continue;
      }
      JsonNode object = JSON.readTree(example.group(2));
      assertThat(object.fieldNames().next()).isEqualTo("schema");
      Set<String> keys = new TreeSet<>();
      collect(object, "", keys);
      keys.removeIf(JsonPageTest::isEmptyList);
      assertThat(PRINTED.get(section)).as(section).containsAll(keys);
      examples++;
    }
    assertThat(examples).isEqualTo(PRINTED.size());
  }
}
