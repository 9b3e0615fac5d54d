package org.saevhadoop.converters.sharedoptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.projection.NaiveTensors.Found;
import org.saevhadoop.converters.sharedoptions.Activations.Token;
import org.saevhadoop.format.TestExtent;

/**
 * Runs a verb with options and compares what it writes or prints with what is expected.
 *
 * @param source the path of the dataset
 * @param words all options
 * @param expected what they leave of the source, in the type that was asked for or is stored
 * @param folder for what is written
 * @param turn a number that chooses among equal ways
 */
record Verbs(
    SourceForm form,
    Path source,
    List<String> words,
    StoredType stored,
    Activations expected,
    boolean hasType,
    Path folder,
    int turn) {
  private static final List<String> TARGETS = List.of("saev", "safetensors", "samediff", "pickle");
  private static final Pattern COMPARES = Pattern.compile("next: saev-hadoop diff (.*)");
  private static final ObjectMapper JSON = new ObjectMapper();

  private Cli run(String verb, Object... more) {
    return Cli.run(verb, source, words, more);
  }

  private String what(String verb) {
    return "saev-hadoop %s SRC %s".formatted(verb, String.join(" ", words));
  }

  /** Returns the expected values as a format holds them; it has float32 unless it keeps types. */
  private Activations in(String format) {
    return keepsType(format) ? expected : expected.as(StoredType.F32);
  }

  private boolean keepsType(String format) {
    return switch (format) {
      case "saev" -> false;
      case "pickle" -> hasType || form.format.equals("pickle") || form == SourceForm.REQUESTS;
      default -> true;
    };
  }

  /** Returns whether a format refuses values because of their type. */
  private boolean isRefused(String format) {
    if (!format.equals("safetensors") && keepsType(format) && !expected.type().isCommon()) {
      return true;
    }
    if (format.equals("saev") && hasType) {
      return expected.type() != StoredType.F32;
    }
    return !keepsType(format) && !StoredType.F32.holds(expected.type());
  }

  private boolean hasPadding() {
    return expected.examples().stream().flatMap(List::stream).anyMatch(Token::isPadding);
  }

  // Verbs that write

  void convert() throws IOException {
    String other = TARGETS.get(turn % TARGETS.size());
    if (other.equals("pickle") && hasPadding()) {
      other = "safetensors"; // pickles have their lengths again
    }
    for (String target : List.of("npy", other)) {
      Path out = folder.resolve("converted-" + target);
      Object[] options = {
        "--to", target, (turn / 2) % 3 == 0 ? List.of("--verify") : List.of(), model(target)
      };
      Cli cli = Cli.run("convert", source, out, words, options);
      String what = what("convert") + " --to " + target;
      if (isRefused(target)) {
        Refusal.assertRefused(cli, what);
        continue;
      }
      assertThat(cli.exitCode()).as("%s: %s", what, cli.stderr()).isZero();
      Written written = Written.read(target, cli.lastLinePath());
      written.assertLayers(in(target), what);
      assertIntegers(target, written, what);
    }
  }

  private List<String> model(String target) {
    return target.equals("saev") && form != SourceForm.SAEV
        ? List.of("--family=f", "--ckpt=c")
        : List.of();
  }

  private void assertIntegers(String target, Written written, String what) {
    Map<String, Found> tensors = written.tensors();
    if (form.hasCls() && !target.equals("pickle")) {
      ByteBuffer labels = ByteBuffer.allocate(expected.vectors());
      for (List<Token> example : expected.examples()) {
        example.stream().filter(t -> t.token() > 0).forEach(t -> labels.put(Sources.label(t)));
      }
      byte[] bytes = Arrays.copyOf(labels.array(), labels.position());
      Found found = tensors.get("labels");
      assertThat(found == null ? new byte[0] : found.bytes()).as(what + " labels").isEqualTo(bytes);
    }
    if (form.hasIntegers() && (target.equals("npy") || target.equals("safetensors"))) {
      for (String name : form.hasMasks() ? Sources.INTEGERS : List.of("token_ids")) {
        Found found = tensors.get(name);
        if (found == null && name.endsWith("_mask")) {
          continue; // a mask that was applied
        }
        assertThat(found).as("%s has %s", what, name).isNotNull();
        long[] values = new long[found.bytes().length / 8];
        ByteBuffer.wrap(found.bytes()).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(values);
        assertThat(values).as("%s, %s", what, name).isEqualTo(expected.integers(name));
      }
    }
  }

  void shuffle() throws IOException {
    boolean byVector = turn % 2 == 0;
    boolean hasOrigin = turn % 4 == 0;
    String target = List.of("npy", "safetensors", "saev").get(turn % 3);
    List<String> options =
        new ArrayList<>(
            List.of("--no-fsync", "--to", target, "--unit", byVector ? "vector" : "example"));
    options.addAll((turn / 2) % 3 == 0 ? List.of("--verify") : List.of());
    options.addAll(hasOrigin ? List.of("--provenance") : List.of());
    options.addAll(model(target));
    Path out = folder.resolve("shuffled");
    Cli cli = Cli.run("shuffle", source, out, words, options);
    String what = what("shuffle") + " " + String.join(" ", options);
    if (isRefused(target)) {
      Refusal.assertRefused(cli, what);
      return;
    }
    assertThat(cli.exitCode()).as("%s: %s", what, cli.stderr()).isZero();
    List<Path> datasets = cli.text().lines().map(Path::of).toList();
    assertThat(datasets).as(what).hasSize(byVector ? expected.layers().size() : 1);
    for (int i = 0; i < datasets.size(); i++) {
      Written written = Written.read(target, datasets.get(i));
      List<Integer> layers = byVector ? List.of(expected.layers().get(i)) : expected.layers();
      if (byVector) {
        assertVectors(
            written, in(target), layers.get(0), hasOrigin && !target.equals("saev"), what);
      } else {
        assertExamples(written, in(target), what);
      }
    }
  }

  private void assertVectors(
      Written written, Activations rows, int layer, boolean hasOrigin, String what) {
    List<Token> tokens =
        rows.examples().stream().flatMap(List::stream).filter(t -> !t.isPadding()).toList();
    boolean hasLabels = form.hasCls() && tokens.stream().allMatch(t -> t.token() > 0);
    Map<String, Found> tensors = written.tensors();
    assertThat(tensors.containsKey("labels")).as("%s: labels", what).isEqualTo(hasLabels);
    List<String> wanted = new ArrayList<>();
    for (Token token : tokens) {
      wanted.add(
          (hasOrigin ? token.example() + " " + token.token() + " " : "")
              + (hasLabels ? Sources.label(token) + " " : "")
              + HexFormat.of().formatHex(rows.vector(token, layer)));
    }
    Found found = tensors.get("layer_" + layer);
    assertThat(found).as("%s: layer %d in %s", what, layer, tensors.keySet()).isNotNull();
    assertThat(found.dtype()).as(what).isEqualTo(rows.type().name());
    List<String> rowsFound = new ArrayList<>();
    for (int i = 0; i < found.shape().get(0); i++) {
      String origin = "";
      if (hasOrigin) {
        origin = number(tensors.get("example"), i) + " " + number(tensors.get("token"), i) + " ";
        assertThat(number(tensors.get("layer"), i)).as(what).isEqualTo(layer);
      }
      rowsFound.add(
          origin
              + (hasLabels ? tensors.get("labels").row(i)[0] + " " : "")
              + HexFormat.of().formatHex(found.row(i)));
    }
    assertThat(rowsFound).as(what).containsExactlyInAnyOrderElementsOf(wanted);
  }

  private static long number(Found found, int i) {
    return ByteBuffer.wrap(found.bytes()).order(ByteOrder.LITTLE_ENDIAN).getLong(i * 8);
  }

  private static void assertExamples(Written written, Activations rows, String what) {
    List<String> wanted = new ArrayList<>();
    for (List<Token> example : rows.examples()) {
      StringBuilder text = new StringBuilder();
      for (int layer : rows.layers()) {
        text.append(HexFormat.of().formatHex(rows.block(example, layer))).append(' ');
      }
      wanted.add(text.toString());
    }
    List<String> found = new ArrayList<>();
    long n = written.tensors().get("layer_" + rows.layers().get(0)).shape().get(0);
    for (int i = 0; i < n; i++) {
      StringBuilder text = new StringBuilder();
      for (int layer : rows.layers()) {
        Found tensor = written.tensors().get("layer_" + layer);
        assertThat(tensor.dtype()).as(what).isEqualTo(rows.type().name());
        text.append(HexFormat.of().formatHex(tensor.row(i))).append(' ');
      }
      found.add(text.toString());
    }
    assertThat(found).as(what).containsExactlyInAnyOrderElementsOf(wanted);
  }

  // Verbs that read

  void digest() {
    boolean isWidened = StoredType.F32.holds(stored);
    assertThat(run("digest").succeeds().lastLine())
        .as(what("digest"))
        .isEqualTo((isWidened ? expected.as(StoredType.F32) : expected).digestLine());
  }

  void stats() throws IOException {
    JsonNode json = run("stats", "--json", "--vectors").succeeds().json();
    String what = what("stats");
    assertThat(json.get("examples").asInt()).as(what).isEqualTo(expected.examples().size());
    for (JsonNode layer : json.get("layers")) {
      List<double[]> vectors = expected.real(layer.get("layer").asInt());
      assertThat(layer.get("vectors").asInt()).as(what + " vectors").isEqualTo(vectors.size());
      assertThat(layer.get("padding").asInt())
          .as(what + " padding")
          .isEqualTo(expected.vectors() - vectors.size());
      for (int d = 0; !vectors.isEmpty() && d < expected.dim(); d++) {
        int dim = d;
        double[] column = vectors.stream().mapToDouble(vector -> vector[dim]).toArray();
        double mean = Arrays.stream(column).average().orElseThrow();
        double scale = Arrays.stream(column).map(Math::abs).max().orElseThrow();
        String where = "%s, layer %s, dim %d, ".formatted(what, layer.get("layer"), d);
        assertThat(layer.get("mean").get(d).asDouble())
            .as(where + "mean")
            .isCloseTo(mean, within(scale * 1e-14));
        assertThat(layer.get("min").get(d).asDouble())
            .as(where + "min")
            .isEqualTo(Arrays.stream(column).min().orElseThrow());
        assertThat(layer.get("max").get(d).asDouble())
            .as(where + "max")
            .isEqualTo(Arrays.stream(column).max().orElseThrow());
      }
    }
    assertThat(json.get("layers").valueStream().map(l -> l.get("layer").asInt()).toList())
        .as(what)
        .containsExactlyInAnyOrderElementsOf(expected.layers());
  }

  void verify() throws IOException {
    JsonNode json = run("verify", "--json").json();
    String what = what("verify");
    assertThat(json.path("ok").asBoolean()).as("%s: %s", what, json).isTrue();
    assertThat(json.get("layers").valueStream().map(l -> l.get("layer").asInt()).toList())
        .as("%s: %s", what, json)
        .containsExactlyInAnyOrderElementsOf(expected.layers());
    assertThat(json.get("checked").get("vectors").asInt())
        .as("%s: %s", what, json)
        .isEqualTo(expected.vectors() * expected.layers().size());
  }

  /** Compares the numbers of values that are no numbers. */
  void verifyNan() throws IOException {
    Cli cli = run("verify", "--json");
    String what = what("verify");
    long all = expected.layers().stream().mapToLong(expected::nanVectors).sum();
    assertThat(cli.exitCode()).as("%s: %s", what, cli.text()).isEqualTo(all == 0 ? 0 : 1);
    for (JsonNode layer : cli.json().get("layers")) {
      long nan = expected.nanVectors(layer.get("layer").asInt());
      long found =
          layer
              .get("counts")
              .valueStream()
              .filter(count -> count.get("kind").asText().equals("NAN"))
              .mapToLong(count -> count.get("count").asLong())
              .sum();
      assertThat(found).as("%s: %s", what, cli.text()).isEqualTo(nan);
    }
    JsonNode stats = run("stats", "--json").succeeds().json();
    for (JsonNode layer : stats.get("layers")) {
      assertThat(layer.get("nan").asLong())
          .as("%s: %s", what("stats"), stats)
          .isEqualTo(expected.nanVectors(layer.get("layer").asInt()));
    }
  }

  /** Converts to SAEV with --cls. */
  void cls() throws IOException {
    List<String> verbs = List.of("convert", "shuffle"); // in turn
    int first = form.ordinal() % 2;
    for (String verb : TestExtent.isWhole() ? verbs : verbs.subList(first, first + 1)) {
      List<String> options =
          new ArrayList<>(List.of("--no-fsync", "--to=saev", "--cls", "--dtype=F32"));
      options.addAll(model("saev"));
      options.addAll(verb.equals("shuffle") ? List.of("--unit=example") : List.of());
      Cli cli = Cli.run(verb, source, folder.resolve(verb), words, options);
      String what = what(verb) + " " + String.join(" ", options);
      assertThat(cli.exitCode()).as("%s: %s", what, cli.stderr()).isZero();
      JsonNode metadata = JSON.readTree(cli.lastLinePath().resolve("metadata.json").toFile());
      assertThat(metadata.get("cls_token").asBoolean()).as(what).isTrue();
      assertThat(metadata.get("content_tokens_per_example").asInt())
          .as(what)
          .isEqualTo(expected.tokens() - 1);
      Written written = Written.read("saev", cli.lastLinePath());
      if (verb.equals("convert")) {
        written.assertLayers(expected.as(StoredType.F32), what);
      } else {
        assertExamples(written, expected.as(StoredType.F32), what);
      }
    }
  }

  void list() throws IOException {
    List<String> wanted = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (List<Token> example : expected.examples()) {
      for (int layer : expected.layers()) {
        wanted.add(
            "%d %d [%d,%d] %s %s"
                .formatted(
                    example.stream().mapToInt(Token::example).max().orElseThrow(),
                    layer,
                    expected.tokens(),
                    expected.dim(),
                    stored.numpy,
                    Activations.sha256(expected.block(example, layer))));
      }
    }
    Cli cli = run("list", "--json", "--digests").succeeds();
    for (String line : cli.text().lines().toList()) {
      JsonNode block = JSON.readTree(line);
      String id = block.path("example").asText(block.path("sample_idx").asText());
      found.add(
          "%s %s %s %s %s"
              .formatted(
                  id,
                  block.get("layer"),
                  block.get("shape"),
                  block.path("dtype").asText(),
                  block.get("digest").asText()));
    }
    assertThat(found).as(what("list")).containsExactlyInAnyOrderElementsOf(wanted);
  }

  void cat() throws IOException {
    List<String> all =
        words.stream().anyMatch(w -> w.startsWith("--examples"))
            ? List.of()
            : List.of("--examples=:");
    String what = what("cat");
    if (stored == StoredType.BF16 || !stored.isCommon()) {
      Refusal.assertRefused(run("cat", all, "--format", "npy"), what);
      assertThat(run("cat", all, "--format", "bin").succeeds().stdout())
          .as(what)
          .isEqualTo(expected.acts());
      return;
    }
    Found found = Written.npy(run("cat", all, "--format", "npy").succeeds().stdout());
    assertThat(found.shape())
        .as(what)
        .isEqualTo(
            List.of(
                (long) expected.examples().size(),
                (long) expected.layers().size(),
                (long) expected.tokens(),
                (long) expected.dim()));
    assertThat(found.dtype()).as(what).isEqualTo(stored.descr);
    assertThat(found.bytes()).as(what).isEqualTo(expected.acts());
  }

  void diff() throws IOException {
    Path out = folder.resolve("same");
    String target = stored.isCommon() ? "npy" : "safetensors";
    Cli written = Cli.run("convert", source, out, words, "--to", target, "--no-fsync");
    assertThat(written.exitCode()).as("%s: %s", what("convert"), written.stderr()).isZero();
    String what = what("diff") + " DST";
    Cli cli = Cli.run("diff", source, source, words, "--json");
    assertThat(cli.exitCode()).as("%s: %s", what, cli.stderr()).isZero();
    assertThat(cli.json().get("identical").asBoolean()).as(what).isTrue();
    assertThat(cli.json().get("examples").asInt()).as(what).isEqualTo(expected.examples().size());
    Matcher note = COMPARES.matcher(written.stderr());
    if (note.find()) {
      List<String> command = new ArrayList<>(List.of(note.group(1).replace("'", "").split(" ")));
      command.add("--json");
      Cli both = Cli.run("diff", command);
      assertThat(both.exitCode()).as("%s: %s%s", note, both.stderr(), both.text()).isZero();
      assertThat(both.json().get("identical").asBoolean()).as("%s", both.text()).isTrue();
    }
  }

  void inspect() throws IOException {
    JsonNode json = run("inspect", "--json").succeeds().json();
    String what = what("inspect");
    if (form.format.equals("pickle") && !words.isEmpty()) {
      assertThat(json.get("warnings").get(0).asText())
          .as(what)
          .contains("has no effect: arrays are shown as recorded");
      return;
    }
    assertThat(json.path("examples").asInt(-1))
        .as("%s: %s", what, json)
        .isEqualTo(expected.examples().size());
    assertThat(json.path("layers").valueStream().map(JsonNode::asInt).toList())
        .as("%s: %s", what, json)
        .isEqualTo(expected.layers());
    assertThat(json.path("tokens").asInt(-1)).as("%s: %s", what, json).isEqualTo(expected.tokens());
    assertThat(json.path("dim").asInt(-1)).as("%s: %s", what, json).isEqualTo(expected.dim());
  }

  void bench() throws IOException {
    Cli cli = run("bench", "--json", "--seconds=0.001", "--rounds=1", "--batch-size=4");
    String what = what("bench");
    if (stored != StoredType.F32) {
      Refusal.assertRefused(cli, what);
      return;
    }
    JsonNode json = cli.succeeds().json();
    boolean content = expected.cls() && words.stream().noneMatch(w -> w.startsWith("--tokens"));
    assertThat(json.get("vectors").asInt())
        .as("%s: %s", what, json)
        .isEqualTo(
            (expected.vectors() - (content ? expected.examples().size() : 0))
                * expected.layers().size());
  }
}
