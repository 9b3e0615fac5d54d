package org.saevhadoop.converters.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.saevhadoop.converters.Cli;
import org.saevhadoop.converters.program.Fixtures;
import org.saevhadoop.format.TestExtent;
import org.saevhadoop.format.dataset.DatasetError;

/**
 * Random parts of a dataset in each format and layout, converted into each: what is written, and
 * what {@code digest}, {@code cat} and {@code list} show of the same part of the source, is what
 * plain code takes from the values that were written.
 */
@Tag("late")
@Tag("sampled")
class ConvertedPartPropertyTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CASES = TestExtent.of(10, 60);

  private static final NaiveActivations DESCRIBED =
      new NaiveActivations(11, List.of(-2, 3, 4, 5), 6, 4, true, true);

  private static final NaiveActivations BARE =
      new NaiveActivations(13, List.of(7, 8, 9), 5, 3, false, false);

  /** The forms of a source, which are targets too. */
  private static final Map<String, String> FORMS = forms();

  /** A dataset and the values that it holds. */
  private record Source(NaiveActivations values, String form, Path path) {}

  @TempDir static Path folder;
  private static final List<Source> SOURCES = new ArrayList<>();

  private static Map<String, String> forms() {
    Map<String, String> forms = new LinkedHashMap<>();
    forms.put("saev-1.0.0", "--to saev --protocol 1.0.0");
    forms.put("saev-2.1", "--to saev --protocol 2.1");
    forms.put("layers", "--to safetensors --batch-size 3");
    forms.put("acts", "--to safetensors --columns acts --batch-size 4");
    forms.put("kv", "--to safetensors --kv -Dsaev.output.header.bytes=1500");
    forms.put("spec", "--to pickle --dialect spec");
    forms.put("real", "--to pickle --dialect real --uncompressed");
    forms.put("shards", "--to samediff --max-shard-bytes 700");
    forms.put("stored", "--to samediff --container sdz --max-shard-bytes 200");
    forms.put("deflated", "--to samediff --container sdz --deflate");
    return forms;
  }

  @BeforeAll
  static void writeSources() throws IOException {
    for (NaiveActivations values : List.of(DESCRIBED, BARE)) {
      Path plain = values.writeSaev(folder.resolve("source-" + values.described()));
      for (String form : FORMS.keySet()) {
        Path path =
            form.equals("saev-1.0.0")
                ? plain
                : convert(plain, folder.resolve(form + values.described()), FORMS.get(form))
                    .succeeds()
                    .lastLinePath();
        SOURCES.add(new Source(values, form, path));
      }
    }
  }

  static IntStream seeds() {
    return IntStream.range(0, CASES);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aPartIsWhatPlainCodeTakes(int seed) throws IOException {
    Random random = new Random(seed);
    Source source = SOURCES.get(seed * 11 % SOURCES.size()); // described and bare ones in turn
    boolean pickled = FORMS.get(source.form()).contains("pickle");
    RandomPart part = RandomPart.of(source.values(), !pickled, random);
    List<String> targets = List.copyOf(FORMS.keySet());
    String form = targets.get((seed * 3 + 1 + seed / SOURCES.size()) % targets.size());
    String what = "seed %d: %s to %s %s".formatted(seed, source.form(), form, part);

    assertSource(what, source, part, (seed + seed / SOURCES.size()) % 2 == 0);
    String options = FORMS.get(form) + (pickled ? " --family clip --ckpt x" : "");
    Cli written = convert(source.path(), folder.resolve("out" + seed), options, part);
    if (form.equals("kv") && source.form().equals("kv") && !part.examplesAscend()) {
      written.failsWithKind(DatasetError.UNSUPPORTED.name(), source.path());
      return;
    }
    assertThat(written.exitCode()).as(what + written.stderr()).isZero();
    assertWritten(what, source, form, part, written);
  }

  /** What commands show of the part, with the source's numbers. */
  private static void assertSource(String what, Source source, RandomPart part, boolean byVectors)
      throws IOException {
    NaiveActivations values = source.values();
    assertThat(run(part, "digest", source.path()).lastLine())
        .as(what)
        .isEqualTo(values.digestLine(part.examples(), part.layers(), part.tokens()));
    if (byVectors) {
      assertThat(vectors(run(part, "cat", source.path(), "--json")))
          .as(what)
          .isEqualTo(expectedVectors(values, part, part.examples(), part.tokens()));
      return;
    }
    Map<String, String> expected = new TreeMap<>();
    for (int example : part.examples()) {
      for (int layer : part.layers()) {
        byte[] digest = values.blockDigest(example, layer, part.tokens());
        expected.put(example + " " + layer, HexFormat.of().formatHex(digest));
      }
    }
    assertThat(blocks(source, part)).as(what).isEqualTo(expected);
  }

  /** By example and layer, the digests that {@code list} prints. */
  private static Map<String, String> blocks(Source source, RandomPart part) throws IOException {
    Map<String, String> blocks = new TreeMap<>();
    Cli list = run(part, "list", source.path(), "--digests", "--json");
    for (String line : list.text().split("\n")) {
      JsonNode block = JSON.readTree(line);
      boolean whole = block.has("sample_idx"); // pickled shards of which all is listed
      int first = whole && source.values().described() ? NaiveActivations.FIRST_SAMPLE : 0;
      long example = block.get(whole ? "sample_idx" : "example").asLong() - first;
      blocks.put(example + " " + block.get("layer"), block.get("digest").asText());
    }
    return blocks;
  }

  private static void assertWritten(
      String what, Source source, String form, RandomPart part, Cli written) throws IOException {
    NaiveActivations values = source.values();
    Path out = written.lastLinePath();
    assertThat(Cli.run("digest", out).succeeds().lastLine())
        .as(what)
        .isEqualTo(values.digestLine(part.examples(), part.layers(), part.tokens()));
    List<Integer> examples = IntStream.range(0, part.examples().size()).boxed().toList();
    List<Integer> tokens = IntStream.range(0, part.tokens().size()).boxed().toList();
    assertThat(vectors(Cli.run("cat", out, "--examples", ":", "--json").succeeds()))
        .as(what)
        .isEqualTo(expectedVectors(values, part, examples, tokens));
    Cli.assertSound(out);
    assertSamples(what, source, part, out);
    assertLabels(what, source, form, part, out);
    if (form.startsWith("saev")) {
      assertMetadata(what, source, form, part, out);
    }
    boolean noContent = source.values().cls() && part.tokens().equals(List.of(0));
    boolean known = !FORMS.get(source.form()).contains("pickle");
    assertThat(written.stderr().contains("no content tokens are left"))
        .as(what + written.stderr())
        .isEqualTo(form.startsWith("saev") && noContent && known);
  }

  /** By example, layer and token, each vector's values. */
  private static Map<String, String> vectors(Cli cat) throws IOException {
    Map<String, String> vectors = new TreeMap<>();
    for (String line : cat.text().split("\n")) {
      JsonNode vector = JSON.readTree(line);
      List<Float> values = new ArrayList<>();
      vector.get("values").forEach(value -> values.add(value.floatValue()));
      String place = vector.get("example") + " " + vector.get("layer") + " " + vector.get("token");
      assertThat(vectors.put(place, values.toString())).as(place).isNull();
    }
    return vectors;
  }

  private static Map<String, String> expectedVectors(
      NaiveActivations values, RandomPart part, List<Integer> examples, List<Integer> tokens) {
    Map<String, String> expected = new TreeMap<>();
    for (int e = 0; e < examples.size(); e++) {
      for (int layer : part.layers()) {
        for (int t = 0; t < tokens.size(); t++) {
          List<Float> vector = new ArrayList<>();
          for (int i = 0; i < values.dim(); i++) {
            vector.add(values.value(part.examples().get(e), layer, part.tokens().get(t), i));
          }
          expected.put(examples.get(e) + " " + layer + " " + tokens.get(t), vector.toString());
        }
      }
    }
    return expected;
  }

  private static void assertSamples(String what, Source source, RandomPart part, Path out)
      throws IOException {
    if (!source.values().described()) {
      return;
    }
    List<Integer> found = new ArrayList<>();
    for (String line : Cli.run("cat", out, "--sample-metadata").succeeds().text().split("\n")) {
      JsonNode entry = JSON.readTree(line);
      assertThat(entry.get("example").asInt()).as(what).isEqualTo(found.size());
      assertThat(entry.path("count").asInt(1)).as(what).isEqualTo(1);
      int sample = entry.get("sample").get("sample_idx").asInt();
      assertThat(entry.get("sample").get("text_preview").asText())
          .as(what)
          .isEqualTo("text " + sample);
      found.add(sample - NaiveActivations.FIRST_SAMPLE);
    }
    assertThat(found).as(what).isEqualTo(part.examples());
  }

  private static void assertLabels(
      String what, Source source, String form, RandomPart part, Path out) throws IOException {
    NaiveActivations values = source.values();
    boolean carried = values.described() && !FORMS.get(source.form()).contains("pickle");
    List<Integer> patches =
        part.tokens().stream().map(t -> values.cls() ? t - 1 : t).filter(p -> p >= 0).toList();
    List<Byte> expected = new ArrayList<>();
    for (int example : part.examples()) {
      patches.forEach(patch -> expected.add(values.label(example, patch)));
    }
    byte[] found;
    if (form.startsWith("saev")) {
      Path file = out.resolve("labels.bin");
      found = Files.exists(file) ? Files.readAllBytes(file) : null;
    } else if (form.equals("layers") || form.equals("acts")) {
      NaiveTensors.Found labels = NaiveTensors.batches(out).get("labels");
      found = labels == null ? null : labels.bytes();
    } else if (FORMS.get(form).contains("samediff")) {
      found = labelArrays(out);
    } else {
      return;
    }
    if (!carried || patches.isEmpty()) {
      assertThat(found == null || found.length == 0).as(what).isTrue();
    } else {
      assertThat(found).as(what).isNotNull().isEqualTo(bytes(expected));
    }
  }

  /** The labels in all arrays of a container; null if there is none. */
  private static byte[] labelArrays(Path out) throws IOException {
    ByteArrayOutputStream labels = new ByteArrayOutputStream();
    JsonNode report = Cli.run("inspect", out, "--json").succeeds().json();
    for (String name : report.get("arrays").findValuesAsText("name")) {
      if (name.startsWith("labels/")) {
        labels.writeBytes(
            Cli.run("cat", out, "--name", name, "--format", "bin").succeeds().stdout());
      }
    }
    return labels.size() == 0 ? null : labels.toByteArray();
  }

  private static byte[] bytes(List<Byte> list) {
    byte[] bytes = new byte[list.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = list.get(i);
    }
    return bytes;
  }

  private static void assertMetadata(
      String what, Source source, String form, RandomPart part, Path out) throws IOException {
    NaiveActivations values = source.values();
    boolean old = form.equals("saev-1.0.0");
    ObjectNode metadata = (ObjectNode) Fixtures.json(out.resolve("metadata.json"));
    boolean known = !FORMS.get(source.form()).contains("pickle");
    boolean cls = known && values.cls() && part.tokens().contains(0);
    int patches = part.tokens().size() - (cls ? 1 : 0);
    assertThat(metadata.get("layers").toString())
        .as(what)
        .isEqualTo(part.layers().toString().replace(" ", ""));
    assertThat(metadata.get(old ? "n_imgs" : "n_examples").asInt())
        .as(what)
        .isEqualTo(part.examples().size());
    assertThat(metadata.get(old ? "n_patches_per_img" : "content_tokens_per_example").asInt())
        .as(what)
        .isEqualTo(patches);
    assertThat(metadata.get("cls_token").asBoolean()).as(what).isEqualTo(cls);
    assertThat(metadata.get(old ? "d_vit" : "d_model").asInt()).isEqualTo(values.dim());
    if (old) {
      assertThat(out.getFileName()).as(what).hasToString(NaiveActivations.hash(metadata));
    }
    JsonNode report = Cli.run("inspect", out, "--json").succeeds().json();
    assertThat(report.get("hash").asText()).as(what).isEqualTo(out.getFileName().toString());
    assertThat(report.get("hash_matches").asBoolean()).as(what).isTrue();
    JsonNode selections = report.path("selections");
    if (part.isEverything(values)) {
      assertThat(selections).as(what).isEmpty();
      return;
    }
    assertThat(selections).as(what).hasSize(1);
    JsonNode selection = selections.get(0);
    assertThat(selection.get("layers")).as(what).isEqualTo(metadata.get("layers"));
    assertThat(selection.get("examples").toString())
        .as(what)
        .isEqualTo(RandomPart.ranges(part.examples()));
    assertThat(selection.get("tokens").toString())
        .as(what)
        .isEqualTo(RandomPart.ranges(part.tokens()));
    String parent = selection.get("parent").asText();
    if (known) {
      String hash =
          FORMS.get(source.form()).contains("samediff")
              ? NaiveActivations.hash(values.metadata())
              : Cli.run("inspect", source.path(), "--json").json().path("hash").asText();
      assertThat(parent).as(what).isEqualTo(hash);
    } else {
      assertThat(parent + " ").as(what).isSubstringOf(Cli.run("digest", source.path()).lastLine());
    }
  }

  private static Cli run(RandomPart part, Object... args) {
    boolean whole = args[0].equals("cat") && part.options().isEmpty();
    return Cli.run(args, whole ? "--examples=:" : part.options()).succeeds();
  }

  private static Cli convert(Path from, Path to, String options, RandomPart part) {
    return Cli.run("convert", from, to, options.split(" "), part.options());
  }

  private static Cli convert(Path from, Path to, String options) {
    return convert(from, to, options, new RandomPart(null, null, null, List.of()));
  }
}
